import { JsonError, type JsonErrorCode } from '../json-error';
import { isArray, isJsonObject, ownMember, type JsonObject } from '../value';
import { parsePointer, quotedPointer, type JsonPointer } from '../pointer';

/** One operation of a JSON Patch, checked as far as possible without the current value. */
export type Operation = { readonly index: number; readonly path: JsonPointer } & (
  | { readonly op: 'add' | 'replace' | 'test'; readonly value: unknown }
  | { readonly op: 'move' | 'copy'; readonly from: JsonPointer }
  | { readonly op: 'remove' }
);

/**
 * Reads the operations of a parsed JSON Patch document. Refuses everything that can be refused without the
 * current value, so that a malformed patch changes nothing (RFC 6902 3 to 5).
 *
 * @param limit - the largest number of operations accepted
 */
export function readOperations(document: unknown, limit: number): readonly Operation[] {
  if (!isArray(document)) {
    throw new JsonError(
      'patch-malformed',
      'A JSON Patch must be an array of operations (RFC 6902 3). Put a single operation in an array too.',
    );
  }
  if (document.length > limit) {
    throw new JsonError(
      'limit-operations',
      `The patch has ${document.length} operations, but the limit is ${limit}. Split the patch.`,
    );
  }
  const operations = document.map(readOperation);
  operations.forEach(refuseToLeaveNothing);
  return operations;
}

function readOperation(document: unknown, index: number): Operation {
  if (!isJsonObject(document)) throw malformed(index, 'must be an object: {"op": …, "path": …}');
  const op = ownMember(document, 'op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return { index, op, path: readPointer(document, 'path', index), value: readValue(document, index) };
    case 'remove':
      return { index, op, path: readPointer(document, 'path', index) };
    case 'move':
    case 'copy': {
      const path = readPointer(document, 'path', index);
      const from = readPointer(document, 'from', index);
      if (op === 'move' && path.text.startsWith(from.text + '/')) {
        throw malformed(index, 'moves a value into itself (RFC 6902 4.4). Copy it instead', path.text);
      }
      return { index, op, path, from };
    }
    default:
      throw malformed(index, 'must have an "op": one of add, remove, replace, move, copy and test');
  }
}

function readPointer(document: JsonObject, name: 'path' | 'from', index: number): JsonPointer {
  const member = ownMember(document, name);
  const text = typeof member === 'string' ? member : undefined;
  const pointer = text === undefined ? undefined : parsePointer(text);
  if (pointer !== undefined) return pointer;
  const form = 'an empty string, or one that begins with "/" and has "~" only in "~0" and "~1"';
  throw malformed(index, `must have a "${name}" that is a JSON Pointer: ${form}`, text);
}

function readValue(document: JsonObject, index: number): unknown {
  const value = ownMember(document, 'value');
  if (value === undefined) throw malformed(index, 'must have a "value". Use null if that is what you mean');
  return value;
}

/**
 * RFC 6902 does not say what remains after the whole document is removed. There is no JSON value for that,
 * and DELETE is the method for it. So the root can be removed only if the next operation adds it again; any
 * operation in between would fail anyway.
 */
function refuseToLeaveNothing({ op, path, index }: Operation, _: number, all: readonly Operation[]): void {
  if (op !== 'remove' || path.text !== '') return;
  const next = all[index + 1];
  if (next?.op === 'add' && next.path.text === '') return;
  throw malformed(index, 'removes the whole document. Use DELETE for that', path.text);
}

function malformed(index: number, predicate: string, pointer?: string): JsonError {
  return operationError('patch-malformed', index, predicate, pointer);
}

/**
 * The error of one operation.
 *
 * @param predicate - completes the sentence "Operation 3 …", without the final period
 */
export function operationError(
  code: JsonErrorCode,
  index: number,
  predicate: string,
  pointer?: string,
): JsonError {
  const shown = pointer === undefined ? '' : ` (${quotedPointer(pointer, 100)})`;
  return new JsonError(code, `Operation ${index}${shown} ${predicate}.`, index, pointer);
}

import { isArray, isJsonObject, memberOf, type JsonObject } from '../json/value';
import { parsePointer, type JsonPointer } from '../json/pointer';
import { PatchError, type PatchErrorCode } from '../patch-error';
import type { PatchLimits } from '../patch-parser';

/** What applying one JSON Patch may cost. */
export type JsonPatchLimits = Pick<PatchLimits, 'operations' | 'depth' | 'copied' | 'shifted'>;

/** One operation of a JSON Patch, found sound as far as that shows without the resource's value. */
export type Operation = { readonly index: number; readonly path: JsonPointer } & (
  | { readonly op: 'add' | 'replace' | 'test'; readonly value: unknown }
  | { readonly op: 'move' | 'copy'; readonly from: JsonPointer }
  | { readonly op: 'remove' }
);

/**
 * Reads the operations of a parsed JSON Patch document and refuses, before any value is touched, whatever can be
 * refused without one (RFC 6902 3 to 5).
 *
 * @param most - the number of operations that are taken
 */
export function readOperations(document: unknown, most: number): readonly Operation[] {
  if (!isArray(document)) {
    throw new PatchError(
      'patch-malformed',
      'The patch document is no array of operations, as a JSON Patch is (RFC 6902 3). Put a single one into brackets.',
    );
  }
  if (document.length > most) {
    throw new PatchError(
      'limit-operations',
      `The patch has ${document.length} operations; at most ${most} are taken. Send it in parts.`,
    );
  }
  const operations = document.map(readOperation);
  operations.forEach(refuseToLeaveNothing);
  return operations;
}

function readOperation(document: unknown, index: number): Operation {
  if (!isJsonObject(document)) throw malformed(index, 'is not an object: write {"op": …, "path": …}');
  const op = memberOf(document, 'op');
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
        throw malformed(index, 'moves a value into itself (RFC 6902 4.4): copy it instead', path.text);
      }
      return { index, op, path, from };
    }
    default:
      throw malformed(index, 'has no "op" that is one of add, remove, replace, move, copy and test');
  }
}

function readPointer(document: JsonObject, name: 'path' | 'from', index: number): JsonPointer {
  const given = memberOf(document, name);
  const text = typeof given === 'string' ? given : undefined;
  const pointer = text === undefined ? undefined : parsePointer(text);
  if (pointer !== undefined) return pointer;
  const fix = 'write a string that is empty or begins with "/", with "~" only in "~0" and "~1"';
  throw malformed(index, `has no "${name}" that is a JSON Pointer: ${fix}`, text);
}

function readValue(document: JsonObject, index: number): unknown {
  const value = memberOf(document, 'value');
  if (value === undefined) throw malformed(index, 'has no "value": give it one, null if that is meant');
  return value;
}

/**
 * RFC 6902 does not say what is left when the whole document is removed. Nothing is no JSON value and DELETE is the
 * method for it, so the root may be removed only to be added again at once; any operation between would fail.
 */
function refuseToLeaveNothing({ op, path, index }: Operation, _: number, all: readonly Operation[]): void {
  if (op !== 'remove' || path.text !== '') return;
  const next = all[index + 1];
  if (next?.op === 'add' && next.path.text === '') return;
  throw malformed(index, 'removes the whole document, which is for DELETE to do', path.text);
}

function malformed(index: number, predicate: string, pointer?: string): PatchError {
  return operationError('patch-malformed', index, predicate, pointer);
}

/** The error of one operation; `predicate` goes on from "Operation 3". */
export function operationError(
  code: PatchErrorCode,
  index: number,
  predicate: string,
  pointer?: string,
): PatchError {
  const shown = pointer === undefined ? '' : ` (${JSON.stringify(shortened(pointer, 100))})`;
  return new PatchError(code, `Operation ${index}${shown} ${predicate}.`, {
    operation: index,
    ...(pointer !== undefined && { pointer: shortened(pointer, 1000) }),
  });
}

/** A pointer may be as long as a patch document may be; an answer should not be. */
function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

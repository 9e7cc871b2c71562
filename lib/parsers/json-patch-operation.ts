import { isArray, isDeeperThan, isObject, memberOf, type JsonObject } from './json-value';
import { parsePointer, type JsonPointer } from './json-pointer';
import { PatchError, type PatchErrorCode } from './patch-error';
import type { PatchLimits } from './patch-parser';

/** What applying one JSON Patch may cost. */
export type JsonPatchLimits = Pick<PatchLimits, 'operations' | 'depth' | 'copied'>;

/** One operation of a JSON Patch, found sound as far as that shows without the resource's value. */
export type Operation = { readonly index: number; readonly path: JsonPointer } & (
  | { readonly op: 'add' | 'replace' | 'test'; readonly value: unknown }
  | { readonly op: 'move' | 'copy'; readonly from: JsonPointer }
  | { readonly op: 'remove' }
);

/**
 * Reads the operations of a parsed JSON Patch document and refuses, before any value is touched, whatever can be
 * refused without one (RFC 6902 3 to 5).
 */
export function readOperations(document: unknown, limits: JsonPatchLimits): readonly Operation[] {
  if (!isArray(document)) {
    throw new PatchError(
      'patch-malformed',
      'The patch document is no array of operations, as a JSON Patch is (RFC 6902 3). Put a single one into brackets.',
    );
  }
  if (document.length > limits.operations) {
    throw new PatchError(
      'limit-operations',
      `The patch has ${document.length} operations; at most ${limits.operations} are taken. Send it in parts.`,
    );
  }
  const operations = document.map((operation, index) => readOperation(operation, index, limits.depth));
  operations.forEach(refuseToLeaveNothing);
  return operations;
}

function readOperation(document: unknown, index: number, depth: number): Operation {
  if (!isObject(document)) throw malformed(index, 'is not an object: write {"op": …, "path": …}');
  const op = memberOf(document, 'op');
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return {
        index,
        op,
        path: readPointer(document, 'path', index),
        value: readValue(document, index, depth),
      };
    case 'remove':
      return { index, op, path: readPointer(document, 'path', index) };
    case 'move':
    case 'copy': {
      const operation = {
        index,
        op,
        path: readPointer(document, 'path', index),
        from: readPointer(document, 'from', index),
      } as const;
      if (op === 'move' && isProperPrefix(operation.from, operation.path)) {
        throw malformed(index, 'moves a value into itself (RFC 6902 4.4): copy it instead', operation.path);
      }
      return operation;
    }
    case undefined:
      throw malformed(index, 'has no "op" member: give it one of add, remove, replace, move, copy and test');
    default:
      throw malformed(index, 'has an "op" that is none of add, remove, replace, move, copy and test');
  }
}

function readPointer(document: JsonObject, name: 'path' | 'from', index: number): JsonPointer {
  const text = memberOf(document, name);
  if (text === undefined) throw malformed(index, `has no "${name}" member: give it a JSON Pointer`);
  if (typeof text !== 'string')
    throw malformed(index, `has a "${name}" that is not a string: write a JSON Pointer`);
  const pointer = parsePointer(text);
  if (pointer !== undefined) return pointer;
  throw malformed(
    index,
    `has a "${name}" that is not a JSON Pointer: it is empty or begins with "/", and "~" stands only in "~0" and "~1"`,
    { text },
  );
}

function readValue(document: JsonObject, index: number, depth: number): unknown {
  const value = memberOf(document, 'value');
  if (value === undefined)
    throw malformed(index, 'has no "value" member: give it one, null if that is meant');
  if (isDeeperThan(depth, value)) {
    throw operationError('limit-depth', index, `has a value of more than ${depth} levels`);
  }
  return value;
}

function isProperPrefix(from: JsonPointer, path: JsonPointer): boolean {
  return path.text.startsWith(from.text + '/');
}

/**
 * RFC 6902 does not say what is left when the whole document is removed. Nothing is no JSON value and DELETE is the
 * method for it, so the root may be removed only to be added again at once; any operation between would fail.
 */
function refuseToLeaveNothing({ op, path, index }: Operation, _: number, all: readonly Operation[]): void {
  if (op !== 'remove' || path.text !== '') return;
  const next = all[index + 1];
  if (next?.op === 'add' && next.path.text === '') return;
  throw malformed(index, 'removes the whole document, which is for DELETE to do', path);
}

function malformed(index: number, predicate: string, pointer?: { readonly text: string }): PatchError {
  return operationError('patch-malformed', index, predicate, pointer);
}

/** The error of one operation; `predicate` goes on from "Operation 3". */
export function operationError(
  code: PatchErrorCode,
  index: number,
  predicate: string,
  pointer?: { readonly text: string },
): PatchError {
  const place = pointer === undefined ? {} : { pointer: shortened(pointer.text, 1000) };
  const shown = pointer === undefined ? '' : ` (${JSON.stringify(shortened(pointer.text, 100))})`;
  const advice = ofState.has(code) ? ' GET the resource, and write the patch for what it is now.' : '';
  return new PatchError(code, `Operation ${index}${shown} ${predicate}.${advice}`, {
    operation: index,
    ...place,
  });
}

/** What the patch itself is no reason for. */
const ofState: ReadonlySet<PatchErrorCode> = new Set(['patch-conflict', 'patch-test-failed']);

/** A pointer may be as long as a patch document may be; an answer should not be. */
function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

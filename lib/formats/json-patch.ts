import { Draft } from '../json/patch/draft';
import { readOperations, type JsonPatchLimits, type Operation } from '../json/patch/operation';
import { assertReachable } from './hidden-members';
import { readJson } from './read-json';
import type { JsonPointer } from '../json/pointer';
import { defaultLimits, type PatchParser } from './patch-parser';

/**
 * Creates a parser of JSON Patch (RFC 6902), `application/json-patch+json`, for `patchHandler` or `resource`.
 */
export function jsonPatch(): PatchParser {
  return {
    mediaType: 'application/json-patch+json',
    parse(document, { limits, hidden }) {
      const operations = readOperations(readJson(document, limits.depth), limits.operations);
      return (current) => {
        for (const operation of hidden.length === 0 ? [] : operations) {
          for (const { tokens } of writtenBy(operation)) assertReachable(hidden, tokens, current);
        }
        return applyOperations(current, operations, limits);
      };
    },
  };
}

/** The locations that an operation writes or removes. */
function writtenBy(operation: Operation): readonly JsonPointer[] {
  if (operation.op === 'test') return [];
  return operation.op === 'move' ? [operation.from, operation.path] : [operation.path];
}

/**
 * Applies a parsed JSON Patch.
 *
 * @param document - never modified; the result shares all unchanged parts with it
 * @param patch - the parsed patch document, never modified; the result can share values with it
 * @throws PatchError
 */
export function applyJsonPatch(
  document: unknown,
  patch: unknown,
  limits: JsonPatchLimits = defaultLimits,
): unknown {
  return applyOperations(document, readOperations(patch, limits.operations), limits);
}

function applyOperations(
  document: unknown,
  operations: readonly Operation[],
  limits: JsonPatchLimits,
): unknown {
  const draft = new Draft(document, operations, limits);
  for (const operation of operations) draft.apply(operation);
  return draft.finish();
}

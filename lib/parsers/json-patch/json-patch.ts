import { Draft } from './apply';
import { readOperations, type JsonPatchLimits, type Operation } from './operation';
import { readJson } from '../json/parse';
import { defaultLimits, type PatchParser } from '../patch-parser';

/** JSON Patch, RFC 6902: `application/json-patch+json`. */
export function jsonPatch(): PatchParser {
  return {
    mediaType: 'application/json-patch+json',
    parse(document, { limits }) {
      const operations = readOperations(readJson(document, limits.depth), limits.operations);
      return (current) => applyOperations(current, operations, limits);
    },
  };
}

/**
 * Applies a JSON Patch that is parsed already.
 *
 * @param document - never changed; the result shares with it whatever the patch does not touch
 * @param patch - the patch document, never changed; the result may share values with it
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

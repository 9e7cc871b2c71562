import { jsonArgument } from '../to-json';
import type { Originals } from './copy-on-write';
import { Draft } from './draft';
import { defaultJsonPatchLimits, type JsonPatchLimits } from './limits';
import { readOperations, type Operation } from './operation';

/**
 * Applies a parsed JSON Patch (RFC 6902).
 *
 * @param document - a JSON value; never modified, and the result shares all unchanged parts with it
 * @param patch - the parsed patch document, never modified; the result can share values with it
 * @param limits - those that differ from the defaults
 * @throws JsonError
 */
export function applyJsonPatch(
  document: unknown,
  patch: unknown,
  limits: Partial<JsonPatchLimits> = {},
): unknown {
  const all = { ...defaultJsonPatchLimits, ...limits };
  const operations = readOperations(jsonArgument(patch, 'The patch'), all.operations);
  return applyOperations(document, operations, all);
}

/**
 * @param originals - empty; it gets the edited copies
 * @throws JsonError if an operation does not fit the document
 */
export function applyOperations(
  document: unknown,
  operations: readonly Operation[],
  limits: JsonPatchLimits,
  originals?: Originals,
): unknown {
  const draft = new Draft(document, operations, limits, originals);
  for (const operation of operations) draft.apply(operation);
  return draft.finish();
}

import { jsonArgument } from '../to-json';
import { changeMembers, isJsonObject, type JsonObject } from '../value';

/**
 * Applies a parsed merge patch: the MergePatch function of RFC 7396 2. Neither argument is modified: only the objects
 * above a change are copied. The result shares its other parts with both, and is the target itself if nothing changes.
 *
 * The result nests no deeper than the deeper of the two, so a patch within the depth limit needs no further
 * check.
 *
 * @param target - a JSON value
 * @throws JsonError `not-json` for a patch that JSON cannot hold
 */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  return applyParsedMergePatch(target, jsonArgument(patch, 'The patch'));
}

/** The same for values that are known to be JSON, such as a parser's result. */
export function applyParsedMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  return mergeMembers(isJsonObject(target) ? target : {}, patch, applyParsedMergePatch);
}

/**
 * Applies each member of a merge patch to the member of the same name in an object; null removes it.
 *
 * @param merge - `old` is undefined if the object has no such member
 */
export function mergeMembers(
  before: JsonObject,
  patch: JsonObject,
  merge: (old: unknown, change: unknown, name: string) => unknown,
): JsonObject {
  return changeMembers(before, Object.keys(patch), (name, old) =>
    patch[name] === null ? undefined : merge(old, patch[name], name),
  );
}

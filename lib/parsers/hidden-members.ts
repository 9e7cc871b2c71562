import { isJsonObject, memberOf } from './json/value';
import { formatPointer } from './json/pointer';
import { PatchError } from './patch-error';

/** The reference tokens of a JSON Pointer to a member that patches neither see nor reach. It leads through objects alone. */
export type HiddenPath = readonly string[];

/**
 * Refuses a write at or below a hidden member, and one that would replace, move or remove an object above it: what is
 * hidden there would go with it. Nothing of this depends on what is hidden, or whether it is there.
 *
 * @param path - the reference tokens of what would be written
 * @param document - what the patch is applied to, without what is hidden
 * @throws PatchError 422 `hidden-member`
 */
export function assertReachable(
  hidden: readonly HiddenPath[],
  path: readonly string[],
  document: unknown,
): void {
  for (const tokens of hidden) {
    const shared = Math.min(tokens.length, path.length);
    if (tokens.slice(0, shared).some((token, i) => token !== path[i])) continue;
    if (path.length >= tokens.length) throw hiddenMember(path);
    if (objectAt(document, path) !== undefined) throw objectAboveHidden(path);
  }
}

/**
 * The same of a merge patch: a member of it that is no object replaces what is there, or removes it.
 *
 * @throws PatchError 422 `hidden-member`
 */
export function assertMergeReachable(hidden: readonly HiddenPath[], patch: unknown, document: unknown): void {
  for (const tokens of hidden) {
    let merged = patch;
    let depth = 0;
    for (; depth < tokens.length && isJsonObject(merged); depth++)
      merged = memberOf(merged, tokens[depth] ?? '');
    if (merged !== undefined) assertReachable([tokens], tokens.slice(0, depth), document);
  }
}

/** The object that the tokens lead to, through objects alone. */
function objectAt(document: unknown, path: readonly string[]): object | undefined {
  let found = document;
  for (const token of path) {
    if (!isJsonObject(found)) return undefined;
    found = memberOf(found, token);
  }
  return isJsonObject(found) ? found : undefined;
}

/** A write at or below a hidden member. */
export function hiddenMember(path: readonly string[]): PatchError {
  const detail = `${quoted(path)} cannot be written here. Leave it out.`;
  return new PatchError('hidden-member', detail, { pointer: formatPointer(path) });
}

/** A write that would take what is hidden along. */
export function objectAboveHidden(path: readonly string[]): PatchError {
  const detail = `The object at ${quoted(path)} cannot be replaced, moved or removed here. Leave it, and change its members one by one.`;
  return new PatchError('hidden-member', detail, { pointer: formatPointer(path) });
}

function quoted(path: readonly string[]): string {
  return JSON.stringify(formatPointer(path));
}

import { isJsonObject, ownMember } from '../../json/value';
import { pointerMember } from '../../http/pointer-member';
import { formatPointer, quotedPointer } from '../../json/pointer';
import { PatchError } from './patch-error';

/** The reference tokens of a JSON Pointer to a hidden member. The path leads through objects only. */
export type HiddenPath = readonly string[];

/**
 * Refuses a write to a hidden member or a part of it, and a write that would replace, move or remove an
 * object above it together with the hidden member. The answer does not depend on the hidden value, or on
 * whether there is one.
 *
 * @param path - the reference tokens of the written location
 * @param document - the value that the patch is applied to, without its hidden members
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
 * Refuses a merge patch that writes to hidden members. A patch member that is not an object replaces or
 * removes the stored one.
 *
 * @throws PatchError 422 `hidden-member`
 */
export function assertMergeReachable(hidden: readonly HiddenPath[], patch: unknown, document: unknown): void {
  for (const tokens of hidden) {
    let merged = patch;
    let depth = 0;
    for (; depth < tokens.length && isJsonObject(merged); depth++)
      merged = ownMember(merged, tokens[depth] ?? '');
    if (merged !== undefined) assertReachable([tokens], tokens.slice(0, depth), document);
  }
}

/** The object at `path`, if the path leads through objects only. */
function objectAt(document: unknown, path: readonly string[]): object | undefined {
  let node = document;
  for (const token of path) {
    if (!isJsonObject(node)) return undefined;
    node = ownMember(node, token);
  }
  return isJsonObject(node) ? node : undefined;
}

export function hiddenMember(path: readonly string[]): PatchError {
  const detail = `${quotedPath(path)} cannot be written. Remove it from the request.`;
  return new PatchError('hidden-member', detail, pointerMember(formatPointer(path)));
}

export function objectAboveHidden(path: readonly string[]): PatchError {
  const detail =
    `The object at ${quotedPath(path)} cannot be replaced, moved or removed as a whole. ` +
    'Change its members one by one instead.';
  return new PatchError('hidden-member', detail, pointerMember(formatPointer(path)));
}

function quotedPath(path: readonly string[]): string {
  return quotedPointer(formatPointer(path), 200);
}

import { JsonError } from '../json-error';
import { jsonArgument } from '../to-json';
import { formatPointer, quotedPointer } from '../pointer';
import { isEqualJson, isJsonObject, ownMember, setMember, type JsonObject } from '../value';

/**
 * Creates the merge patch (RFC 7396) that turns `before` into `after`: the members that differ, and null for
 * members that are gone. It contains changed arrays as a whole.
 *
 * @param before - a JSON value; it is not modified
 * @param after - a JSON value; it is not modified, and the patch shares parts of it
 * @returns the patch: `{}` if two objects are equal
 * @throws JsonError `null-member`, with its pointer, if a member of `after` becomes null: in a merge patch,
 *   null removes a member. Use `createJsonPatch` then. `not-json` for a value that JSON cannot hold.
 *
 * @example
 * ```ts
 * createMergePatch({ title: 'a', done: false }, { title: 'b' });
 * // { title: 'b', done: null }
 * ```
 */
export function createMergePatch(before: unknown, after: unknown): unknown {
  const next = jsonArgument(after, 'The argument after', before);
  const change = findChange(jsonArgument(before, 'The argument before', after), next, []);
  if (change !== undefined) return change;
  return isJsonObject(next) ? {} : next;
}

/**
 * The patch for the differences; undefined if there are none. So each part is compared once, however deep it
 * is.
 */
function findChange(before: unknown, after: unknown, tokens: string[]): unknown {
  if (!isJsonObject(after)) return isEqualJson(before, after) ? undefined : after;
  const old: JsonObject = isJsonObject(before) ? before : {};
  const patch: JsonObject = {};
  for (const name of Object.keys(old)) if (!Object.hasOwn(after, name)) setMember(patch, name, null);
  for (const name of Object.keys(after)) {
    tokens.push(name);
    const change = findChange(ownMember(old, name), after[name], tokens);
    if (change === null) throw nullMember(formatPointer(tokens));
    if (change !== undefined) setMember(patch, name, change);
    tokens.pop();
  }
  return old === before && Object.keys(patch).length === 0 ? undefined : patch;
}

function nullMember(pointer: string): JsonError {
  const message =
    `A merge patch cannot set ${quotedPointer(pointer, 200)} to null, because null removes a member. ` +
    'Use createJsonPatch.';
  return new JsonError('null-member', message, undefined, pointer);
}

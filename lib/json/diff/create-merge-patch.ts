import { JsonError } from '../json-error';
import { formatPointer, quotedPointer } from '../pointer';
import { isEqualJson, isJsonObject, ownMember, setMember, type JsonObject } from '../value';

/**
 * Creates the merge patch (RFC 7396) that turns `before` into `after`: the members that differ, and null for
 * those that are gone. An array is in it as a whole.
 *
 * @param before - a JSON value; it is not modified
 * @param after - a JSON value; it is not modified, and the patch shares parts of it
 * @returns the patch: `{}` if two objects are equal
 * @throws JsonError `null-member`, with its pointer, if a member of `after` becomes null: in a merge patch,
 *   null removes a member. Use `createJsonPatch` then.
 *
 * @example
 * ```ts
 * createMergePatch({ title: 'a', done: false }, { title: 'b' });
 * // { title: 'b', done: null }
 * ```
 */
export function createMergePatch(before: unknown, after: unknown): unknown {
  return patchBetween(before, after, []);
}

function patchBetween(before: unknown, after: unknown, path: readonly string[]): unknown {
  if (!isJsonObject(after)) return after;
  const old: JsonObject = isJsonObject(before) ? before : {};
  const patch: JsonObject = {};
  for (const name of Object.keys(old)) if (!Object.hasOwn(after, name)) setMember(patch, name, null);
  for (const name of Object.keys(after)) {
    const [was, is] = [ownMember(old, name), ownMember(after, name)];
    if (isEqualJson(was, is)) continue;
    const at = [...path, name];
    if (is === null) throw nullMember(formatPointer(at));
    setMember(patch, name, patchBetween(was, is, at));
  }
  return patch;
}

function nullMember(pointer: string): JsonError {
  const message =
    `A merge patch cannot set ${quotedPointer(pointer, 200)} to null, because null removes a member. ` +
    'Use createJsonPatch.';
  return new JsonError('null-member', message, undefined, pointer);
}

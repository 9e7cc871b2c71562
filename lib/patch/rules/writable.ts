import { formatPointer } from '../../json/pointer';
import { isArray, isEqualJson, isJsonObject, ownMember, type JsonObject } from '../../json/value';
import { pointerTree, type PointerNode } from './pointer-tree';

/**
 * Makes the check that a patch changes nothing but what is at or below one of the JSON Pointers.
 *
 * @returns the JSON Pointer of the first other change; undefined if there is none
 */
export function writableCheck(
  pointers: readonly string[],
): (before: unknown, after: unknown) => string | undefined {
  const root = pointerTree(pointers);
  return (before, after) => {
    const path = firstChange(before, after, root, []);
    return path && formatPointer(path);
  };
}

/** A patch shares the parts that it leaves alone, so equal references end the search. */
function firstChange(
  before: unknown,
  after: unknown,
  node: PointerNode | undefined,
  path: readonly string[],
): readonly string[] | undefined {
  if (before === after || node?.whole === true) return undefined;
  if (node === undefined) return isEqualJson(before, after) ? undefined : path;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of namesOf(before, after)) {
      const [old, next] = [ownMember(before, name), ownMember(after, name)];
      if (old === next) continue;
      const found = firstChange(old, next, node.children.get(name), [...path, name]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isArray(before) && isArray(after) && before.length === after.length) {
    for (const [index, old] of before.entries()) {
      const found = firstChange(old, after[index], node.children.get(String(index)), [
        ...path,
        String(index),
      ]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return isEqualJson(before, after) ? undefined : path;
}

/** The member names of both objects, without duplicates. */
function namesOf(before: JsonObject, after: JsonObject): string[] {
  return [...Object.keys(before), ...Object.keys(after).filter((name) => !Object.hasOwn(before, name))];
}

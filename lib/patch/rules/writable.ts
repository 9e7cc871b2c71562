import { formatPointer, parsePointer } from '../../parsers/json/pointer';
import { isArray, isEqualJson, isJsonObject, memberOf, type JsonObject } from '../../parsers/json/value';

/** What may be changed, by reference tokens: all of it at and below a node that is `whole`. */
interface Node {
  whole: boolean;
  readonly children: Map<string, Node>;
}

/**
 * Makes the check that a patch changes nothing but what is at or below one of the JSON Pointers.
 *
 * @returns the JSON Pointer of the first change beside them; undefined where there is none
 */
export function writableCheck(
  pointers: readonly string[],
): (before: unknown, after: unknown) => string | undefined {
  const root: Node = { whole: false, children: new Map() };
  for (const pointer of pointers) {
    let node = root;
    for (const token of parsePointer(pointer)?.tokens ?? []) {
      const next = node.children.get(token) ?? { whole: false, children: new Map<string, Node>() };
      node.children.set(token, next);
      node = next;
    }
    node.whole = true;
  }
  return (before, after) => {
    const path = firstChange(before, after, root, []);
    return path && formatPointer(path);
  };
}

/** What a patch leaves alone it shares, so that equal references end the search. */
function firstChange(
  before: unknown,
  after: unknown,
  node: Node | undefined,
  path: readonly string[],
): readonly string[] | undefined {
  if (before === after || node?.whole === true) return undefined;
  if (node === undefined) return isEqualJson(before, after) ? undefined : path;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of namesOf(before, after)) {
      const [old, next] = [memberOf(before, name), memberOf(after, name)];
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

/** The names of both, each once. */
function namesOf(before: JsonObject, after: JsonObject): string[] {
  return [...Object.keys(before), ...Object.keys(after).filter((name) => !Object.hasOwn(before, name))];
}

import { formatPointer } from '../../parsers/json/pointer';
import {
  isArray,
  isEqualJson,
  isJsonObject,
  memberOf,
  setMember,
  type JsonObject,
} from '../../parsers/json/value';
import { editsOf } from './array-edits';

/** What two changes of one value make together. */
export interface Merged {
  /** With theirs wherever the two touch one place. */
  readonly value: unknown;
  /** JSON Pointers into `base` to the places that both have changed, and not to the same; none where it could be merged. */
  readonly paths: readonly string[];
}

/**
 * Makes the change from `base` to `mine` and that from `base` to `theirs` in one value.
 *
 * Members of objects are places of their own, however deep. So are the elements of arrays, and what was inserted between
 * two of them. A place that both have changed to the same is no conflict.
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): Merged {
  const paths: string[] = [];
  const value = merged(base, mine, theirs, '', paths);
  return { value, paths };
}

/** Undefined, which is no JSON value, stands for a member or element that is not there. */
function merged(base: unknown, mine: unknown, theirs: unknown, path: string, paths: string[]): unknown {
  if (isEqualJson(mine, theirs) || isEqualJson(base, mine)) return theirs;
  if (isEqualJson(base, theirs)) return mine;
  if (isJsonObject(base) && isJsonObject(mine) && isJsonObject(theirs)) {
    return mergedObjects(base, mine, theirs, path, paths);
  }
  if (isArray(base) && isArray(mine) && isArray(theirs)) {
    return mergedArrays(base, mine, theirs, path, paths);
  }
  paths.push(path);
  return theirs;
}

function mergedObjects(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  path: string,
  paths: string[],
) {
  const value: JsonObject = {};
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const of = (object: JsonObject): unknown => memberOf(object, name);
    const member = merged(of(base), of(mine), of(theirs), path + formatPointer([name]), paths);
    if (member !== undefined) setMember(value, name, member);
  }
  return value;
}

function mergedArrays(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  paths: string[],
): unknown {
  const myEdits = editsOf(base, mine);
  const theirEdits = editsOf(base, theirs);
  if (myEdits === undefined || theirEdits === undefined) {
    paths.push(path);
    return theirs;
  }
  const value: unknown[] = [];
  for (let index = 0; index <= base.length; index++) {
    const place = `${path}/${index}`;
    const myElements = myEdits.insertedAt(index);
    const theirElements = theirEdits.insertedAt(index);
    if (bothInsert(myElements, theirElements)) paths.push(place);
    value.push(...(theirElements.length > 0 ? theirElements : myElements));
    if (index === base.length) break;
    const element = merged(base[index], myEdits.kept(index), theirEdits.kept(index), place, paths);
    if (element !== undefined) value.push(element);
  }
  return value;
}

/** In the same place, and not the same: nothing says which of them comes first. */
function bothInsert(mine: readonly unknown[], theirs: readonly unknown[]): boolean {
  return mine.length > 0 && theirs.length > 0 && !isEqualJson(mine, theirs);
}

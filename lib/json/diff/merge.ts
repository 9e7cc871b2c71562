import { formatPointer } from '../pointer';
import { isArray, isEqualJson, isJsonObject, ownMember, setMember, type JsonObject } from '../value';
import { findEdits } from './array-edits';

/** The result of merging two changes of a value. */
export interface Merged {
  /** The merged value; at `paths`, with the values of `theirs`. */
  readonly value: unknown;
  /**
   * JSON Pointers into `base` to what both have changed, in different ways; empty if there is no conflict.
   */
  readonly paths: readonly string[];
}

/**
 * Three-way merge: applies the change from `base` to `mine` and that from `base` to `theirs`.
 *
 * Members of objects and elements of arrays are merged separately, at any depth, and so is what was inserted
 * between two elements. Equal changes are not a conflict.
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): Merged {
  const paths: string[] = [];
  const value = merged(base, mine, theirs, '', paths);
  return { value, paths };
}

/** Undefined, which is not a JSON value, stands for an absent member or element. */
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
    const of = (object: JsonObject): unknown => ownMember(object, name);
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
  const myEdits = findEdits(base, mine);
  const theirEdits = findEdits(base, theirs);
  if (myEdits === undefined || theirEdits === undefined) {
    paths.push(path);
    return theirs;
  }
  const value: unknown[] = [];
  for (let index = 0; index <= base.length; index++) {
    const pointer = `${path}/${index}`;
    const myElements = myEdits.insertedAt(index);
    const theirElements = theirEdits.insertedAt(index);
    if (bothInsert(myElements, theirElements)) paths.push(pointer);
    // Not by spreading them into push(): arguments are limited in number.
    for (const element of theirElements.length > 0 ? theirElements : myElements) value.push(element);
    if (index === base.length) break;
    const element = merged(base[index], myEdits.kept(index), theirEdits.kept(index), pointer, paths);
    if (element !== undefined) value.push(element);
  }
  return value;
}

/** Different insertions at the same index are a conflict: their order is unknown. */
function bothInsert(mine: readonly unknown[], theirs: readonly unknown[]): boolean {
  return mine.length > 0 && theirs.length > 0 && !isEqualJson(mine, theirs);
}

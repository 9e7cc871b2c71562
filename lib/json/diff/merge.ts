import { formatPointer } from '../pointer';
import { isArray, isContainer, isJsonObject, ownMember, setMember, type JsonObject } from '../value';
import { findEdits } from './array-edits';
import { EqualValues } from './equal-values';
import { createKeyReaders, defaultNames, readScalar, type Identity } from './identity';
import { keyLists, type Key, type KeyedLists, type ReadKey } from './keyed-lists';
import { mergeOrders } from './list-order';
import { findChange, resolveConflict, type Pass } from './merge-pass';
import { readPlaces, type Places } from './places';

/** Options of `merge`. */
export interface MergeOptions {
  /**
   * What identifies the elements of lists: the name of a member; a list of names, of which the first that
   * identifies every element is used; or a function of the element and the JSON Pointer of its list in
   * `base`, which returns undefined if the element has no identity. Default: `['id', '_id', 'key']`.
   */
  readonly identity?: Identity | undefined;
}

/** The result of `merge`. */
export interface MergeResult<T = unknown> {
  /**
   * JSON Pointers into `base` to what both sides have changed in different ways, each once; empty if there is
   * no conflict. An element that `base` does not have is named by its list, and so are two orders of a list.
   */
  readonly paths: readonly string[];
  /** All changes of both sides; at `paths`, with the values of `mine`. */
  readonly withMine: T;
  /** All changes of both sides; at `paths`, with the values of `theirs`. */
  readonly withTheirs: T;
}

/**
 * Three-way merge: applies the change from `base` to `mine` and that from `base` to `theirs`.
 *
 * Objects are merged member by member, at any depth. Equal changes are not a conflict. Lists are merged by
 * the first of these rules that holds in all three values:
 *
 * - Every element has an `identity` that no other element of its list has: what one side has added, removed,
 *   changed or moved is so in the result, and what both have added is one element. It is a conflict if one
 *   side has removed an element that the other has changed, or if both have moved elements in different ways.
 * - All elements are numbers, `true`, `false` or null, and there are as many: each is merged at its place, so
 *   that a pair of coordinates stays a pair. It is a conflict on the list if one would be there twice.
 * - All elements are scalars, and none is there twice: each is its own identity. It is a conflict if both
 *   sides have replaced the same one by different ones.
 * - Otherwise elements are recognised by their position. Different insertions at the same position are a
 *   conflict.
 *
 * If there is no conflict, it does not matter which side is `mine`, except for an element that both have
 * added at different places: it stands where `theirs` has it.
 *
 * @param base - the JSON value from which both changes started
 * @param mine - the JSON value with the changes of one side
 * @param theirs - the JSON value with the changes of the other side
 * @returns the merged value, with either side's values where they conflict, and the pointers to those. The
 *   arguments are not modified; the results share parts of them.
 * @throws TypeError if `identity` is something else, or a function that returns anything but a string, a
 *   number or undefined; and what that function throws
 *
 * @example
 * ```ts
 * const base = [{ id: 1, done: false }, { id: 2, done: false }];
 * const mine = [{ id: 2, done: false }, { id: 1, done: false }];
 * const theirs = [{ id: 1, done: true }, { id: 2, done: false }];
 * merge(base, mine, theirs).withMine;
 * // [{ id: 2, done: false }, { id: 1, done: true }]
 * ```
 */
export function merge<T>(
  base: T,
  mine: T,
  theirs: T,
  { identity = defaultNames }: MergeOptions = {},
): MergeResult<T> {
  const paths = new Set<string>();
  const shared = { readKeys: [...createKeyReaders(identity), readScalar], values: new EqualValues(), paths };
  // Made of parts of three values of that type.
  const mergeFor = (isForMine: boolean): T =>
    mergeValues(base, mine, theirs, '', { ...shared, isForMine }) as T;
  const withTheirs = mergeFor(false);
  const withMine = paths.size > 0 ? mergeFor(true) : withTheirs;
  return { paths: [...paths], withMine, withTheirs };
}

/** Undefined, which is not a JSON value, stands for an absent member or element. */
function mergeValues(base: unknown, mine: unknown, theirs: unknown, path: string, pass: Pass): unknown {
  const change = findChange(base, mine, theirs, pass);
  if (change !== undefined) return change.value;
  if (isJsonObject(base) && isJsonObject(mine) && isJsonObject(theirs)) {
    return mergeObjects(base, mine, theirs, path, pass);
  }
  if (isArray(base) && isArray(mine) && isArray(theirs)) {
    if (isOfNumbers(base, mine, theirs)) return mergeNumbers(base, mine, theirs, path, pass);
    const lists = keyLists(base, mine, theirs, path, pass.readKeys);
    return lists ? mergeByKey(lists, path, pass) : mergeByPosition(base, mine, theirs, path, pass);
  }
  return resolveConflict(mine, theirs, path, pass);
}

function mergeObjects(base: JsonObject, mine: JsonObject, theirs: JsonObject, path: string, pass: Pass) {
  const value: JsonObject = {};
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const read = (object: JsonObject): unknown => ownMember(object, name);
    const member = mergeValues(read(base), read(mine), read(theirs), path + formatPointer([name]), pass);
    if (member !== undefined) setMember(value, name, member);
  }
  return value;
}

/** First which elements there are, and their values; then their order. */
function mergeByKey(lists: KeyedLists, path: string, pass: Pass): readonly unknown[] {
  const values = new Map<Key, unknown>();
  for (const [key, element] of lists.base) {
    const pointer = `${path}/${values.size}`;
    values.set(key, mergeValues(element, lists.mine.get(key), lists.theirs.get(key), pointer, pass));
  }
  mergeAdditions(lists, path, pass, values);
  const [myPlaces, theirPlaces] = [readPlaces(lists.base, lists.mine), readPlaces(lists.base, lists.theirs)];
  if (lists.readKey === readScalar) resolveReplacements(lists, myPlaces, theirPlaces, path, pass, values);
  return mergeOrders(lists.base, myPlaces, theirPlaces, path, pass)
    .map((key) => values.get(key))
    .filter((value) => value !== undefined);
}

/** What both have added is merged by member, as if `base` had it without any. */
function mergeAdditions(
  { base, mine, theirs }: KeyedLists,
  path: string,
  pass: Pass,
  values: Map<Key, unknown>,
): void {
  for (const [key, element] of [...mine, ...theirs]) {
    if (base.has(key) || values.has(key)) continue;
    values.set(key, element);
    if (!mine.has(key) || !theirs.has(key)) continue;
    const paths = new Set<string>();
    values.set(key, mergeValues({}, element, theirs.get(key), path, { ...pass, paths }));
    if (paths.size > 0) pass.paths.add(path);
  }
}

/**
 * Scalars that both sides have replaced, by different new ones: `[lat, lng]` must not become a list of three.
 * They can also have been removed, and others added, independently; nothing tells the two cases apart.
 */
function resolveReplacements(
  { base, mine, theirs }: KeyedLists,
  myPlaces: Places,
  theirPlaces: Places,
  path: string,
  pass: Pass,
  values: Map<Key, unknown>,
): void {
  const inTheirs = new Map([...theirPlaces].map(([key, place]) => [place, key]));
  const isNew = (key: Key): boolean => !base.has(key) && !(mine.has(key) && theirs.has(key));
  for (const [myKey, place] of myPlaces) {
    const theirKey = inTheirs.get(place);
    if (theirKey === undefined || !Number.isInteger(place) || !isNew(myKey) || !isNew(theirKey)) continue;
    const loser = resolveConflict(theirKey, myKey, `${path}/${place}`, pass);
    values.delete(loser);
  }
}

/** Whether all three have as many elements, none of which is a container or a text: a pair stays a pair. */
function isOfNumbers(base: readonly unknown[], ...sides: readonly (readonly unknown[])[]): boolean {
  const isNumber = (element: unknown) => typeof element !== 'string' && !isContainer(element);
  return [base, ...sides].every((list) => list.length === base.length && list.every(isNumber));
}

/**
 * Each at its place. If that would double a number, or sides that move numbers clash, no single place tells
 * what has happened, and the list as a whole is the conflict.
 */
function mergeNumbers(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  pass: Pass,
): readonly unknown[] {
  const paths = new Set<string>();
  const mergeFor = (isForMine: boolean) =>
    base.map((was, at) =>
      mergeValues(was, mine[at], theirs[at], `${path}/${at}`, { ...pass, paths, isForMine }),
    );
  const [withMine, withTheirs] = [mergeFor(true), mergeFor(false)];
  const isUnique = (list: readonly unknown[]) => new Set(list).size === list.length;
  const places = new Map(base.map((element, at) => [element, at]));
  const hasMoved = (list: readonly unknown[]) =>
    list.some((element, at) => (places.get(element) ?? at) !== at);
  const isDoubled = [base, mine, theirs].every(isUnique) && !(isUnique(withMine) && isUnique(withTheirs));
  if (isDoubled || (paths.size > 0 && (hasMoved(mine) || hasMoved(theirs)))) {
    return resolveConflict(mine, theirs, path, pass);
  }
  for (const conflict of paths) pass.paths.add(conflict);
  return pass.isForMine ? withMine : withTheirs;
}

/**
 * Where an identity is there twice, what one side has inserted can be what the other has changed: if such
 * lists conflict as a whole, no element of one side is resolved against another one.
 */
function mergeByPosition(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  pass: Pass,
): readonly unknown[] {
  const paths = new Set<string>();
  const value = mergeEdits(base, mine, theirs, path, { ...pass, paths });
  const elements = [base, mine, theirs].flat();
  const isIdentified = (readKey: ReadKey): boolean =>
    readKey !== readScalar && elements.every((element) => readKey(element, path) !== undefined);
  if (paths.has(path) && pass.readKeys.some(isIdentified)) return resolveConflict(mine, theirs, path, pass);
  for (const conflict of paths) pass.paths.add(conflict);
  return value;
}

function mergeEdits(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  pass: Pass,
): readonly unknown[] {
  const [myEdits, theirEdits] = [mine, theirs].map((side) => findEdits(base, side, path, pass));
  if (!myEdits || !theirEdits) return resolveConflict(mine, theirs, path, pass);
  const value: unknown[] = [];
  for (let index = 0; index <= base.length; index++) {
    mergeInsertions(myEdits.insertionsAt(index), theirEdits.insertionsAt(index), path, pass, value);
    if (index === base.length) break;
    const inMine = myEdits.elementAt(index);
    const element = mergeValues(base[index], inMine, theirEdits.elementAt(index), `${path}/${index}`, pass);
    if (element !== undefined) value.push(element);
  }
  return value;
}

/** Different insertions at the same position are a conflict: their order is unknown. */
function mergeInsertions(
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  pass: Pass,
  value: unknown[],
): void {
  const insertions = findChange([], mine, theirs, pass)?.value ?? resolveConflict(mine, theirs, path, pass);
  // Not by spreading them into push(): arguments are limited in number.
  for (const element of insertions) value.push(element);
}

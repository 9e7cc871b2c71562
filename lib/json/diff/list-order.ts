import type { Key, KeyedList } from './keyed-lists';
import { findChange, resolveConflict, type Pass } from './merge-pass';
import type { Places } from './places';

/** A key in a group of keys that follow the same one. */
interface Follower {
  readonly key: Key;
  readonly place: number;
  /** The first of those that have the same place in the same list. */
  readonly first: Key;
}

/**
 * The order of the keys of both sides. It does not depend on which side is which, except for keys that both
 * have and `base` has not: those stand where `theirs` has them.
 *
 * What all three lists have is in the order of the side that has changed it; two different new orders are a
 * conflict. Each other key follows its nearest predecessor.
 */
export function mergeOrders(
  base: KeyedList,
  mine: Places,
  theirs: Places,
  path: string,
  pass: Pass,
): readonly Key[] {
  const readCommon = (list: ReadonlyMap<Key, unknown>): readonly Key[] =>
    [...list.keys()].filter((key) => base.has(key) && mine.has(key) && theirs.has(key));
  const [myOrder, theirOrder] = [readCommon(mine), readCommon(theirs)];
  const order =
    findChange(readCommon(base), myOrder, theirOrder, pass)?.value ??
    resolveConflict(myOrder, theirOrder, path, pass);
  const inBoth = [...theirs].filter(([key]) => mine.has(key));
  return insertKeys(insertKeys(order, [inBoth]), [mine, theirs]);
}

/**
 * Inserts into `order` the keys of lists that it does not have yet, each after its nearest predecessor in its
 * list. What several lists have after the same key is sorted by place, and at the same place by keys, so that
 * it does not matter which list comes first.
 */
function insertKeys(
  order: readonly Key[],
  lists: readonly Iterable<readonly [Key, number]>[],
): readonly Key[] {
  const start: Follower[] = [];
  const groups = new Map(order.map((key): [Key, Follower[]] => [key, [{ key, place: -1, first: key }]]));
  for (const list of lists) {
    let group = start;
    let place = -1;
    let first: Key = null;
    for (const [key, ownPlace] of list) {
      const next = groups.get(key);
      if (next !== undefined) {
        group = next;
        place = -1;
        continue;
      }
      // One that was moved stays behind its predecessor.
      if (ownPlace > place) {
        place = ownPlace;
        first = key;
      }
      group.push({ key, place, first });
    }
  }
  return [start, ...groups.values()].flatMap((group) =>
    group.sort((a, b) => a.place - b.place || compareKeys(a.first, b.first)).map(({ key }) => key),
  );
}

/** Numbers by value, and anything else by its JSON text. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return Number(one > other) - Number(one < other);
}

import type { Key, KeyedList, KeyedLists } from './identity';

/** The keys of a list in the order of `withMine`, and in the order of `withTheirs`. */
export type Orders = readonly [withMine: readonly Key[], withTheirs: readonly Key[]];

/**
 * The merged order of the keys, whichever side is which; or two orders, if both sides have moved keys that
 * all three lists have, in different ways.
 *
 * Keys that both sides have are in the order of the side that has moved them. If neither has, and both have
 * added the same keys at different places, the order of the side with the smaller key at the first difference
 * is used. Every other key follows its nearest predecessor.
 */
export function mergeOrders({ base, mine, theirs }: KeyedLists): Orders {
  const myOrder = [...mine.keys()].filter((key) => theirs.has(key));
  const theirOrder = [...theirs.keys()].filter((key) => mine.has(key));
  const insertOthers = (order: readonly Key[]) => insertKeys(order, base, [mine, theirs]);
  const describeCommon = (keys: readonly Key[]) =>
    JSON.stringify(keys.filter((key) => base.has(key) && mine.has(key) && theirs.has(key)));
  const [old, myOld, theirOld] = [[...base.keys()], myOrder, theirOrder].map(describeCommon);

  if (myOld !== old && theirOld !== old && myOld !== theirOld) {
    return [insertOthers(myOrder), insertOthers(theirOrder)];
  }
  const isMine = myOld === theirOld ? isFirst(myOrder, theirOrder) : theirOld === old;
  const order = insertOthers(isMine ? myOrder : theirOrder);
  return [order, order];
}

/** Whether `order` has the smaller key at the first difference of two orders of the same keys. */
function isFirst(order: readonly Key[], other: readonly Key[]): boolean {
  const at = order.findIndex((key, index) => key !== other[index]);
  return compareKeys(order[at] ?? '', other[at] ?? '') < 0;
}

/** A key in a group of keys that follow the same one. */
interface Follower {
  readonly key: Key;
  /** The greatest index in `base` of this key and the keys before it in its list. */
  readonly place: number;
  /** The first key with the same place in the same list. */
  readonly first: Key;
}

/**
 * Inserts into `order` the keys of lists that it does not have yet, each after its nearest predecessor in its
 * list. Keys that follow the same key are sorted by place, and at the same place by keys, so that it
 * does not matter which list comes first.
 */
function insertKeys(order: readonly Key[], base: KeyedList, lists: readonly KeyedList[]): readonly Key[] {
  const indexes = new Map([...base.keys()].map((key, index) => [key, index]));
  const start: Follower[] = [];
  const groups = new Map(order.map((key): [Key, Follower[]] => [key, []]));
  for (const list of lists) {
    let group = start;
    let place = -1;
    let first: Key | undefined;
    for (const key of list.keys()) {
      const next = groups.get(key);
      if (next !== undefined) {
        group = next;
        place = -1;
        first = undefined;
        continue;
      }
      const index = indexes.get(key) ?? -1;
      // A key that was moved stays behind its predecessor.
      if (first === undefined || index > place) {
        place = Math.max(place, index);
        first = key;
      }
      group.push({ key, place, first });
    }
  }
  const sorted = (group: Follower[]) =>
    group.sort((a, b) => a.place - b.place || compareKeys(a.first, b.first)).map(({ key }) => key);
  return [...sorted(start), ...[...groups].flatMap(([key, group]) => [key, ...sorted(group)])];
}

/** Compares keys: numbers by value, and after texts. */
function compareKeys(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return Number(one > other) - Number(one < other);
}

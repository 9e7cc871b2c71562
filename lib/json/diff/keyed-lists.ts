import type { Key, ReadKey } from './identity';

/** The elements of a list by their keys, in the order of the list. */
export type KeyedList = ReadonlyMap<Key, unknown>;

/** A list on all three sides, by keys. */
export interface KeyedLists {
  readonly base: KeyedList;
  readonly mine: KeyedList;
  readonly theirs: KeyedList;
  readonly readKey: ReadKey;
}

/** The three lists at `path` by the first keys that all their elements have; undefined if there are none. */
export function keyLists(
  lists: readonly (readonly unknown[])[],
  path: string,
  readKeys: readonly ReadKey[],
): KeyedLists | undefined {
  for (const readKey of readKeys) {
    const [base, mine, theirs] = lists.map((list) => keyElements(list, path, readKey));
    if (base && mine && theirs) return { base, mine, theirs, readKey };
  }
  return undefined;
}

/** Undefined if an element has no key, or two have the same. */
function keyElements(list: readonly unknown[], path: string, readKey: ReadKey): KeyedList | undefined {
  const elements = new Map<Key, unknown>();
  for (const element of list) {
    const key = readKey(element, path);
    if (key === undefined || elements.has(key)) return undefined;
    elements.set(key, element);
  }
  return elements;
}

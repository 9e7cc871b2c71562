/** What an element is recognised by in its list: its identity, or the element itself if it is a scalar. */
export type Key = string | number | boolean | null;

/** Reads the key of an element of the list at `path`; undefined if it has none. */
export type ReadKey = (element: unknown, path: string) => Key | undefined;

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
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  path: string,
  readKeys: readonly ReadKey[],
): KeyedLists | undefined {
  for (const readKey of readKeys) {
    const [inBase, inMine, inTheirs] = [base, mine, theirs].map((list) => keyElements(list, path, readKey));
    if (inBase && inMine && inTheirs) return { base: inBase, mine: inMine, theirs: inTheirs, readKey };
  }
  return undefined;
}

/** Undefined if an element has no key, or two have the same. */
function keyElements(list: readonly unknown[], path: string, readKey: ReadKey): KeyedList | undefined {
  const elements = new Map<Key, unknown>();
  for (const element of list) {
    const key = readKey(element, path);
    if (key !== undefined) elements.set(key, element);
  }
  return elements.size === list.length ? elements : undefined;
}

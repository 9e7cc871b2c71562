import type { Key, KeyedList } from './keyed-lists';

/** The keys of a list, in order, and where each would stand in `base`. */
export type Places = ReadonlyMap<Key, number>;

/**
 * Where the elements of a list would stand in `base`: at an index there, or halfway between two. An element
 * that `base` does not have takes the place of the next one there if that is no longer in the list.
 */
export function readPlaces(base: KeyedList, list: KeyedList): Places {
  const keys = [...base.keys()];
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const places = new Map<Key, number>();
  let next = 0;
  for (const key of list.keys()) {
    const index = indexes.get(key);
    const successor = keys[next];
    if (index !== undefined) {
      places.set(key, index);
      next = index + 1;
    } else if (successor !== undefined && !list.has(successor)) {
      places.set(key, next++);
    } else {
      places.set(key, next - 0.5);
    }
  }
  return places;
}

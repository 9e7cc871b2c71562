import { isJsonObject } from '../json/value';
import { toJson } from './stored-value';

/** Of an element as it is stored, or shown. */
export function readId(element: unknown): string | undefined {
  const id = Reflect.get(Object(element) as object, '_id') as { toString: () => string } | null | undefined;
  return id?.toString();
}

/** What is stored of the elements that a list keeps, wherever they stand now. */
export function takeStored(next: readonly unknown[], stored: readonly unknown[]): readonly unknown[] {
  const byText = new Map<string, unknown[]>();
  for (const element of stored) {
    const text = JSON.stringify(toJson(element));
    const same = byText.get(text);
    if (same === undefined) byText.set(text, [element]);
    else same.push(element);
  }
  return next.map((element) => byText.get(JSON.stringify(element))?.pop() ?? element);
}

/**
 * The place of the element that each new one changes, found by its id; -1 if it is to be added.
 *
 * @param ids - of the elements that are there; undefined if the one at the same place is changed
 * @param length - how many are there
 * @param fault - called with what is wrong, and where in the new list
 * @returns undefined if an element is not an object, or has an id that was not found
 */
export function findPlaces(
  next: readonly unknown[],
  ids: readonly (string | undefined)[] | undefined,
  length: number,
  fault: (tokens: readonly string[], words: string) => void,
): readonly number[] | undefined {
  const byId = new Map(ids?.map((id, i) => [id, i]));
  const places = next.map((element, i) => {
    if (!isJsonObject(element)) {
      fault([String(i)], 'must be an object');
      return undefined;
    }
    if (ids === undefined) return i < length ? i : -1;
    const id = readId(element);
    if (id === undefined) return -1;
    const place = byId.get(id);
    const notThere = 'is not the id of an element, or stands twice: leave it out';
    if (place === undefined) fault([String(i), '_id'], notThere);
    byId.delete(id);
    return place;
  });
  return places.every((place) => place !== undefined) ? places : undefined;
}

/**
 * How the elements of a list come to these places. What is pulled or pushed, or changed where it is, leaves
 * the other elements as they are in the database; everything else writes the list anew.
 *
 * @param places - where each element was; -1 for a new one
 * @param length - how many there were
 */
export function planElements(
  places: readonly number[],
  length: number,
  isEdited: boolean,
  haveIds: boolean,
): 'stay' | 'pull' | 'rewrite' {
  const kept = places.filter((at) => at >= 0);
  const [isLonger, isShorter] = [kept.length < places.length, kept.length < length];
  const isInOrder = kept.every((at, i) => at === places[i] && at > (kept[i - 1] ?? -1));
  if (isInOrder && !isShorter && !(isLonger && isEdited)) return 'stay';
  return isInOrder && haveIds && !isLonger && !isEdited ? 'pull' : 'rewrite';
}

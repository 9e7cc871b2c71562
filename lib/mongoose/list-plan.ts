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

import type { EqualValues } from './equal-values';
import { defaultNames, readMemberKey, type Key } from './identity';

/** Two elements, by their indexes in both lists. */
interface Pair {
  readonly before: number;
  readonly after: number;
}

/**
 * An element of the first list and the element of the second list that it has become; only one of them if the
 * element is gone or new.
 */
export type AlignedRow =
  | Pair
  | { readonly before: number; readonly after: undefined }
  | { readonly before: undefined; readonly after: number };

/**
 * Both lists side by side, from front to back. First, the elements that stay are found: the same elements at
 * both ends; and between the ends, the longest run in the same order among the elements that both lists have
 * exactly once. Between two elements that stay, the others are paired by position. Elements are the same if
 * they have the same identity, which no other element of their list has; or else if they are equal.
 *
 * This takes n log n steps, where a longest common subsequence of all elements takes n².
 */
export function* alignLists(
  before: readonly unknown[],
  after: readonly unknown[],
  values: EqualValues,
): Generator<AlignedRow> {
  const byIdentity = pairUnique(before.map(readIdentity), after.map(readIdentity));
  const toToken = (element: unknown) => byIdentity.get(readIdentity(element)) ?? values.token(element);
  let [i, j] = [0, 0];
  for (const stay of findStays(before.map(toToken), after.map(toToken))) {
    while (i < stay.before && j < stay.after) yield { before: i++, after: j++ };
    while (i < stay.before) yield { before: i++, after: undefined };
    while (j < stay.after) yield { before: undefined, after: j++ };
    // The pair that stays comes first in the next rows.
  }
}

/** The identity in the first of the default members that has one. */
function readIdentity(element: unknown): Key | undefined {
  for (const name of defaultNames) {
    const key = readMemberKey(element, name);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The pairs of elements that stay, in the order of both lists, and at the end the ends of the lists. */
function findStays(before: readonly unknown[], after: readonly unknown[]): readonly Pair[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;

  const unique = pairUnique(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const stay: Pair[] = [];
  for (let i = 0; i < start; i++) stay.push({ before: i, after: i });
  for (const pair of longestRun([...unique.values()])) {
    stay.push({ before: start + pair.before, after: start + pair.after });
  }
  for (let i = -end; i <= 0; i++) stay.push({ before: before.length + i, after: after.length + i });
  return stay;
}

/** The pairs of tokens that both lists have exactly once, in the order of the first list. */
function pairUnique<T>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, Pair> {
  const indexes = indexTokens(after);
  const pairs = new Map<T, Pair>();
  for (const [token, index] of indexTokens(before)) {
    const other = indexes.get(token) ?? -1;
    if (index >= 0 && other >= 0) pairs.set(token, { before: index, after: other });
  }
  return pairs;
}

/** The index of each token; -1 if the list has it more than once. */
function indexTokens<T>(tokens: readonly T[]): ReadonlyMap<T, number> {
  const indexes = new Map<T, number>();
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token !== undefined) indexes.set(token, indexes.has(token) ? -1 : i);
  }
  return indexes;
}

/** A run of pairs: the last pair, and the run before it. */
interface Run {
  readonly pair: Pair;
  readonly previous: Run | undefined;
}

/** The longest increasing subsequence. */
function longestRun(pairs: readonly Pair[]): readonly Pair[] {
  /** For each length, the run that ends first in the other list. */
  const runs: Run[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = runs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle]?.pair.after ?? 0) < pair.after) low = middle + 1;
      else high = middle;
    }
    runs[low] = { pair, previous: runs[low - 1] };
  }
  const longest: Pair[] = [];
  for (let run = runs.at(-1); run !== undefined; run = run.previous) longest.push(run.pair);
  return longest.reverse();
}

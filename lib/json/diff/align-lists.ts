import type { EqualValues } from './equal-values';
import { defaultNames, readMemberKey, type Key } from './identity';

/** Two elements, by their indexes in both lists. */
interface Pair {
  readonly before: number;
  readonly after: number;
}

/**
 * An element of one list beside the one of the other list that it has become; beside none if it is gone, or
 * new.
 */
export type AlignedRow =
  | Pair
  | { readonly before: number; readonly after: undefined }
  | { readonly before: undefined; readonly after: number };

/**
 * Both lists side by side, from front to back. First, the elements that stay are found: the same ones at both
 * ends; and between the ends, of the elements that both lists have exactly once, the longest run that is in the
 * same order. Between two that stay, the rest is paired by place. An element is the same if it has the same
 * identity, which no other element of its list has; or else if it is equal.
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
    // The pair that stays is the first of the next rows.
  }
}

/** By the first of the default members that is one. */
function readIdentity(element: unknown): Key | undefined {
  for (const name of defaultNames) {
    const key = readMemberKey(element, name);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** In the order of both lists; at last, their ends. */
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

/** The tokens that both lists have exactly once, in the order of the first list. */
function pairUnique<T>(before: readonly T[], after: readonly T[]): ReadonlyMap<T, Pair> {
  const indexes = indexTokens(after);
  const pairs = new Map<T, Pair>();
  for (const [token, index] of indexTokens(before)) {
    const other = indexes.get(token) ?? -1;
    if (index >= 0 && other >= 0) pairs.set(token, { before: index, after: other });
  }
  return pairs;
}

/** The index of each token; -1 if it is there more than once. */
function indexTokens<T>(tokens: readonly T[]): ReadonlyMap<T, number> {
  const indexes = new Map<T, number>();
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token !== undefined) indexes.set(token, indexes.has(token) ? -1 : i);
  }
  return indexes;
}

/** A run of pairs, by its last one. */
interface Run {
  readonly pair: Pair;
  readonly previous: Run | undefined;
}

/** The longest increasing subsequence. */
function longestRun(pairs: readonly Pair[]): readonly Pair[] {
  /** Of the runs of each length, the one that ends first in the other list. */
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

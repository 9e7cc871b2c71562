import type { EqualValues } from './equal-values';

/** Elements from `start` to `end` (exclusive) of one array, which are replaced by those of the other. */
export interface DifferingRun {
  readonly before: { readonly start: number; readonly end: number };
  readonly after: { readonly start: number; readonly end: number };
}

/** The maximum number of pairs of elements to compare: about 2 MB of memory, and a few milliseconds. */
const maxPairs = 1_000_000;

/**
 * Where two arrays differ, in order, by a longest common subsequence of their elements; undefined if finding
 * it would be too expensive.
 */
export function differingRuns(
  before: readonly unknown[],
  after: readonly unknown[],
  values: EqualValues,
): readonly DifferingRun[] | undefined {
  const a = before.map((element) => values.token(element));
  const b = after.map((element) => values.token(element));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const inner = { a: a.slice(start, a.length - end), b: b.slice(start, b.length - end) };
  if (inner.a.length * inner.b.length > maxPairs) return undefined;
  return runsBetween(inner.a, inner.b, start);
}

function runsBetween(a: readonly unknown[], b: readonly unknown[], offset: number): DifferingRun[] {
  const lengths = commonLengths(a, b);
  const width = b.length + 1;
  const runs: DifferingRun[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      i++;
      j++;
      continue;
    }
    const from = { i, j };
    while ((i < a.length || j < b.length) && (i === a.length || a[i] !== b[j])) {
      const skipsBefore = (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0);
      if (j === b.length || (i < a.length && skipsBefore)) i++;
      else j++;
    }
    runs.push({
      before: { start: offset + from.i, end: offset + i },
      after: { start: offset + from.j, end: offset + j },
    });
  }
  return runs;
}

/** The lengths of the longest common subsequences of the rests from `i` and from `j`, by `i` and `j`. */
function commonLengths(a: readonly unknown[], b: readonly unknown[]): Uint16Array {
  const width = b.length + 1;
  // Fits into 16 bits: the shorter array has at most 1,000 elements, the square root of `maxPairs`.
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        a[i] === b[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  }
  return lengths;
}

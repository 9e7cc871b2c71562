/**
 * "Did you mean": the known name with the smallest edit distance.
 *
 * @param maxEdits - the largest distance. Default: half the length of the word
 */
export function nearestName(
  name: string,
  known: readonly string[],
  maxEdits = Math.max(1, name.length / 2),
): string | undefined {
  const lower = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = maxEdits + 0.5;
  for (const candidate of known) {
    const edits = editDistance(lower, candidate.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const letter of a.split('')) {
    const next: number[] = [];
    for (const [j, above] of row.entries()) {
      const [left = Infinity, corner = Infinity] = [next[j - 1], row[j - 1]];
      next.push(Math.min(above + 1, left + 1, corner + Number(letter !== b[j - 1])));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

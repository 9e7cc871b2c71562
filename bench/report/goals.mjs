/**
 * A goal is missed only beyond what the machine's own noise explains; where that is more than a quarter, nothing can be
 * told. A row without a goal is for comparison.
 */
export function verdict({ ratio, spread, goal }) {
  if (goal === undefined) return '';
  if (spread > 0.25) return 'too noisy to tell';
  if (ratio.median <= goal) return 'met';
  return goal / ratio.median >= 1 - spread ? 'within the spread' : 'MISSED';
}

/** The rows of works as columns to print. */
export const goalColumns = (row) => ({
  work: row.work,
  beside: row.beside,
  ratio: row.ratio.median.toFixed(3),
  between: `${row.ratio.low.toFixed(3)} and ${row.ratio.high.toFixed(3)}`,
  spread: `±${(100 * row.spread).toFixed(1)} %`,
  goal: row.goal === undefined ? 'none' : `at most ${row.goal.toFixed(2)}`,
  result: verdict(row),
  throughput: row.throughput?.toFixed(3) ?? '',
});

/** How long a work took, and whether the machine was ours alone meanwhile. */
export function took({ took: seconds, slices, disturbed = 0 }) {
  const rounds = slices === undefined ? '' : `, ${slices.rounds} rounds of ${slices.seconds.toFixed(1)} s`;
  const share = `${(100 * disturbed).toFixed(0)} %`;
  const note = disturbed > 0.05 ? `; the machine was NOT QUIET: others took ${share} of its processors` : '';
  return `${seconds.toFixed(0)} s${rounds}${note}`;
}

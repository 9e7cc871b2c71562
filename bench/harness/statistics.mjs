/**
 * The median, and the two values between which the median of endless rounds would lie, 19 times out of 20: order
 * statistics by the sign test, which asks nothing of how the values are distributed.
 */
export function medianOf(values) {
  const sorted = inOrder(values);
  const count = sorted.length;
  const rank = Math.max(1, Math.round(count / 2 - 0.98 * Math.sqrt(count)));
  return { median: sorted[count >> 1], low: sorted[rank - 1], high: sorted[count - rank] };
}

/** The fewest rounds in which the least and the greatest value are such an interval. */
export const leastRounds = 6;

/** Ratios within a round, for the machine's speed wanders from one to the next. */
export const pairedRatio = (values, others) => medianOf(values.map((value, round) => value / others[round]));

const redraws = 2_000;

/**
 * What one adds to a base, divided by what another adds to it. Such differences are of the size of their noise, and a round
 * can leave nothing to divide by: so it is the ratio of their medians, as shares of the base in the same round, and
 * lies where 19 out of 20 of those lie that are computed from rounds drawn anew from these.
 */
export function addedRatio(values, others, bases) {
  const rounds = bases.map((base, i) => ({ ours: values[i] / base - 1, other: others[i] / base - 1 }));
  const ratio = (drawn) =>
    medianOf(drawn.map(({ ours }) => ours)).median / medianOf(drawn.map(({ other }) => other)).median;
  const draw = () => rounds.map(() => rounds[Math.floor(Math.random() * rounds.length)]);
  const redrawn = inOrder(Array.from({ length: redraws }, () => ratio(draw())));
  return { median: ratio(rounds), low: redrawn[0.025 * redraws], high: redrawn[0.975 * redraws - 1] };
}

/** By what share two measurements of the same thing may differ, whichever is divided by the other. */
export const spreadOf = ({ low, high }) => Math.max(1 - low, 1 - 1 / high, 0);

const inOrder = (values) => [...values].sort((a, b) => a - b);

export function shuffled(values) {
  const rest = [...values];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [rest[i], rest[j]] = [rest[j], rest[i]];
  }
  return rest;
}

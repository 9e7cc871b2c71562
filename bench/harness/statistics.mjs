/**
 * The median, and the two values between which the median of endless rounds would lie, 19 times out of 20: order
 * statistics by the sign test, which asks nothing of how the values are distributed.
 */
export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  const rank = Math.max(1, Math.round(count / 2 - 0.98 * Math.sqrt(count)));
  return { median: sorted[count >> 1], low: sorted[rank - 1], high: sorted[count - rank] };
}

/** Ratios within a round, for the machine's speed wanders from one to the next. */
export const pairedRatio = (rates, others) => medianOf(rates.map((rate, round) => rate / others[round]));

/** By what share two measurements of the same thing may differ, whichever is divided by the other. */
export const spreadOf = ({ low, high }) => Math.max(1 - low, 1 - 1 / high, 0);

export function shuffled(values) {
  const rest = [...values];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [rest[i], rest[j]] = [rest[j], rest[i]];
  }
  return rest;
}

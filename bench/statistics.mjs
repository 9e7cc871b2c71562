/** The value below which a share of the others lies. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(share * (sorted.length - 1))];
}

export const median = (values) => quantile(values, 0.5);

/** Ratios within a round, for the machine's speed wanders from one to the next; the range is of the middle 80 %. */
export function pairedRatio(rates, others) {
  const ratios = rates.map((rate, round) => rate / others[round]);
  return { median: median(ratios), low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
}

/**
 * By what share two measurements of the same thing differ, at most, in the middle 80 % of the rounds: whichever of
 * the two is divided by the other.
 */
export function spreadOf({ low, high }) {
  return Math.max(1 - low, 1 - 1 / high, 0);
}

export function shuffled(values) {
  const rest = [...values];
  for (let i = rest.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [rest[i], rest[j]] = [rest[j], rest[i]];
  }
  return rest;
}

/**
 * How much more processor time an act takes for an input that is ten times as long: about 10 times if it is linear, 100 times if it
 * grows with the square. The best of five counts, as the first ones compile, and others collect garbage.
 */
export function growth(length: number, act: (length: number) => void): number {
  const cost = (of: number) =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const start = process.cpuUsage();
        act(of);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      }),
    );
  // What ends at once takes a few microseconds, and more or less than that for no reason.
  return cost(10 * length) / Math.max(cost(length), 100);
}

/** Nearer to what is linear: what grows with the square was never below 60. */
export const maxLinear = 30;

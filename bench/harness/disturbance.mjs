import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/**
 * The share of the processors' time, of the next moment in which nothing of ours runs, that somebody else takes: a
 * machine that is not quiet measures its neighbours.
 */
export async function disturbance(milliseconds = 50) {
  const before = times();
  await setTimeout(milliseconds);
  const after = times();
  return (after.busy - before.busy) / (after.all - before.all);
}

function times() {
  const all = cpus().map(({ times }) => Object.values(times).reduce((sum, time) => sum + time, 0));
  const idle = cpus().map(({ times }) => times.idle);
  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  return { all: total(all), busy: total(all) - total(idle) };
}

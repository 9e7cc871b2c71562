import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart, summary } from './chart.mjs';
import { goalColumns, took } from './goals.mjs';
import { surroundings } from './machine.mjs';
import { table } from './table.mjs';

const folder = join(import.meta.dirname, '..');

/** Writes RESULTS.md and results.svg. */
export function writeResults(results) {
  const rows = results.flatMap((result) => result.rows);
  const { date, machine, software } = surroundings();
  const minutes = results.reduce((sum, result) => sum + result.took, 0) / 60;
  const bars = rows.filter(({ bar }) => bar);
  const spread = (100 * Math.max(...bars.map((row) => row.spread))).toFixed(0);
  const sections = [
    '# Results',
    `Measured on ${date}: ${machine}. ${software}.`,
    `The figure is processor time: what the server's process uses for a request, divided by what another uses for the same one.
It counts only while the process runs, so on a noisy machine it varies less than throughput, which falls with each moment that others take.`,
    `![${summary(bars)}](results.svg)`,
    table(rows.map(goalColumns)),
    `How to read it: \`ratio\` is our processor time divided by that of what \`beside\` names, the median of the rounds, paired round by
round. For what is added to bare Express, it is the ratio of the medians of two differences; for a percentile of latency and the heap,
of what these rows name. With a confidence of 95 %, the true ratio lies \`between\` the two values. \`spread\` is the same
interval for two identical servers, measured in the same rounds: how far it reaches from 1. A goal is missed only if the
ratio is further off than that. \`throughput\` is our requests a second divided by theirs.`,
    `All servers of a section run at the same time, each in its own process, on the loopback interface. wrk loads one at a time, in a
random order that changes with each round. After five rounds at most, all servers are restarted in another order, and each is warmed
up at once. Some answers of each server are checked before the measurement, and the status of all of them during it.
\`npm run bench\` repeats all of it, in ${minutes.toFixed(0)} minutes here; each section says how long it took.`,
    ...results.flatMap((result) => [`## ${result.title}`, `${took(result)}.`, table(result.details)]),
  ];
  writeFileSync(join(folder, 'RESULTS.md'), `${sections.join('\n\n')}\n`);
  writeFileSync(
    join(folder, 'results.svg'),
    chart(bars, [
      'Processor time for a request, or for require() in a new process, relative to what stands in grey (the line).',
      `Measured in turn, in one run of npm run bench, in which two identical servers differ by up to ${spread} %.`,
      `${machine}, Node ${process.versions.node}, ${date}`,
    ]),
  );
}

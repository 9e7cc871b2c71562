import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart } from './chart.mjs';
import { goalColumns, took } from './goals.mjs';
import { surroundings } from './machine.mjs';
import { table } from './table.mjs';

const folder = join(import.meta.dirname, '..');

/** Writes RESULTS.md and results.svg. */
export function writeResults(results, { rounds, seconds }) {
  const rows = results.flatMap((result) => result.rows);
  const { date, machine, software } = surroundings();
  const minutes = results.reduce((sum, result) => sum + result.took, 0) / 60;
  const sections = [
    '# Results',
    `Measured on ${date}: ${machine}. ${software}.`,
    '![The ratios of the first table as bars](results.svg)',
    table(rows.map(goalColumns)),
    `How to read it: \`ratio\` is our throughput divided by that of what \`beside\` names, the median of ${rounds} rounds of ${seconds} s each,
paired round by round. With a confidence of 95 %, the true median lies \`between\` the two values. \`spread\` is the same
interval for two identical servers, measured in the same rounds: how far it reaches from 1. A goal is missed only if the
ratio is further off than that.`,
    `All servers of a section run at the same time, each in its own process, on the loopback interface. wrk loads one at a time, in a
random order that changes with each round. After every five rounds, all servers are restarted in another order, and each is warmed
up at once. Some answers of each server are checked before the measurement, and the status of all of them during it.
\`npm run bench\` repeats all of it, in ${minutes.toFixed(0)} minutes here; each section says how long it took.`,
    ...results.flatMap((result) => [`## ${result.title}`, `${took(result)}.`, table(result.details)]),
  ];
  writeFileSync(join(folder, 'RESULTS.md'), `${sections.join('\n\n')}\n`);
  writeFileSync(
    join(folder, 'results.svg'),
    chart(rows, `${machine}, Node ${process.versions.node}, ${date}`),
  );
}

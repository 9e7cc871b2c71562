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
    `How to read it: \`ratio\` is our throughput through that of what stands beside it, the median of ${rounds} rounds of ${seconds} s each,
paired round by round; the median of endless rounds would lie \`between\` the two values, 19 times out of 20. \`spread\` is
how far the same interval of two servers alike, measured in the same rounds, reaches from 1. A goal is missed only
beyond that.`,
    `The servers of a work are alive together, each in a process of its own on the loopback, and wrk loads one at a time, in an order
that is drawn anew for each round. After every five rounds all are started anew, in another order, each warmed up at once. Of each server some answers are checked before, and the status of
all of them while it is measured. \`npm run bench\` does all of it again, in ${minutes.toFixed(0)} minutes here; each section says its share.`,
    ...results.flatMap((result) => [`## ${result.title}`, `${took(result)}.`, table(result.details)]),
  ];
  writeFileSync(join(folder, 'RESULTS.md'), `${sections.join('\n\n')}\n`);
  writeFileSync(
    join(folder, 'results.svg'),
    chart(rows, `${machine}, Node ${process.versions.node}, ${date}`),
  );
}

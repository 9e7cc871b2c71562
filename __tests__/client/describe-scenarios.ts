import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOf } from '../support/client-bundle';
import { serving } from '../support/serving';
import { faultyApp } from './faulty-app';

const scenarios = join('.', '__tests__/client/runtime-scenarios');

/** A module that runs the scenarios against the API that `api` gives, and passes what came of them to `tell`. */
export function scenarioModule(api: string, tell: string): Promise<string> {
  return bundleOf(
    `import { runScenarios } from './${scenarios}';
     const tell = ${tell};
     Promise.resolve(${api})
       .then(runScenarios)
       .catch((error) => \`failed: \${error}\`)
       .then((results) => tell(JSON.stringify(results)));`,
  );
}

/** What comes of the scenarios under a program that takes a module and its arguments, as node does. */
export async function resultsUnder(program: string, args: readonly string[]): Promise<unknown> {
  const module = await scenarioModule('globalThis.Deno?.args[0] ?? process.argv[2]', 'console.log');
  const folder = mkdtempSync(join(tmpdir(), 'runtimes-of-the-client-'));
  const file = join(folder, 'scenarios.mjs');
  writeFileSync(file, module);
  try {
    return await serving(faultyApp(), async (_server, port) => {
      // The program ends by itself: no timer and no listener is left.
      const ended = await promisify(execFile)(program, [...args, file, `http://127.0.0.1:${port}`]);
      expect(ended.stderr).toBe('');
      const results: unknown = JSON.parse(ended.stdout);
      return results;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Describes what is tried under a program. Where it is not installed, the cases are reported as skipped. */
export function describeUnder(name: string, cases: (program: string) => void): void {
  const variable = `${name.toUpperCase()}_PATH`;
  const named = process.env[variable];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const program = named ?? folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (program === undefined) {
    process.stderr.write(
      `\nThere is no ${name}: nothing was tried under it. Install it, or set ${variable}.\n\n`,
    );
  }
  (program === undefined ? describe.skip : describe)(name, () => {
    cases(program ?? name);
  });
}

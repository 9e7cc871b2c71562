import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOf } from '../support/client-bundle';
import { describeWhere } from '../support/describe-where';
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

/** The scopes of the packages that have the program, one for each platform. */
const scopes = { deno: '@deno', bun: '@oven' };

/** Describes what is tried under a program. */
export function describeUnder(name: keyof typeof scopes, cases: (program: string) => void): void {
  const program = installed(name);
  const missing = `There is no ${name}, so nothing was tried under it. Install it with npm run runtimes (on Linux, x64).`;
  describeWhere(program !== undefined, name, missing, () => {
    cases(program ?? name);
  });
}

function installed(name: keyof typeof scopes): string | undefined {
  const scope = join(__dirname, '../runtimes/node_modules', scopes[name]);
  if (!existsSync(scope)) return undefined;
  const places = readdirSync(scope).flatMap((platform) => [
    join(platform, name),
    join(platform, 'bin', name),
  ]);
  return places.map((place) => join(scope, place)).find((path) => existsSync(path));
}

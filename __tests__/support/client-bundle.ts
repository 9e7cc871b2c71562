import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const run = promisify(execFile);
/** Run as it is: npm puts the program in the place of the script that would start it. */
const esbuild = join(root, 'node_modules/esbuild/bin/esbuild');

/** What a bundler makes of the client. */
export async function clientBundle(...more: readonly string[]): Promise<string> {
  return bundled(['lib/client/index.ts', ...more]);
}

/** What is left of a module that imports from `patch-options/client` when all that it does not need is gone. */
export function bundleOf(source: string): Promise<string> {
  return bundled(['--alias:patch-options/client=./lib/client/index.ts', '--minify'], source);
}

/** What is left of a module that imports from `patch-options/json`. */
export function jsonBundle(source: string, ...more: readonly string[]): Promise<string> {
  return bundled(
    ['--alias:patch-options/json=./lib/json/index.ts', '--log-override:ignored-bare-import=silent', ...more],
    source,
  );
}

/** The script of an app in this folder, with what it imports from packages, in a development build. */
export async function appBundle(folder: string, file: string): Promise<string> {
  const args = [
    ...['--bundle', '--format=iife', '--target=es2022', '--jsx=automatic', '--log-level=warning'],
    '--define:process.env.NODE_ENV="development"',
    ...['client', 'json'].map(
      (name) => `--alias:patch-options/${name}=${join(root, `lib/${name}/index.ts`)}`,
    ),
    join(folder, file),
  ];
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  return (await run(esbuild, args, { env, maxBuffer: 2 ** 25 })).stdout;
}

/** The scripts of the example's page, made by the command that `npm start` makes them by. */
export async function bundlePage(folder: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { page: string };
  };
  const [, ...args] = scripts.page.split(' ');
  await run(esbuild, [...args, `--outdir=${folder}`], { cwd: root });
}

async function bundled(args: readonly string[], source = ''): Promise<string> {
  const settings = [
    '--bundle',
    '--format=esm',
    '--platform=browser',
    '--target=es2022',
    '--log-level=warning',
  ];
  const running = run(esbuild, [...settings, ...args], { cwd: root, maxBuffer: 2 ** 24 });
  running.child.stdin?.end(source);
  return (await running).stdout;
}

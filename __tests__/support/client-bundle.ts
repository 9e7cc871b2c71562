import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '../..');
const run = promisify(execFile);

/** The ES module that pages load, made as `esbuild.config.mjs` makes it. */
export async function clientBundle(...more: readonly string[]): Promise<string> {
  return bundled(['lib/client/index.ts', ...more]);
}

/** What is left of a module that imports from `patch-options/client` when all that it does not need is gone. */
export function bundleOf(source: string): Promise<string> {
  return bundled(['--alias:patch-options/client=./lib/client/index.ts', '--minify'], source);
}

async function bundled(args: readonly string[], source = ''): Promise<string> {
  const esbuild = join(root, 'node_modules/esbuild/bin/esbuild');
  const settings = [
    '--bundle',
    '--format=esm',
    '--platform=browser',
    '--target=es2022',
    '--log-level=warning',
  ];
  const running = run(process.execPath, [esbuild, ...settings, ...args], { cwd: root, maxBuffer: 2 ** 24 });
  running.child.stdin?.end(source);
  return (await running).stdout;
}

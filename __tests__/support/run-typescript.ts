import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { resolve } from 'node:path';

/** Runs a script of this folder, or one that is named by its whole path, in a process of its own. */
export function runTypescript(
  script: string,
  parameters: readonly string[] = [],
  options: { env?: Record<string, string>; stdio?: StdioOptions } = {},
): ChildProcess {
  const args = [resolve(__dirname, 'typescript.mjs'), resolve(__dirname, script), ...parameters];
  return spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: options.stdio ?? 'inherit',
  });
}

import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';

/** Runs a script of this folder, or of one beside it, in a process of its own. */
export function runTypescript(
  script: string,
  parameters: readonly string[] = [],
  options: { env?: Record<string, string>; stdio?: StdioOptions } = {},
): ChildProcess {
  const args = [join(__dirname, 'typescript.mjs'), join(__dirname, script), ...parameters];
  return spawn(process.execPath, args, {
    env: { ...process.env, ...options.env },
    stdio: options.stdio ?? 'inherit',
  });
}

import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

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

/** Runs such a script to its end, and resolves to what it prints. If it fails, the error has what it complained of. */
export async function printedByTypescript(
  script: string,
  parameters: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const child = runTypescript(script, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.stdout === null || child.stderr === null)
    throw new Error('What the process prints is not piped.');
  const [printed, complaints, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (status === 0) return printed;
  throw new Error(`${script} ended with ${String(status)}. It printed:\n${printed}${complaints}`);
}

import './debug-on';
import createDebug from 'debug';
import { inspect } from 'node:util';
import { serialize } from 'node:v8';

/** What the process printed, or would have, while `act` ran; and what it threw, as loggers show it. */
export async function said(act: () => unknown): Promise<string> {
  const printed: string[] = [];
  const warning = jest
    .spyOn(process, 'emitWarning')
    .mockImplementation((...args) => void printed.push(inspect(args)));
  const { log } = createDebug;
  createDebug.log = (...lines: unknown[]) => void printed.push(lines.join(' '));
  try {
    await act();
  } catch (error) {
    printed.push(...asLogged(error));
  } finally {
    createDebug.log = log;
    warning.mockRestore();
  }
  return printed.join('\n');
}

/** An error as loggers show it, and what it was caused by. */
export function asLogged(error: unknown): string[] {
  const { message, stack, ...own } = error as Error & Record<string, unknown>;
  return [
    ...[String(error), message, stack ?? ''],
    inspect(error, { depth: Infinity, showHidden: true }),
    ...[JSON.stringify(error), JSON.stringify(own), JSON.stringify(Object.getOwnPropertyDescriptors(error))],
    ...[inspect(structuredClone(error), { depth: Infinity }), serialize(error).toString('latin1')],
    ...(error instanceof Error && error.cause !== undefined ? asLogged(error.cause) : []),
  ];
}

import { types } from 'node:util';
import type createDebug from 'debug';
import { printable } from '../config/printable';
import { inspectValue } from '../config/inspect';

/** The package is loaded only if DEBUG is set when this library is loaded. */
const create = process.env['DEBUG'] ? (require('debug') as typeof createDebug) : undefined;

/** Writes a line if the environment variable DEBUG selects this log. */
export interface DebugLog {
  (format: string, ...values: readonly unknown[]): void;
  readonly enabled: boolean;
}

/**
 * A log of the package `debug`. Its values can come from a request (URL, Content-Type, Origin), and it is
 * read on a terminal, so every value is made `printable`.
 *
 * @param name - the part after `patch-options:` in DEBUG
 */
export function debugLog(name: string): DebugLog {
  const debug = create?.(`patch-options:${name}`);
  const log = (format: string, ...values: readonly unknown[]): void => {
    if (debug?.enabled) debug(format, ...values.map(shown));
  };
  return Object.defineProperty(log, 'enabled', { get: () => debug?.enabled ?? false }) as DebugLog;
}

/**
 * The stack of an error keeps its line breaks, and is also made printable, because its message can quote the
 * request. The properties and the cause of an error are left out, because they can contain secrets, such as
 * the options of a request that failed.
 */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'object' && typeof value !== 'function') return value;
  const stack: unknown = types.isNativeError(value) ? value.stack : undefined;
  return typeof stack === 'string' ? stack.split('\n').map(printable).join('\n') : inspectValue(value);
}

import { printable } from './printable';
import { nameThrown } from './inspect';
import type { WarningCode } from './warning-code';

/**
 * Emits a process warning. Its text is escaped, because it can quote a client or an app, and is read on a
 * terminal.
 */
export function emitWarning(code: WarningCode, message: string): void {
  process.emitWarning(printable(message), { code });
}

/**
 * Creates a function that emits a process warning on its first call only, so that a mistake that shows on
 * every request does not flood the log.
 *
 * @param message - the text, or a function that makes it from the arguments of the call
 */
export function warnOnce<Seen extends unknown[] = []>(
  code: WarningCode,
  message: string | ((...seen: Seen) => string),
): (...seen: Seen) => void {
  let emitted = false;
  return (...seen) => {
    if (emitted) return;
    emitted = true;
    emitWarning(code, typeof message === 'string' ? message : message(...seen));
  };
}

/**
 * A message for `warnOnce` about the first of several errors.
 *
 * @param what - the subject of the sentence, such as `onRefused of corsPreflight()`
 * @param remedy - how to see every error
 */
export function describeFailure(what: string, remedy?: string): (error: unknown) => string {
  const rest = remedy === undefined ? '' : `: ${remedy}`;
  return (error) => `${what} failed with ${nameThrown(error)}. Further failures are not reported${rest}.`;
}

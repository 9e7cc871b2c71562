import { printable } from './printable';
import { nameThrown } from './shown-text';

/**
 * Emits a process warning. What it quotes of a client or an app is escaped, because it is read on a terminal.
 */
export function emitWarning(code: string, message: string): void {
  process.emitWarning(printable(message), { code });
}

/**
 * Emits a process warning for the first error and ignores the others, so that an error on every request does
 * not flood the log.
 *
 * @param what - the subject of the sentence, such as `onRefused of corsPreflight()`
 * @param remedy - how to see every error
 */
export function warnOnce(code: string, what: string, remedy?: string): (error: unknown) => void {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    const rest = remedy === undefined ? '' : `: ${remedy}`;
    const message = `${what} failed with ${nameThrown(error)}. Further failures are not reported${rest}.`;
    emitWarning(code, message);
  };
}

/**
 * Emits a process warning when it is first called, and does nothing after: a mistake that shows on every
 * request is reported once.
 *
 * @param message - the text, or a function that makes it from the arguments of the call
 */
export function tellOnce<Seen extends unknown[] = []>(
  code: string,
  message: string | ((...seen: Seen) => string),
): (...seen: Seen) => void {
  let emitted = false;
  return (...seen) => {
    if (emitted) return;
    emitted = true;
    emitWarning(code, typeof message === 'string' ? message : message(...seen));
  };
}

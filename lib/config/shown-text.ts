import { inspect, types } from 'node:util';
import { isThenable } from './object';
import { notAwaited } from './unawaited';

/** A value, shortened to fit into a line of a message. */
export function shownText(value: unknown): string {
  const shown = inspect(value, { depth: 1, breakLength: Infinity, maxArrayLength: 5, maxStringLength: 100 });
  // The properties of a function, such as an app, are left out.
  const text = typeof value === 'function' ? (/\[[^\]]*\]/.exec(shown)?.[0] ?? shown) : shown;
  return shortened(text, 200);
}

/**
 * What was thrown, for a warning: the name of an error and its code, and never its message, which can contain
 * the values of clients. Anything can be thrown.
 */
export function nameThrown(thrown: unknown): string {
  if (!types.isNativeError(thrown) && !(thrown instanceof Error))
    return thrown === null ? 'null' : `a value of the type ${typeof thrown}`;
  const code: unknown = Reflect.get(thrown, 'code');
  const hasCode = typeof code === 'string' || typeof code === 'number';
  return shortened(`${thrown.name}${hasCode ? ` (code ${code})` : ''}`, 100);
}

/** The result of a function that must be synchronous, as the message that rejects it shows it. */
export function shownResult(result: unknown): string {
  return isThenable(notAwaited(result)) ? 'a promise' : shownText(result);
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

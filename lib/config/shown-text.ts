import { inspect, types } from 'node:util';
import { isThenable } from './object';
import { isShowable, shownValue } from './shown-value';
import { notAwaited } from './unawaited';

/** A text in quotes, shortened to fit into a line of a message. */
export function shownText(text: string): string {
  return shortened(inspect(text, { breakLength: Infinity, maxStringLength: 100 }), 200);
}

/** A value where a name is expected: a text is shown, unless it can contain a secret. */
export function shownName(value: unknown): string {
  return typeof value === 'string' && isShowable(value) ? shownText(value) : shownValue(value);
}

/**
 * What was thrown, for a warning: the name of an error and its code, and never its message, which can contain
 * the values of clients. Anything can be thrown.
 */
export function nameThrown(thrown: unknown): string {
  if (!isError(thrown)) return thrown === null ? 'null' : `a value of the type ${typeof thrown}`;
  const code: unknown = Reflect.get(thrown, 'code');
  const hasCode = typeof code === 'string' || typeof code === 'number';
  return shortened(`${thrown.name}${hasCode ? ` (code ${code})` : ''}`, 100);
}

/** The cause of an error, if an error was thrown. Anything else is left out, because logs show its content. */
export function toCause(thrown: unknown): { readonly cause?: Error } {
  return isError(thrown) ? { cause: thrown } : {};
}

function isError(thrown: unknown): thrown is Error {
  return types.isNativeError(thrown) || thrown instanceof Error;
}

/** The result of a function that must be synchronous, as the message that rejects it shows it. */
export function shownResult(result: unknown): string {
  return isThenable(notAwaited(result)) ? 'a promise' : shownValue(result);
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

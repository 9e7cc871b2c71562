import { inspect, types } from 'node:util';
import { isThenable } from './object';
import { ignoreRejection } from './unawaited';

/** A text in quotes, shortened to fit into a line of a message. */
export function inspectShort(text: string): string {
  return shortened(inspect(text, { breakLength: Infinity, maxStringLength: 100 }), 200);
}

/** A value where a name is expected: a text is shown, unless it can contain a secret. */
export function inspectName(value: unknown): string {
  return typeof value === 'string' && isShowable(value) ? inspectShort(value) : inspectValue(value);
}

/**
 * The thrown value, for a warning: the name of an error and its code, but never its message, which can
 * contain the values of clients. Anything can be thrown.
 */
export function nameThrown(thrown: unknown): string {
  if (!isError(thrown)) return thrown === null ? 'null' : `a value of the type ${typeof thrown}`;
  const code: unknown = Reflect.get(thrown, 'code');
  const hasCode = typeof code === 'string' || typeof code === 'number';
  return shortened(`${thrown.name}${hasCode ? ` (code ${code})` : ''}`, 100);
}

/**
 * The cause of an error, if an error was thrown. Any other value is left out, because logs would show its
 * content.
 */
export function toCause(thrown: unknown): { readonly cause?: Error } {
  return isError(thrown) ? { cause: thrown } : {};
}

function isError(thrown: unknown): thrown is Error {
  return types.isNativeError(thrown) || thrown instanceof Error;
}

/** The result of a function that must be synchronous, as error messages show it. */
export function inspectResult(result: unknown): string {
  return isThenable(ignoreRejection(result)) ? 'a promise' : inspectValue(result);
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/**
 * A value as messages show it. An object is shown as the name of its type, and a text as "a string", because
 * both can contain secrets, such as the password in a connection or in its URL.
 */
export function inspectValue(value: unknown): string {
  if (typeof value === 'function') return `[Function${nameFunction(value)}]`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'boolean') return String(value);
  return value === '' ? "''" : nameType(value);
}

/** The type of a value, with its article: `a string`, `an object`, `a Date`. */
export function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'undefined';
  const name = typeof value === 'object' ? nameClass(value) : typeof value;
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Whether a text can be shown where names, pointers, media types or origins are expected: not if it has user
 * info, a query or settings, as URLs of databases have, or if it is a header line.
 */
export function isShowable(text: string): boolean {
  return !/:.*@|\?|.#|=(?<!charset=)|^[\w-]+:(?!\/\/)[^\d*]/s.test(text);
}

/** Names come from code; any other text in the same property could be data. */
const identifier = /^[\w$]{1,50}$/;

function nameFunction(value: object): string {
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' && identifier.test(name) ? `: ${name}` : ' (anonymous)';
}

function nameClass(value: object): string {
  try {
    if (Array.isArray(value)) return 'array';
    const prototype: unknown = Object.getPrototypeOf(value);
    const constructor: unknown = Object.getOwnPropertyDescriptor(Object(prototype), 'constructor')?.value;
    const name: unknown = typeof constructor === 'function' ? constructor.name : undefined;
    return typeof name === 'string' && identifier.test(name) && name !== 'Object' ? name : 'object';
  } catch {
    return 'object'; // a revoked Proxy
  }
}

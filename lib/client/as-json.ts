import { isArray, isContainer } from '../json/value';
import { ArgumentError } from './errors';

/**
 * A value after conversion to JSON, and its text: without undefined members, with dates as strings, and so
 * on, as `JSON.stringify` writes it.
 *
 * @throws ArgumentError for values that JSON.stringify cannot write, or would write as something else: see
 *   `lostValue`
 */
export function toJson(value: unknown): { readonly value: unknown; readonly text: string } {
  const text = toJsonText(value);
  const copy: unknown = JSON.parse(text);
  return { value: copy, text };
}

function toJsonText(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value, refuseLoss);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw notJson(error instanceof Error ? error.message : String(error));
  }
  throw notJson(`it is of type ${typeof value}`);
}

function refuseLoss(this: object, name: string, value: unknown): unknown {
  const lost = lostValue(Reflect.get(this, name), value, isArray(this));
  if (lost === undefined) return value;
  throw new TypeError(`${name ? JSON.stringify(name) : 'it'} is ${lost}`);
}

/**
 * Names a value that JSON.stringify would write as null or `{}`, or leave out, so that a write would lose
 * data; undefined for other values, and for undefined members, which are how JavaScript leaves something out.
 */
function lostValue(original: unknown, value: unknown, isElement: boolean): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    return `of type ${typeof value}`;
  }
  if (value === undefined) return isElement ? 'an empty element of an array' : undefined;
  const kind = Object.prototype.toString.call(original).slice(8, -1);
  if (value === null) return kind === 'Date' ? 'an invalid Date' : undefined;
  const isEmpty = isContainer(value) && !isArray(value) && Object.keys(value).length === 0;
  return isEmpty && value === original && kind !== 'Object' ? `of type ${kind}` : undefined;
}

function notJson(why: string): ArgumentError {
  return new ArgumentError(
    'value-not-json',
    `The value to send cannot be written as JSON: ${why}. ` +
      'Use only strings, finite numbers, true, false, null, arrays without gaps and plain objects.',
  );
}

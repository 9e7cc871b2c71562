import { ArgumentError } from '../errors';

/**
 * A value after conversion to JSON, and its text: without undefined members, with dates as strings, and so on, as
 * `JSON.stringify` writes it.
 *
 * @throws ArgumentError for values that JSON.stringify cannot write, and for NaN and Infinity, which it would write as null
 */
export function asJson(value: unknown): { readonly value: unknown; readonly text: string } {
  const text = textOf(value);
  const copy: unknown = JSON.parse(text);
  return { value: copy, text };
}

function textOf(value: unknown): string {
  try {
    const text: unknown = JSON.stringify(value, refuseNonFinite);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw notJson(error instanceof Error ? error.message : String(error));
  }
  throw notJson(`it is of type ${typeof value}`);
}

function refuseNonFinite(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`it contains ${value}`);
  return value;
}

function notJson(why: string): ArgumentError {
  return new ArgumentError('value-not-json', `The value to send cannot be written as JSON: ${why}.`);
}

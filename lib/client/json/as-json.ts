import { ArgumentError } from '../errors';

/**
 * A value as JSON has it, and its text: without members that are undefined, dates as strings, and so on, as `JSON.stringify`
 * writes it.
 *
 * @throws ArgumentError for what that cannot write, and for NaN and Infinity, of which it would make null
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
  throw notJson(`it is of the type ${typeof value}`);
}

function refuseNonFinite(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`it holds ${value}`);
  return value;
}

function notJson(why: string): ArgumentError {
  return new ArgumentError('value-not-json', `The value to be sent cannot be written as JSON: ${why}.`);
}

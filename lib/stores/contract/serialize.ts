import { randomUUID } from 'node:crypto';
import { inspectValue, toCause } from '../../config/inspect';
import { ProblemError } from '../../http/problem';
import { NotJsonError } from '../../json/app-json';
import type { VersionedState } from './resource-store';

/** The error about a value that a store cannot keep. */
export function notStorable(reason: string, options?: ErrorOptions): NotJsonError {
  const message =
    `The value to be stored cannot be written as JSON: ${reason}. ` +
    'Store objects, arrays, strings, numbers, booleans and null only.';
  return new NotJsonError(message, options);
}

/**
 * The JSON that `write` makes of the value. An error, or a missing result, is reported as a problem of the
 * value.
 */
export function writeJson<R>(value: unknown, write: () => R | undefined): R {
  try {
    const json = write();
    if (json === undefined) {
      const is = `it is ${value ? 'a ' : ''}${typeof value}`;
      throw notStorable(
        typeof value === 'object' ? 'its toJSON returned undefined, a function or a symbol' : is,
      );
    }
    return json;
  } catch (error) {
    if (error instanceof NotJsonError) throw error;
    throw notStorable(error instanceof Error ? error.message : inspectValue(error), toCause(error));
  }
}

/**
 * The text that a store keeps of a value. It never contains NUL or a lone surrogate: JSON.stringify escapes
 * them.
 *
 * @param maxBytes - of UTF-8
 * @throws ProblemError 413 `limit-result` for a text over `maxBytes`
 * @throws NotJsonError
 */
export function toJsonText(value: unknown, maxBytes = Infinity): string {
  const text = writeJson(value, () => JSON.stringify(value) as string | undefined);
  assertFits(text, maxBytes);
  return text;
}

/** @throws ProblemError 413 `limit-result` for a text over `maxBytes` of UTF-8 */
function assertFits(text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const detail = `The result would have ${bytes} bytes, but the limit is ${maxBytes}. Make it smaller.`;
    throw new ProblemError(413, 'limit-result', detail);
  }
}

/**
 * The state with this stored text. The value is parsed on first use: the answers to most PATCH requests need
 * only the new version, and parsing a megabyte costs as much as applying the patch did.
 */
export function createTextState<T>(text: string, version: string, modified?: Date): VersionedState<T> {
  let value: T | undefined;
  return {
    get value() {
      return (value ??= JSON.parse(text) as T);
    },
    version,
    ...(modified !== undefined && { modified }),
  };
}

/**
 * A new version that no key ever had: 122 random bits, made by the library and not by the engine, in every
 * store alike.
 *
 * A counter, or the engine's own row version, starts again when a key is deleted and created again, when a
 * backup is restored, and when a Redis replica that missed the last writes takes over. An old entity tag
 * would then match a state that its client never saw. A clock repeats within a tick, and a hash whenever the
 * value does.
 */
export function newVersion(): string {
  return randomUUID();
}

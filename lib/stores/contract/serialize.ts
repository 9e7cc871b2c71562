import { ProblemError } from '../../http/problem';
import { thrownText } from '../../app-callbacks';
import type { Stored } from './resource-store';

/** The value holds itself, a BigInt or too many levels, or is nothing that JSON has. */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError';
  readonly code = 'PATCH_OPTIONS_NOT_JSON';

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `A value to be stored cannot be written as JSON, which has objects, arrays, strings, numbers, booleans and null: ${reason}`,
      options,
    );
  }
}

/**
 * What `write` makes of the value as JSON. Of whatever goes wrong, and where it makes nothing, it is said that the value
 * is why.
 */
export function asJson<R>(value: unknown, write: () => R | undefined): R {
  try {
    const json = write();
    if (json === undefined) {
      const is = `it is ${value ? 'a ' : ''}${typeof value}`;
      throw new NotJsonError(typeof value === 'object' ? 'its toJSON gives none of these' : is);
    }
    return json;
  } catch (error) {
    if (error instanceof NotJsonError) throw error;
    throw new NotJsonError(thrownText(error), { cause: error });
  }
}

/**
 * A value as the text that a store keeps. It never holds a NUL or a lone surrogate: JSON.stringify escapes them.
 *
 * @param maxBytes - of UTF-8
 * @throws ProblemError 413 `limit-result` for a text over `maxBytes`
 * @throws NotJsonError
 */
export function toJsonText(value: unknown, maxBytes = Infinity): string {
  const text = asJson(value, () => JSON.stringify(value) as string | undefined);
  assertFits(text, maxBytes);
  return text;
}

/** @throws ProblemError 413 `limit-result` for a text over `maxBytes` of UTF-8 */
export function assertFits(text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    const detail = `The result would take ${bytes} bytes; at most ${maxBytes} are kept. Make it smaller.`;
    throw new ProblemError(413, 'limit-result', detail);
  }
}

/**
 * The `Stored` of a kept text. The value is read from it when it is first asked for: the answer to most PATCH requests
 * needs the new version alone, and reading a megabyte back costs as much as applying the patch did.
 */
export function storedText<T>(text: string, version: string, modified: Date, outcome?: string): Stored<T> {
  let value: T | undefined;
  return {
    get value() {
      return (value ??= JSON.parse(text) as T);
    },
    version,
    modified,
    ...(outcome !== undefined && { outcome }),
  };
}

import { isContainer, isEqualJson } from '../parsers/json/value';
import { ArgumentError } from './errors';
import { asJson } from './json/as-json';

/**
 * Makes a change: alters the draft, a copy of the value, or returns the new value. It may be run again, on another state, and
 * so does nothing else.
 */
export type Recipe<T> = ((draft: T) => T) | ((draft: T) => void);

/**
 * What a recipe makes of a value, as JSON.
 *
 * @throws ArgumentError, and what the recipe throws
 */
export function cook(value: unknown, recipe: (draft: unknown) => unknown): unknown {
  const draft: unknown = structuredClone(value);
  const returned = recipe(draft);
  if (returned === undefined || returned === draft) return asJson(draft).value;
  if (returned instanceof Promise) {
    returned.catch(() => undefined);
    throw new ArgumentError(
      'recipe-invalid',
      'The recipe of change() is asynchronous. Await what it needs before, for it may have to run again at once.',
    );
  }
  if (isContainer(draft) && !isEqualJson(asJson(draft).value, value)) {
    throw new ArgumentError(
      'recipe-invalid',
      'The recipe of change() has altered its draft, and returned another value. Put braces around what it does, or alter nothing.',
    );
  }
  return asJson(returned).value;
}

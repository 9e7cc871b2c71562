import { isContainer, isEqualJson } from '../json/value';
import { ArgumentError } from './errors';
import { toJson } from './as-json';

/**
 * Makes a change: modifies the draft, which is a copy of the value, or returns the new value. It must be
 * synchronous and without other side effects, as it can run several times, on different states.
 */
// `undefined` would refuse functions without a return value, and a union of two function types accepts any
// value as the result of the one that returns nothing: promises, too.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- only `T | void` refuses both
export type Recipe<T> = (draft: T) => T | void;

/** Callers in JavaScript can pass anything, such as the members to change. */
export function checkRecipe(recipe: unknown): void {
  if (typeof recipe === 'function') return;
  throw new ArgumentError('recipe-invalid', 'The recipe of change() must be a function of the draft.');
}

/**
 * Runs a recipe on a value and returns the new value as JSON.
 *
 * @throws ArgumentError, and what the recipe throws
 */
export function applyRecipe(value: unknown, recipe: (draft: unknown) => unknown): unknown {
  const draft: unknown = structuredClone(value);
  const returned = recipe(draft);
  if (returned === undefined || returned === draft) return toJson(draft).value;
  if (isThenable(returned)) {
    if (returned instanceof Promise) returned.catch(() => undefined);
    throw new ArgumentError(
      'recipe-invalid',
      'The recipe of change() must be synchronous, as it can run several times. ' +
        'Await what it needs before calling change().',
    );
  }
  if (isContainer(draft) && !isEqualJson(toJson(draft).value, value)) {
    throw new ArgumentError(
      'recipe-invalid',
      'The recipe of change() modified its draft and also returned another value. ' +
        'Do only one: in an arrow function, put braces around the body.',
    );
  }
  return toJson(returned).value;
}

/** Also promises of other realms and libraries. */
function isThenable(value: unknown): boolean {
  return isContainer(value) && 'then' in value && typeof value.then === 'function';
}

import { isThenable } from '../config/object';
import { copyJson, isContainer, isEqualJson } from './value';

/**
 * Makes a change: modifies the draft, which is a copy of the value, or returns the new value. It must be
 * synchronous and without other side effects, because it can run several times, on different states.
 */
// `T | undefined` would refuse functions without a return value. A union of two function types would accept
// any result of the function that returns nothing, even a promise.
// oxlint-disable-next-line typescript/no-invalid-void-type -- only `T | void` refuses both
export type Recipe<T> = (draft: T) => T | void;

/** Callers in JavaScript can pass anything, such as the members to change. */
export function checkRecipe(
  recipe: unknown,
  misuse: (message: string) => Error,
): asserts recipe is (draft: unknown) => unknown {
  if (typeof recipe !== 'function') throw misuse('The recipe of change() must be a function of the draft.');
}

/**
 * Runs a recipe on a copy of a value.
 *
 * @param misuse - makes the error about a recipe that returns a promise, or modifies its draft and also
 *   returns another value
 * @returns the new value
 * @throws the errors of the recipe
 */
export function applyRecipe<T>(
  value: T,
  recipe: (draft: T) => unknown,
  misuse: (message: string) => Error,
): T {
  const draft = copyJson(value);
  const returned = recipe(draft);
  if (returned === undefined || returned === draft) return draft;
  if (isThenable(returned)) {
    if (returned instanceof Promise) returned.catch(() => undefined);
    throw misuse(
      'The recipe of change() returned a promise. It must be synchronous, because it can run several times: ' +
        'await what it needs before you call change().',
    );
  }
  if (isContainer(draft) && !isEqualJson(draft, value)) {
    throw misuse(
      'The recipe of change() modified its draft and also returned another value. ' +
        'Do only one: in an arrow function, put braces around the body.',
    );
  }
  // The compiler has checked what a recipe returns.
  return returned as T;
}

import type { Issue } from './mistake';
import { isFunction } from './object';

/** The values that an option can have. JavaScript apps have no compiler to check types. */
export interface Expectation {
  /** Returns the mistake in a value; undefined if there is none. */
  readonly findIssue: (value: unknown) => Issue | undefined;
  /**
   * The meaning of undefined. `absent`, the default: the option is left out, which is not a mistake.
   * `missing`: it must not be left out. `unset`: it can be left out, but if it is present, a setting that the
   * app reads is missing.
   */
  readonly undefinedMeans?: 'absent' | 'missing' | 'unset';
}

/** For an option that is checked where it is read. */
export const anything: Expectation = { findIssue: () => undefined };

/** @param reason - completes a sentence that begins with the value */
export function typed(isExpected: (value: unknown) => boolean, fix: string, reason: string): Expectation {
  return expected(isExpected, { code: 'option-type', reason, fix });
}

/** @param reason - completes a sentence that begins with the value */
export function valued(
  isExpected: (value: unknown) => boolean,
  fix: string,
  reason = 'is not a valid value',
): Expectation {
  return expected(isExpected, { code: 'option-value', reason, fix });
}

export function expected(isExpected: (value: unknown) => boolean, issue: Issue): Expectation {
  return { findIssue: (value) => (isExpected(value) ? undefined : issue) };
}

/** An option, or an argument, that must not be left out. */
export function required(expectation: Expectation): Expectation {
  return { ...expectation, undefinedMeans: 'missing' };
}

/** @param fix - as a sentence */
export function functionThat(fix: string): Expectation {
  return typed(isFunction, fix, 'must be a function');
}

/** @param example - as the app would write it: `(req) => req.params.id` */
export function functionLike(example: string): Expectation {
  return functionThat(`Write ${example}.`);
}

/** A string is a mistake, because `'false'`, such as from the environment, would count as true. */
export const flag = typed((value) => typeof value === 'boolean', 'Write true or false.', 'must be a boolean');

export function oneOf(...words: readonly unknown[]): Expectation {
  const fix = `Write '${words.join("' or '")}'.`;
  return expected((value) => words.includes(value), {
    ...{ code: 'option-value', reason: 'is not a valid value', fix, isName: true },
  });
}

export function wholeNumber(min: number, max: number, fix: string, reason?: string): Expectation {
  return valued(
    (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    fix,
    reason,
  );
}

/** An object with at least one entry. */
export function entries(isEntries: (value: unknown) => value is object, fix: string): Expectation {
  return {
    findIssue(value) {
      if (!isEntries(value)) return { code: 'option-type', reason: 'must be an object', fix };
      return Object.keys(value).length > 0 ? undefined : { code: 'option-empty', reason: 'is empty', fix };
    },
  };
}

import { validateHeaderValue } from 'node:http';
import { type Fault, isObject, type OptionsCheck } from './options-check';

/** The check of one option, and the message if it fails. JavaScript apps have no compiler to check types. */
export interface Expectation {
  readonly isExpected: (value: unknown) => boolean;
  /** The code of the mistake. */
  readonly code: Fault['code'];
  /** Completes the sentence that begins with the value. */
  readonly reason: string;
  readonly fix: string;
  /**
   * True if undefined is a mistake too: a missing limit is hardly intended. Default: undefined means left
   * out.
   */
  readonly needed?: boolean;
}

/** The checks of several options, and of each member of an option that is an object. */
export type Expectations = Readonly<Record<string, Expectation | Readonly<Record<string, Expectation>>>>;

/**
 * Reports every mistake in the options to `check`.
 *
 * @returns the options, to be read instead of `given`
 */
export function checkEach<O>(given: O, expected: Expectations, check: OptionsCheck, path = ''): O {
  const read = check.names(given, Object.keys(expected), path);
  const options: object = isObject(read) ? read : {};
  for (const [name, expectation] of Object.entries(expected)) {
    if (!(name in options)) continue;
    const value: unknown = Reflect.get(options, name);
    if (!isExpectation(expectation)) {
      if (value !== undefined) Reflect.set(options, name, checkEach(value, expectation, check, `${name}.`));
    } else if (!expectation.isExpected(value)) {
      if (value === undefined && expectation.needed !== true) continue;
      const { code, reason, fix } = expectation;
      const isUndefined = value === undefined;
      check.mistake(path + name, value, {
        code: isUndefined ? 'option-undefined' : code,
        reason: isUndefined ? 'is present but undefined' : reason,
        fix,
      });
    }
  }
  return read;
}

const notValid = 'is not a valid value';

/** @param reason - completes the sentence that begins with the value */
export function typed(isExpected: Expectation['isExpected'], fix: string, reason: string): Expectation {
  return { isExpected, code: 'option-type', reason, fix };
}

export function functionOf(given: string): Expectation {
  return typed(isFunction, `Pass a function of ${given}.`, 'must be a function');
}

/** @param example - as the app would write it: `(req) => req.params.id` */
export function functionLike(example: string): Expectation {
  return typed(isFunction, `Write ${example}.`, 'must be a function');
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

export function oneOf(...words: readonly unknown[]): Expectation {
  const fix = `Write '${words.join("' or '")}'.`;
  return { isExpected: (value) => words.includes(value), code: 'option-value', reason: notValid, fix };
}

export function wholeNumber(least: number, most: number, fix: string): Expectation {
  const isExpected = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return { isExpected, code: 'option-value', reason: notValid, fix };
}

/** The check of an option that is the value of a header. */
export function fieldValue(name: string, fix: string): Expectation {
  return typed(
    (value) => {
      try {
        validateHeaderValue(name, String(value));
        return typeof value === 'string' && value.trim() !== '';
      } catch {
        return false;
      }
    },
    fix,
    'is not a valid header value',
  );
}

function isExpectation(expected: Expectations[string]): expected is Expectation {
  return Object.hasOwn(expected, 'isExpected');
}

import { validateHeaderValue } from 'node:http';
import { type Fault, isObject, type OptionsCheck } from '../configuration';
import { hasMember } from '../prototype-pollution';

/** What an option may be, and how to say so. JavaScript apps have no compiler to tell them. */
export interface Expectation {
  readonly isExpected: (value: unknown) => boolean;
  /** Of the mistake, where it is something else. */
  readonly code: Fault['code'];
  readonly fix: string;
  /** Undefined is a mistake too: a limit that is not there is none that was meant. Default: it is as good as left out. */
  readonly needed?: boolean;
}

/** The same of several; of an option that has parts, of each of them. */
export type Expectations = Readonly<Record<string, Expectation | Readonly<Record<string, Expectation>>>>;

/**
 * Every mistake in the options goes to `check`.
 *
 * @returns the options, to be read in place of what was given
 */
export function checkEach<O>(given: O, expected: Expectations, check: OptionsCheck, path = ''): O {
  const read = check.names(given, Object.keys(expected), path);
  const options: object = isObject(read) ? read : {};
  for (const [name, expectation] of Object.entries(expected)) {
    if (!hasMember(options, name)) continue;
    const value = options[name];
    if (!isExpectation(expectation)) {
      if (value !== undefined) Reflect.set(options, name, checkEach(value, expectation, check, `${name}.`));
    } else if (!expectation.isExpected(value)) {
      if (value === undefined && expectation.needed !== true) continue;
      const code = value === undefined ? 'option-undefined' : expectation.code;
      check.mistake(path + name, value, {
        code,
        reason: 'is not what this option takes',
        fix: expectation.fix,
      });
    }
  }
  return read;
}

export function typed(isExpected: Expectation['isExpected'], fix: string): Expectation {
  return { isExpected, code: 'option-type', fix };
}

export function functionOf(given: string): Expectation {
  return typed(isFunction, `Give a function of ${given}.`);
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

export function oneOf(...words: readonly unknown[]): Expectation {
  const fix = `Write '${words.join("' or '")}'.`;
  return { isExpected: (value) => words.includes(value), code: 'option-value', fix };
}

export function wholeNumber(least: number, most: number, fix: string): Expectation {
  const isExpected = (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
  return { isExpected, code: 'option-value', fix };
}

/** What a header field may have as its value. */
export function fieldValue(name: string, fix: string): Expectation {
  return typed((value) => {
    try {
      validateHeaderValue(name, String(value));
      return typeof value === 'string' && value.trim() !== '';
    } catch {
      return false;
    }
  }, fix);
}

function isExpectation(expected: Expectations[string]): expected is Expectation {
  return hasMember(expected, 'isExpected');
}

import type { Expectation } from './expectation';
import type { Issue } from './mistake';
import { hasNames } from './object';
import { pickOptions } from './prototype-pollution';

/** The expectation of each option, by name, or of each member of an option that is an object. */
export type Expectations<Names extends string = string> = Readonly<
  Record<Names, Expectation | Readonly<Record<string, Expectation>>>
>;

/** Receives the mistakes in the options, one by one. */
export type ReportMistake = (option: string, value: unknown, issue: Issue) => void;

/**
 * Reads options, and reports every mistake in them.
 *
 * @param path - of the options inside others, with the dot
 * @param fixUnknown - the fix for a name that is not an option, or for options that are not an object
 * @returns the options to read instead of the argument; undefined if the argument is not an object
 */
export function readOptions<O>(
  options: O,
  expected: Expectations,
  report: ReportMistake,
  path = '',
  fixUnknown: (name: string, known: readonly string[]) => string | undefined = () => undefined,
): O | undefined {
  const known = Object.keys(expected);
  const list = `The options are ${known.join(', ')}.`;
  if (!hasNames(options)) {
    const fix = fixUnknown(nameWhole(path), []) ?? list;
    report(nameWhole(path), options, { code: 'option-type', reason: 'must be an object', fix });
    return undefined;
  }
  for (const [name, value] of Object.entries(options)) {
    if (known.includes(name)) continue;
    const fix = fixUnknown(name, known) ?? list;
    report(path + name, value, { code: 'option-unknown', reason: 'is not a known option', fix });
  }
  const settings = pickOptions(options, known);
  for (const [name, expectation] of Object.entries(expected)) {
    const value: unknown = Reflect.get(settings, name);
    if (isExpectation(expectation)) {
      const issue = checkOne(expectation, value, name in settings);
      if (issue !== undefined) report(path + name, value, issue);
    } else if (value !== undefined) {
      Reflect.set(
        settings,
        name,
        readOptions(value, expectation, report, `${path}${name}.`, fixUnknown) ?? value,
      );
    }
  }
  return settings;
}

function checkOne(
  { findIssue, undefinedMeans = 'absent' }: Expectation,
  value: unknown,
  isPresent: boolean,
): Issue | undefined {
  if (value !== undefined || undefinedMeans === 'missing') return findIssue(value);
  if (undefinedMeans === 'absent' || !isPresent) return undefined;
  const issue = findIssue(value);
  return issue && { ...issue, code: 'option-undefined', reason: 'was passed explicitly' };
}

/** The name, in a message, of the options under `path` as a whole. */
export function nameWhole(path: string): string {
  return path.slice(0, -1) || 'options';
}

function isExpectation(expected: Expectations[string] | undefined): expected is Expectation {
  return Object.hasOwn(Object(expected) as object, 'findIssue');
}

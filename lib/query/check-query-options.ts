import type { OptionsCheck } from '../config/options-check';
import { hasNames } from '../config/options-check';
import { checkMediaTypes } from '../formats/format-table';
import {
  checkEach,
  type Expectations,
  fieldValue,
  functionOf,
  isFunction,
  oneOf,
  typed,
  wholeNumber,
} from '../config/expectations';
import type { QueryLimits } from './query-format';
import type { QueryHandlerOptions } from './query-options';

const limits: Record<keyof QueryLimits, Expectations[string]> = {
  bytes: wholeNumber(0, Infinity, 'Write a whole number, 0 or more.'),
  depth: wholeNumber(0, 1_000, 'Write a whole number up to 1000.'),
};

const expectations: Record<keyof QueryHandlerOptions<unknown, unknown>, Expectations[string]> = {
  limits: limits as Exclude<Expectations[string], undefined>,
  results: typed(
    hasNames,
    "Pass { 'application/json': (result) => JSON.stringify(result) }.",
    'must be an object',
  ),
  contentLocation: functionOf('the query, the result and the request that returns a path'),
  location: functionOf('the query, the result and the request that returns a path'),
  cacheControl: fieldValue('Cache-Control', "Write a value such as 'no-cache'."),
  onRefused: functionOf('the refusal'),
  errors: oneOf('answer', 'next'),
};

/**
 * Checks `run` and the options; every mistake goes to `check`.
 *
 * @returns the options, to be read in place of `given`
 */
export function checkQueryOptions<Q, R>(
  run: unknown,
  given: QueryHandlerOptions<Q, R>,
  check: OptionsCheck,
): QueryHandlerOptions<Q, R> {
  if (!isFunction(run)) {
    const fix = 'Pass a function (query, context) that returns the result.';
    check.mistake('run', run, { code: 'option-type', reason: 'must be a function', fix });
  }
  const options = checkEach(given, expectations, check);
  const { results } = options;
  if (!hasNames(results)) return options;
  const types = Object.keys(results);
  checkMediaTypes('results', types, 'application/json', check);
  for (const [type, write] of Object.entries(results)) {
    if (isFunction(write)) continue;
    check.mistake(`results[${JSON.stringify(type)}]`, write, {
      code: 'option-type',
      reason: 'must be a function',
      fix: 'Pass a function of the result that returns a string or bytes.',
    });
  }
  return options;
}

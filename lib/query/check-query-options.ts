import type { OptionsCheck } from '../config/options-check';
import { hasNames } from '../config/object';
import { checkMediaTypes } from '../formats/format-table';
import { functionThat, type Expectation, oneOf, typed, wholeNumber } from '../config/expectation';
import type { Expectations } from '../config/read-options';
import { fieldValue } from '../http/field-value';
import type { QueryLimits } from './query-format';
import type { QueryHandlerOptions } from './query-options';

const limits: Record<keyof QueryLimits, Expectation> = {
  bytes: wholeNumber(0, Infinity, 'Write a whole number, 0 or more.'),
  depth: wholeNumber(0, 1_000, 'Write a whole number up to 1000.'),
};

const expectations: Expectations<keyof QueryHandlerOptions<unknown, unknown>> = {
  limits,
  results: typed(
    hasNames,
    "Pass { 'application/json': (result) => JSON.stringify(result) }.",
    'must be an object',
  ),
  contentLocation: functionThat(
    'Pass a function of the query, the result and the request that returns a path.',
  ),
  location: functionThat('Pass a function of the query, the result and the request that returns a path.'),
  cacheControl: fieldValue('Cache-Control', "Write a value such as 'no-cache'."),
  onRefused: functionThat('Pass a function of the refusal.'),
  errors: oneOf('answer', 'next'),
};

/**
 * Checks `run` and the options; every mistake goes to `check`.
 *
 * @returns the checked options, to be read in place of `options`
 */
export function checkQueryOptions<Q, R>(
  run: unknown,
  options: QueryHandlerOptions<Q, R>,
  check: OptionsCheck,
): QueryHandlerOptions<Q, R> {
  check.value('run', run, functionThat('Pass a function (query, context) that returns the result.'));
  const checkedOptions = check.options(options, expectations);
  const { results } = checkedOptions;
  if (!hasNames(results)) return checkedOptions;
  const types = Object.keys(results);
  checkMediaTypes('results', types, 'application/json', check);
  const writer = functionThat('Pass a function of the result that returns a string or bytes.');
  for (const [type, write] of Object.entries(results)) {
    check.value(`results[${JSON.stringify(type)}]`, write, writer);
  }
  return checkedOptions;
}

import { isObject, type OptionsCheck } from '../../configuration';
import { memberOf } from '../../prototype-pollution';
import type { PatchLimits } from '../../parsers/patch-parser';
import { keepsOutcomes } from '../../stores/contract/outcome-store';
import { isResourceStore, type ResourceStore } from '../../stores/contract/resource-store';
import { outcomeBounds } from '../idempotency/idempotency-key';
import { checkPointers } from './check-pointers';
import {
  checkEach,
  type Expectation,
  type Expectations,
  functionOf,
  isFunction,
  oneOf,
  typed,
  wholeNumber,
} from '../../request/expectations';
import type { OutcomeBounds, PatchHandlerOptions } from './handler-options';
import { isStandardSchema } from '../../request/standard-schema';

const flag = typed((value) => typeof value === 'boolean', 'Write true or false.');
const optionalOrRequired = oneOf('optional', 'required');
const count = wholeNumber(0, Infinity, 'Give a whole number, 0 or more.');

const pointerList = typed(Array.isArray, "Give a list of JSON Pointers: ['/id'].");

const limit: Expectation = { ...count, needed: true };
const levels = 'Give a whole number up to 1000: JSON.stringify runs out of stack at some thousand levels.';

const limits: Record<keyof PatchLimits, Expectation> = {
  bytes: limit,
  operations: limit,
  depth: { ...wholeNumber(0, 1_000, levels), needed: true },
  copied: limit,
  shifted: limit,
  changes: limit,
  result: limit,
};

const outcomes: Record<keyof OutcomeBounds, Expectation> = {
  keep: wholeNumber(1, Infinity, 'Give a whole number, 1 or more.'),
  total: wholeNumber(1, Infinity, 'Give a whole number, 1 or more.'),
  maxAge: wholeNumber(1, 31_536_000, 'Give seconds, a whole number from 1 to 31536000, a year.'),
};

const expectations: Record<keyof PatchHandlerOptions<unknown>, Expectations[string]> = {
  key: functionOf('the request: (req) => req.params.id'),
  limits,
  respond: oneOf('minimal', 'representation'),
  represent: functionOf('the value and the request'),
  create: typed(
    (value) => value === true || isFunction(value),
    'Write true, or a function that gives the initial value.',
  ),
  location: functionOf('the request and the key that returns a path'),
  validate: typed(
    (value) => isStandardSchema(value) || isFunction(value),
    'Give a Standard Schema (zod, valibot, arktype) or a function of the next value.',
  ),
  transform: flag,
  readOnly: pointerList,
  writable: pointerList,
  hidden: pointerList,
  may: functionOf('the request and the current value that returns a boolean'),
  authorize: functionOf('the request and the change that returns a boolean'),
  dryRun: functionOf('the request that returns a boolean'),
  idempotency: optionalOrRequired,
  outcomes,
  scope: functionOf('the request that returns a string'),
  retries: count,
  unchanged: oneOf('write', 'keep'),
  onPatched: functionOf('the event'),
  onPatchedError: functionOf('the error and the event'),
  onRefused: functionOf('the refusal'),
  errors: oneOf('answer', 'next'),
  entityTag: functionOf('the stored representation that returns its entity tag'),
  precondition: optionalOrRequired,
  weakMatch: flag,
};

/**
 * Every mistake in the options goes to `check`.
 *
 * @param more - the options that a handler of another method takes beside those of `patchHandler`
 * @returns the options, to be read in place of what was given
 */
export function checkHandlerOptions<T, O extends PatchHandlerOptions<T>>(
  store: ResourceStore<T>,
  given: O,
  check: OptionsCheck,
  more: Expectations = {},
): O {
  if (!isResourceStore(store)) {
    const fix = 'Give a ResourceStore: new MemoryStore() is one.';
    check.mistake('store', store, { code: 'option-type', reason: 'has no get and replace', fix });
  }
  const options = checkEach(given, { ...expectations, ...more }, check);
  checkPointers(check, options);
  const { transform, validate, idempotency, scope } = options;
  if (transform === true && !isStandardSchema(validate)) {
    check.mistake('transform', true, {
      code: 'option-dependency',
      reason: 'has no schema whose output it could store',
      fix: 'Give one as validate.',
    });
  }
  if (idempotency !== undefined && isResourceStore(store) && !keepsOutcomes(store)) {
    const fix = 'Take a store of this package, or one of your own that is an OutcomeStore.';
    check.mistake('idempotency', idempotency, {
      code: 'store-without-outcomes',
      reason: 'needs a store that keeps outcomes, which this is not',
      fix,
    });
  }
  if (options.create !== undefined && isResourceStore(store) && memberOf(store, 'creates') === false) {
    const fix = 'Leave create out, or give the store a way to create: rowStore takes insert.';
    check.mistake('create', options.create, {
      code: 'option-conflict',
      reason: 'needs a store that creates, which this does not',
      fix,
    });
  }
  if (isObject(options.outcomes)) {
    const ofStore = isResourceStore(store) && keepsOutcomes(store) ? store.outcomeBounds : undefined;
    const { keep, total } = outcomeBounds(options.outcomes, ofStore);
    if (Number.isSafeInteger(total) && total > 0 && total < keep) {
      check.mistake('outcomes.total', total, {
        code: 'option-value',
        reason: `is less than outcomes.keep, which is ${keep}`,
        fix: 'Give at least as many for all scopes together as for one.',
      });
    }
  }
  for (const [name, value] of Object.entries({ outcomes: memberOf(given, 'outcomes'), scope })) {
    if (value === undefined || idempotency !== undefined) continue;
    const fix = "Write idempotency: 'optional' or 'required' too.";
    check.mistake(name, value, { code: 'option-dependency', reason: 'has no use without idempotency', fix });
  }
  return options;
}

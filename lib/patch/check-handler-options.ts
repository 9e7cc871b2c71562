import { isObject, type OptionsCheck } from '../configuration';
import { parsePointer } from '../parsers/json-pointer';
import { defaultLimits } from '../parsers/patch-parser';
import { isResourceStore, type ResourceStore } from '../stores/resource-store';
import { checkIdempotency } from './check-idempotency';
import type { PatchHandlerOptions } from './patch-handler-options';
import { isStandardSchema } from './standard-schema';

/** What each option may be, and how to say so. JavaScript hosts have no compiler to tell them. */
const expectations: Record<
  keyof PatchHandlerOptions<unknown>,
  readonly [(value: unknown) => boolean, string]
> = {
  key: [isFunction, 'Give a function of the request: (req) => req.params.id.'],
  limits: [isObject, `Give an object with any of ${Object.keys(defaultLimits).join(', ')}.`],
  respond: [isOneOf('minimal', 'representation'), "Write 'minimal' or 'representation'."],
  represent: [isFunction, 'Give a function of the value and the request.'],
  create: [
    (value) => value === true || isFunction(value),
    'Write true, or a function that gives the initial value.',
  ],
  location: [isFunction, 'Give a function of the request and the key that returns a path.'],
  validate: [
    (value) => isStandardSchema(value) || isFunction(value),
    'Give a Standard Schema (zod, valibot, arktype) or a function of the next value.',
  ],
  transform: [isBoolean, 'Write true or false.'],
  readOnly: [Array.isArray, "Give a list of JSON Pointers: ['/id']."],
  authorize: [isFunction, 'Give a function of the request and the change that returns a boolean.'],
  dryRun: [isFunction, 'Give a function of the request that returns a boolean.'],
  idempotency: [isOneOf('optional', 'required'), "Write 'optional' or 'required'."],
  outcomes: [isObject, 'Give an object with keep, maxAge or both.'],
  scope: [isFunction, 'Give a function of the request that returns a string.'],
  retries: [isCount, 'Give a whole number, 0 or more.'],
  onPatched: [isFunction, 'Give a function of the event.'],
  onPatchedError: [isFunction, 'Give a function of the error and the event.'],
  onRefused: [isFunction, 'Give a function of the refusal.'],
  errors: [isOneOf('answer', 'next'), "Write 'answer' or 'next'."],
  entityTag: [isFunction, 'Give a function of the stored representation that returns its entity tag.'],
  precondition: [isOneOf('optional', 'required'), "Write 'optional' or 'required'."],
  weakMatch: [isBoolean, 'Write true or false.'],
};

/** Every mistake in the options goes to `check`. */
export function checkHandlerOptions<T>(
  store: ResourceStore<T>,
  options: PatchHandlerOptions<T>,
  check: OptionsCheck,
): void {
  if (!isResourceStore(store)) {
    check.mistake(
      'store',
      store,
      'has no get and replace',
      'Give a ResourceStore: new MemoryStore() is one.',
    );
  }
  check.names(options, Object.keys(expectations));
  const given: Record<string, unknown> = { ...options };
  for (const [name, [isExpected, fix]] of Object.entries(expectations)) {
    const value = given[name];
    if (value !== undefined && !isExpected(value))
      check.mistake(name, value, 'is not what this option takes', fix);
  }
  checkLimits(options.limits, check);
  checkReadOnly(options.readOnly, check);
  if (isResourceStore(store)) checkIdempotency(store, options, check);
  if (options.transform === true && !isStandardSchema(options.validate)) {
    check.mistake('transform', true, 'has no schema whose output it could store', 'Give one as validate.');
  }
}

const deepest = 1_000;

function checkLimits(limits: unknown, check: OptionsCheck): void {
  if (!isObject(limits)) return;
  check.names(limits, Object.keys(defaultLimits), 'limits.');
  const given: Record<string, unknown> = { ...limits };
  for (const [name, value] of Object.entries(given)) {
    if (!isCount(value)) {
      check.mistake(`limits.${name}`, value, 'is no limit', 'Give a whole number, 0 or more.');
    }
  }
  if (Number(given['depth']) > deepest) {
    const fix = `Give ${deepest} or less: JSON.stringify runs out of stack at some thousand levels.`;
    check.mistake('limits.depth', given['depth'], 'is deeper than a value can be written', fix);
  }
}

function checkReadOnly(pointers: unknown, check: OptionsCheck): void {
  if (!Array.isArray(pointers)) return;
  for (const [index, pointer] of pointers.entries()) {
    if (typeof pointer === 'string' && parsePointer(pointer) !== undefined) continue;
    check.mistake(`readOnly[${index}]`, pointer, 'is no JSON Pointer', "Write it as RFC 6901 does: '/id'.");
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isOneOf(...words: readonly string[]): (value: unknown) => boolean {
  return (value) => words.some((word) => word === value);
}

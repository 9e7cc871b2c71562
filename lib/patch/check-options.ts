import { type Expectation, expected, functionLike, oneOf, typed, wholeNumber } from '../config/expectation';
import { isFunction, isObject } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { readMember } from '../config/prototype-pollution';
import type { Expectations } from '../config/read-options';
import { refusalAnswer } from '../http/refusal';
import { formatPointer, parsePointer, tokensIn } from '../json/pointer';
import { keepsOutcomes } from '../stores/contract/outcome-store';
import { isResourceStore, type ResourceStore } from '../stores/contract/resource-store';
import type { Format, FormatTable } from './formats/format-table';
import type { PatchLimits } from './formats/patch-parser';
import { readIdempotencyLimits } from './idempotency';
import { coverage } from './rules/protected-members';
import { isStandardSchema } from './rules/standard-schema';
import type { IdempotencyLimits, PatchHandlerOptions } from './handler-options';

/** A name, not a path such as `/notes/:id`. */
const isParameterName = (name: unknown): boolean => typeof name === 'string' && /^[^:/*{}]+$/.test(name);

const optionalOrRequired = oneOf('optional', 'required');
const count = wholeNumber(0, Infinity, 'Write a whole number, 0 or more.');

const pointerList = typed(
  Array.isArray,
  "Write an array of JSON Pointers, such as ['/id'].",
  'must be an array',
);

// A limit that is present but undefined is hardly intended.
const undefinedMeans = 'unset';
const limit: Expectation = { ...count, undefinedMeans };
const levels =
  'Write a whole number from 0 to 1000: JSON.stringify runs out of stack at a few thousand levels.';

const limits: Record<keyof PatchLimits, Expectation> = {
  bytes: limit,
  operations: limit,
  depth: { ...wholeNumber(0, 1_000, levels), undefinedMeans },
  result: limit,
};

const idempotencyLimits: Record<keyof IdempotencyLimits, Expectation> = {
  keep: wholeNumber(1, Infinity, 'Write a whole number, 1 or more.'),
  total: wholeNumber(1, Infinity, 'Write a whole number, 1 or more.'),
  maxAge: wholeNumber(1, 31_536_000, 'Write a whole number of seconds from 1 to 31536000 (one year).'),
};

const expectations: Expectations<Exclude<keyof PatchHandlerOptions<unknown>, 'method'>> = {
  key: expected(
    (key) =>
      isFunction(key) ||
      isParameterName(key) ||
      (Array.isArray(key) && key.length > 0 && key.every(isParameterName)),
    {
      code: 'option-type',
      reason: 'must be the name of a route parameter, a list of names, or a function',
      fix: "Write 'id' for req.params.id, ['org', 'id'] for both, or (req) => … that returns the key.",
      isName: true,
    },
  ),
  limits,
  respond: oneOf('minimal', 'representation'),
  conflict: oneOf('minimal', 'representation'),
  represent: functionLike('(value, req) => …'),
  create: typed(
    (value) => value === true || isFunction(value),
    'Write true, or (req) => … that returns the initial value.',
    'must be true or a function',
  ),
  validate: typed(
    (value) => isStandardSchema(value) || isFunction(value),
    'Pass a schema of zod, valibot or arktype, or (next, current, req) => ….',
    'must be a Standard Schema or a function',
  ),
  readOnly: pointerList,
  writable: typed(
    (value) => Array.isArray(value) || isFunction(value),
    "Write an array of JSON Pointers, such as ['/title'], or a function (req, current) => … " +
      "that returns such an array or 'all'.",
    'must be an array or a function',
  ),
  stateMembers: pointerList,
  unwritable: oneOf('refuse', 'ignore'),
  hidden: pointerList,
  writeOnly: pointerList,
  prepare: functionLike('(document, req) => …'),
  may: functionLike('(req, current) => … that returns a boolean'),
  authorize: functionLike('(req, { current, next, changed }) => … that returns a boolean'),
  idempotency: optionalOrRequired,
  idempotencyLimits,
  scope: functionLike('(req) => req.user.id'),
  onPatched: functionLike('(event) => …'),
  onRefused: functionLike('(refusal) => …'),
  errors: refusalAnswer,
  entityTag: functionLike(`(stored) => '"…"'`),
  precondition: optionalOrRequired,
};

const aStore = typed(
  isResourceStore,
  'Pass a ResourceStore, such as new MemoryStore() or rowStore({ … }).',
  'must be a store with the methods get and replace',
);

/**
 * Reports every mistake in the options to `check`.
 *
 * @param formats - the patch formats of the handler
 * @param more - the options that a handler of another method has in addition to those of `patchHandler`
 * @returns the checked options, to read instead of `options`
 */
export function checkHandlerOptions<T, O extends PatchHandlerOptions<T>>(
  store: ResourceStore<T>,
  options: O,
  formats: FormatTable<Format>,
  check: OptionsCheck,
  more: Expectations = {},
): O {
  check.value('store', store, aStore);
  const checkedOptions = check.options(options, { ...expectations, ...more });
  checkPointers(check, checkedOptions, Object(store) as Partial<ResourceStore>);
  checkUnwritable(check, checkedOptions, formats);
  const notJson = formats.mediaTypes.find((type) => !/[/+]json$/.test(type));
  if (checkedOptions.prepare !== undefined && notJson !== undefined) {
    const fix = 'Leave prepare out, and change the document in parse of that parser.';
    check.mistake('prepare', checkedOptions.prepare, {
      code: 'option-conflict',
      reason: `cannot read ${notJson}, which is not JSON`,
      fix,
    });
  }
  const { idempotency, scope } = checkedOptions;
  if (idempotency !== undefined && isResourceStore(store) && !keepsOutcomes(store)) {
    const fix =
      'Use a store of this package (rowStore with its option outcomes), ' +
      'or implement OutcomeStore in your own.';
    check.mistake('idempotency', idempotency, {
      code: 'store-without-outcomes',
      isName: true,
      reason: 'needs an OutcomeStore, but this store keeps no outcomes',
      fix,
    });
  }
  if (
    checkedOptions.create !== undefined &&
    isResourceStore(store) &&
    readMember(store, 'creates') === false
  ) {
    const fix = 'Leave create out, or let the store create: rowStore takes an insert function.';
    check.mistake('create', checkedOptions.create, {
      code: 'option-conflict',
      reason: 'needs a store that creates resources, but this store does not',
      fix,
    });
  }
  if (isObject(checkedOptions.idempotencyLimits)) {
    const { keep, total } = readIdempotencyLimits(checkedOptions.idempotencyLimits);
    if (Number.isSafeInteger(total) && total > 0 && total < keep) {
      check.mistake('idempotencyLimits.total', total, {
        code: 'option-value',
        reason: `is less than idempotencyLimits.keep (${keep})`,
        fix: 'Raise total, which covers all scopes, or lower keep, which covers one.',
      });
    }
  }
  for (const [name, value] of Object.entries({
    idempotencyLimits: readMember(options, 'idempotencyLimits'),
    scope,
  })) {
    if (value === undefined || idempotency !== undefined) continue;
    const fix = "Add idempotency: 'optional' or 'required', or leave it out.";
    const reason = 'has no effect without idempotency';
    check.mistake(name, value, { code: 'option-dependency', reason, fix });
  }
  return checkedOptions;
}

function checkUnwritable(
  check: OptionsCheck,
  { unwritable, stateMembers }: Pick<PatchHandlerOptions<never>, 'unwritable' | 'stateMembers'>,
  formats: FormatTable<Format>,
): void {
  if (unwritable !== 'ignore') return;
  if (stateMembers === undefined) {
    check.mistake('unwritable', unwritable, {
      code: 'option-dependency',
      isName: true,
      reason:
        'needs stateMembers, because stale records are no longer refused for their read-only members, and would ' +
        'overwrite the changes of others',
      fix: "Name a member that changes with each write, as in stateMembers: ['/updatedAt'], or write [] if there is none.",
    });
  }
  if (check.subject === 'patchHandler()' && formats.find('application/json') === undefined) {
    check.mistake('unwritable', unwritable, {
      code: 'option-dependency',
      isName: true,
      reason: 'has no effect, because no parser reads application/json',
      fix: 'Use mergePatch({ json: true }), or leave it out.',
    });
  }
}

type PointerOptions = Partial<
  Record<'readOnly' | 'writable' | 'hidden' | 'writeOnly' | 'stateMembers', unknown>
>;

/**
 * Reports the mistakes in the lists of JSON Pointers, and the conflicts between them.
 *
 * @param store - the members that it declares
 */
export function checkPointers(
  check: OptionsCheck,
  options: PointerOptions,
  store: Pick<ResourceStore, 'readOnly' | 'writeOnly'>,
): void {
  const hidden = readPointers(check, options, 'hidden');
  const writable = readPointers(check, options, 'writable');
  const readOnly = readPointers(check, options, 'readOnly');
  const writeOnly = readPointers(check, options, 'writeOnly');
  if (options.readOnly !== undefined && options.writable !== undefined) {
    check.mistake('writable', options.writable, {
      code: 'option-conflict',
      reason: 'cannot be combined with readOnly',
      fix: 'Use one of them: everything that is not writable is read-only.',
    });
  }
  for (const [name, paths] of [
    ['hidden', hidden],
    ['writeOnly', writeOnly],
  ] as const) {
    for (const [index, path] of paths) {
      if (path.length > 0) continue;
      const fix = 'Name the members to hide, or do not mount the handler.';
      check.mistake(`${name}[${index}]`, '', { code: 'option-value', reason: 'hides the whole value', fix });
    }
  }
  refuseBoth(check, ['writable', writable], ['hidden', hidden]);
  refuseBoth(check, ['writeOnly', writeOnly], ['hidden', hidden]);
  refuseBoth(check, ['writeOnly', writeOnly], ['readOnly', readOnly]);
  const unseen = [...hidden, ...writeOnly].map(([, path]) => path);
  const unseenByStore = (readMember(store, 'writeOnly') ?? []).map(tokensIn);
  const movedByStore = (readMember(store, 'readOnly') ?? []).map(tokensIn);
  for (const [index, path] of readPointers(check, options, 'stateMembers')) {
    const isUnseen = coverage([...unseen, ...unseenByStore], path) !== undefined;
    if (!isUnseen && coverage(movedByStore, path) === 'whole') continue;
    check.mistake(`stateMembers[${index}]`, formatPointer(path), {
      code: 'option-conflict',
      isName: true,
      reason: isUnseen
        ? 'has members that clients cannot see, so they cannot send it back'
        : 'is not a member that only the store writes',
      fix: isUnseen
        ? 'Name a member that is shown.'
        : 'Declare its column or path readOnly, under its member name; ' +
          'over a store of JSON, wrap that in a store that writes the member, and lists it in its own readOnly.',
    });
  }
}

type NamedPaths = readonly [name: keyof PointerOptions, paths: ReturnType<typeof readPointers>];

/** Reports members that clients could write according to one list, but not according to the other. */
function refuseBoth(check: OptionsCheck, [name, paths]: NamedPaths, [other, closed]: NamedPaths): void {
  for (const [index, path] of paths) {
    if (!closed.some(([, above]) => above.every((token, i) => token === path[i]))) continue;
    check.mistake(`${name}[${index}]`, formatPointer(path), {
      code: 'option-conflict',
      isName: true,
      reason: `is also ${other === 'readOnly' ? 'read-only' : other}, so no request can write it`,
      fix: `Remove it from ${name} or from ${other}.`,
    });
  }
}

/** The reference tokens of the valid pointers, each with its index in the list. */
function readPointers(
  check: OptionsCheck,
  options: PointerOptions,
  name: keyof PointerOptions,
): readonly (readonly [index: number, path: readonly string[]])[] {
  const { [name]: pointers } = options;
  if (!Array.isArray(pointers)) return [];
  return pointers.flatMap((pointer: unknown, index) => {
    const path = typeof pointer === 'string' ? parsePointer(pointer)?.tokens : undefined;
    if (path?.includes('*') === true) {
      // RFC 6901 has no wildcards: such a pointer would protect a member named `*`, and nothing else.
      const above = formatPointer(path.slice(0, path.indexOf('*')));
      check.mistake(`${name}[${index}]`, pointer, {
        code: 'option-value',
        isName: true,
        reason: 'has a *, which is not a wildcard here',
        fix: above === '' ? 'Name each member.' : `Write '${above}' for everything in it.`,
      });
      return [];
    }
    if (path !== undefined) return [[index, path] as const];
    check.mistake(`${name}[${index}]`, pointer, {
      code: 'json-pointer-invalid',
      reason: 'is not a JSON Pointer',
      fix: "Write it as in RFC 6901, such as '/id'.",
    });
    return [];
  });
}

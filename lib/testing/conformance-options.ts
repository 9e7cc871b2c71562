import { hasNames, OptionsCheck } from '../config/options-check';
import { noOptions } from '../config/prototype-pollution';
import type { Members } from './members';
import { isTextCarrier, type TextCarrier } from './text-carrier';

/** Options of `storeConformance`: which keys and values the store can hold, and what it does not support. */
export interface ConformanceOptions<T = unknown> {
  /** How the store's values carry a text, for a store that cannot hold every JSON value. Default none. */
  readonly carrier?: TextCarrier<T>;
  /**
   * Returns an unused key on each call, for a store whose keys have a special form, such as serial ids or
   * slugs. With `creates: false` it returns the key of an existing resource that can be overwritten. Default:
   * texts of any kind.
   */
  readonly key?: () => string | Promise<string>;
  /**
   * Sample members for the cases about columns: whether a member that is left out is cleared, a fixed one
   * cannot be changed, and a duplicate of a unique one is refused with 409. Default none, and those cases are
   * skipped.
   */
  readonly members?: MemberSamples;
  /**
   * Whether `replace` can create resources. If false, the cases that create are skipped, and the others start
   * from existing resources. Default true.
   */
  readonly creates?: boolean;
  /** Whether the store is an `OutcomeStore`. If false, the cases about outcomes are skipped. Default true. */
  readonly outcomes?: boolean;
  /** Whether the store has a `delete` method. If false, the cases that delete are skipped. Default true. */
  readonly deletes?: boolean;
}

/** Members of the store's values, each with a value for a case to write. */
export interface MemberSamples {
  /** Members that can be left out, each with a value: `{ age: 7 }`. */
  readonly clearable?: Members;
  /**
   * Members or columns that clients cannot set, each with a value other than the stored one:
   * `{ id: 777, slug: 'stolen' }`.
   */
  readonly fixed?: Members;
  /**
   * Returns members that must be unique, with new values on each call:
   * `() => ({ email: randomUUID() + '@example.com' })`.
   */
  readonly unique?: () => Members;
}

const optionNames: readonly (keyof ConformanceOptions)[] = [
  ...(['carrier', 'key', 'members', 'creates', 'outcomes', 'deletes'] as const),
];

/** @throws ConfigurationError with every mistake */
export function checkArguments<T>(factory: unknown, given: ConformanceOptions<T>): ConformanceOptions<T> {
  const check = new OptionsCheck('storeConformance()');
  if (typeof factory !== 'function') {
    const fix = 'Write () => ({ open: () => store }).';
    check.mistake('factory', factory, { code: 'option-type', reason: 'must be a function', fix });
  }
  const options = check.names(given, optionNames);
  check.flags(options, ['creates', 'outcomes', 'deletes']);
  const { carrier } = options;
  if (carrier !== undefined && !isTextCarrier(carrier)) {
    check.mistake('carrier', carrier, {
      code: 'option-type',
      reason: 'must have the functions wrap and unwrap',
      fix: 'Write { wrap: (text) => ({ body: text }), unwrap: ({ body }) => body }.',
    });
  }
  checkKey(check, options);
  const members = options.members === undefined ? undefined : checkMembers(check, options.members);
  check.done();
  // Assigns to the copy from check.names, which has no prototype.
  return members === undefined ? options : Object.assign(options, { members });
}

function checkKey(check: OptionsCheck, { key, creates }: Pick<ConformanceOptions, 'key' | 'creates'>): void {
  const fix = 'Write () => randomUUID(), or async () => String(await insertRow()).';
  if (key !== undefined && typeof key !== 'function') {
    check.mistake('key', key, { code: 'option-type', reason: 'must be a function', fix });
  } else if (key === undefined && creates === false) {
    check.mistake('creates', creates, {
      code: 'option-dependency',
      reason: 'needs the option key, which returns keys of existing resources',
      fix: 'Add key: async () => String(await insertRow()).',
    });
  }
}

function checkMembers(check: OptionsCheck, given: MemberSamples): MemberSamples {
  const members = check.names(given, ['clearable', 'fixed', 'unique'], 'members.');
  if (!hasNames(given)) return noOptions;
  for (const [name, fix] of [
    ['clearable', 'Give each member a value: { age: 7 }.'],
    ['fixed', 'Give each member a value other than its own: { id: 777 }.'],
  ] as const) {
    const value: unknown = members[name];
    if (value === undefined || (hasNames(value) && Object.keys(value).length > 0)) continue;
    const isEmpty = hasNames(value);
    const code = isEmpty ? 'option-empty' : 'option-type';
    check.mistake(`members.${name}`, value, {
      code,
      reason: isEmpty ? 'is empty' : 'must be an object',
      fix,
    });
  }
  const unique: unknown = members.unique;
  if (unique !== undefined && typeof unique !== 'function') {
    check.mistake('members.unique', unique, {
      code: 'option-type',
      reason: 'must be a function, because each case needs new values',
      fix: "Write () => ({ email: randomUUID() + '@example.com' }).",
    });
  }
  return members;
}

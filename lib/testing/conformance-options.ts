import { entries, flag, functionLike, typed } from '../config/expectation';
import { hasNames, isFunction } from '../config/object';
import { OptionsCheck } from '../config/options-check';
import type { Expectations } from '../config/read-options';
import type { Members } from './members';
import { isTextCarrier, type TextCarrier } from './text-carrier';

/**
 * Options of `storeConformance`: the keys and values that the store can hold, and the features that it lacks.
 */
export interface ConformanceOptions<T = unknown> {
  /**
   * Wraps a text in a value of the store, and unwraps it, for a store that cannot hold every JSON value.
   * Default none.
   */
  readonly carrier?: TextCarrier<T>;
  /**
   * Returns an unused key on each call, for a store whose keys have a special form, such as serial ids or
   * slugs. With `creates: false` it returns the key of an existing resource that can be overwritten. Default:
   * texts of any kind.
   */
  readonly key?: () => string | Promise<string>;
  /**
   * Sample members for the cases about columns: whether a member that is left out is cleared, a fixed member
   * cannot be changed, and a duplicate of a unique member is refused with 409. Default: none, and these cases
   * are skipped.
   */
  readonly members?: MemberSamples;
  /**
   * Whether `replace` can create resources. If false, the cases that create are skipped, and the others start
   * from existing resources. Default true.
   */
  readonly creates?: boolean;
  /** Whether the store is an `OutcomeStore`. If false, the cases about outcomes are skipped. Default true. */
  readonly outcomes?: boolean;
  /**
   * Whether states have versions. If false, two states are the same if their values are equal, and the cases
   * about versions are skipped. Default true.
   */
  readonly versions?: boolean;
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

const expectations: Expectations<keyof ConformanceOptions> = {
  carrier: typed(
    isTextCarrier,
    'Write { wrap: (text) => ({ body: text }), unwrap: ({ body }) => body }.',
    'must have the functions wrap and unwrap',
  ),
  key: functionLike('() => randomUUID(), or async () => String(await insertRow())'),
  members: {
    clearable: entries(hasNames, 'Give each member a value: { age: 7 }.'),
    fixed: entries(hasNames, 'Give each member a value other than the stored one: { id: 777 }.'),
    unique: typed(
      isFunction,
      "Write () => ({ email: randomUUID() + '@example.com' }).",
      'must be a function, because each case needs new values',
    ),
  },
  creates: flag,
  outcomes: flag,
  deletes: flag,
  versions: flag,
};

/** @throws ConfigurationError with every mistake */
export function checkArguments<T>(factory: unknown, options: ConformanceOptions<T>): ConformanceOptions<T> {
  const check = new OptionsCheck('storeConformance()');
  check.value('factory', factory, functionLike('() => ({ open: () => store })'));
  const settings = check.options(options, expectations);
  if (settings.key === undefined && settings.creates === false) {
    check.mistake('creates', false, {
      code: 'option-dependency',
      reason: 'needs the option key, which returns keys of existing resources',
      fix: 'Add key: async () => String(await insertRow()).',
    });
  }
  check.done();
  return settings;
}

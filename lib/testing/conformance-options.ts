import { hasNames, OptionsCheck } from '../configuration';
import { noOptions } from '../prototype-pollution';
import type { Members } from './members';
import { isTextCarrier, type TextCarrier } from './text-carrier';

/** Options of `storeConformance`: what the store can hold, and what it lacks. */
export interface ConformanceOptions<T = unknown> {
  /** For a store that cannot hold JSON of every kind: how its values carry a text. Default none. */
  readonly carrier?: TextCarrier<T>;
  /**
   * Gives a key that no other case has used, for a store whose keys have a form of their own, such as serial ids or slugs; with
   * `creates: false`, the key of a resource that is there, and may be overwritten. Default: texts of any kind.
   */
  readonly key?: () => string | Promise<string>;
  /**
   * Members of a value that more is asked of, where the store has columns: whether one that is left out is cleared, one that is
   * fixed stays, and one that is unique is refused with 409. Default none, and their cases are skipped.
   */
  readonly members?: MemberSamples;
  /**
   * Whether `replace` creates resources; where it does not, the cases begin from those that are there. Default true; false skips the
   * cases that create.
   */
  readonly creates?: boolean;
  /** Whether it is an `OutcomeStore`. Default true; false skips the cases that need outcomes. */
  readonly outcomes?: boolean;
  /** Whether it has `delete`. Default true; false skips the cases that delete. */
  readonly deletes?: boolean;
}

/** Members of the values that a store holds, each with a value for a case to write. */
export interface MemberSamples {
  /** Members that a resource may be without: `{ age: 7 }`. */
  readonly clearable?: Members;
  /** Members or columns that no write may set, each with a value that it does not have: `{ id: 777, slug: 'stolen' }`. */
  readonly fixed?: Members;
  /** Members that no two resources may share, with other values each time: `() => ({ email: randomUUID() + '@example.com' })`. */
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
  // A copy without prototype, as check.names gives it, stays one.
  return members === undefined ? options : Object.assign(options, { members });
}

function checkKey(check: OptionsCheck, { key, creates }: Pick<ConformanceOptions, 'key' | 'creates'>): void {
  const fix = 'Write () => randomUUID(), or async () => String(await insertRow()).';
  if (key !== undefined && typeof key !== 'function') {
    check.mistake('key', key, { code: 'option-type', reason: 'must be a function', fix });
  } else if (key === undefined && creates === false) {
    check.mistake('creates', creates, {
      code: 'option-dependency',
      reason: 'needs key, which gives the keys of resources that are there',
      fix: 'Add key: async () => String(await insertRow()).',
    });
  }
}

function checkMembers(check: OptionsCheck, given: MemberSamples): MemberSamples {
  const members = check.names(given, ['clearable', 'fixed', 'unique'], 'members.');
  if (!hasNames(given)) return noOptions;
  for (const [name, fix] of [
    ['clearable', 'Name each member with a value for it: { age: 7 }.'],
    ['fixed', 'Name each member with a value that it does not have: { id: 777 }.'],
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
      reason: 'must be a function, as each case needs other values',
      fix: "Write () => ({ email: randomUUID() + '@example.com' }).",
    });
  }
  return members;
}

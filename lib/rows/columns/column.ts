import { hasNames } from '../../config/object';
import { anything, entries, flag, oneOf } from '../../config/expectation';
import type { Fault } from '../../config/mistake';
import type { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { readMember } from '../../config/prototype-pollution';
import type { CastType, ColumnForm, DeclaredForms, Dialect } from '../rows';
import { checkCodec, type ColumnCodec, type KindCodec } from './codec';
import { chooseCast, chooseForm } from './column-form';
import { columnForms } from './form';
import { hasForms, kinds, parseKind } from './kind-name';
import { createCodec, type Kind, type KindValues, limitCodec, listCodec } from './kinds';

/**
 * The kind of a column: `'string'`, or `'string?'` if NULL is allowed, `'string[]'` for a list, `'string[]?'`
 * for a list or NULL, `'string?[]'` for a list whose elements can be NULL.
 */
export type ColumnKind = `${Kind}${'' | '[]' | '?[]'}${'' | '?'}`;

/** Options of one column, if its kind alone is not enough. */
export interface ColumnOptions {
  /** The name of a kind, or your own codec. */
  readonly kind: ColumnKind | ColumnCodec;
  /**
   * The only values that clients can send, for a string or the elements of a list of strings. Default any.
   */
  readonly values?: readonly string[];
  /**
   * The form in which the ORM or the driver reads and writes a date, a day or a time: `'Date'`, `'iso'` for
   * text such as `2026-11-22T10:00:00.000Z`, `'sql'` for text in UTC without a zone such as
   * `2026-11-22 10:00:00`, or `'milliseconds'`. Default: what the ORM declares, or else what the driver does.
   * Over Knex, Kysely and SQL on SQLite, which has no types for dates and days, it is required.
   */
  readonly as?: ColumnForm;
  /** True if clients can see the member, but not change it. Default false. */
  readonly readOnly?: boolean;
  /** True if clients can set the member, but not see it, such as a password. Default false. */
  readonly writeOnly?: boolean;
  /** Whether the column can be NULL, for a codec; a kind says so with `?`. Default false. */
  readonly nullable?: boolean;
  /** The name of the column in the database or the ORM. Default: the name of the member. */
  readonly column?: string;
}

/** The members that clients see, each with the kind or the options of its column. */
export type Columns = Readonly<Record<string, ColumnKind | ColumnOptions>>;

type ValueOfKind<K> = K extends `${infer Inner}?`
  ? ValueOfKind<Inner> | null
  : K extends `${infer Inner extends Kind}[]`
    ? KindValues[Inner][]
    : K extends `${infer Inner extends Kind}?[]`
      ? (KindValues[Inner] | null)[]
      : K extends Kind
        ? KindValues[K]
        : K extends ColumnCodec<infer Outside>
          ? Outside
          : never;

/** The JSON of a kind of strings that has only some values. */
type ValueAmong<K, V> = K extends `${infer Inner}[]?`
  ? ValueAmong<`${Inner}[]`, V> | null
  : K extends 'string?[]'
    ? (V | null)[]
    : K extends 'string[]'
      ? V[]
      : K extends 'string?'
        ? V | null
        : V;

type ValueOfColumn<C> = C extends {
  readonly kind: infer K extends string;
  readonly values: readonly (infer V)[];
}
  ? ValueAmong<K, V> | (C extends { readonly nullable: true } ? null : never)
  : C extends { readonly kind: infer K; readonly nullable: true }
    ? ValueOfKind<K> | null
    : C extends { readonly kind: infer K }
      ? ValueOfKind<K>
      : ValueOfKind<C>;

/** The type of the JSON value of a row. */
export type ValueOf<C extends Columns> = { -readonly [Member in keyof C]: ValueOfColumn<C[Member]> };

/** The type of what clients see of a row, without the columns that are `writeOnly`. */
export type ShownValue<C extends Columns> = {
  -readonly [M in keyof C as C[M] extends { readonly writeOnly: true } ? never : M]: ValueOfColumn<C[M]>;
};

/** A compiled column. */
export interface Column {
  readonly member: string;
  readonly name: string;
  readonly codec: KindCodec;
  readonly isNullable: boolean;
  readonly isReadOnly: boolean;
  readonly isList: boolean;
  /** Whether it is of the kind `'integer'`. */
  readonly isInteger: boolean;
  /** The form of a date, a day or a time; undefined for your own codec. */
  readonly form: ColumnForm | undefined;
  /** The type to cast it to where the driver may change its values, or does not know an array. */
  readonly cast: CastType | undefined;
  /** Whether what is read, written again, is certainly what was stored: a Date has lost the microseconds. */
  readonly isExact: boolean;
}

/** What is known of the database. */
interface Database extends DeclaredForms {
  readonly dialect?: Dialect | undefined;
}

/** Compiles the columns, and reports every mistake in them. */
export function compileColumns(check: OptionsCheck, columns: unknown, database: Database): readonly Column[] {
  check.value('columns', columns, someColumns);
  if (!hasNames(columns)) return [];
  return Object.entries(columns).flatMap(([member, column]: [string, unknown]) => {
    const option = `columns.${member}`;
    if (typeof column === 'string')
      return compileKind(check, { option, kind: option }, { kind: column, member }, database);
    if (!hasNames(column)) {
      const fix = "Write a kind such as 'string?', or { kind: 'string?', readOnly: true }.";
      check.mistake(option, column, { code: 'option-type', reason: 'must be a kind or an object', fix });
      return [];
    }
    const options = check.options(column as ColumnOptions, expectations, `${option}.`);
    const kind: unknown = readMember(options, 'kind');
    return compileKind(check, { option, kind: `${option}.kind` }, { ...options, kind, member }, database);
  });
}

const someColumns = entries(
  hasNames,
  "Write the members that clients see, each with its kind: { title: 'string', body: 'string?' }.",
);

const expectations: Expectations<keyof ColumnOptions> = {
  kind: anything,
  values: { findFault: findFaultInValues },
  as: oneOf(...columnForms),
  readOnly: flag,
  writeOnly: flag,
  nullable: flag,
  column: anything,
};

function findFaultInValues(values: unknown): Fault | undefined {
  const fix = "List the strings that clients can send, as in ['draft', 'paid'].";
  if (!isTexts(values)) return { code: 'option-type', reason: 'must be a list of strings', fix };
  return values.length > 0 ? undefined : { code: 'option-empty', reason: 'is empty', fix };
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/** The names of options in messages. */
interface OptionNames {
  readonly option: string;
  readonly kind: string;
}

type Named = Omit<ColumnOptions, 'kind'> & { readonly kind: unknown; readonly member: string };

function compileKind(
  check: OptionsCheck,
  names: OptionNames,
  { member, kind, values, as, column: name = member, readOnly: isReadOnly = false, nullable = false }: Named,
  { dialect, columnForms: declaredForms = {} }: Database,
): Column[] {
  if (isCodec(kind)) {
    reportWithout(check, names.option, { values, as }, 'your own codec');
    const codec = checkCodec(kind, member);
    return [
      {
        ...{ member, name, codec, isNullable: nullable, isReadOnly },
        ...{ isList: false, isInteger: false, form: undefined, cast: undefined, isExact: false },
      },
    ];
  }
  const parsed = typeof kind === 'string' ? parseKind(kind) : undefined;
  if (parsed === undefined) {
    const fix =
      `Write one of ${kinds.join(', ')}, with [] for a list and ? for NULL, ` +
      'or your own codec { fault, read, write }.';
    check.mistake(names.kind, kind, {
      code: typeof kind === 'string' ? 'option-value' : 'option-type',
      reason: 'is not a column kind',
      fix,
    });
    return [];
  }
  const { base, list, isNullable } = parsed;
  const allowed = isTexts(values) ? values : undefined;
  reportWithout(
    check,
    names.option,
    { values: base === 'string' ? undefined : values, as: hasForms(base) ? undefined : as },
    `the kind '${base}'`,
  );
  if (base === 'time' && as === 'milliseconds') {
    const fix = "Write 'Date' or 'iso', or leave it out.";
    check.mistake(`${names.option}.as`, as, {
      code: 'option-conflict',
      reason: 'is not a form of a time',
      fix,
    });
  }
  const declared = Object.hasOwn(declaredForms, name) ? declaredForms[name] : undefined;
  const isList = list !== undefined;
  const form = chooseForm(base, { dialect, isList, form: as ?? declared });
  if (form === undefined) {
    check.mistake(`${names.option}.as`, as, {
      code: 'option-value',
      reason: 'must be the form of the column, because SQLite has no type for it',
      fix: `Write { kind: '${base}', as: 'iso' } or 'sql' for text, or 'milliseconds' for an integer.`,
    });
  }
  const types = { dialect, form: form ?? 'iso' };
  const codec = isList
    ? listCodec({ kind: base, isNullable: list.hasNulls, values: allowed }, types)
    : limitCodec(createCodec(base, types), allowed);
  const cast = chooseCast(base, { dialect, isList, form: as });
  const isExact = ['string', 'integer', 'boolean'].includes(base);
  return [
    {
      ...{ member, name, codec, isNullable: isNullable || nullable, isReadOnly },
      ...{ isList, isInteger: base === 'integer' && !isList, form, cast, isExact },
    },
  ];
}

/** Reports options that have no effect with a kind. */
function reportWithout(
  check: OptionsCheck,
  option: string,
  { values, as }: Readonly<Record<'values' | 'as', unknown>>,
  kind: string,
): void {
  const mistakes = [
    { name: 'values', value: values, kinds: "'string' or 'string[]'" },
    { name: 'as', value: as, kinds: "'date', 'day' or 'time'" },
  ];
  for (const { name, value, kinds: others } of mistakes) {
    if (value === undefined) continue;
    check.mistake(`${option}.${name}`, value, {
      code: 'option-conflict',
      reason: `has no effect with ${kind}`,
      fix: `Leave it out, or use a kind such as ${others}.`,
    });
  }
}

function isCodec(value: unknown): value is ColumnCodec {
  return (
    hasNames(value) &&
    ['fault', 'read', 'write'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

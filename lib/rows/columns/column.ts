import { hasNames } from '../../config/object';
import { anything, entries, flag } from '../../config/expectation';
import type { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { readMember } from '../../config/prototype-pollution';
import type { Dialect } from '../rows';
import { checkedCodec, type ColumnCodec } from './codec';
import { createCodec, type Kind, type KindValues, listCodec } from './kinds';

/**
 * The kind of a column: `'string'`, or `'string?'` if NULL is allowed, `'string[]'` for a list, `'string[]?'`
 * for a list or NULL.
 */
export type ColumnKind = `${Kind}${'' | '[]'}${'' | '?'}`;

/** Options of one column, if its kind alone is not enough. */
export interface ColumnOptions {
  /** The name of a kind, or your own codec. */
  readonly kind: ColumnKind | ColumnCodec;
  /** True if clients can see the member, but not change it. Default false. */
  readonly readOnly?: boolean;
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
    : K extends Kind
      ? KindValues[K]
      : K extends ColumnCodec<infer Outside>
        ? Outside
        : never;

type ValueOfColumn<C> = C extends { readonly kind: infer K; readonly nullable: true }
  ? ValueOfKind<K> | null
  : C extends { readonly kind: infer K }
    ? ValueOfKind<K>
    : ValueOfKind<C>;

/** The type of the JSON value that clients see of a row. */
export type ValueOf<C extends Columns> = { -readonly [Member in keyof C]: ValueOfColumn<C[Member]> };

/** A compiled column. */
export interface Column {
  readonly member: string;
  readonly name: string;
  readonly codec: ColumnCodec;
  readonly isNullable: boolean;
  readonly isReadOnly: boolean;
  /** Whether a driver may return its values as doubles, which have too few digits. */
  readonly isRoundable: boolean;
}

/** Compiles the columns, and reports every mistake in them. */
export function compileColumns(
  check: OptionsCheck,
  columns: unknown,
  dialect: Dialect | undefined,
): readonly Column[] {
  check.value('columns', columns, someColumns);
  if (!hasNames(columns)) return [];
  return Object.entries(columns).flatMap(([member, column]: [string, unknown]) => {
    const option = `columns.${member}`;
    if (typeof column === 'string') return compileKind(check, option, column, dialect, { member });
    if (!hasNames(column)) {
      const fix = "Write a kind such as 'string?', or { kind: 'string?', readOnly: true }.";
      check.mistake(option, column, { code: 'option-type', reason: 'must be a kind or an object', fix });
      return [];
    }
    const options = check.options(column as ColumnOptions, expectations, `${option}.`);
    return compileKind(check, `${option}.kind`, readMember(options, 'kind'), dialect, { ...options, member });
  });
}

const someColumns = entries(
  hasNames,
  "Write the members that clients see, each with its kind: { title: 'string', body: 'string?' }.",
);

const expectations: Expectations<keyof ColumnOptions> = {
  kind: anything,
  readOnly: flag,
  nullable: flag,
  column: anything,
};

type Named = Omit<ColumnOptions, 'kind'> & { readonly member: string };

function compileKind(
  check: OptionsCheck,
  option: string,
  kind: unknown,
  dialect: Dialect | undefined,
  { member, column: name = member, readOnly: isReadOnly = false, nullable = false }: Named,
): Column[] {
  if (isCodec(kind)) {
    const codec = checkedCodec(kind, member);
    return [{ member, name, codec, isNullable: nullable, isReadOnly, isRoundable: false }];
  }
  const [, base = '', list, mark] = /^(\w+?)(\[\])?(\?)?$/.exec(String(kind)) ?? [];
  if (typeof kind !== 'string' || !isKind(base)) {
    const fix =
      `Write one of ${kinds.join(', ')}, with [] for a list and ? for NULL, ` +
      'or your own codec { fault, read, write }.';
    check.mistake(option, kind, {
      code: typeof kind === 'string' ? 'option-value' : 'option-type',
      reason: 'is not a column kind',
      fix,
    });
    return [];
  }
  const codec = list === undefined ? createCodec(base, dialect) : listCodec(base, dialect);
  const isRoundable = base === 'decimal' || base === 'bigint';
  return [{ member, name, codec, isNullable: mark === '?' || nullable, isReadOnly, isRoundable }];
}

const kinds: readonly Kind[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'date',
  'decimal',
  'bigint',
  'json',
];

function isKind(name: string): name is Kind {
  return (kinds as readonly string[]).includes(name);
}

function isCodec(value: unknown): value is ColumnCodec {
  return (
    hasNames(value) &&
    ['fault', 'read', 'write'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

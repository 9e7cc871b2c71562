import { hasNames, type OptionsCheck } from '../../../configuration';
import { memberOf } from '../../../prototype-pollution';
import type { Dialect } from '../rows';
import type { ColumnCodec } from './codec';
import { codecOf, type Kind, type KindValues, listCodec } from './kinds';

/** `'string'`, `'string?'` where NULL is allowed, `'string[]'` for a list, `'string[]?'` for a list or NULL. */
export type ColumnKind = `${Kind}${'' | '[]'}${'' | '?'}`;

/** A column, where its kind does not say all. */
export interface ColumnOptions {
  /** A kind by name, or a codec of your own. */
  readonly kind: ColumnKind | ColumnCodec;
  /** True: clients see it, and cannot change it. Default false. */
  readonly readOnly?: boolean;
  /** Whether it may be NULL; for a codec, as a kind says it by `?`. Default false. */
  readonly nullable?: boolean;
  /** Its name in the database, or in the ORM. Default: that of the member. */
  readonly column?: string;
}

/** The members that clients see, and the columns that they are. */
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

/** The value that a row is, as clients see it. */
export type ValueOf<C extends Columns> = { -readonly [Member in keyof C]: ValueOfColumn<C[Member]> };

/** A column, made ready. */
export interface Column {
  readonly member: string;
  readonly name: string;
  readonly codec: ColumnCodec;
  readonly isNullable: boolean;
  readonly isReadOnly: boolean;
}

/** Makes the columns ready, and notes every mistake in them. */
export function compileColumns(
  check: OptionsCheck,
  columns: unknown,
  dialect: Dialect | undefined,
): readonly Column[] {
  if (!hasNames(columns) || Object.keys(columns).length === 0) {
    const fix =
      "Name the members that clients see, each with its kind: { title: 'string', body: 'string?' }.";
    const isEmpty = hasNames(columns);
    const code = isEmpty ? 'option-empty' : 'option-type';
    check.mistake('columns', columns, { code, reason: isEmpty ? 'is empty' : 'must be an object', fix });
    return [];
  }
  return Object.entries(columns).flatMap(([member, given]: [string, unknown]) => {
    const option = `columns.${member}`;
    if (typeof given === 'string') return compileKind(check, option, given, dialect, { member });
    if (!hasNames(given)) {
      const fix = "Give a kind, as 'string?', or { kind, readOnly: true }.";
      check.mistake(option, given, { code: 'option-type', reason: 'must be a kind, or an object', fix });
      return [];
    }
    const own = check.names(given as ColumnOptions, optionNames, `${option}.`);
    check.flags(own, ['readOnly', 'nullable'], `${option}.`);
    return compileKind(check, `${option}.kind`, memberOf(own, 'kind'), dialect, { ...own, member });
  });
}

const optionNames: readonly (keyof ColumnOptions)[] = ['kind', 'readOnly', 'nullable', 'column'];

type Named = Omit<ColumnOptions, 'kind'> & { readonly member: string };

function compileKind(
  check: OptionsCheck,
  option: string,
  kind: unknown,
  dialect: Dialect | undefined,
  { member, column: name = member, readOnly: isReadOnly = false, nullable = false }: Named,
): Column[] {
  if (isCodec(kind)) return [{ member, name, codec: kind, isNullable: nullable, isReadOnly }];
  const [, base = '', list, mark] = /^(\w+?)(\[\])?(\?)?$/.exec(String(kind)) ?? [];
  if (typeof kind !== 'string' || !isKind(base)) {
    const fix = `Give one of ${kinds.join(', ')}, with [] for a list and ? for NULL, or { fault, read, write }.`;
    check.mistake(option, kind, {
      code: typeof kind === 'string' ? 'option-value' : 'option-type',
      reason: 'is not a kind of column',
      fix,
    });
    return [];
  }
  const element = codecOf(base, dialect);
  const codec = list === undefined ? element : listCodec(element, kind, dialect);
  return [{ member, name, codec, isNullable: mark === '?' || nullable, isReadOnly }];
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

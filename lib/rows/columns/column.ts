import { anything, entries, flag, oneOf } from '../../config/expectation';
import type { Issue } from '../../config/mistake';
import { hasNames } from '../../config/object';
import type { OptionsCheck } from '../../config/options-check';
import { noOptions, readMember } from '../../config/prototype-pollution';
import type { Expectations } from '../../config/read-options';
import type { CastType, ColumnForm, DeclaredForms, Dialect, SchemaColumn } from '../rows';
import { checkCodec, type ColumnCodec, type KindCodec, limitCodec } from './codec';
import type { ColumnOptions } from './column-options';
import { columnForms, isText } from './date';
import { hasForms, type Kind, kinds, parseKind } from './kind';
import { createCodec, isJsonText, listCodec } from './kind-codecs';

export interface Column {
  readonly member: string;
  readonly name: string;
  readonly codec: KindCodec;
  readonly isNullable: boolean;
  readonly isReadOnly: boolean;
  readonly isList: boolean;
  /** Undefined for a list, and for a codec of the app. */
  readonly kind: Kind | undefined;
  /** Whether it is of the kind `'number'`, or a list of those. */
  readonly isDouble: boolean;
  /** The form of a date, a day or a time; undefined for your own codec. */
  readonly form: ColumnForm | undefined;
  /**
   * The type to cast the column to, if the driver may change its values, or does not know the type of its
   * array.
   */
  readonly cast: CastType | undefined;
  /**
   * Whether its values are read back as they were written, as strings, integers and booleans are. A Date, for
   * example, loses the microseconds.
   */
  readonly isExact: boolean;
}

/** The database, and the columns that the ORM knows. */
interface Database extends DeclaredForms {
  readonly dialect?: Dialect | undefined;
  readonly columnNames?: Readonly<Record<string, string>> | undefined;
  readonly columnKinds?: Readonly<Record<string, SchemaColumn>> | undefined;
}

/** Compiles the columns, and reports every mistake in them. */
export function compileColumns(check: OptionsCheck, columns: unknown, database: Database): readonly Column[] {
  check.value('columns', columns, someColumns);
  if (!hasNames(columns)) return [];
  return Object.entries(columns).flatMap(([member, column]: [string, unknown]) => {
    const option = `columns.${member}`;
    if (typeof column === 'string')
      return compileKind(check, { option, kind: option }, { kind: column, member }, database);
    if (column !== true && !hasNames(column)) {
      const fix = "Write a kind such as 'string?', or { kind: 'string?', readOnly: true }.";
      check.mistake(option, column, {
        code: 'option-type',
        reason: 'must be a kind, an object or true',
        fix,
      });
      return [];
    }
    const options: ColumnOptions =
      column === true ? noOptions : check.options(column, expectations, `${option}.`);
    const kind: unknown = readMember(options, 'kind');
    const names = { option, kind: `${option}.kind` };
    if (kind !== undefined) return compileKind(check, names, { ...options, kind, member }, database);
    const completed = completeFromSchema(check, option, column, member, options, database);
    return completed === undefined ? [] : compileKind(check, names, { ...completed, member }, database);
  });
}

const someColumns = entries(
  hasNames,
  "Write the members that clients see, each with its kind: { title: 'string', body: 'string?' }.",
);

const expectations: Expectations<keyof ColumnOptions> = {
  kind: anything,
  values: { findIssue: findIssueInValues },
  storedAs: oneOf(...columnForms),
  readOnly: flag,
  writeOnly: flag,
  nullable: flag,
  column: anything,
};

function findIssueInValues(values: unknown): Issue | undefined {
  const fix = "List the strings that clients can send, as in ['draft', 'paid'].";
  if (!isTexts(values)) return { code: 'option-type', reason: 'must be a list of strings', fix };
  return values.length > 0 ? undefined : { code: 'option-empty', reason: 'is empty', fix };
}

function isTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/**
 * The options of a column without a kind, completed from the schema of the ORM.
 *
 * @param option - its path, such as `columns.title`
 * @returns undefined if the column has no kind, which is reported here, or is unknown, which is reported with
 *   all names of columns
 */
function completeFromSchema(
  check: OptionsCheck,
  option: string,
  value: unknown,
  member: string,
  options: ColumnOptions,
  { columnNames, columnKinds }: Database,
): ColumnOptions | undefined {
  const { column: name = member } = options;
  if (hasNames(columnNames) && !Object.hasOwn(columnNames, name)) return undefined;
  const column = hasNames(columnKinds) && Object.hasOwn(columnKinds, name) ? columnKinds[name] : undefined;
  if (column?.kind === undefined) {
    check.mistake(option, value, { code: 'option-dependency', ...describeMissing(column, member) });
    return undefined;
  }
  const { kind, values, readOnly = false } = column;
  const isSet = options.writeOnly === true ? 'writeOnly' : 'readOnly';
  if (readOnly && (options.writeOnly === true || options.readOnly === false)) {
    check.mistake(`${option}.${isSet}`, options[isSet], {
      code: 'option-conflict',
      reason: 'contradicts the schema: the column is the primary key, or the database or the ORM sets it',
      fix: `Leave it out; or also write the kind, as in { kind: '${kind}' }, if clients set the column.`,
    });
    return undefined;
  }
  return {
    ...(values !== undefined && { values }),
    ...options,
    kind,
    readOnly: readOnly || options.readOnly === true,
  };
}

function describeMissing(column: SchemaColumn | undefined, member: string): { reason: string; fix: string } {
  if (column === undefined) {
    return {
      reason: 'names no kind, and the schema of the table is not known here',
      fix:
        `Write the kind, as in ${member}: 'string'. It can be left out over Prisma, Drizzle, Sequelize, MikroORM and, ` +
        'after initialize(), TypeORM, but not with the option rows.',
    };
  }
  const { type, convertedBy } = column;
  return convertedBy === undefined
    ? {
        reason: `is of the type ${type} in the schema, for which there is no kind`,
        fix: 'Write a codec of your own, as in { kind: { fault, read, write } }, or leave the column out.',
      }
    : {
        reason: `has ${convertedBy} in the schema, so only your app knows its kind`,
        fix: `Write the kind of the values that your app sees, as in ${member}: 'string', or a codec of your own.`,
      };
}

/** The names of options in messages. */
interface OptionNames {
  readonly option: string;
  readonly kind: string;
}

type Named = Omit<ColumnOptions, 'kind'> & { readonly kind?: unknown; readonly member: string };

function compileKind(
  check: OptionsCheck,
  names: OptionNames,
  {
    member,
    kind,
    values,
    storedAs,
    column: name = member,
    readOnly: isReadOnly = false,
    nullable = false,
  }: Named,
  { dialect, columnForms: declaredForms = {} }: Database,
): Column[] {
  if (isCodec(kind)) {
    reportWithout(check, names.option, { values, storedAs }, 'your own codec');
    const codec = checkCodec(kind, member);
    return [
      {
        ...{ member, name, codec, isNullable: nullable, isReadOnly },
        ...{ isList: false, kind: undefined, isDouble: false },
        ...{ form: undefined, cast: undefined, isExact: false },
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
    { values: base === 'string' ? undefined : values, storedAs: hasForms(base) ? undefined : storedAs },
    `the kind '${base}'`,
  );
  if (base === 'time' && storedAs === 'milliseconds') {
    const fix = "Write 'Date' or 'iso', or leave it out.";
    check.mistake(`${names.option}.storedAs`, storedAs, {
      code: 'option-conflict',
      isName: true,
      reason: 'is not a form of a time',
      fix,
    });
  }
  const declared = Object.hasOwn(declaredForms, name) ? declaredForms[name] : undefined;
  const isList = list !== undefined;
  const form = chooseForm(base, dialect, isList, storedAs ?? declared);
  if (form === undefined) {
    check.mistake(`${names.option}.storedAs`, storedAs, {
      code: 'option-value',
      isName: true,
      reason: 'must be the form of the column, because SQLite has no type for it',
      fix: `Write { kind: '${base}', storedAs: 'iso' } or 'sql' for text, or 'milliseconds' for an integer.`,
    });
  }
  const types = { dialect, form: form ?? 'iso' };
  const codec = isList
    ? listCodec({ kind: base, isNullable: list.hasNulls, values: allowed }, types)
    : limitCodec(createCodec(base, types), allowed);
  const cast = chooseCast(base, isList, storedAs);
  // The driver may not know the type of an array.
  const isExact = !isList && ['string', 'integer', 'boolean'].includes(base);
  return [
    {
      ...{ member, name, codec, isNullable: isNullable || nullable, isReadOnly },
      ...{ isList, kind: isList ? undefined : base, isDouble: base === 'number' },
      ...{ form, cast, isExact },
    },
  ];
}

function isCodec(value: unknown): value is ColumnCodec {
  return (
    hasNames(value) &&
    ['fault', 'read', 'write'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

/** Reports options that have no effect with a kind. */
function reportWithout(
  check: OptionsCheck,
  option: string,
  { values, storedAs }: Readonly<Record<'values' | 'storedAs', unknown>>,
  kind: string,
): void {
  const mistakes = [
    { name: 'values', value: values, kinds: "'string' or 'string[]'" },
    { name: 'storedAs', value: storedAs, kinds: "'date', 'day' or 'time'" },
  ];
  for (const { name, value, kinds: others } of mistakes) {
    if (value === undefined) continue;
    check.mistake(`${option}.${name}`, value, {
      code: 'option-conflict',
      isName: true,
      reason: `has no effect with ${kind}`,
      fix: `Leave it out, or use a kind such as ${others}.`,
    });
  }
}

/**
 * The form in which a column is read and written.
 *
 * @param form - the form that the app or the ORM has declared
 * @returns undefined if only the app can know it: SQLite has no types for dates and days, so text could be
 *   stored in a column of milliseconds
 */
function chooseForm(
  base: Kind,
  dialect: Dialect | undefined,
  isList: boolean,
  form: ColumnForm | undefined,
): ColumnForm | undefined {
  if (dialect === 'sqlite' && (base === 'date' || base === 'day')) return form === 'Date' ? undefined : form;
  if (form !== undefined) return form;
  const isDriverText = dialect !== undefined && (base === 'day' || base === 'time');
  return isDriverText || (isList && isJsonText(dialect)) ? 'iso' : 'Date';
}

/** Kinds whose values a driver may return as doubles, or as midnight in the time zone of the process. */
const roundedKinds: readonly Kind[] = ['decimal', 'bigint', 'day'];

/** Kinds whose arrays a driver may not know, such as an array of an enum. */
const textKinds: readonly Kind[] = ['string', 'uuid'];

/**
 * The type to which PostgreSQL can cast a column so that no driver changes its values; undefined if no driver
 * does.
 */
function chooseCast(base: Kind, isList: boolean, form: ColumnForm | undefined): CastType | undefined {
  const isChanged =
    roundedKinds.includes(base) || (isList && textKinds.includes(base)) || (base === 'date' && isText(form));
  if (!isChanged) return undefined;
  return isList ? 'text[]' : 'text';
}

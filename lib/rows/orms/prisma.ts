import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../config/object';
import { anything, typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows } from '../library-rows';
import type { Awaitable, ColumnForm, DeclaredForms, Row, Rows } from '../rows';
import { assertNoReserved, type IsReserved } from '../unstorable-value';

/** The methods of a Prisma model, such as `prisma.note`, that `prismaRows` calls. */
export interface PrismaModel {
  findFirst(args: { where: never; select: never }): Awaitable<object | null>;
  updateMany(args: { where: never; data: never }): Awaitable<{ count: number }>;
  create(args: { data: never; select: never }): Awaitable<object>;
  deleteMany(args: { where: never }): Awaitable<{ count: number }>;
}

/** Options of `prismaRows`. */
export interface PrismaRowsOptions {
  /**
   * `Prisma.DbNull` of the generated client, which sets columns of the type Json to NULL: there null could
   * also mean JSON's null. Default none: such a column cannot be set to NULL.
   */
  readonly dbNull?: object;
}

/**
 * Accesses a table through Prisma, for `rowStore`. It writes with `updateMany`: on some databases `update`
 * reads before it writes, and loses updates.
 *
 * ```ts
 * const notes = rowStore({
 *   ...prismaRows(prisma.note),
 *   columns: { title: 'string' },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @throws ConfigurationError
 */
export function prismaRows(
  model: PrismaModel,
  options: PrismaRowsOptions = {},
): Required<Omit<Rows, 'dialect'>> & DeclaredForms {
  const check = new OptionsCheck('prismaRows()');
  const { dbNull } = check.options(options, { dbNull: anything });
  check.value(
    'model',
    model,
    typed(isModel, 'Pass one, as in prisma.note.', 'is not a model of a Prisma client'),
  );
  check.done();
  // Of its types, which are made for each schema, the least is asked: what columns are called is for rowStore
  // to say.
  const delegate = model as unknown as Model;
  const toData = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const type = typeIn(delegate, name);
        assertNoReserved(name, value, isReserved);
        return [name, value === null && type === 'Json' ? createNull(name, dbNull) : value];
      }),
    );
  const writing = async (data: Row, where: Row, write: () => unknown): Promise<unknown> => {
    try {
      return await write();
    } catch (error) {
      throw toRefusedValue(error, delegate, data, where);
    }
  };
  return libraryRows({
    find: (where, columns) => delegate.findFirst({ where, select: selected(columns) }),
    update: (where, set) => {
      const data = toData(set);
      return writing(data, where, () => delegate.updateMany({ where, data }));
    },
    insert: (row, columns) => {
      const data = toData(row);
      return writing(data, {}, () => delegate.create({ data, select: selected(columns) }));
    },
    delete: (where) => delegate.deleteMany({ where }),
    returning: false,
    get columnNames() {
      return readNames(delegate);
    },
    get columnForms() {
      return readForms(delegate);
    },
  });
}

/**
 * What Prisma takes for statements of its own inside a Json value, throws for, or leaves out. What else it changes
 * shows when the row is read back; these must not be stored even for a moment.
 */
const isReserved: IsReserved = (name, value, isBelowConstructor) =>
  name === '__prismaRawParameters__' ||
  name === '__proto__' ||
  (name === '$type' && (value === '' || isBelowConstructor));

/**
 * The error for a value that Prisma has refused itself, such as one that is not in an enum. Prisma's own has
 * no code: this one has the code of such a value that the database refuses, and names the column as Prisma
 * does there.
 */
function refusedValue(column: string | undefined, cause: Error): Error {
  const named = column === undefined ? '' : ` of ${column}`;
  const target = column === undefined ? [] : [column];
  return Object.assign(new TypeError(`Prisma refused a value${named}`, { cause }), { code: 'P2006', target });
}

/**
 * How the messages end that are about a value. What stands before can be values of clients, and other ends
 * are mistakes of the app, such as an unknown field.
 */
const refusals = [
  /(?:^|\n)Argument `([^`\n]+)`: Invalid value provided\. Expected [^\n]+, provided [^\n]+\.$/,
  /(?:^|\n)Argument `([^`\n]+)` must not be null\.$/,
  /(?:^|\n)Invalid value for argument `([^`\n]+)`(?:: [^\n]+)?\.(?: Expected [^\n]+\.)?$/,
  /(?:^|\n)Unable to fit value [^\n]+ for field `([^`\n]+)`$/,
];

/** Other errors stay as they are. */
function toRefusedValue(error: unknown, model: Model, data: Row, where: Row): unknown {
  if (!(error instanceof Error) || error.name !== 'PrismaClientValidationError') return error;
  const end = stripVTControlCharacters(error.message).trimEnd();
  const name = refusals.map((ending) => ending.exec(end)?.[1]).find((group) => group !== undefined);
  if (name === undefined || Object.hasOwn(where, name)) return error;
  if (data[name] instanceof Date && typeIn(model, name) !== 'DateTime') {
    const fix = `Declare the column with its form, as { kind: 'date', as: 'iso' }.`;
    return new TypeError(`prismaRows(): the column ${name} takes no Date. ${fix}`, { cause: error });
  }
  return refusedValue(Object.hasOwn(data, name) ? name : undefined, error);
}

const methods = ['findFirst', 'updateMany', 'create', 'deleteMany'] as const;

type Model = Record<(typeof methods)[number], (args: object) => unknown>;

function isModel(model: unknown): boolean {
  return isObject(model) && methods.every((name) => typeof Reflect.get(model, name) === 'function');
}

/**
 * Those of a client that is mocked in tests can be missing. What the database calls them, Prisma does not
 * say.
 */
function readNames(model: Model): Readonly<Record<string, string>> | undefined {
  const fields: unknown = Reflect.get(model, 'fields');
  const names = isObject(fields) ? Object.keys(fields) : [];
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, name]));
}

/** By the types of Prisma's schema. */
const formsOfTypes: Readonly<Record<string, ColumnForm>> = {
  ...{ String: 'iso', Json: 'iso', DateTime: 'Date', Int: 'milliseconds', BigInt: 'milliseconds' },
};

function readForms(model: Model): DeclaredForms['columnForms'] {
  const forms = Object.keys(readNames(model) ?? {}).flatMap((name) => {
    const form = formsOfTypes[String(typeIn(model, name))];
    return form === undefined ? [] : [[name, form] as const];
  });
  return Object.fromEntries(forms);
}

/** Prisma says the types of its columns beside them: `prisma.note.fields.title.typeName`. */
function typeIn(model: Model, column: string): unknown {
  const fields: unknown = Reflect.get(model, 'fields');
  const field: unknown = isObject(fields) ? Reflect.get(fields, column) : undefined;
  return isObject(field) ? Reflect.get(field, 'typeName') : undefined;
}

function createNull(column: string, dbNull: object | undefined): object {
  if (dbNull !== undefined) return dbNull;
  throw new TypeError(
    `prismaRows() cannot set the Json column ${column} to NULL without Prisma.DbNull. ` +
      'Write prismaRows(prisma.note, { dbNull: Prisma.DbNull }).',
  );
}

function selected(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, true]));
}

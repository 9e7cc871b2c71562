import { isObject } from '../../config/object';
import { anything, typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows, type TimestampSource } from '../library-rows';
import type { Awaitable, ColumnForm, DeclaredForms, Row, Rows } from '../rows';
import { assertNoReserved, type IsReserved } from '../unstorable-value';
import { hasMethods, readReturnedRow } from './arguments';

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
  // Prisma generates its types for each schema, so this is typed loosely; rowStore checks names of columns.
  const delegate = model as unknown as Model;
  const toData = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const type = typeIn(delegate, name);
        assertNoReserved(name, value, isReserved);
        return [name, value === null && type === 'Json' ? createNull(name, dbNull) : value];
      }),
    );
  // At run time, models have the method on each engine. MySQL has no RETURNING, and that of SQLite does not
  // see what AFTER triggers do: there the row is read again.
  const isReturned = () =>
    delegate.updateManyAndReturn !== undefined &&
    ['postgresql', 'cockroachdb'].includes(String(readProvider(delegate)));
  const origin = {
    transaction: '(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx))',
    handle: delegate,
    fixMissing: 'A client extension must not remove a field, or make it undefined instead of null.',
    get timestamps() {
      return createTimestampSource(delegate);
    },
  };
  return libraryRows(origin, {
    find: (where, columns) => delegate.findFirst({ where, select: toSelection(columns) }),
    update: async (where, set, columns) => {
      const args = { where, data: toData(set) };
      return isReturned()
        ? readReturnedRow(await delegate.updateManyAndReturn?.({ ...args, select: toSelection(columns) }))
        : readCount(await delegate.updateMany(args));
    },
    insert: async (row, columns) => {
      const created = await delegate.create({ data: toData(row), select: toSelection(columns) });
      return isReturned() ? created : 1;
    },
    delete: async (where) => readCount(await delegate.deleteMany({ where })),
    get returning() {
      return isReturned();
    },
    get columnNames() {
      return readNames(delegate);
    },
    get columnForms() {
      return readForms(delegate);
    },
  });
}

/**
 * What Prisma takes for statements of its own inside a Json value, throws for, or leaves out. What else it
 * changes shows when the row is read back; these must not be stored even for a moment.
 */
const isReserved: IsReserved = (name, value, isBelowConstructor) =>
  name === '__prismaRawParameters__' ||
  name === '__proto__' ||
  (name === '$type' && (value === '' || isBelowConstructor));

const methods = ['findFirst', 'updateMany', 'create', 'deleteMany'] as const;

type Model = Record<(typeof methods)[number], (args: object) => unknown> & {
  readonly updateManyAndReturn?: (args: object) => unknown;
};

function readCount(result: unknown): unknown {
  return Reflect.get(Object(result) as object, 'count');
}

/** The database engine, where Prisma reveals it. */
function readProvider(model: Model): unknown {
  const client: unknown = Reflect.get(model, '$parent');
  return isObject(client) ? Reflect.get(client, '_activeProvider') : undefined;
}

function createTimestampSource(model: Model): TimestampSource | undefined {
  const client: unknown = Reflect.get(model, '$parent');
  if (readProvider(model) !== 'mysql' || !hasMethods(client, ['$queryRawUnsafe'])) return undefined;
  const send = Reflect.get(Object(client) as object, '$queryRawUnsafe') as (
    ...args: readonly unknown[]
  ) => Awaitable<unknown>;
  const { dbName, name, fields = [] } = readModel(model);
  const findField = (column: unknown) => fields.find((field) => field.dbName === column)?.name ?? column;
  return {
    table: { table: dbName ?? String(name) },
    ask: async ({ text, values }) => {
      const rows = (await send.call(client, text, ...values)) as Row[];
      return rows.map((row) => ({ ...row, name: findField(row['name']) }));
    },
    isUtc: true,
    fix: "Prisma takes dates for UTC: set timezone: 'Z' in new PrismaMariaDb({ … }), which sets each session to it.",
  };
}

interface RuntimeModel {
  readonly name?: unknown;
  readonly dbName?: string | null;
  readonly fields?: readonly { readonly name: string; readonly dbName?: string }[];
}

/** The model as the generated client knows it, with the names in the database, which @map and @@map set. */
function readModel(model: Model): RuntimeModel {
  const client: unknown = Reflect.get(model, '$parent');
  const name: unknown = Reflect.get(model, 'name');
  const data: unknown = isObject(client) ? Reflect.get(client, '_runtimeDataModel') : undefined;
  const models: unknown = isObject(data) ? Reflect.get(data, 'models') : undefined;
  const known: unknown = isObject(models) ? Reflect.get(models, String(name)) : undefined;
  return { ...(isObject(known) ? known : {}), name };
}

function isModel(model: unknown): boolean {
  return isObject(model) && methods.every((name) => typeof Reflect.get(model, name) === 'function');
}

/** Undefined for a mocked client, which may have no fields. The names are those of the schema. */
function readNames(model: Model): Readonly<Record<string, string>> | undefined {
  const fields: unknown = Reflect.get(model, 'fields');
  const names = isObject(fields) ? Object.keys(fields) : [];
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, name]));
}

/** By the types of Prisma's schema. */
const formsByType: Readonly<Record<string, ColumnForm>> = {
  ...{ String: 'iso', Json: 'iso', DateTime: 'Date', Int: 'milliseconds', BigInt: 'milliseconds' },
};

function readForms(model: Model): DeclaredForms['columnForms'] {
  const forms = Object.keys(readNames(model) ?? {}).flatMap((name) => {
    const form = formsByType[String(typeIn(model, name))];
    return form === undefined ? [] : [[name, form] as const];
  });
  return Object.fromEntries(forms);
}

/** Prisma lists the types of its columns: `prisma.note.fields.title.typeName`. */
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

function toSelection(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, true]));
}

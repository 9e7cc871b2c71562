import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../config/object';
import { anything, expected, typed, wholeNumber } from '../../config/expectation';
import type { Fault } from '../../config/mistake';
import { OptionsCheck } from '../../config/options-check';
import { libraryRows, type TimestampSource } from '../library-rows';
import type { JsonOfRow } from '../json-of';
import type { Awaitable, ColumnForm, ColumnKinds, DeclaredForms, OrmRows, Row } from '../rows';
import { assertNoReserved, type IsReserved } from '../unstorable-value';
import { beginSavepoint, inSavepoint } from '../sql/savepoint';
import { type Statement, TableStatements } from '../sql/statement';
import { hasMethods } from './arguments';
import { readPrismaColumns } from './prisma-kinds';

/** The methods of a Prisma model, such as `prisma.note`, that `prismaRows` calls. */
interface PrismaModel {
  findFirst(args: { where: never; select: never }): Awaitable<object | null>;
  updateMany(args: { where: never; data: never }): Awaitable<{ count: number }>;
  create(args: { data: never; select: never }): Awaitable<object>;
  deleteMany(args: { where: never }): Awaitable<{ count: number }>;
}

/** The names of the models of a Prisma client. */
export type PrismaModelName<C> = { [N in keyof C & string]: C[N] extends PrismaModel ? N : never }[keyof C &
  string];

/** The JSON of each scalar of a model, by the types of the generated client. */
type PrismaJson<Delegate> = Delegate extends {
  [key: symbol]: { types: { payload: { scalars: infer Scalars } } };
}
  ? JsonOfRow<Scalars>
  : unknown;

/** Options of `prismaRows`. */
export interface PrismaRowsOptions {
  /**
   * `Prisma.DbNull` of the generated client, which sets columns of the type Json to NULL: there null could
   * also mean JSON's null. Default none: such a column cannot be set to NULL.
   */
  readonly dbNull?: object;
  /** How many milliseconds Prisma waits for a connection before it gives a write up. Default: that of the client. */
  readonly maxWait?: number;
  /** How many milliseconds Prisma lets the transaction of a write take. Default: that of the client. */
  readonly timeout?: number;
}

/**
 * Accesses a table through Prisma, for `rowStore`. Pass the client as your app uses it, with its extensions, or the
 * `tx` of a transaction. It writes with `updateMany`.
 *
 * Over SQLite, where all requests share one connection, a write is one statement, on the condition of the whole row, if
 * it writes only strings, integers and booleans, and there is no `onWrite`. Any other is a transaction into which the
 * statements of other requests get, as into every `$transaction` of your app over SQLite: they are rolled back with a
 * write that is refused, and one on the same row between its read and its write is overwritten.
 *
 * ```ts
 * const notes = rowStore({
 *   ...prismaRows(prisma, 'note'),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @param model - the name of the model, as in `prisma.note`
 * @throws ConfigurationError
 */
export function prismaRows<C extends object, N extends PrismaModelName<C>>(
  prisma: C,
  model: N,
  options: PrismaRowsOptions = {},
): OrmRows<PrismaJson<C[N]>> {
  const check = new OptionsCheck('prismaRows()');
  const { dbNull, ...limits } = check.options(options, {
    dbNull: anything,
    maxWait: milliseconds,
    timeout: milliseconds,
  });
  check.value(
    'prisma',
    prisma,
    typed(
      () => hasMethods(prisma, ['$queryRawUnsafe', '$executeRawUnsafe']),
      'Pass new PrismaClient(…).',
      'is not a Prisma client',
    ),
  );
  const delegate: unknown = isObject(prisma) ? Reflect.get(prisma, model) : undefined;
  check.value(
    'model',
    model,
    expected(() => isModel(delegate), noSuchModel(prisma)),
  );
  check.done();
  return createRows(prisma as unknown as Client, model, dbNull, limits);
}

const milliseconds = wholeNumber(
  1,
  2 ** 31 - 1,
  'Write a number of milliseconds, such as 5000 for five seconds.',
);

function noSuchModel(prisma: object): Fault {
  const models = Object.keys(readModels(prisma)).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const fix =
    models.length === 0
      ? "Write its name, as in prismaRows(prisma, 'note')."
      : `The models are ${models.join(', ')}.`;
  return { code: 'option-value', isName: true, reason: 'is not a model of the client', fix };
}

function createRows(
  client: Client,
  name: string,
  dbNull: object | undefined,
  limits: object,
  isJoined = false,
): OrmRows<never> {
  // Prisma generates its types for each schema, so this is typed loosely; rowStore checks names of columns.
  const delegate = Reflect.get(client, name) as Model;
  const toData = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        const type = typeIn(delegate, column);
        assertNoReserved(column, value, isReserved);
        return [column, value === null && type === 'Json' ? createNull(column, dbNull) : value];
      }),
    );
  /** Prisma takes null for NULL and JSON's null, and a JSON value for a filter. */
  const toFilter = (where: Row): Row =>
    Object.fromEntries(
      Object.entries(where).map(([column, value]) => {
        if (typeIn(delegate, column) !== 'Json') return [column, value];
        // Without Prisma.DbNull nothing is known to equal NULL: an empty OR matches no row.
        return value === null && dbNull === undefined ? ['OR', []] : [column, { equals: value ?? dbNull }];
      }),
    );
  const origin = {
    sharesConnection: readProvider(client) === 'sqlite',
    // In a transaction of the app, a savepoint has the same one.
    handle: isInTransaction(client) ? undefined : client,
    joins: isInTransaction(client),
    fixMissing: 'A client extension must not remove a field, or make it undefined instead of null.',
    get timestamps() {
      return createTimestampSource(client, delegate);
    },
  };
  return libraryRows(origin, {
    find: (where, columns) => delegate.findFirst({ where, select: toSelection(columns) }),
    lock: async (where) => {
      const statement = createLock(client, delegate, where);
      if (statement === undefined) return 1;
      const send = (text: string) => client.$queryRawUnsafe(text, ...statement.values);
      const found = await send(statement.text);
      if (isJoined && readProvider(client) === 'mysql') await assertCurrent(send, statement.text);
      return found;
    },
    update: async (where, set) =>
      readCount(await delegate.updateMany({ where: toFilter(where), data: toData(set) })),
    insert: (row) => delegate.create({ data: toData(row), select: toSelection(Object.keys(row)) }),
    delete: async (where) => readCount(await delegate.deleteMany({ where: toFilter(where) })),
    transaction: async (run) => {
      const isInner = isInTransaction(client);
      const act = (tx: Client) => run(createRows(tx, name, dbNull, limits, isInner), tx);
      if (client.$transaction === undefined) {
        const send = (text: string) => client.$executeRawUnsafe(text);
        await send(beginSavepoint);
        return inSavepoint(send, () => act(client));
      }
      const isOwn = !isInner && readProvider(client) === 'mysql';
      const isolation = isOwn ? { isolationLevel: 'ReadCommitted' } : {};
      return client.$transaction(act, { ...limits, ...isolation });
    },
    get columnNames() {
      return readNames(delegate);
    },
    get columnForms() {
      return readForms(delegate);
    },
    get columnKinds() {
      return readKinds(client, delegate);
    },
  });
}

/** The client of a transaction, which cannot begin one before Prisma 7. */
function isInTransaction(client: Client): boolean {
  const scope = Symbol.for('prisma.client.transaction.scope_context');
  return client.$transaction === undefined || Reflect.get(client, scope) !== undefined;
}

/**
 * In a transaction of the app, which MySQL runs at REPEATABLE READ, a read of Prisma shows what was committed before the
 * first read of the transaction: a write on that condition would undo what others have written since.
 *
 * @param send - sends a statement that locks the row, or the same that does not
 */
async function assertCurrent(send: (text: string) => PromiseLike<unknown>, lock: string): Promise<void> {
  const locking = lock.replace('SELECT 1', 'SELECT *');
  const [current, seen] = [await send(locking), await send(locking.replace(/ FOR UPDATE$/, ''))];
  if (isDeepStrictEqual(current, seen)) return;
  throw new TypeError(
    'The transaction of your app still reads the row as it was at its first read, and others have written since. ' +
      "Begin it with { isolationLevel: 'ReadCommitted' }.",
  );
}

/** @returns undefined for SQLite, which has no such statement */
function createLock(client: Client, delegate: Model, where: Row): Statement | undefined {
  const provider = String(readProvider(client));
  if (provider === 'sqlite') return undefined;
  const { dbName, name, schema, fields = [] } = readModel(client, delegate);
  const columns = Object.entries(where).map(([field, value]) => {
    return [fields.find((one) => one.name === field)?.dbName ?? field, value] as const;
  });
  const table = { table: dbName ?? String(name), schema: schema ?? readSchema(client) };
  return new TableStatements(table, provider === 'mysql' ? 'mysql' : 'postgres').lock(
    Object.fromEntries(columns),
  );
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

type Model = Record<(typeof methods)[number], (args: object) => Awaitable<unknown>>;

function readCount(result: unknown): unknown {
  return Reflect.get(Object(result) as object, 'count');
}

interface Client {
  $queryRawUnsafe(text: string, ...values: readonly unknown[]): PromiseLike<unknown>;
  $executeRawUnsafe(text: string): PromiseLike<unknown>;
  /** Not in a transaction. */
  readonly $transaction?: (act: (tx: Client) => Promise<void>, options: object) => Promise<void>;
}

/** The schema that Prisma writes before each table, as in `new PrismaPg({ … }, { schema: 'app' })`. */
function readSchema(client: object): string | undefined {
  const path = ['_engineConfig', 'adapter', 'options', 'schema'];
  const schema = path.reduce<unknown>(
    (value, name) => (isObject(value) ? Reflect.get(value, name) : undefined),
    client,
  );
  return typeof schema === 'string' ? schema : undefined;
}

/** The database engine, where Prisma reveals it. */
function readProvider(client: object): unknown {
  return Reflect.get(client, '_activeProvider');
}

function createTimestampSource(client: Client, model: Model): TimestampSource | undefined {
  if (readProvider(client) !== 'mysql') return undefined;
  const { dbName, name, fields = [] } = readModel(client, model);
  const findField = (column: unknown) => fields.find((field) => field.dbName === column)?.name ?? column;
  return {
    table: { table: dbName ?? String(name) },
    ask: async ({ text, values }) => {
      const rows = (await client.$queryRawUnsafe(text, ...values)) as Row[];
      return rows.map((row) => ({ ...row, name: findField(row['name']) }));
    },
    isUtc: true,
    fix: "Prisma takes dates for UTC: set timezone: 'Z' in new PrismaMariaDb({ … }), which sets each session to it.",
  };
}

interface RuntimeModel {
  readonly name?: unknown;
  readonly dbName?: string | null;
  readonly schema?: string | null;
  readonly fields?: readonly { readonly name: string; readonly dbName?: string }[];
}

/** The models as the generated client knows them. */
function readModels(client: object): Readonly<Record<string, RuntimeModel>> {
  const data: unknown = Reflect.get(client, '_runtimeDataModel');
  const models: unknown = isObject(data) ? Reflect.get(data, 'models') : undefined;
  return isObject(models) ? (models as Record<string, RuntimeModel>) : {};
}

/** A model with its names in the database, which @map and @@map set. */
function readModel(client: Client, model: Model): RuntimeModel {
  const name: unknown = Reflect.get(model, 'name');
  return { ...readModels(client)[String(name)], name };
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

const kindsByConfig = new WeakMap<object, Map<string, ColumnKinds<never>>>();

/** Undefined for a mocked client, which has no schema. Read once: an app can make rows in each transaction. */
function readKinds(client: object, model: Model): ColumnKinds<never> | undefined {
  const config: unknown = Reflect.get(client, '_engineConfig');
  const schema: unknown = isObject(config) ? Reflect.get(config, 'inlineSchema') : undefined;
  if (!isObject(config) || typeof schema !== 'string') return undefined;
  const known = kindsByConfig.get(config) ?? new Map<string, ColumnKinds<never>>();
  kindsByConfig.set(config, known);
  const name = String(Reflect.get(model, 'name'));
  const kinds = known.get(name) ?? readPrismaColumns(schema, name);
  known.set(name, kinds);
  return kinds;
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
      "Write prismaRows(prisma, 'note', { dbNull: Prisma.DbNull }).",
  );
}

function toSelection(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, true]));
}

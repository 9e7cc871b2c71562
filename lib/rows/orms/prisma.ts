import { isDeepStrictEqual } from 'node:util';
import { anything, expected, typed, wholeNumber } from '../../config/expectation';
import type { Issue } from '../../config/mistake';
import { type Awaitable, hasMethods, isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { type Kind, toColumnKind } from '../columns/kind';
import { keepRows, libraryRows, type TimestampSource } from '../library-rows';
import { assertNoReserved, type IsReserved } from '../refusals';
import type { ColumnForm, ColumnKinds, DeclaredForms, EntityRows, Row, SchemaColumn } from '../rows';
import { beginSavepoint, inSavepoint } from '../sql/savepoint';
import { quotedTable, type Statement, type TableName, TableStatements } from '../sql/statement';
import { isName } from './arguments';
import type { JsonOfRow } from './json-of';

/** The methods of a Prisma model, such as `prisma.note`, that `prismaRows` calls. */
interface PrismaModel {
  findFirst(args: { where: never; select: never }): Awaitable<object | null>;
  update(args: { where: never; data: never }): Awaitable<unknown>;
  create(args: { data: never }): Awaitable<unknown>;
  delete(args: { where: never }): Awaitable<unknown>;
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
   * `Prisma.DbNull` of the generated client, which sets columns of the type Json to NULL, because null could
   * also mean JSON's null there. Default none: such a column cannot be set to NULL.
   */
  readonly dbNull?: object;
  /**
   * The name of the key in `where` of Prisma's `update`: of `@@unique` or `@@id`, or of a column that is unique alone.
   * Default: the columns of the key, joined by `_`.
   */
  readonly unique?: string;
  /** The table, in the statement that locks a row. Default: the table in the generated client. */
  readonly table?: string;
  /** The schema of the table. Default: the schema in the generated client, or of the driver adapter. */
  readonly schema?: string;
  /**
   * How many milliseconds Prisma waits for a connection before it gives up a write. Default: the client's
   * `maxWait`.
   */
  readonly maxWait?: number;
  /** How many milliseconds the transaction of a write can take in Prisma. Default: the client's `timeout`. */
  readonly timeout?: number;
}

/**
 * Accesses a table through Prisma, for `rowStore`. Pass the client as your app uses it, with its extensions,
 * or the `tx` of a transaction. It reads with `findFirst`, and writes with `create`, `update` and `delete`,
 * as your app does, in a `$transaction` of this client, so client extensions run, and `@updatedAt` is set.
 *
 * Over SQLite, all requests share one connection. If a write changes only strings, integers and booleans, and
 * there is no `onWrite`, it is one `update`, on the condition of the whole row. Any other write is a
 * transaction, and statements of other requests get into it, as into every `$transaction` of your app over
 * SQLite: if the write is refused, they are rolled back, too, and a statement that changes the same row
 * between the write's read and its update is overwritten.
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
  options?: PrismaRowsOptions,
): EntityRows<PrismaJson<C[N]>> {
  return options === undefined ? keptRows(prisma, model) : checkedRows(prisma, model, options);
}

const keptRows = keepRows((prisma: object, model: string) => checkedRows(prisma, model, {}));

function checkedRows(prisma: object, model: string, options: PrismaRowsOptions): EntityRows<never> {
  const check = new OptionsCheck('prismaRows()');
  const checkedOptions = check.options(options, {
    dbNull: anything,
    unique: typed(
      isName,
      "Write its name, as in { unique: 'tenant_slug' }.",
      'must be the name of a unique key',
    ),
    table: typed(isName, "Write its name, as in { table: 'notes' }.", 'must be a table name'),
    schema: typed(
      isName,
      "Write its name, as in { table: 'notes', schema: 'app' }.",
      'must be the name of a schema',
    ),
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
  check.value('prisma', prisma, { findIssue: findIssueInVersion });
  const delegate: unknown = isObject(prisma) ? Reflect.get(prisma, model) : undefined;
  check.value(
    'model',
    model,
    expected(() => isModel(delegate), noSuchModel(prisma)),
  );
  check.done();
  return createRows(prisma as Client, model, checkedOptions);
}

const milliseconds = wholeNumber(
  1,
  2 ** 31 - 1,
  'Write a number of milliseconds, such as 5000 for five seconds.',
);

/** Refuses a release that is too old. A mocked or wrapped client does not reveal its version. */
function findIssueInVersion(prisma: unknown): Issue | undefined {
  const version: unknown = isObject(prisma) ? Reflect.get(prisma, '_clientVersion') : undefined;
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(typeof version === 'string' ? version : '') ?? [];
  if (major === undefined || Number(major) > 6 || (major === '6' && Number(minor) >= 19)) return undefined;
  const fix = 'Use Prisma 6.19 or later.';
  return { code: 'option-value', reason: `is Prisma ${String(version)}`, fix };
}

function noSuchModel(prisma: object): Issue {
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
  options: Partial<PrismaRowsOptions>,
  facts: TransactionFacts = {
    joinsApp: isInTransaction(client),
    readsInside: !isWrapped(client, name),
  },
): EntityRows<never> {
  const { dbNull, unique, maxWait, timeout } = options;
  const isInside = isInTransaction(client);
  // Prisma generates its types for each schema, so this is typed loosely; rowStore checks the names of
  // columns.
  const delegate = Reflect.get(client, name) as Model;
  const toData = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        const type = typeIn(delegate, column);
        assertNoReserved(column, value, isReserved);
        return [column, value === null && type === 'Json' ? createNull(column, dbNull) : value];
      }),
    );
  /** Prisma takes null for both NULL and JSON's null, and a JSON value for a filter. */
  const toFilter = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        if (typeIn(delegate, column) !== 'Json') return [column, value];
        // Without Prisma.DbNull, no filter finds only NULL; an empty OR matches no row.
        return value === null && dbNull === undefined ? ['OR', []] : [column, { equals: value ?? dbNull }];
      }),
    );
  /** The condition by which `update` and `delete` find one row: a column, or the name of a key of several columns. */
  const nameKey = (where: Row): string => unique ?? Object.keys(where).join('_');
  const toUnique = (where: Row): Row =>
    Object.hasOwn(where, nameKey(where)) ? where : { [nameKey(where)]: where };
  const sharesConnection = readProvider(client) === 'sqlite' && !isInside;
  // On a connection that other requests share, the state of the row is a condition of the statement.
  const toCondition = (where: Row, row: Row): Row =>
    sharesConnection ? { ...toUnique(where), AND: toFilter(row) } : toUnique(where);
  /** @returns undefined if there is no such row */
  const write = async <R>(
    where: Row,
    send: () => Awaitable<R>,
  ): Promise<{ readonly result: R } | undefined> => {
    try {
      return { result: await send() };
    } catch (error) {
      if (isNotFound(error, delegate)) return undefined;
      if (await isUniqueKey(delegate, toUnique(where), error)) throw error;
      throw notUnique(name, where, nameKey(where), error);
    }
  };
  const origin = {
    sharesConnection,
    // In a transaction of the app, a savepoint has the same handle.
    handle: isInside ? undefined : client,
    joins: isInside,
    fixMissing: 'A client extension must not remove a field, or make it undefined instead of null.',
    get timestamps() {
      return createTimestampSource(client, delegate, options);
    },
  };
  return libraryRows(origin, {
    find: async (where, columns, _casts, isLocked) => {
      const row = await delegate.findFirst({ where, select: toSelection(columns) });
      if (isLocked !== true || facts.readsInside) return row;
      if (readProvider(client) === 'postgresql')
        await assertInside(client, name, readTable(client, delegate, options));
      facts.readsInside = true;
      return row;
    },
    lock: async (where) => {
      const statement = createLock(client, delegate, where, options);
      if (statement === undefined) return 1;
      const send = (text: string) => client.$queryRawUnsafe(text, ...statement.values);
      const found = await send(statement.text);
      if (facts.joinsApp && readProvider(client) === 'mysql') await assertCurrent(send, statement.text);
      return found;
    },
    // Without `select`, so that an extension gets the whole row, as from a call of the app.
    save: async (where, set, row) => {
      const update = { where: toCondition(where, row), data: toData(set) };
      const written = await write(where, () => delegate.update(update));
      return written && readExtended(client, written.result, Object.keys(set));
    },
    insert: (row) => delegate.create({ data: toData(row) }),
    delete: async (where, row) => {
      const deleted = await write(where, () => delegate.delete({ where: toCondition(where, row) }));
      return deleted === undefined ? 0 : 1;
    },
    transaction: async (run) => {
      const act = (tx: Client) => run(createRows(tx, name, options, facts), tx);
      if (client.$transaction === undefined) {
        const send = (text: string) => client.$executeRawUnsafe(text);
        await send(beginSavepoint);
        return inSavepoint(send, () => act(client));
      }
      const setsLevel = !facts.joinsApp && readProvider(client) === 'mysql';
      const level = setsLevel ? { isolationLevel: 'ReadCommitted' } : {};
      const limits = { ...(maxWait !== undefined && { maxWait }), ...(timeout !== undefined && { timeout }) };
      return client.$transaction(act, { ...limits, ...level });
    },
    get columnNames() {
      return readColumnNames(delegate);
    },
    get columnForms() {
      return readForms(delegate);
    },
    get columnKinds() {
      return readKinds(client, delegate);
    },
  });
}

/**
 * Whether `update` or `delete` found no row. The error can also be about a row of another model that an
 * extension looked for.
 */
function isNotFound(error: unknown, { name }: Model): boolean {
  const { code, meta } = Object(error) as { readonly code?: unknown; readonly meta?: unknown };
  const model: unknown = isObject(meta) ? Reflect.get(meta, 'modelName') : undefined;
  return code === 'P2025' && (model === undefined || model === name);
}

/**
 * Whether the key is unique in Prisma's schema. Its values are valid, because `findFirst` has accepted them.
 */
async function isUniqueKey(model: Model, where: Row, error: unknown): Promise<boolean> {
  if (!isValidationError(error) || model.findUnique === undefined) return true;
  try {
    await model.findUnique({ where });
    return true;
  } catch (again) {
    return !isValidationError(again);
  }
}

function isValidationError(error: unknown): boolean {
  return error instanceof Error && error.name === 'PrismaClientValidationError';
}

function notUnique(name: string, where: Row, key: string, cause: unknown): TypeError {
  const columns = Object.keys(where);
  const list = columns.join(', ');
  const fix =
    columns.length === 1
      ? `Add @unique to ${list} in the schema, or use another key.`
      : `Add @@unique([${list}]) to the schema. If it has a unique key of another order or name, or one of these fields ` +
        `is unique, name it: prismaRows(prisma, '${name}', { unique: '${columns.toReversed().join('_')}' }).`;
  const message = `prisma.${name}.update needs a unique key, and the schema has none named ${key}. ${fix}`;
  return new TypeError(message, { cause });
}

/**
 * The values that were set, which an extension may have changed. Without extensions, `{}`: the row was
 * written, and the database must have the values that were sent.
 */
function readExtended(client: Client, result: unknown, names: readonly string[]): Row {
  if (!isObject(result) || !isExtended(client)) return {};
  return Object.fromEntries(names.map((name) => [name, Reflect.get(result, name) as unknown]));
}

/** Whether the client has extensions; also true if it does not reveal them. */
function isExtended(client: Client): boolean {
  const extensions: unknown = Reflect.get(client, '_extensions');
  const isEmpty: unknown = isObject(extensions) ? Reflect.get(extensions, 'isEmpty') : undefined;
  return typeof isEmpty !== 'function' || Reflect.apply(isEmpty, extensions, []) !== true;
}

/** What a client's rows share with the rows in their transactions. */
interface TransactionFacts {
  /** Whether the app has begun the transaction. */
  readonly joinsApp: boolean;
  /** False until the first read of a locked row; over PostgreSQL, until one was found to run in the transaction. */
  readsInside: boolean;
}

/** Whether an extension is called for each read of the model; also true if the client does not reveal it. */
function isWrapped(client: Client, name: string): boolean {
  const extensions: unknown = Reflect.get(client, '_extensions');
  const read: unknown = isObject(extensions) ? Reflect.get(extensions, 'getAllQueryCallbacks') : undefined;
  if (typeof read !== 'function') return true;
  const callbacks: unknown = Reflect.apply(read, extensions, [name, 'findFirst']);
  return !Array.isArray(callbacks) || callbacks.length > 0;
}

/**
 * An extension can begin its own transaction for each query, as published extensions for row-level security
 * do. A write would then wait for the lock of the row until the time limit, and be carried out afterwards; or
 * the lock would be released before the read. In PostgreSQL, a read locks its table until its transaction is
 * over, which shows whether it ran in this one.
 */
async function assertInside(client: Client, name: string, table: TableName): Promise<void> {
  const question =
    "SELECT 1 FROM pg_locks WHERE pid = pg_backend_pid() AND relation = $1::regclass AND mode = 'AccessShareLock'";
  const held = await client.$queryRawUnsafe(question, quotedTable(table, 'postgres'));
  if (Array.isArray(held) && held.length > 0) return;
  throw new TypeError(
    `prisma.${name}.findFirst was not carried out in the transaction of the write, so a client extension begins ` +
      'another one, or answers without the database. Begin the transaction yourself, and set in it what the extension ' +
      `sets: transaction: (run) => prisma.$transaction(async (tx) => { …; await run(prismaRows(tx, '${name}'), tx); }), ` +
      'where prisma is the client without the extension.',
  );
}

/** Whether this is the client of a transaction, which cannot begin one before Prisma 7. */
function isInTransaction(client: Client): boolean {
  const scope = Symbol.for('prisma.client.transaction.scope_context');
  return client.$transaction === undefined || Reflect.get(client, scope) !== undefined;
}

/**
 * In a transaction of the app, which MySQL runs at REPEATABLE READ, a read of Prisma shows what was committed
 * before the first read of the transaction: a write on that condition would undo later writes of other
 * requests.
 *
 * @param send - sends the statement that reads the row, with or without a lock
 */
async function assertCurrent(send: (text: string) => PromiseLike<unknown>, lock: string): Promise<void> {
  const locking = lock.replace('SELECT 1', 'SELECT *');
  const [current, seen] = [await send(locking), await send(locking.replace(/ FOR UPDATE$/, ''))];
  if (isDeepStrictEqual(current, seen)) return;
  throw new TypeError(
    'The transaction of your app still reads the row as it was at its first read, but other transactions have written since. ' +
      "Begin it with { isolationLevel: 'ReadCommitted' }.",
  );
}

/** @returns undefined for SQLite, which cannot lock a row */
function createLock(
  client: Client,
  delegate: Model,
  where: Row,
  options: Partial<PrismaRowsOptions>,
): Statement | undefined {
  const provider = String(readProvider(client));
  if (provider === 'sqlite') return undefined;
  const { fields = [] } = readModel(client, delegate);
  const columns = Object.entries(where).map(([field, value]) => {
    return [fields.find((one) => one.name === field)?.dbName ?? field, value] as const;
  });
  const table = readTable(client, delegate, options);
  return new TableStatements(table, provider === 'mysql' ? 'mysql' : 'postgres').lock(
    Object.fromEntries(columns),
  );
}

function readTable(client: Client, delegate: Model, options: Partial<PrismaRowsOptions>): TableName {
  const { dbName, name, schema } = readModel(client, delegate);
  return {
    table: options.table ?? dbName ?? String(name),
    schema: options.schema ?? schema ?? readSchema(client),
  };
}

/**
 * Members of a Json value that Prisma takes for its own statements, rejects, or leaves out. Other changes by
 * Prisma show when the row is read back, but these members must not be stored even for a moment.
 */
const isReserved: IsReserved = (name, value, isBelowConstructor) =>
  name === '__prismaRawParameters__' ||
  name === '__proto__' ||
  (name === '$type' && (value === '' || isBelowConstructor));

const methods = ['findFirst', 'create', 'update', 'delete'] as const;

interface Model extends Record<(typeof methods)[number], (args: object) => Awaitable<unknown>> {
  readonly name?: unknown;
  readonly findUnique?: (args: object) => Awaitable<unknown>;
}

interface Client {
  $queryRawUnsafe(text: string, ...values: readonly unknown[]): PromiseLike<unknown>;
  $executeRawUnsafe(text: string): PromiseLike<unknown>;
  /** Not in a transaction. */
  readonly $transaction?: (act: (tx: Client) => Promise<void>, options: object) => Promise<void>;
}

/** The schema that Prisma writes before each table name, as in `new PrismaPg({ … }, { schema: 'app' })`. */
function readSchema(client: object): string | undefined {
  const path = ['_engineConfig', 'adapter', 'options', 'schema'];
  const schema = path.reduce<unknown>(
    (value, name) => (isObject(value) ? Reflect.get(value, name) : undefined),
    client,
  );
  return typeof schema === 'string' ? schema : undefined;
}

/** The database engine, if Prisma reveals it. */
function readProvider(client: object): unknown {
  return Reflect.get(client, '_activeProvider');
}

function createTimestampSource(
  client: Client,
  model: Model,
  options: Partial<PrismaRowsOptions>,
): TimestampSource | undefined {
  if (readProvider(client) !== 'mysql') return undefined;
  const { fields = [] } = readModel(client, model);
  const findField = (column: unknown) => fields.find((field) => field.dbName === column)?.name ?? column;
  return {
    table: readTable(client, model, options),
    ask: async ({ text, values }) => {
      const rows = (await client.$queryRawUnsafe(text, ...values)) as Row[];
      return rows.map((row) => ({ ...row, name: findField(row['name']) }));
    },
    isUtc: true,
    fix: "Prisma treats dates as UTC: set timezone: 'Z' in new PrismaMariaDb({ … }), which sets each session to UTC.",
  };
}

interface RuntimeModel {
  readonly name?: unknown;
  readonly dbName?: string | null;
  readonly schema?: string | null;
  readonly fields?: readonly { readonly name: string; readonly dbName?: string }[];
}

/** The models of the generated client. */
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

/** Undefined for a mocked client, which may have no fields. The names come from the schema. */
function readColumnNames(model: Model): Readonly<Record<string, string>> | undefined {
  const fields: unknown = Reflect.get(model, 'fields');
  const names = isObject(fields) ? Object.keys(fields) : [];
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, name]));
}

const kindsByConfig = new WeakMap<object, Map<string, ColumnKinds<never>>>();

/**
 * Undefined for a mocked client, which has no schema. Read once, because an app can create rows in each
 * transaction.
 */
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
  const forms = Object.keys(readColumnNames(model) ?? {}).flatMap((name) => {
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

/** The kinds of Prisma's types, and of the native database types that change them. */
export const prismaKinds: ReadonlyMap<string, Kind> = new Map([
  ['String', 'string'],
  ['String @db.Uuid', 'uuid'],
  ['Boolean', 'boolean'],
  ['Int', 'integer'],
  ['BigInt', 'bigint'],
  ['Float', 'number'],
  ['Decimal', 'decimal'],
  ['DateTime', 'date'],
  ['DateTime @db.Date', 'day'],
  ['DateTime @db.Time', 'time'],
  ['Json', 'json'],
]);

/**
 * The columns of a model, from the text of the schema. Prisma has it in every client, and nothing else in a
 * client says which columns can be NULL, are lists, or are days.
 */
export function readPrismaColumns(schema: string, model: string): Readonly<Record<string, SchemaColumn>> {
  const blocks = readBlocks(schema);
  const lines = blocks.get(model)?.lines ?? [];
  const [, key = ''] = /^@@id\(.*?\[(.*?)\]/m.exec(lines.join('\n')) ?? [];
  const keys = key.replace(/\(.*?\)/g, '').split(/\s*,\s*/);
  const columns = lines.flatMap((line): [string, SchemaColumn][] => {
    const [, name, type = '', mark, attributes = ''] =
      /^(\w+)\s+(\w+)(?:\([^)]*\))?(\?|\[\])?(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const block = blocks.get(type);
    if (block !== undefined && block.keyword !== 'enum') return [[name, { type: 'relation' }]];
    // The native type comes after the name of the datasource, which is usually `db`.
    const [, native] = /@\w+\.(Uuid|Date|Timetz|Time)\b/.exec(attributes) ?? [];
    const declared = native === undefined ? type : `${type} @db.${native}`;
    const values = block?.lines.flatMap((value) => /^\w+/.exec(value)?.[0] ?? []);
    const kind = values === undefined ? prismaKinds.get(declared) : 'string';
    const isGenerated = /@id\b|@updatedAt\b|@default\(autoincrement\(/.test(attributes);
    return [
      [
        name,
        {
          type: declared,
          kind: kind && toColumnKind(kind, mark === '[]', mark === '?'),
          values,
          readOnly: isGenerated || keys.includes(name),
        },
      ],
    ];
  });
  return Object.fromEntries(columns);
}

interface Block {
  readonly keyword: string;
  readonly lines: readonly string[];
}

/** The blocks of a schema, such as `model Note { … }`, by their names, without comments. */
function readBlocks(schema: string): ReadonlyMap<string, Block> {
  const text = schema.replace(
    /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g,
    (_all, quoted: string | undefined) => quoted ?? '',
  );
  const blocks = text.matchAll(/^\s*(model|view|enum)\s+(\w+)\s*\{(.*?)^\s*\}/gms);
  return new Map(
    [...blocks].map(([, keyword = '', name = '', inside = '']) => [
      name,
      { keyword, lines: inside.split('\n').map((line) => line.trim()) },
    ]),
  );
}

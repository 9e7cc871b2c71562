import { expected, typed } from '../../config/expectation';
import { type Awaitable, hasMethods, isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { type Kind, toColumnKind } from '../columns/kind';
import { keepRows, libraryRows, type TimestampSource } from '../library-rows';
import { GeneratedColumnError } from '../refusals';
import {
  type ColumnForm,
  type ColumnKinds,
  type OrmRows,
  type Row,
  type Rows,
  type SchemaColumn,
  unchanged,
} from '../rows';
import { setSession } from '../sql/mysql-rows';
import type { JsonOfRow } from './json-of';

/** A Drizzle table, such as `pgTable` returns. */
export type DrizzleTable = object;

/** The JSON of each column of a table. */
type DrizzleJson<T> = T extends { $inferSelect: infer Row } ? JsonOfRow<Row> : unknown;

/** A Drizzle database or transaction, on PostgreSQL, MySQL, MariaDB or SQLite. */
export interface DrizzleDatabase {
  select(fields: never): unknown;
  update(table: never): unknown;
  insert(table: never): unknown;
  delete(table: never): unknown;
  transaction(act: never, config?: never): unknown;
}

/**
 * Accesses a table through Drizzle, for `rowStore`. Columns have their names in the TypeScript schema.
 *
 * ```ts
 * const notes = rowStore({
 *   ...drizzleRows(db, notesTable),
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError
 */
export function drizzleRows<T extends DrizzleTable>(db: DrizzleDatabase, table: T): OrmRows<DrizzleJson<T>> {
  return keptRows(db, table);
}

const keptRows = keepRows((db: DrizzleDatabase, table: DrizzleTable) => {
  const check = new OptionsCheck('drizzleRows()');
  check.value(
    'db',
    db,
    typed(
      () => hasMethods(db, ['select', 'update', 'insert', 'delete']),
      'Pass drizzle(pool), or the tx of a transaction.',
      'is not a database of Drizzle',
    ),
  );
  const driver = hasMethods(db, ['select']) ? findWithoutTransactions(db) : undefined;
  check.value(
    'db',
    db,
    expected(() => driver === undefined, {
      code: 'option-value',
      reason: `uses ${String(driver)}, which has no transactions, so a row cannot be locked until it is written`,
      fix: 'Use a driver that keeps a connection, such as neon-serverless, node-postgres, mysql2 or libsql.',
    }),
  );
  check.value(
    'table',
    table,
    typed(
      () => isObject(table) && readColumns(table).length > 0,
      "Pass one, as pgTable('notes', { … }) returns it.",
      'is not a table of Drizzle 0.28 or later',
    ),
  );
  check.done();
  return createRows(db as unknown as Database, table);
});

function createRows(database: Database, table: object): OrmRows<never> {
  const findColumn = columnFinder(table);
  // Drizzle would leave out unknown columns, and generated columns in an INSERT.
  const assertWritable = (row: Row) => {
    const generated = Object.keys(row).find((name) => isGenerated(findColumn(name)));
    if (generated !== undefined) throw new GeneratedColumnError([generated]);
  };
  const toSelection = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, readable(findColumn(name))]));
  const toSet = (set: Row): Row =>
    Object.fromEntries(
      Object.entries(set).map(([name, value]) => [name, value === unchanged ? findColumn(name) : value]),
    );
  const select = (where: Row, names: readonly string[]) =>
    database.select(toSelection(names)).from(table).where(condition(where, findColumn)).limit(1);
  const update = (where: Row, set: Row) => {
    assertWritable(set);
    return database.update(table).set(toSet(set)).where(condition(where, findColumn));
  };
  const insert = (row: Row) => {
    assertWritable(row);
    return database.insert(table).values(row);
  };
  const remove = (where: Row) => database.delete(table).where(condition(where, findColumn));
  const isMysql = readMysqlTable(table) !== undefined;
  const isJoined = isTransaction(database);
  const within = (run: (rows: Rows, tx: unknown) => unknown) => (tx: Database) =>
    run(createRows(tx, table), tx);
  const isSynchronous = Reflect.get(database, 'resultKind') === 'sync';
  const origin = {
    // A synchronous driver has one connection, on which the app may have begun a transaction.
    handle: isSynchronous ? undefined : database,
    joins: isJoined,
    fixMissing: 'The fromDriver of a customType must not return undefined.',
    timestamps: createTimestampSource(database, table),
  };
  const rows: OrmRows<never> = {
    find: (where, names, _casts, isLocked) =>
      isLocked === true && isMysql ? select(where, names).for('update') : select(where, names),
    update: async (where, set) => countRows(await update(where, set)),
    insert,
    delete: async (where) => countRows(await remove(where)),
    get columnNames() {
      const names = readColumns(table).map(([name, column]) => [name, column.name] as const);
      return { ...Object.fromEntries(names), ...(isPostgres(table) ? { xmin: 'xmin' } : {}) };
    },
    get columnForms() {
      const forms = readColumns(table).flatMap(([name, column]) => {
        const form = findForm(column);
        return form === undefined ? [] : [[name, form] as const];
      });
      return Object.fromEntries(forms);
    },
    get columnKinds(): ColumnKinds<never> {
      return Object.fromEntries(readColumns(table).map(([name, column]) => [name, toSchemaColumn(column)]));
    },
  };
  // The functions are added to the same object, because a copy would compute the kinds, even in each
  // transaction.
  const withFunctions = (functions: Partial<Rows>): OrmRows<never> =>
    libraryRows(origin, Object.assign(rows, functions));
  if (isSynchronous) {
    // Its statements run when a method is called, not when they are awaited.
    return withFunctions({
      find: (where, names) => select(where, names).all?.(),
      update: (where, set) => countRows(update(where, set).run?.()),
      insert: (row) => insert(row).run?.(),
      delete: (where) => countRows(remove(where).run?.()),
      transactionSync: (run) => {
        database.transaction(within(run), { behavior: 'immediate' });
      },
    });
  }
  const isolation = isMysql && !isJoined ? { isolationLevel: 'read committed' } : undefined;
  const transaction: Rows['transaction'] = (run) => database.transaction(within(run), isolation);
  if (isSqlite(table)) {
    return withFunctions({
      lock: () => 1,
      transaction: (run) => inTurn(database, () => transaction(run)),
    });
  }
  const lock = (where: Row) => select(where, Object.keys(where)).for(isMysql ? 'update' : 'no key update');
  if (isMysql) return withFunctions({ lock, transaction });
  return withFunctions({
    lock,
    transaction,
    updateReturning: (where, set, names) => update(where, set).returning(toSelection(names)),
  });
}

/**
 * The name of the database's driver, if it has no transactions because each statement is a separate request.
 */
function findWithoutTransactions(db: object): string | undefined {
  return Object.entries(withoutTransactions).find(([, kind]) => readKind(db) === kind)?.[0];
}

const withoutTransactions = {
  ...{ 'neon-http': 'NeonHttpDatabase', 'xata-http': 'XataHttpDatabase', d1: 'D1Database' },
  ...{ 'pg-proxy': 'PgRemoteDatabase', 'mysql-proxy': 'MySqlRemoteDatabase' },
  'sqlite-proxy': 'SqliteRemoteDatabase',
};

/**
 * Drizzle's name of the class of an object. Drizzle is not imported: it distinguishes its own classes by this name, so
 * two copies of it work together.
 */
function readKind(object: object): string {
  return String(Reflect.get(object.constructor, entityKind));
}

const entityKind = Symbol.for('drizzle:entityKind');

/** The columns of a table, by their names in TypeScript. */
function readColumns(table: object): readonly (readonly [string, Column])[] {
  return Object.entries(table).flatMap(([name, column]: [string, unknown]) =>
    isColumn(column) ? [[name, column] as const] : [],
  );
}

function isColumn(value: unknown): value is Column {
  return (
    typeof value === 'object' && value !== null && 'getSQL' in value && typeof value.getSQL === 'function'
  );
}

function columnFinder(table: object): (name: string) => Column {
  return (name) => {
    const column: unknown = Reflect.get(table, name);
    if (isColumn(column)) return column;
    if (name === 'xmin' && isPostgres(table)) return createXmin(table);
    throw new TypeError(
      `drizzleRows(): the table has no column ${JSON.stringify(name)}. ` +
        'Name it as the table does in TypeScript.',
    );
  };
}

/** The column `xmin` of PostgreSQL. No schema declares it, because drizzle-kit would create it. */
function createXmin(table: object): Column {
  const same = (value: unknown) => value;
  const sql = createSql(Object.values(table).find(isColumn), [new StringChunk('xmin')]);
  return Object.assign(sql, { name: 'xmin', mapFromDriverValue: same, mapToDriverValue: same });
}

function createSql(column: Column | undefined, chunks: readonly object[]): Expression & Column {
  const SQL = column?.getSQL().constructor as new (chunks: readonly object[]) => Expression & Column;
  return new SQL(chunks);
}

/** Whether the database always generates the column, and so refuses a write of it. */
function isGenerated({ generated, generatedIdentity }: Column): boolean {
  return (generated !== undefined && generated.type !== 'byDefault') || generatedIdentity?.type === 'always';
}

/**
 * A readable array of PostgreSQL. If the driver does not know its type, it returns text. Drizzle would lose
 * the backslashes in that text, and convert NULL like any other element.
 */
function readable(column: Column): object {
  const { baseColumn } = column;
  if (baseColumn === undefined || textElements.test(readKind(baseColumn))) return column;
  return column.getSQL().mapWith((value) => {
    if (!Array.isArray(value)) return value;
    return value.map((one) => (one === null ? null : baseColumn.mapFromDriverValue(one)));
  });
}

/** Elements that the driver returns as text and that Drizzle itself parses: none contains a backslash. */
const textElements = /^Pg(?:Timestamp|Date|Numeric)/;

/**
 * A condition such as `"slug" = $1 and "version" = $2`, with `IS NULL` for null. Values go through the codec
 * of their column.
 */
function condition(where: Row, findColumn: (name: string) => Column): object {
  const chunks = Object.entries(where).flatMap(([name, value], index) => {
    const column = findColumn(name);
    const compared =
      value === null ? [new StringChunk(' is null')] : [new StringChunk(' = '), new Param(value, column)];
    return [new StringChunk(index === 0 ? '' : ' and '), column, ...compared];
  });
  const [first = ''] = Object.keys(where);
  return createSql(findColumn(first), chunks);
}

function isPostgres(table: object): boolean {
  return readKind(table) === 'PgTable';
}

function isSqlite(table: object): boolean {
  return readKind(table) === 'SQLiteTable';
}

function isTransaction(db: object): boolean {
  return readKind(db).endsWith('Transaction');
}

/** The name of a table of MySQL; undefined for other databases. */
function readMysqlTable(table: object): { table: string; schema: string | undefined } | undefined {
  if (readKind(table) !== 'MySqlTable') return undefined;
  const [name, schema] = ['Name', 'Schema'].map((part): unknown =>
    Reflect.get(table, Symbol.for(`drizzle:${part}`)),
  );
  return { table: String(name), schema: typeof schema === 'string' ? schema : undefined };
}

/** Drizzle reads and writes dates in UTC, whatever the driver does. */
function createTimestampSource(db: object, table: object): TimestampSource | undefined {
  const name = readMysqlTable(table);
  if (name === undefined || !hasMethods(db, ['execute'])) return undefined;
  const execute = Reflect.get(db, 'execute') as (sql: object) => PromiseLike<unknown>;
  return {
    table: name,
    ask: async ({ text, values }) => {
      const result = await execute.call(db, createStatement(table, text, values));
      return Array.isArray(result) ? (result[0] as unknown) : result;
    },
    isUtc: true,
    fix: `Drizzle treats dates as UTC: set the session to UTC, by ${setSession}.`,
  };
}

/** A statement of Drizzle, from a text with a ? for each parameter. */
function createStatement(table: object, text: string, values: readonly unknown[]): object {
  const asItIs = { mapToDriverValue: (value: unknown) => value };
  const chunks = text
    .split('?')
    .flatMap((part, index) => [
      ...(index === 0 ? [] : [new Param(values[index - 1], asItIs)]),
      new StringChunk(part),
    ]);
  return createSql(Object.values(table).find(isColumn), chunks);
}

const turns = new WeakMap<object, Promise<unknown>>();

/**
 * Runs one transaction after the other. A connection of libSQL whose BEGIN has met another transaction cannot commit
 * until its statement is garbage collected, and SQLite has one writer anyway.
 */
function inTurn(db: object, act: () => Awaitable<unknown>): Promise<unknown> {
  const turn = (turns.get(db) ?? Promise.resolve()).then(act);
  turns.set(
    db,
    turn.catch(() => undefined),
  );
  return turn;
}

/** The number of rows that a driver has written. mysql2 returns its result in a list. */
function countRows(result: unknown): unknown {
  const header: unknown = Array.isArray(result) ? result[0] : result;
  const counts = ['rowCount', 'changes', 'rowsAffected', 'affectedRows', 'count'];
  return counts.map((name): unknown => Reflect.get(Object(header) as object, name)).find(isCount);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number';
}

/** The form in which Drizzle returns the dates of a column, or of the elements of an array. */
function findForm(column: Column): ColumnForm | undefined {
  const { baseColumn, dataType } = column;
  if (baseColumn !== undefined) return findForm(baseColumn);
  // Drizzle would pass a Date to mysql2, which would write its day in some time zone; it passes a text
  // unchanged.
  if (readKind(column) === 'MySqlDate') return 'iso';
  if (dataType === 'date') return 'Date';
  if (dataType === 'json') return 'iso';
  if (dataType === 'number' || dataType === 'bigint') return 'milliseconds';
  if (dataType !== 'string') return undefined;
  return readKind(column).startsWith('MySql') ? 'sql' : 'iso';
}

/** A column as the schema describes it. */
function toSchemaColumn(column: Column): SchemaColumn {
  const { baseColumn, notNull = false } = column;
  const element = baseColumn ?? column;
  const type = readKind(element);
  // The kind has no offset of a time.
  const hasOffset = type === 'PgTime' && element.withTimezone === true;
  const base = hasOffset ? undefined : drizzleKinds.get(type.replace(/^(?:Pg|MySql|SQLite)/, ''));
  const { enumValues } = element;
  return {
    type: `${type}${hasOffset ? ' with time zone' : ''}${baseColumn === undefined ? '' : '[]'}`,
    kind: base && toColumnKind(base, baseColumn !== undefined, !notNull),
    values:
      base === 'string' && Array.isArray(enumValues) && enumValues.length > 0
        ? enumValues.map(String)
        : undefined,
    readOnly: isSetBySchema(column),
    convertedBy: type.endsWith('CustomColumn') ? 'a custom type' : undefined,
  };
}

function isSetBySchema(column: Column): boolean {
  const { primary, autoIncrement, hasOnUpdateNow, generated, generatedIdentity, onUpdateFn } = column;
  const isCounted = primary === true || autoIncrement === true || hasOnUpdateNow === true;
  return isCounted || [generated, generatedIdentity, onUpdateFn].some((way) => way !== undefined);
}

/** The classes of Drizzle's columns, without the `Pg`, `MySql` or `SQLite` before each. */
const classesByKind: Readonly<Record<Kind, string>> = {
  string: 'Text|Varchar|VarChar|Char|EnumColumn|EnumObjectColumn|Inet|Cidr|Macaddr|Macaddr8',
  integer: 'Integer|Int|TinyInt|SmallInt|MediumInt|Serial|SmallSerial|BigInt53|BigSerial53|Year',
  bigint: 'BigInt64|BigSerial64|BigInt|NumericBigInt|DecimalBigInt',
  number: 'Real|DoublePrecision|Double|Float|NumericNumber|DecimalNumber',
  decimal: 'Numeric|Decimal',
  boolean: 'Boolean',
  date: 'Timestamp|TimestampString|DateTime|DateTimeString',
  day: 'Date|DateString',
  time: 'Time',
  uuid: 'UUID',
  json: 'Json|Jsonb|TextJson|BlobJson',
};

export const drizzleKinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(classesByKind).flatMap(([kind, names]) =>
    names.split('|').map((name) => [name, kind as Kind] as const),
  ),
);

class StringChunk {
  static readonly [entityKind] = 'StringChunk';
  readonly value: readonly string[];

  constructor(text: string) {
    this.value = [text];
  }
}

class Param {
  static readonly [entityKind] = 'Param';

  constructor(
    readonly value: unknown,
    readonly encoder: object,
  ) {}
}

interface Column {
  readonly name: string;
  readonly notNull?: boolean;
  readonly primary?: boolean;
  readonly autoIncrement?: boolean;
  readonly withTimezone?: boolean;
  readonly enumValues?: unknown;
  readonly onUpdateFn?: unknown;
  readonly hasOnUpdateNow?: boolean;
  /** The type of the elements of an array of PostgreSQL. */
  readonly baseColumn?: Column;
  readonly dataType?: unknown;
  /** Only in a generated column. */
  readonly generated?: { readonly type?: unknown } | undefined;
  /** Only in an identity column of PostgreSQL. */
  readonly generatedIdentity?: { readonly type?: unknown } | undefined;
  getSQL(): Expression;
  mapFromDriverValue(value: unknown): unknown;
}

interface Expression {
  mapWith(decoder: (value: unknown) => unknown): object;
}

interface Query extends PromiseLike<unknown> {
  from(table: object): Query;
  set(set: Row): Query;
  values(row: Row): Query;
  where(condition: object): Query;
  limit(rows: number): Query;
  for(strength: string): Query;
  returning(fields: object): Query;
  /** Only with a synchronous driver, as is `all`. */
  run?(): unknown;
  all?(): unknown;
}

interface Database {
  select(fields: object): Query;
  update(table: object): Query;
  insert(table: object): Query;
  delete(table: object): Query;
  transaction(act: (tx: Database) => unknown, config?: object): Awaitable<unknown>;
}

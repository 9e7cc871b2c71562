import { isObject } from '../../config/object';
import { expected, typed } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { GeneratedColumnError } from '../generated-column';
import { libraryRows, setSession, type TimestampSource } from '../library-rows';
import type { JsonOfRow } from '../json-of';
import { type Awaitable, type ColumnKinds, type OrmRows, type Row, type Rows, unchanged } from '../rows';
import { hasMethods } from './arguments';
import {
  columnFinder,
  readColumns,
  condition,
  createStatement,
  findForm,
  findWithoutTransactions,
  isGenerated,
  isPostgres,
  isSqlite,
  isTransaction,
  readMysqlTable,
  readable,
  toSchemaColumn,
} from './drizzle-columns';

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
 * Accesses a table through Drizzle, for `rowStore`. Columns have the names of the schema in TypeScript.
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
      reason: `is over ${String(driver)}, which has no transactions, so a row cannot be locked until it is written`,
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
  const database = db as unknown as Database;
  const findColumn = columnFinder(table);
  // Drizzle would leave out unknown columns, and generated ones of an INSERT.
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
    run(drizzleRows(tx, table), tx);
  const isSynchronous = Reflect.get(database, 'resultKind') === 'sync';
  const origin = {
    // A synchronous driver has one connection, which the app may have begun a transaction on.
    handle: isSynchronous ? undefined : database,
    joins: isJoined,
    fixMissing: 'The fromDriver of a customType must not return undefined.',
    timestamps: createTimestampSource(db, table),
  };
  const known = {
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
  if (isSynchronous) {
    // Its statements run when they are asked to, not when they are awaited.
    return libraryRows(origin, {
      find: (where, names) => select(where, names).all?.(),
      update: (where, set) => countRows(update(where, set).run?.()),
      insert: (row) => insert(row).run?.(),
      delete: (where) => countRows(remove(where).run?.()),
      transactionSync: (run) => {
        database.transaction(within(run), { behavior: 'immediate' });
      },
      ...known,
    });
  }
  const rows: OrmRows<never> = {
    find: (where, names, _casts, isLocked) =>
      isLocked === true && isMysql ? select(where, names).for('update') : select(where, names),
    update: async (where, set) => countRows(await update(where, set)),
    insert,
    delete: async (where) => countRows(await remove(where)),
    transaction: (run) =>
      database.transaction(
        within(run),
        isMysql && !isJoined ? { isolationLevel: 'read committed' } : undefined,
      ),
    ...known,
  };
  if (isSqlite(table)) {
    const { transaction } = rows;
    return libraryRows(origin, {
      ...rows,
      lock: () => 1,
      transaction: (run) => inTurn(database, () => transaction?.(run)),
    });
  }
  const lock = (where: Row) => select(where, Object.keys(where)).for(isMysql ? 'update' : 'no key update');
  if (isMysql) return libraryRows(origin, { ...rows, lock });
  return libraryRows(origin, {
    ...rows,
    lock,
    updateReturning: (where, set, names) => update(where, set).returning(toSelection(names)),
  });
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
    fix: `Drizzle takes dates for UTC: set the session to it, by ${setSession}.`,
  };
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

interface Query extends PromiseLike<unknown> {
  from(table: object): Query;
  set(set: Row): Query;
  values(row: Row): Query;
  where(condition: object): Query;
  limit(rows: number): Query;
  for(strength: string): Query;
  returning(fields: object): Query;
  /** Of a synchronous driver. */
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

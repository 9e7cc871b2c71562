import { retry } from '../../stores/contract/retry';
import { ConfigurationError } from '../../config/options-check';
import { shownValue } from '../../config/shown-value';
import { assertAutocommit } from './autocommit';
import { toPromiseClient } from './mysql-client';
import { onConnection } from './mysql-transaction';
import { assertNoTransaction, isBusy, isOpenTransaction } from '../../stores/sql/sqlite-handle';
import type { Columns } from '../columns/column-options';
import { type AnyRowStore, createLaterStore } from '../later-store';
import { libraryRows } from '../library-rows';
import { type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { Rows } from '../rows';
import { hasMethods } from '../orms/arguments';
import { isMysql, isPool, type MysqlConnection } from './mysql-connection';
import { mysqlRows } from './mysql-rows';
import { assertSession } from './mysql-session';
import { type TableName, TableStatements } from './statement';
import {
  createTimestampSource,
  isSqlite,
  type PostgresConnection,
  type SqliteConnection,
  type TableConnection,
  tableOrigin,
  tableRows,
} from './table-rows';

/** Options of `tableStore`: those of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns> = TableName &
  Omit<RowStoreOptions<C>, 'find' | 'update' | 'insert' | 'delete' | 'dialect' | 'transaction' | 'onWrite'>;

/**
 * Creates a store over a table of your app, through a driver: a `Pool` of pg or mysql2, better-sqlite3 or
 * node:sqlite. It is `rowStore` with its own SQL. Where the connection comes later than the handlers, or is
 * replaced, pass a function that returns it, `() => db`: mistakes that depend on it are then the error of the
 * first request.
 *
 * ```ts
 * const notes = tableStore(pool, {
 *   table: 'notes',
 *   columns: { title: 'string' },
 *   key: 'slug',
 *   version: 'version',
 * });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function tableStore<const C extends Columns, const O extends TableStoreOptions<C>>(
  db: TableConnection | (() => TableConnection),
  options: O & TableStoreOptions<C>,
): RowStore<C, O & { delete: () => unknown }> {
  const { table, schema, ...rest }: TableStoreOptions = options;
  if (typeof db === 'function') return createLaterStore(rest, storeOverPresent(db, options)) as never;
  const rows = tableRows(db, { table, schema });
  const timestamps = isMysql(db)
    ? createTimestampSource(toPromiseClient<MysqlConnection>(db), { table, schema })
    : undefined;
  const marked = libraryRows({ ...tableOrigin, timestamps }, over(db, rows, { table, schema }, rest.columns));
  return rowStore({ ...marked, ...rest }) as never;
}

/** Makes the function that returns the store over the present connection: one is made for each. */
function storeOverPresent(
  readConnection: () => TableConnection,
  options: TableStoreOptions,
): () => AnyRowStore {
  let present: { readonly db: TableConnection; readonly store: AnyRowStore } | undefined;
  return () => {
    const db = readConnection();
    if (present === undefined || present.db !== db)
      present = { db, store: tableStore(db, options) as unknown as AnyRowStore };
    return present.store;
  };
}

function over(
  db: TableConnection,
  rows: Required<Omit<Rows, 'columnNames'>>,
  name: TableName,
  columns: unknown,
): RowStoreTable {
  if (isSqlite(db)) return whenFree(db, rows);
  if (isMysql(db)) return onMysql(toPromiseClient<MysqlConnection>(db), name);
  if (!hasLists(columns)) return rows;
  if (!hasTransactions(db))
    throw oneConnection(db, 'pg', 'Pass new Pool(): a list is written in a transaction of its own.');
  return { ...rows, transaction: (run) => onPostgres(db, name, run) };
}

function oneConnection(db: TableConnection, driver: 'mysql2' | 'pg', fix: string): ConfigurationError {
  return new ConfigurationError('tableStore()', [
    {
      ...{ option: 'db', value: shownValue(db), code: 'store-client-unknown' },
      reason: `is one connection of ${driver}, on which your app may have a transaction open`,
      fix,
    },
  ]);
}

function hasLists(columns: unknown): boolean {
  const kinds = Object.values(Object(columns) as Columns).map((column) =>
    typeof column === 'object' ? column.kind : column,
  );
  return kinds.some((kind) => typeof kind === 'string' && kind.includes('[]'));
}

/**
 * A list of PostgreSQL is read back before the commit. PGlite has a method for that, and a Pool connections.
 */
async function onPostgres(
  db: PostgresTransactions,
  name: TableName,
  run: (rows: Rows, tx: unknown) => Promise<void>,
): Promise<void> {
  if (db.transaction !== undefined) {
    await db.transaction((tx) => run(tableRows(tx, name), tx));
    return;
  }
  const client = await db.connect();
  try {
    await client.query('BEGIN', []);
    await run(tableRows(client, name), client);
    await client.query('COMMIT', []);
    client.release();
  } catch (error) {
    // A connection whose transaction may still be open must not return to the pool.
    const isOver = await Promise.resolve(client.query('ROLLBACK', [])).then(
      () => true,
      () => false,
    );
    client.release(!isOver);
    throw error;
  }
}

/** A Client of pg has `connect` too, which cannot be called twice, and escapes literals, which a Pool does not. */
function hasTransactions(db: object): db is PostgresTransactions {
  return (
    hasMethods(db, ['transaction']) || (hasMethods(db, ['connect']) && !hasMethods(db, ['escapeLiteral']))
  );
}

interface PostgresTransactions {
  transaction?(act: (tx: PostgresConnection) => Promise<void>): Promise<unknown>;
  connect(): Promise<PostgresConnection & { release(destroy?: boolean): void }>;
}

/**
 * MySQL returns no row from a write, so each write is a transaction: no other write comes between it and
 * reading the row again.
 */
function onMysql(db: MysqlConnection, name: TableName): RowStoreTable {
  if (!isPool(db)) throw oneConnection(db, 'mysql2', 'Pass the pool, as createPool() returns it.');
  const statements = new TableStatements(name, 'mysql');
  const ready = () => assertSession(db);
  return {
    ...mysqlRows(db, statements, ready),
    transaction: async (run) => {
      await ready();
      await onConnection(db, async (connection) => {
        await connection.beginTransaction();
        await run(mysqlRows(connection, statements, known, isCommitted), connection);
        await connection.commit();
      });
    },
  };
}

/** @throws AutocommitError if the app's connections have autocommit off */
const isCommitted = (result: unknown) => {
  assertAutocommit(result, 'a transaction');
};

/** The pool has been asked about its sessions already. */
const known = () => Promise.resolve();

type RowStoreTable = Required<Omit<Rows, 'columnNames'>> & Pick<RowStoreOptions, 'transaction'>;

/**
 * A write inside a transaction that the app has open on the handle would be acknowledged, and then lost by
 * its ROLLBACK.
 */
function whenFree(
  db: SqliteConnection,
  rows: Required<Omit<Rows, 'columnNames'>>,
): Required<Omit<Rows, 'columnNames'>> {
  // rowStore repeats a write that finds the file locked.
  const wait = <R>(act: () => R, mayPass = isOpenTransaction) =>
    retry(() => {
      assertNoTransaction(db);
      return act();
    }, mayPass);
  return {
    find: (...args) => wait(() => rows.find(...args), isBusy),
    update: (...args) => wait(() => rows.update(...args)),
    insert: (...args) => wait(() => rows.insert(...args)),
    delete: (...args) => wait(() => rows.delete(...args)),
    dialect: rows.dialect,
    returning: rows.returning,
  };
}

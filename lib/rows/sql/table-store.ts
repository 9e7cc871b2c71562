import { retry } from '../../stores/contract/retry';
import { assertAutocommit } from '../../stores/sql/autocommit';
import { promised } from '../../stores/sql/mysql-client';
import { onConnection } from '../../stores/sql/mysql-transaction';
import { assertNoTransaction, isBusy, isOpenTransaction } from '../../stores/sql/sqlite-handle';
import type { Columns } from '../columns/column';
import { type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { Awaitable, Rows } from '../rows';
import { isMysql, isPool, type MysqlConnection } from './mysql-connection';
import { mysqlRows } from './mysql-rows';
import { assertSession } from './mysql-session';
import { type TableName, TableStatements } from './statement';
import { isSqlite, type SqliteConnection, type TableConnection, tableRows } from './table-rows';

/** Options of `tableStore`: those of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns> = TableName &
  Omit<RowStoreOptions<C>, 'find' | 'update' | 'insert' | 'delete' | 'dialect' | 'transaction' | 'onWrite'>;

/**
 * Creates a store over a table of your app, through a driver: a `Pool` of pg or mysql2, better-sqlite3 or
 * node:sqlite. It is `rowStore` with its own SQL.
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
  db: TableConnection,
  options: O & TableStoreOptions<C>,
): RowStore<C, O & { delete: () => unknown }> {
  const { table, schema, ...rest }: TableStoreOptions = options;
  const rows = tableRows(db, { table, schema });
  return rowStore({ ...over(db, rows, { table, schema }), ...rest }) as never;
}

function over(
  db: TableConnection,
  rows: Required<Omit<Rows, 'columnNames'>>,
  name: TableName,
): RowStoreTable {
  if (isSqlite(db)) return whenFree(db, rows);
  return isMysql(db) ? onMysql(promised<MysqlConnection>(db), name) : rows;
}

/**
 * A write returns no row there. Over a pool it is a transaction, so that no other write comes between it and
 * reading the row again.
 */
function onMysql(db: MysqlConnection, name: TableName): RowStoreTable {
  const statements = new TableStatements(name, 'mysql');
  const ready = () => assertSession(db);
  const rows = mysqlRows(db, statements, ready);
  if (!isPool(db)) return checked(rows, 'none');
  return {
    ...rows,
    transaction: async (run) => {
      await ready();
      await onConnection(db, async (connection) => {
        await connection.beginTransaction();
        await run(checked(mysqlRows(connection, statements, known), 'a transaction'), connection);
        await connection.commit();
      });
    },
  };
}

/** The session is that of the pool, which has been asked. */
const known = () => Promise.resolve();

type RowStoreTable = Required<Omit<Rows, 'columnNames'>> & Pick<RowStoreOptions, 'transaction'>;

/**
 * @throws AutocommitError if a write was left in an open transaction, because the app's connections have
 *   autocommit off
 */
function checked(
  rows: Required<Omit<Rows, 'columnNames'>>,
  within: 'a transaction' | 'none',
): Required<Omit<Rows, 'columnNames'>> {
  const check = async (writing: Awaitable<unknown>) => {
    const written = await writing;
    assertAutocommit(written, within);
    return written;
  };
  return {
    ...rows,
    update: (...args) => check(rows.update(...args)),
    insert: (...args) => check(rows.insert(...args)),
    delete: (...args) => check(rows.delete(...args)),
  };
}

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

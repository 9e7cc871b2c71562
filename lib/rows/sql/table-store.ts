import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { PatchRequest } from '../../http/middleware';
import { nameWithin } from '../../stores/sql/table';
import type { Columns, ValueOfColumn } from '../columns/column-options';
import { keepRows } from '../library-rows';
import { type Hides, type KeepsOutcomes, type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { BuilderRows, Rows } from '../rows';
import {
  isMysql,
  type MysqlCallbackConnection,
  type MysqlConnection,
  mysqlRows,
  toPromiseClient,
} from './mysql-rows';
import { isPostgres, type PostgresConnection, postgresRows } from './postgres-rows';
import { isSqlite, type SqliteConnection, sqliteRows } from './sqlite-rows';
import type { TableName } from './statement';

/** Options of `tableStore`: the options of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns, Tx = unknown> = TableName &
  Omit<RowStoreOptions<C, Tx>, keyof Rows>;

/**
 * Creates a store over a table of your app, through a driver: a `Pool` of pg or mysql2, PGlite,
 * better-sqlite3, libSQL or node:sqlite. It is `rowStore` with its own SQL. If the connection is created
 * after the handlers, is replaced, or depends on the request, pass a function that returns it,
 * `(req) => poolOf(req)`: mistakes that depend on it then become the error of the first request. `req` is
 * undefined if your app calls the store itself.
 *
 * ```ts
 * const notes = tableStore(pool, {
 *   table: 'notes',
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function tableStore<const C extends Columns, Tx, const O extends TableStoreOptions<C, Tx>>(
  db: TableConnection | ((req: PatchRequest | undefined) => TableConnection),
  options: O & TableStoreOptions<C, Tx>,
): RowStore<
  { -readonly [Member in keyof C]: ValueOfColumn<C[Member], Member, unknown> },
  'delete' | KeepsOutcomes<O> | Hides<C>
> {
  const { table, schema, ...rest }: TableStoreOptions = options as TableStoreOptions;
  if (typeof db !== 'function') return rowStore({ ...tableRows(db, { table, schema }), ...rest }) as never;
  const keptRows = keepRows((connection: TableConnection) => tableRows(connection, { table, schema }));
  return rowStore({ rows: (req: PatchRequest | undefined) => keptRows(db(req), table), ...rest }) as never;
}

/** A database connection or pool that `tableRows` accepts. */
export type TableConnection =
  | PostgresConnection
  | SqliteConnection
  | MysqlConnection
  | MysqlCallbackConnection;

/**
 * Accesses a table by SQL through a driver, for `rowStore`. Use it if `tableStore` is not enough, such as
 * together with a function of your own. Over a single connection of pg or mysql2, instead of a pool, a write
 * joins the transaction that your app has begun on it.
 *
 * @throws ConfigurationError
 */
export function tableRows(db: TableConnection, name: TableName): BuilderRows {
  const check = new OptionsCheck('tableRows()');
  const tableName = check.options(name, { table: required(nameWithin()), schema: nameWithin() });
  check.value(
    'db',
    db,
    expected(() => isSqlite(db) || isMysql(db) || isPostgres(db), {
      code: 'store-client-unknown',
      reason: 'is neither a Pool of pg or mysql2 nor a database of SQLite',
      fix: 'Pass new Pool() of pg, createPool() of mysql2, or a database of better-sqlite3 or node:sqlite.',
    }),
  );
  check.done();
  if (isSqlite(db)) return sqliteRows(db, tableName);
  return isMysql(db)
    ? mysqlRows(toPromiseClient<MysqlConnection>(db), tableName)
    : postgresRows(db, tableName);
}

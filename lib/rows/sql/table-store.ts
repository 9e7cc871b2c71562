import type { PatchRequest } from '../../http/middleware';
import type { Columns, ValueOfColumn } from '../columns/column-options';
import { type Hides, type KeepsOutcomes, type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { BuilderRows, Rows } from '../rows';
import type { TableName, Statement } from './statement';
import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { nameWithin } from '../../stores/sql/name';
import { libraryRows, type Origin, setPool } from '../library-rows';
import {
  toPromiseClient,
  findClient,
  isMysql,
  isPool,
  type MysqlCallbackConnection,
  type MysqlConnection,
  runMysql,
  mysqlRows,
} from './mysql-rows';
import { isPglite, isPostgres, isPostgresPool, type PostgresConnection, postgresRows } from './postgres-rows';
import { isSqlite, type SqliteConnection, sqliteRows } from './sqlite-rows';

/** Options of `tableStore`: those of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns, Tx = unknown> = TableName &
  Omit<RowStoreOptions<C, Tx>, keyof Rows>;

/**
 * Creates a store over a table of your app, through a driver: a `Pool` of pg or mysql2, PGlite, better-sqlite3,
 * libSQL or node:sqlite. It is `rowStore` with its own SQL. Where the connection comes later than the handlers, is
 * replaced, or depends on the request, pass a function that returns it, `(req) => poolOf(req)`: mistakes that
 * depend on it are then the error of the first request. `req` is undefined if your app calls the store itself.
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
  const known = new WeakMap<object, BuilderRows>();
  const findRows = (connection: TableConnection): BuilderRows => {
    const rows = known.get(connection) ?? tableRows(connection, { table, schema });
    known.set(connection, rows);
    return rows;
  };
  return rowStore({ rows: (req: PatchRequest | undefined) => findRows(db(req)), ...rest }) as never;
}

/** A database connection or pool that `tableRows` accepts. */
export type TableConnection =
  | PostgresConnection
  | SqliteConnection
  | MysqlConnection
  | MysqlCallbackConnection;

/**
 * Accesses a table through a driver, by SQL, for `rowStore`: where `tableStore` is not enough, such as beside a
 * function of your own. Over one connection of pg or mysql2, instead of a pool, a write joins the transaction that
 * your app has begun on it.
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
  const fixMissing =
    'Write the name in the letter case that the table has, and let the driver return rows as objects.';
  if (isSqlite(db)) return markRows({ handle: undefined, fixMissing }, sqliteRows(db, tableName));
  // A transaction is on a client of the pool. One connection is the same in it.
  if (!isMysql(db)) {
    const handle = isPostgresPool(db) ? db : undefined;
    return markRows(
      { handle, joins: !isPglite(db) && handle === undefined, fixMissing },
      postgresRows(db, tableName),
    );
  }
  const connection = toPromiseClient<MysqlConnection>(db);
  const handle = isPool(connection) ? findClient(connection) : undefined;
  const ask = (question: Statement) => runMysql(connection, question);
  const timestamps = { table: tableName, ask, fix: setPool };
  return markRows(
    { handle, joins: handle === undefined, fixMissing, timestamps },
    mysqlRows(connection, tableName),
  );
}

/** Marks those of a transaction, too. */
function markRows(origin: Origin, rows: BuilderRows): BuilderRows {
  const mark = (inside: Rows) => libraryRows({ ...origin, handle: undefined }, inside);
  const marked: { -readonly [Name in 'transaction' | 'transactionSync']?: Rows[Name] } = {};
  if (rows.transaction !== undefined)
    marked.transaction = (run) => rows.transaction?.((inside, tx) => run(mark(inside), tx));
  if (rows.transactionSync !== undefined)
    marked.transactionSync = (run) => {
      rows.transactionSync?.((inside, tx) => {
        run(mark(inside), tx);
      });
    };
  return libraryRows(origin, { ...rows, ...marked });
}

import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { nameWithin } from '../../stores/sql/name';
import { libraryRows, type Origin, setPool } from '../library-rows';
import type { BuilderRows, Rows } from '../rows';
import { toPromiseClient } from './mysql-client';
import {
  findClient,
  isMysql,
  isPool,
  type MysqlCallbackConnection,
  type MysqlConnection,
  runMysql,
} from './mysql-connection';
import { mysqlRows } from './mysql-rows';
import { isPglite, isPostgres, isPostgresPool, type PostgresConnection, postgresRows } from './postgres-rows';
import { isSqlite, type SqliteConnection, sqliteRows } from './sqlite-rows';
import type { Statement, TableName } from './statement';

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

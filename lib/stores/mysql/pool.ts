import { isMysql2 } from '../sql/mysql-client';
import type { ConnectionPool, TransactionConnection } from '../sql/mysql-transaction';

/** A column that mysql2 passes to `typeCast`. */
interface MysqlField {
  buffer(): Uint8Array | null;
}

/**
 * A prepared statement for mysql2: values are sent apart from the SQL, whatever a backslash means in the
 * sql_mode.
 */
export interface MysqlStatement {
  sql: string;
  values: (string | Buffer)[];
  rowsAsArray: boolean;
  nestTables: boolean;
  typeCast: (field: MysqlField) => string | null;
}

/** A connection of the pool, for a transaction. */
export interface MysqlPoolConnection extends TransactionConnection {
  execute(statement: MysqlStatement): PromiseLike<readonly [unknown, unknown]>;
}

/** The methods of a `Pool` of mysql2/promise that `MysqlStore` calls. */
export interface MysqlPool extends ConnectionPool<MysqlPoolConnection> {
  execute(statement: MysqlStatement): PromiseLike<readonly [unknown, unknown]>;
}

/** A `Pool` of mysql2 with callbacks, whose `promise()` returns one with promises. */
export interface MysqlCallbackPool {
  promise(): MysqlPool;
}

export function isMysqlPool(value: unknown): value is MysqlPool | MysqlCallbackPool {
  return isMysql2(value, ['execute', 'getConnection']);
}

/** Error numbers of the server, by what they mean here. */
const is =
  (...numbers: number[]) =>
  (error: unknown): boolean =>
    numbers.includes(Number((Object(error) as { errno?: unknown }).errno));

const isDuplicateEntry = is(1062);

/**
 * ER_DUP_ENTRY of the primary key; your app may have added other unique indexes. The index is what the
 * message quotes last, in whatever language, as `'PRIMARY'` or `'notes.PRIMARY'`.
 */
export function isDuplicate(error: unknown): boolean {
  const { message } = Object(error) as { message?: unknown };
  return isDuplicateEntry(error) && /['"`.]PRIMARY['"`][^'"`]*$/.test(String(message));
}

/** ER_NO_SUCH_TABLE, ER_BAD_DB_ERROR */
export const isMissingTable = is(1146, 1049);

/**
 * What concurrent calls of setup can get: another one is creating the table, the database or the foreign key.
 */
export const isSetupRace = is(1005, 1007, 1050, 1205, 1213, 1412, 1684);

/**
 * ER_LOCK_DEADLOCK, ER_CHECKREAD where innodb_snapshot_isolation is on,
 * ER_NEED_REPREPARE: nothing was written.
 */
export const isRolledBack = is(1213, 1020, 1615);

import { isObject } from '../../config/object';
import { isMysql2 } from './mysql-client';
import type { ConnectionPool, TransactionConnection } from './mysql-transaction';

/** A column that mysql2 passes to `typeCast`. */
interface MysqlField {
  readonly type: string;
  readonly extendedFormat?: string;
  string(encoding?: string): string | null;
}

/**
 * A prepared statement for mysql2: values are sent apart from the SQL, whatever a backslash means in the
 * sql_mode.
 */
interface MysqlStatement {
  sql: string;
  values: never[];
  rowsAsArray: boolean;
  nestTables: boolean;
  supportBigNumbers: boolean;
  typeCast: (field: MysqlField, next: () => unknown) => unknown;
}

/** A `Pool` of mysql2/promise, or one of its connections in a transaction. */
export interface MysqlConnection {
  execute(statement: MysqlStatement): PromiseLike<readonly [unknown, unknown]>;
}

/** A `Pool` or a connection of mysql2 with callbacks, whose `promise()` returns one with promises. */
export interface MysqlCallbackConnection {
  promise(): MysqlConnection;
}

export function isMysql(db: unknown): db is MysqlConnection | MysqlCallbackConnection {
  return isMysql2(db, ['execute', 'query']);
}

export function isPool(
  db: MysqlConnection,
): db is MysqlConnection & ConnectionPool<MysqlConnection & TransactionConnection> {
  return typeof Reflect.get(db, 'getConnection') === 'function';
}

/** The pool or connection itself, for which mysql2 makes a new object with promises each time. */
export function findClient(db: MysqlConnection): object {
  const clients = ['connection', 'pool'].map((name): unknown => Reflect.get(db, name));
  return clients.find(isObject) ?? db;
}

/**
 * Reads a column independently of the pool's configuration: exact numbers and JSON as text. The JSON of MySQL
 * is UTF-8, which mysql2 takes for bytes; that of MariaDB is text in the character set of the connection.
 * Dates are left to the pool, in whose time zone the app reads and writes them.
 */
export function readExactly(field: MysqlField, next: () => unknown): unknown {
  const isExact = field.type === 'NEWDECIMAL' || field.type === 'DECIMAL';
  const isJson = field.type === 'JSON' || field.extendedFormat === 'json';
  return isExact || isJson ? field.string(field.type === 'JSON' ? 'utf8' : undefined) : next();
}

/** The rows of a SELECT, or the result of a write. */
export async function runMysql(
  db: MysqlConnection,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<unknown> {
  try {
    const [result] = await db.execute({
      sql: text,
      values: [...values] as never[],
      ...shape,
      supportBigNumbers: true,
      typeCast: readExactly,
    });
    return result;
  } finally {
    closeOldest(db, text);
  }
}

/** The form of the rows, by which mysql2 also finds a prepared statement. */
const shape = { rowsAsArray: false, nestTables: false };

/**
 * How many statements stay prepared on a connection: one for each set of columns that are written together. A
 * server has room for 16,382 (max_prepared_stmt_count), of all its clients.
 */
const maxPrepared = 100;

const prepared = new WeakMap<object, Set<string>>();

/** Over a pool nothing is closed: only the few statements that read run there. */
function closeOldest(db: MysqlConnection, text: string): void {
  const unprepare: unknown = Reflect.get(db, 'unprepare');
  if (typeof unprepare !== 'function') return;
  const client = findClient(db);
  const texts = prepared.get(client) ?? new Set<string>();
  prepared.set(client, texts);
  texts.delete(text);
  texts.add(text);
  const [oldest] = texts;
  if (texts.size <= maxPrepared || oldest === undefined) return;
  texts.delete(oldest);
  Reflect.apply(unprepare, db, [{ sql: oldest, ...shape }]);
}

import { isObject } from '../../../configuration';

/** A column that mysql2 passes to `typeCast`. */
interface MysqlField {
  readonly type: string;
  readonly extendedFormat?: string;
  string(encoding?: string): string | null;
}

/** A prepared statement for mysql2: values are sent apart from the SQL, whatever a backslash means in the sql_mode. */
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

/** A `Pool` or a connection of mysql2 with callbacks, which gives one with promises by `promise()`. */
export interface MysqlCallbackConnection {
  promise(): MysqlConnection;
}

export function isMysql(db: unknown): db is MysqlConnection | MysqlCallbackConnection {
  return isObject(db) && ['execute', 'query'].every((name) => typeof Reflect.get(db, name) === 'function');
}

export function promiseOf(db: MysqlConnection | MysqlCallbackConnection): MysqlConnection {
  return 'promise' in db && typeof db.promise === 'function' ? db.promise() : (db as MysqlConnection);
}

/**
 * Reads a column independently of the pool's configuration: exact numbers and JSON as text. Dates are left to the pool, in whose time
 * zone the app reads and writes them.
 */
export function readExactly(field: MysqlField, next: () => unknown): unknown {
  const isExact = field.type === 'NEWDECIMAL' || field.type === 'DECIMAL';
  const isJson = field.type === 'JSON' || field.extendedFormat === 'json';
  return isExact || isJson ? field.string('utf8') : next();
}

/** The rows of a SELECT, or the result of a write. */
export async function runMysql(
  db: MysqlConnection,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<unknown> {
  const [result] = await db.execute({
    sql: text,
    values: [...values] as never[],
    rowsAsArray: false,
    nestTables: false,
    supportBigNumbers: true,
    typeCast: readExactly,
  });
  return result;
}

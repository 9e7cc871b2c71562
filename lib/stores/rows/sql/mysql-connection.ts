import { isObject } from '../../../configuration';

/** A column, as mysql2 gives it to `typeCast`. */
interface MysqlField {
  readonly type: string;
  readonly extendedFormat?: string;
  string(encoding?: string): string | null;
}

/** What mysql2 is asked to run, prepared: the server takes the values apart from the SQL, whatever sql_mode makes of a backslash. */
interface MysqlStatement {
  sql: string;
  values: never[];
  rowsAsArray: boolean;
  nestTables: boolean;
  supportBigNumbers: boolean;
  typeCast: (field: MysqlField, next: () => unknown) => unknown;
}

/** A `Pool` of mysql2/promise, or a connection of it in a transaction. */
export interface MysqlConnection {
  execute(statement: MysqlStatement): PromiseLike<readonly [unknown, unknown]>;
}

/** A `Pool` or a connection of mysql2 that takes callbacks: the other one is behind it. */
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
 * What a column holds, whatever the pool is configured to make of it: exact numbers as text, and JSON as text. Dates are left to
 * the pool, whose time zone the app reads and writes them in.
 */
export function readExactly(field: MysqlField, next: () => unknown): unknown {
  const isExact = field.type === 'NEWDECIMAL' || field.type === 'DECIMAL';
  const isJson = field.type === 'JSON' || field.extendedFormat === 'json';
  return isExact || isJson ? field.string('utf8') : next();
}

/** Rows of a SELECT, or what a write tells. */
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

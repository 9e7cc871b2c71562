import { isObject } from '../../config/object';
import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import { toPromiseClient } from './mysql-client';
import { nameWithin } from '../../stores/sql/name';
import { GeneratedColumnError } from '../generated-column';
import { libraryRows, setPool, type TimestampSource } from '../library-rows';
import type { Row, Rows } from '../rows';
import {
  findClient,
  isMysql,
  isPool,
  type MysqlCallbackConnection,
  type MysqlConnection,
  runMysql,
} from './mysql-connection';
import { mysqlRows } from './mysql-rows';
import { assertCharset } from './mysql-session';
import { conditionAfter } from '../condition-after';
import { readMeaning } from '../../stores/engine-error';
import { savepoint, within } from '../../stores/sql/sqlite-handle';
import { returning, type Statement, type TableName, TableStatements } from './statement';

/** A `Pool` of pg, one of its clients in a transaction, or a PGlite database. */
export interface PostgresConnection {
  /** `rowCount` (pg) or `affectedRows` (PGlite) is the number of rows that a write matched. */
  query(
    text: string,
    values: unknown[],
  ): PromiseLike<{ rows: unknown[]; rowCount?: number | null; affectedRows?: number }>;
}

/** An open database of `node:sqlite`, better-sqlite3 or a driver with the same interface. */
export interface SqliteConnection {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: never[]): unknown[]; run(...parameters: never[]): object };
}

/** A database connection or pool that `tableRows` accepts. */
export type TableConnection =
  | PostgresConnection
  | SqliteConnection
  | MysqlConnection
  | MysqlCallbackConnection;

/**
 * Accesses a table through a driver, by SQL, for `rowStore`: where `tableStore` is not enough, such as inside
 * a transaction.
 *
 * @throws ConfigurationError
 */
export function tableRows(db: TableConnection, name: TableName): Required<Omit<Rows, 'columnNames'>> {
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
  if (isSqlite(db)) return libraryRows(tableOrigin, sqliteRows(db, tableName));
  // A transaction is on a client of the pool. One connection is the same in it.
  if (!isMysql(db)) {
    const pool = 'totalCount' in db ? db : undefined;
    return libraryRows({ ...tableOrigin, handle: pool }, postgresRows(db, tableName));
  }
  const connection = toPromiseClient<MysqlConnection>(db);
  return libraryRows(
    {
      ...tableOrigin,
      handle: isPool(connection) ? findClient(connection) : undefined,
      timestamps: createTimestampSource(connection, tableName),
    },
    mysqlRows(connection, new TableStatements(tableName, 'mysql'), () => assertCharset(connection)),
  );
}

export const tableOrigin = {
  // docs/orms/sql.md has the function.
  transaction: '(run) => inTransaction((client) => run(tableRows(client, { table }), client))',
  handle: undefined,
  fixMissing:
    'Write the name in the letter case that the table has, and let the driver return rows as objects.',
};

export function createTimestampSource(db: MysqlConnection, table: TableName): TimestampSource {
  return {
    table,
    ask: (question) => runMysql(db, question),
    fix: setPool,
  };
}

export function isSqlite(db: unknown): db is SqliteConnection {
  const has = (name: string) => isObject(db) && typeof Reflect.get(db, name) === 'function';
  return has('prepare') && !(has('execute') && has('query'));
}

/** Those of other engines have a method query too, and those of MySQL escape names. */
function isPostgres(db: unknown): db is PostgresConnection {
  return (
    isObject(db) &&
    typeof Reflect.get(db, 'query') === 'function' &&
    Reflect.get(db, 'escapeId') === undefined
  );
}

function postgresRows(db: PostgresConnection, name: TableName): Required<Omit<Rows, 'columnNames'>> {
  const statements = new TableStatements(name, 'postgres');
  const run = async ({ text, values }: Statement) => db.query(text, [...values]);
  const write = async (statement: Statement): Promise<unknown> => {
    const { rows, rowCount, affectedRows } = await run(statement);
    return rows.length === 1 ? rows[0] : (rowCount ?? affectedRows);
  };
  return {
    find: async (where, columns, casts) => (await run(statements.select(where, columns, casts))).rows,
    update: (where, set, columns, casts) => write(returning(statements.update(where, set), columns, casts)),
    insert: (row, columns, casts) => write(returning(statements.insert(row), columns, casts)),
    delete: (where) => write(statements.delete(where)),
    dialect: 'postgres',
    returning: true,
  };
}

/** How many statements stay prepared: one for each set of columns that are written together. */
const maxPrepared = 100;

function sqliteRows(db: SqliteConnection, name: TableName): Required<Omit<Rows, 'columnNames'>> {
  const statements = new TableStatements(name, 'sqlite');
  const prepared = new Map<string, ReturnType<SqliteConnection['prepare']>>();
  const prepare = (text: string) => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = db.prepare(text);
    readBigInts(statement);
    if (prepared.size >= maxPrepared) prepared.clear();
    prepared.set(text, statement);
    return statement;
  };
  const all = ({ text, values }: Statement) => prepare(text).all(...(values.map(toParameter) as never[]));
  const run = ({ text, values }: Statement) => prepare(text).run(...(values.map(toParameter) as never[]));
  /**
   * The row as triggers have left it, which RETURNING does not see. Nothing is awaited, and in a savepoint no
   * other process comes between.
   */
  const write = (statement: Statement, after: Row, columns: readonly string[]): unknown =>
    within(db, savepoint, () => {
      const count = Number(Reflect.get(run(statement), 'changes'));
      const [row] = count === 1 && columns.length > 0 ? all(statements.select(after, columns)) : [];
      return row ?? count;
    });
  /** SQLite has no code of its own for a write of a generated column. */
  const refuseGenerated = (set: Row, send: () => unknown): unknown => {
    try {
      return send();
    } catch (error) {
      if (readMeaning(error) !== 'table') throw error;
      const { schema, table } = name;
      const parameters = schema === undefined ? [table] : [table, schema];
      const list = `SELECT name FROM pragma_table_xinfo(${parameters.map(() => '?').join()}) WHERE hidden > 1`;
      const generated = (all({ text: list, values: parameters }) as { name: string }[]).map(
        (row) => row.name,
      );
      const written = Object.keys(set).find((column) => generated.includes(column));
      throw written === undefined ? error : new GeneratedColumnError([written], [], error);
    }
  };
  return {
    find: (where, columns) => all(statements.select(where, columns)),
    update: (where, set, columns) =>
      refuseGenerated(set, () =>
        write(statements.update(where, set), conditionAfter(where, set, columns), columns),
      ),
    insert: (row, columns, _casts, where = row) =>
      refuseGenerated(row, () => write(statements.insert(row), where, columns)),
    delete: (where) => Number(Reflect.get(run(statements.delete(where)), 'changes')),
    dialect: 'sqlite',
    returning: true,
  };
}

/** Integers over 2^53 would be rounded by better-sqlite3, and make node:sqlite throw. */
function readBigInts(statement: object): void {
  for (const name of ['safeIntegers', 'setReadBigInts']) {
    const method: unknown = Reflect.get(statement, name);
    if (typeof method === 'function') Reflect.apply(method, statement, [true]);
  }
}

/** better-sqlite3 and node:sqlite accept neither booleans nor dates. */
function toParameter(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Date ? value.toISOString() : value;
}

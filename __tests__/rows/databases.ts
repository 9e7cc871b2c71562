import { createConnection, createPool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import type { Rows, TableConnection } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { describeMariadb, type SharedEngine, sharedMariadb, sharedPostgres } from '../support/engines';
import { type OpenSqlite, sqliteDrivers } from '../support/sqlite';

/** A database of its own, for one test file. */
export interface TestDatabase {
  readonly db: TableConnection;
  /** Runs any number of statements, and gives the rows of the last. */
  readonly sql: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  /** A connection of the app's own; of SQLite in memory, which has only one, the same. */
  readonly connect: () => Promise<AppConnection>;
  readonly close: () => Promise<void>;
}

/** A connection through which the app reads and writes by hand. */
export interface AppConnection {
  readonly sql: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
}

export interface TestEngine {
  readonly engine: string;
  readonly dialect: Dialect;
  readonly open: () => Promise<TestDatabase>;
  /** Where it may be missing: leaves the tests out, and says so. */
  readonly describe?: jest.Describe;
}

function sqlite(db: OpenSqlite): Promise<TestDatabase> {
  const sql = (text: string) => {
    const statements = text.split(/;\s*$/m).filter((statement) => statement.trim() !== '');
    const last = statements.pop() ?? '';
    db.exec(statements.join(';\n'));
    // PRAGMA foreign_keys = ON returns nothing.
    if (!/^\s*(?:select|pragma [^=]*$)/i.test(last)) {
      db.exec(last);
      return Promise.resolve([]);
    }
    return Promise.resolve(db.prepare(last).all() as Record<string, unknown>[]);
  };
  return Promise.resolve({
    db,
    sql,
    connect: () => Promise.resolve({ sql, close: () => Promise.resolve() }),
    close: () => {
      db.close();
      return Promise.resolve();
    },
  });
}

async function postgres(): Promise<TestDatabase> {
  const engine: SharedEngine = await sharedPostgres();
  const pool = new Pool({ connectionString: engine.urls[0], max: 10 });
  pool.on('error', () => undefined); // connections that are still being ended when the engine stops
  return {
    db: pool,
    sql: async (text) => lastRows(await pool.query(text)),
    connect: async () => {
      const client = new Client({ connectionString: engine.urls[0] });
      await client.connect();
      return { sql: async (text) => lastRows(await client.query(text)), close: () => client.end() };
    },
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

/** The rows of the last statement of several. */
function lastRows(results: unknown): Record<string, unknown>[] {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results;
  return (last as { rows: Record<string, unknown>[] }).rows;
}

/** A database whose collation folds case and accents, and a pool that leaves everything at its default. */
export async function mariadb(): Promise<TestDatabase> {
  const engine = await sharedMariadb();
  const [uri] = engine.urls;
  const admin = createPool({ uri, multipleStatements: true, connectionLimit: 1, timezone: 'Z' });
  await admin.query(`SET sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES'`);
  const pool = createPool({ uri, connectionLimit: 10 });
  return {
    db: pool,
    sql: async (text) => {
      const [results] = await admin.query(text);
      const last: unknown =
        Array.isArray(results) && Array.isArray(results.at(-1)) ? results.at(-1) : results;
      return Array.isArray(last) ? (last as Record<string, unknown>[]) : [];
    },
    connect: async () => {
      const connection = await createConnection({ uri, timezone: 'Z' });
      return {
        sql: async (text) => {
          const [results] = await connection.query(text);
          return Array.isArray(results) ? (results as Record<string, unknown>[]) : [];
        },
        close: () => connection.end(),
      };
    },
    close: async () => {
      await pool.end();
      await admin.end();
      await engine.close();
    },
  };
}

/**
 * Rows with functions of the app instead of those of the library.
 *
 * @param inside - what makes those of a transaction. Default: the same
 */
export function replaceFunctions<R extends Rows>(
  rows: R,
  outside: (rows: R) => R,
  inside: (rows: R) => R = outside,
): R {
  const { transaction, transactionSync } = rows;
  const replaced: { -readonly [Name in 'transaction' | 'transactionSync']?: Rows[Name] } = {};
  if (transaction !== undefined)
    replaced.transaction = (run) => transaction((those, tx) => run(inside(those as R), tx));
  if (transactionSync !== undefined)
    replaced.transactionSync = (run) => {
      transactionSync((those, tx) => {
        run(inside(those as R), tx);
      });
    };
  return { ...outside(rows), ...replaced };
}

export const testEngines: readonly TestEngine[] = [
  ...sqliteDrivers.map(({ driver, openFile }): TestEngine => {
    return { engine: driver, dialect: 'sqlite', open: () => sqlite(openFile(':memory:')) };
  }),
  { engine: 'PostgreSQL', dialect: 'postgres', open: postgres },
  { engine: 'MariaDB', dialect: 'mysql', open: mariadb, describe: describeMariadb },
];

/** `describe` for each of the engines, left out where one is missing. */
export function describeOver(
  engines: readonly TestEngine[],
  title: string,
  tests: (engine: TestEngine) => void,
): void {
  for (const engine of engines) {
    const block = engine.describe ?? describe;
    block(`${title} over ${engine.engine}`, () => {
      tests(engine);
    });
  }
}

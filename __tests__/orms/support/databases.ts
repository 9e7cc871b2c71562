import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { Pool } from 'pg';
import { describeMariadb, sharedMariadb, sharedPostgres } from '../../support/engines';
import { type DatabaseName, ddl } from './tables';

export type { DatabaseName };

export type Found = Readonly<Record<string, unknown>>;

/** A database with the tables of the schemas here, for one test file. */
export interface TestDatabase {
  /** For drivers: a URL of PostgreSQL or MariaDB, a path of SQLite. */
  readonly url: string;
  /** Runs statements past every ORM, and gives the rows of a single one. */
  readonly sql: (text: string) => Promise<readonly Found[]>;
  readonly close: () => Promise<void>;
}

export const databaseNames = ['PostgreSQL', 'MariaDB', 'SQLite'] as const satisfies readonly DatabaseName[];

/** `describe` for tests over a database, which leaves them out where it is missing and says so. */
export const describeOver: Readonly<Record<DatabaseName, jest.Describe>> = {
  PostgreSQL: describe,
  MariaDB: describeMariadb,
  // The ORMs need better-sqlite3, which is compiled on installation: `npm run better-sqlite3` does that, and runs these.
  SQLite: process.env['BETTER_SQLITE3'] === 'true' ? describe : describe.skip,
};

export function openDatabase(name: DatabaseName): Promise<TestDatabase> {
  return { PostgreSQL: openPostgres, MariaDB: openMariadb, SQLite: openSqlite }[name]();
}

function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-orms-'));
  const url = join(folder, 'notes.db');
  const db = new Database(url);
  db.pragma('journal_mode = WAL');
  db.exec(ddl.SQLite);
  return Promise.resolve({
    url,
    sql: (text) => {
      if (/^\s*select/i.test(text)) return Promise.resolve(db.prepare<[], Found>(text).all());
      db.exec(text);
      return Promise.resolve([]);
    },
    close: () => {
      db.close();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
}

/** Names the connections of the tests themselves in PostgreSQL. */
export const testsOwn = 'tests';

async function openPostgres(): Promise<TestDatabase> {
  const engine = await sharedPostgres();
  const [url] = engine.urls;
  const pool = new Pool({ connectionString: url, max: 2, application_name: testsOwn });
  await pool.query(ddl.PostgreSQL);
  return {
    url,
    sql: async (text) => (await pool.query<Found>(text)).rows,
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

async function openMariadb(): Promise<TestDatabase> {
  const engine = await sharedMariadb();
  const [url] = engine.urls;
  const pool = createPool({ uri: url, connectionLimit: 2, multipleStatements: true });
  await pool.query(ddl.MariaDB);
  return {
    url,
    sql: async (text) => (await pool.query<RowDataPacket[]>(text))[0],
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { retry } from '../../../lib/stores/contract/retry';
import { describeMariadb, type Engine, startMariadb, startPostgres } from '../../support/engines';
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
  SQLite: describe,
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

async function openPostgres(): Promise<TestDatabase> {
  const engine: Engine = await startPostgres();
  const name = `orms_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: engine.urls[0] });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(engine.urls[0]);
  url.pathname = name;
  const pool = new Pool({ connectionString: url.href, max: 2 });
  await pool.query(ddl.PostgreSQL);
  return {
    url: url.href,
    sql: async (text) => (await pool.query<Found>(text)).rows,
    close: async () => {
      await pool.end();
      // Connections of pools that have ended go on for a moment yet.
      await retry(
        () => admin.query(`DROP DATABASE ${name}`),
        () => true,
        10_000,
      );
      await admin.end();
      await engine.close();
    },
  };
}

async function openMariadb(): Promise<TestDatabase> {
  const engine: Engine = await startMariadb();
  const name = `orms_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(engine.urls[0]);
  const admin = createPool({ uri: url.href, connectionLimit: 1 });
  await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  url.pathname = name;
  const pool = createPool({ uri: url.href, connectionLimit: 2, multipleStatements: true });
  await pool.query(ddl.MariaDB);
  return {
    url: url.href,
    sql: async (text) => (await pool.query<RowDataPacket[]>(text))[0],
    close: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
      await engine.close();
    },
  };
}

import { DatabaseSync } from '@photostructure/sqlite';
import Database from 'better-sqlite3';
import { Pool } from 'pg';
import type { PostgresConnection, SqliteConnection } from '../../../lib/stores/rows';
import { type Engine, startPostgres } from '../../support/engines';

/** A database of its own, for one test file. */
export interface TestDatabase {
  readonly db: PostgresConnection | SqliteConnection;
  /** Runs any number of statements, and gives the rows of the last. */
  readonly sql: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly close: () => Promise<void>;
}

interface TestEngine {
  readonly engine: string;
  readonly dialect: 'postgres' | 'sqlite';
  readonly open: () => Promise<TestDatabase>;
}

function sqlite(db: InstanceType<typeof DatabaseSync> | Database.Database): Promise<TestDatabase> {
  const sql = (text: string) => {
    const statements = text.split(/;\s*$/m).filter((statement) => statement.trim() !== '');
    const last = statements.pop() ?? '';
    db.exec(statements.join(';\n'));
    if (!/^\s*(select|pragma)/i.test(last)) {
      db.exec(last);
      return Promise.resolve([]);
    }
    return Promise.resolve(db.prepare(last).all() as Record<string, unknown>[]);
  };
  return Promise.resolve({
    db,
    sql,
    close: () => {
      db.close();
      return Promise.resolve();
    },
  });
}

async function postgres(): Promise<TestDatabase> {
  const engine: Engine = await startPostgres();
  const pool = new Pool({ connectionString: engine.urls[0], max: 10 });
  pool.on('error', () => undefined); // connections that are still being ended when the engine stops
  return {
    db: pool,
    sql: async (text) => {
      const results: unknown = await pool.query(text);
      const last = Array.isArray(results) ? (results.at(-1) as { rows: [] }) : (results as { rows: [] });
      return last.rows;
    },
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

export const testEngines: readonly TestEngine[] = [
  { engine: 'node:sqlite', dialect: 'sqlite', open: () => sqlite(new DatabaseSync(':memory:')) },
  { engine: 'better-sqlite3', dialect: 'sqlite', open: () => sqlite(new Database(':memory:')) },
  { engine: 'PostgreSQL', dialect: 'postgres', open: postgres },
];

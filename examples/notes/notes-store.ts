import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresStore } from 'patch-options/postgres';
import { RedisStore } from 'patch-options/redis';
import { SqliteStore } from 'patch-options/sqlite';
import type { Note } from './note';
import type { Notes } from './notes-app';

/** Where the notes are stored. The store reads and writes one note by its key; the list is a query of the app itself. */
export interface OpenNotes {
  readonly notes: Notes;
  readonly list: () => Promise<readonly Note[]> | readonly Note[];
  readonly close: () => Promise<unknown>;
}

/**
 * PostgreSQL if DATABASE_URL is set, Redis if REDIS_URL is, or else an SQLite file in the folder `data`. Only the driver
 * that is needed is loaded: the package itself imports none.
 */
export function openNotes(env: NodeJS.ProcessEnv, data: string): Promise<OpenNotes> {
  if (env.DATABASE_URL !== undefined) return inPostgres(env.DATABASE_URL);
  if (env.REDIS_URL !== undefined) return inRedis(env.REDIS_URL);
  return inSqlite(data);
}

async function inSqlite(data: string): Promise<OpenNotes> {
  // Node 20 has no node:sqlite: this package has the same interface.
  const { DatabaseSync } = await import('node:sqlite').catch(() => import('@photostructure/sqlite'));
  mkdirSync(data, { recursive: true });
  const database = new DatabaseSync(join(data, 'notes.db'));
  // WAL: readers do not wait for the writer. FULL: acknowledged writes survive a power failure.
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const notes = new SqliteStore<Note>(database, { table: 'notes' });
  await notes.setup();
  const rows = database.prepare('SELECT value FROM notes ORDER BY key');
  return {
    notes,
    list: () => rows.all().map(parseNote),
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}

async function inPostgres(url: string): Promise<OpenNotes> {
  const { Pool } = await import('pg');
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  pool.on('error', logMessage);
  pool.on('connect', (connection) => connection.on('error', logMessage));
  const notes = new PostgresStore<Note>(pool, { table: 'notes' });
  await notes.setup();
  return {
    notes,
    list: async () => {
      const { rows } = await pool.query('SELECT value FROM notes ORDER BY key COLLATE "C"');
      return rows.map(parseNote);
    },
    close: () => pool.end(),
  };
}

async function inRedis(url: string): Promise<OpenNotes> {
  const { Redis } = await import('ioredis');
  // RedisStore refuses clients that resend a write after a broken connection: it may have been carried out already.
  const client = new Redis(url, {
    autoResendUnfulfilledCommands: false,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 1,
  });
  client.on('error', logMessage);
  return {
    notes: new RedisStore<Note>(client, { prefix: 'notes:', commandTimeout: 2_000 }),
    list: async () => {
      const keys: string[] = [];
      for await (const found of client.scanStream({ match: 'notes:*' })) keys.push(...(found as string[]));
      const values = await Promise.all([...new Set(keys)].sort().map((key) => client.hget(key, 'value')));
      return values.filter((value) => value !== null).map((value) => parseNote({ value }));
    },
    close: () => client.quit(),
  };
}

/** Logs the message only: an error of `pg` contains the client, and with it a secret. */
function logMessage({ message }: Error): void {
  console.error(message);
}

/** Every stored value has passed `noteErrors`, so it is a note. */
function parseNote(row: unknown): Note {
  return JSON.parse((row as { value: string }).value) as Note;
}

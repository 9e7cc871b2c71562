/** The database past the library and every ORM: what the app's own code writes, and what is there in the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool, type ResultSetHeader, type RowDataPacket } from 'mysql2/promise';
import { Pool } from 'pg';
import { type DatabaseName, ddl } from '../../orms/support/tables';
import { sharedMariadb, sharedPostgres } from '../../support/engines';
import { DatabaseSync } from '../../support/sqlite';
import type { AuditText, ShownNote } from './engine-path';
import type { Audit, NoteState } from './history';

type Row = Readonly<Record<string, unknown>>;

/** Sends one statement: the rows of a SELECT, the number of rows of a write. */
export type Send = (sql: string) => Promise<{ readonly rows: readonly Row[]; readonly count: number }>;

export interface PlainDatabase {
  readonly name: DatabaseName;
  readonly url: string;
  readonly send: Send;
  /** As an app does it, on a connection of its own, if there is one. */
  readonly transaction?: (act: (send: Send) => Promise<void>) => Promise<void>;
  /** The engine ends the connection that comes from this port. */
  readonly kill: (port: number) => Promise<unknown>;
  /** Resolves when no other connection has a transaction open. */
  readonly quiet: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const openPlain: Readonly<Record<DatabaseName, () => Promise<PlainDatabase>>> = {
  PostgreSQL: openPostgres,
  MariaDB: openMariadb,
  SQLite: openSqlite,
};

export const comments: Readonly<Record<DatabaseName, string>> = {
  PostgreSQL: 'CREATE TABLE comments (slug text NOT NULL REFERENCES notes (slug))',
  MariaDB: 'CREATE TABLE comments (slug varchar(255) NOT NULL, FOREIGN KEY (slug) REFERENCES notes (slug))',
  SQLite: 'CREATE TABLE comments (slug text NOT NULL REFERENCES notes (slug))',
};

async function until(isSo: () => Promise<boolean>, wait = 20): Promise<void> {
  for (let times = 0; times < 2; times += (await isSo()) ? 1 : -times)
    await new Promise((resolve) => setTimeout(resolve, wait));
}

async function openPostgres(): Promise<PlainDatabase> {
  const engine = await sharedPostgres();
  const [url] = engine.urls;
  const pool = new Pool({ connectionString: url, max: 20, application_name: 'the app' });
  pool.on('error', () => undefined);
  await pool.query(`${ddl.PostgreSQL}; ${comments.PostgreSQL}`);
  const over =
    (client: Pick<Pool, 'query'>): Send =>
    async (sql) => {
      const { rows, rowCount } = await client.query<Row>(sql);
      return { rows, count: rowCount ?? 0 };
    };
  const send = over(pool);
  return {
    ...{ name: 'PostgreSQL', url, send },
    transaction: async (act) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await act(over(client));
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    kill: (port) =>
      send(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = ${port}`),
    quiet: () =>
      until(async () => {
        const { rows } = await send(
          `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
             AND application_name <> 'the app'`,
        );
        return rows.length === 0;
      }),
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

async function openMariadb(): Promise<PlainDatabase> {
  const engine = await sharedMariadb();
  const [url] = engine.urls;
  const pool = createPool({ uri: url, connectionLimit: 20, multipleStatements: true });
  const own = new Set<number>();
  pool.pool.on('connection', ({ threadId }) => own.add(threadId));
  await pool.query(`${ddl.MariaDB} ${comments.MariaDB}`);
  const over =
    (client: Pick<typeof pool, 'query'>): Send =>
    async (sql) => {
      const [result] = await client.query<RowDataPacket[] | ResultSetHeader>(sql);
      return Array.isArray(result) ? { rows: result, count: 0 } : { rows: [], count: result.affectedRows };
    };
  const send = over(pool);
  return {
    ...{ name: 'MariaDB', url, send },
    transaction: async (act) => {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        await act(over(connection));
        await connection.commit();
      } catch (error) {
        await connection.rollback();
        throw error;
      } finally {
        connection.release();
      }
    },
    kill: async (port) => {
      const { rows } = await send(
        `SELECT id AS id FROM information_schema.processlist WHERE substring_index(host, ':', -1) = '${port}'`,
      );
      for (const { id } of rows) await send(`KILL ${String(id)}`).catch(() => undefined);
    },
    quiet: () =>
      until(async () => {
        const { rows } = await send(
          `SELECT id AS id FROM information_schema.processlist LEFT JOIN information_schema.innodb_trx
             ON trx_mysql_thread_id = id
           WHERE db = DATABASE() AND (command <> 'Sleep' OR trx_id IS NOT NULL)`,
        );
        return rows.every(({ id }) => own.has(Number(id)));
      }),
    close: async () => {
      await pool.end();
      await engine.close();
    },
  };
}

function openSqlite(): Promise<PlainDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-rows-'));
  const url = join(folder, 'notes.db');
  const open = () => {
    const db = new DatabaseSync(url);
    // It stops this process meanwhile, and not the others.
    db.exec('PRAGMA busy_timeout = 20000; PRAGMA foreign_keys = ON');
    return db;
  };
  const db = open();
  db.exec(`PRAGMA journal_mode = WAL; ${ddl.SQLite} ${comments.SQLite}`);
  const over =
    (client: ReturnType<typeof open>): Send =>
    (sql) => {
      if (/^\s*select/i.test(sql))
        return Promise.resolve({ rows: client.prepare(sql).all() as Row[], count: 0 });
      if (/^\s*(?:create|drop)/i.test(sql)) {
        client.exec(sql);
        return Promise.resolve({ rows: [], count: 0 });
      }
      return Promise.resolve({ rows: [], count: Number(client.prepare(sql).run().changes) });
    };
  return Promise.resolve({
    ...{ name: 'SQLite', url, send: over(db) },
    transaction: async (act) => {
      const own = open();
      try {
        own.exec('BEGIN IMMEDIATE');
        await act(over(own));
        own.exec('COMMIT');
      } finally {
        own.close();
      }
    },
    kill: () => Promise.resolve(),
    quiet: () => Promise.resolve(),
    close: () => {
      db.close();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
}

/** A database in the process that serves, which only that process can read. */
export function embeddedIn(post: (sql: string) => Promise<string>): PlainDatabase {
  return {
    ...{ name: 'PostgreSQL', url: '' },
    send: async (sql) => JSON.parse(await post(sql)) as Awaited<ReturnType<Send>>,
    ...{ kill: () => Promise.resolve(), quiet: () => Promise.resolve(), close: () => Promise.resolve() },
  };
}

export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** `before` is a reserved word of MariaDB. */
export const beforeColumn = (name: DatabaseName) => (name === 'MariaDB' ? '`before`' : 'before');

export async function insertNote({ send }: PlainDatabase, slug: string): Promise<NoteState> {
  await send(`INSERT INTO notes (slug, title, ratio, facts) VALUES (${quote(slug)}, 'a', 0, '{"marks":[]}')`);
  return { marks: [], count: 0, body: null };
}

const parse = (json: unknown): unknown => (typeof json === 'string' ? JSON.parse(json) : json);

export function toState({ facts, count, body }: ShownNote): NoteState {
  return { marks: facts.marks, count: count ?? 0, body };
}

export async function readRows(
  { send }: PlainDatabase,
  slugs: readonly string[],
): Promise<Map<string, NoteState>> {
  const { rows } = await send(
    `SELECT slug, facts, ratio, body FROM notes WHERE slug IN (${slugs.map(quote).join()})`,
  );
  return new Map(
    rows.map(({ slug, facts, ratio, body }) => [
      String(slug),
      toState({
        ...{ title: '', facts: parse(facts) as ShownNote['facts'] },
        count: Number(ratio),
        body: body as null,
      }),
    ]),
  );
}

/** The numbers of audits follow the commits of one row: each is taken while the row is locked. */
export async function readAudits({ send, name }: PlainDatabase, slugs: readonly string[]): Promise<Audit[]> {
  const { rows } = await send(
    `SELECT slug, ${beforeColumn(name)} AS earlier, after FROM audits
     WHERE slug IN (${slugs.map(quote).join()}) ORDER BY id`,
  );
  return rows.map(({ slug, earlier, after }) => {
    const before = parse(earlier) as ShownNote | null;
    const { mark, state } = parse(after) as AuditText;
    return {
      ...{ mark, slug: String(slug) },
      before: before === null ? undefined : toState(before),
      after: state === null ? undefined : toState(state),
    };
  });
}

/** Every byte of a row, and in PostgreSQL the transaction that has written it; undefined without a row. */
export async function readBytes(database: PlainDatabase, slug: string): Promise<string | undefined> {
  const { send, name } = database;
  const where = `FROM notes WHERE slug = ${quote(slug)}`;
  const columns = {
    PostgreSQL: () => Promise.resolve("concat_ws(' ', xmin, notes.*::text)"),
    MariaDB: async () => {
      const { rows } = await send(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = DATABASE() AND table_name = 'notes'`,
      );
      return `concat_ws(' ', ${rows.map(({ name: column }) => `ifnull(hex(\`${String(column)}\`), 'NULL')`).join()})`;
    },
    SQLite: async () => {
      const { rows } = await send(`SELECT name FROM pragma_table_info('notes')`);
      return rows.map(({ name: column }) => `quote("${String(column)}")`).join(" || ' ' || ");
    },
  };
  const { rows } = await send(`SELECT ${await columns[name]()} AS bytes ${where}`);
  return rows[0] && String(rows[0]['bytes']);
}

import { createPool, type Pool as MysqlPool, type PoolConnection, type RowDataPacket } from 'mysql2/promise';
import { type ClientBase, Pool } from 'pg';
import { tableRows } from '../../../lib/rows';
import { type OpenSqlite, sqliteDrivers } from '../../support/sqlite';
import type { AuditRow, EnginePath, OpenPath } from './engine-path';

const gone = (): never => {
  throw new Error('The note is gone.');
};

function openPg(url: string): OpenPath {
  const pool = new Pool({ connectionString: url, max: 10 });
  // Connections that the engine ends must not end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    rows: tableRows(pool, { table: 'notes' }),
    audit: (tx, { slug, before, after }) =>
      (tx as ClientBase).query('INSERT INTO audits (slug, before, after) VALUES ($1, $2, $3)', [
        ...[slug, before, after],
      ]),
    ownRead: async (slug) => {
      const { rows } = await pool.query<{ id: number }>('SELECT id FROM notes WHERE slug = $1', [slug]);
      return rows[0] ?? gone();
    },
    ownWrite: (id, { age }) => pool.query('UPDATE notes SET age = $1 WHERE id = $2', [age, id]),
    send: (tx, sql) => (tx as ClientBase).query(sql),
  };
}

function openMysql(url: string): OpenPath {
  const pool: MysqlPool = createPool({ uri: url, connectionLimit: 10 });
  return {
    rows: tableRows(pool, { table: 'notes' }),
    audit: (tx, { slug, before, after }) =>
      (tx as PoolConnection).execute('INSERT INTO audits (slug, `before`, after) VALUES (?, ?, ?)', [
        ...[slug, before, after],
      ]),
    ownRead: async (slug) => {
      const [rows] = await pool.execute<(RowDataPacket & { id: number })[]>(
        'SELECT id FROM notes WHERE slug = ?',
        [slug],
      );
      return rows[0] ?? gone();
    },
    ownWrite: (id, { age }) => pool.execute('UPDATE notes SET age = ? WHERE id = ?', [age, id]),
    send: (tx, sql) => (tx as PoolConnection).query(sql),
  };
}

function sqlitePath(driver: string, openFile: (file: string) => OpenSqlite): EnginePath {
  return {
    ...{ path: `tableStore over ${driver}`, database: 'SQLite', isSync: true, hasCounter: true },
    open: (url) => {
      const db = openFile(url);
      db.exec('PRAGMA busy_timeout = 0');
      const exec = db.exec.bind(db);
      let dying: string | undefined;
      const dieAt = (phase: string) => {
        if (dying === phase) process.kill(process.pid, 'SIGKILL');
      };
      db.exec = (sql: string) => {
        if (sql !== 'COMMIT') return exec(sql);
        dieAt('before COMMIT');
        exec(sql);
        return dieAt('COMMIT answered');
      };
      const run = (sql: string, ...values: readonly unknown[]) => db.prepare(sql).run(...(values as never[]));
      return {
        rows: tableRows(db, { table: 'notes' }),
        audit: (_tx, { slug, before, after }: AuditRow) => {
          run('INSERT INTO audits (slug, before, after) VALUES (?, ?, ?)', slug, before, after);
        },
        ownRead: (slug) => {
          const [row] = db.prepare('SELECT id FROM notes WHERE slug = ?').all(slug as never);
          return Promise.resolve((row as { id: number } | undefined) ?? gone());
        },
        ownWrite: (id, { age }) => Promise.resolve(run('UPDATE notes SET age = ? WHERE id = ?', age, id)),
        send: (_tx, sql) => db.exec(sql),
        dieAt: (phase) => (dying = phase),
      };
    },
  };
}

/** `tableStore` is `rowStore` over the rows of `tableRows`. */
export const tablePaths: readonly EnginePath[] = [
  { path: 'tableStore over pg', database: 'PostgreSQL', hasCounter: true, open: openPg },
  { path: 'tableStore over mysql2', database: 'MariaDB', hasCounter: true, open: openMysql },
  ...sqliteDrivers.map(({ driver, openFile }) => sqlitePath(driver, openFile)),
];

import Database from 'better-sqlite3';
import { eq, sql } from 'drizzle-orm';
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as overMariadb } from 'drizzle-orm/mysql2';
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { drizzleRows } from '../../../lib/rows';
import {
  mariadbAudits,
  mariadbNotes,
  postgresAudits,
  postgresNotes,
  sqliteAudits,
  sqliteNotes,
} from './drizzle-schema';
import { naming, type OrmUnderTest } from './orm';
import { surviving } from './surviving';

const gone = (): never => {
  throw new Error('The note is gone.');
};

function openMariadbDrizzle(url: string) {
  const pool = createPool({ uri: url, connectionLimit: 10, supportBigNumbers: true });
  return { pool, db: overMariadb(pool) };
}

export const drizzles: readonly OrmUnderTest[] = [
  {
    ...{ orm: 'Drizzle', database: 'PostgreSQL', names: naming.camelCase },
    open: (url) => {
      // Drizzle 0.45 never gives a connection back whose BEGIN has failed, and of those that are lost, the pool counts each.
      const pool = surviving(new Pool({ connectionString: url, max: 1_000 }));
      const db = overPostgres(pool);
      type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
      return {
        rows: drizzleRows(db, postgresNotes),
        ownTransaction: (run, isolationLevel = 'serializable') =>
          db.transaction((tx) => run(drizzleRows(tx, postgresNotes), tx), { isolationLevel }),
        audit: (tx, row) => (tx as Transaction).insert(postgresAudits).values(row),
        readAudits: (tx, slug) =>
          (tx as Transaction).select().from(postgresAudits).where(eq(postgresAudits.slug, slug)),
        ownRead: async (slug) => {
          const [note] = await db.select().from(postgresNotes).where(eq(postgresNotes.slug, slug));
          return note ?? gone();
        },
        ownWrite: (id, set) => db.update(postgresNotes).set(set).where(eq(postgresNotes.id, id)),
        ownIncrement: (slug) =>
          db
            .update(postgresNotes)
            .set({ age: sql`age + 1` })
            .where(eq(postgresNotes.slug, slug)),
        close: () => pool.end(),
      };
    },
  },
  {
    ...{ orm: 'Drizzle', database: 'MariaDB', names: naming.camelCase },
    open: (url) => {
      const { pool, db } = openMariadbDrizzle(url);
      type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];
      return {
        rows: drizzleRows(db, mariadbNotes),
        ownTransaction: (run, isolationLevel = 'serializable') =>
          db.transaction((tx) => run(drizzleRows(tx, mariadbNotes), tx), { isolationLevel }),
        audit: (tx, row) => (tx as Transaction).insert(mariadbAudits).values(row),
        readAudits: (tx, slug) =>
          (tx as Transaction).select().from(mariadbAudits).where(eq(mariadbAudits.slug, slug)),
        ownRead: async (slug) => {
          const [note] = await db.select().from(mariadbNotes).where(eq(mariadbNotes.slug, slug));
          return note ?? gone();
        },
        ownWrite: (id, set) => db.update(mariadbNotes).set(set).where(eq(mariadbNotes.id, id)),
        ownIncrement: (slug) =>
          db
            .update(mariadbNotes)
            .set({ age: sql`age + 1` })
            .where(eq(mariadbNotes.slug, slug)),
        close: () => pool.end(),
      };
    },
  },
  {
    ...{ orm: 'Drizzle', database: 'SQLite', names: naming.camelCase },
    open: (url) => {
      const client = new Database(url);
      const db = overSqlite(client);
      return {
        rows: drizzleRows(db, sqliteNotes),
        audit: (tx, row) => (tx as typeof db).insert(sqliteAudits).values(row).run(),
        readAudits: (tx, slug) =>
          (tx as typeof db).select().from(sqliteAudits).where(eq(sqliteAudits.slug, slug)),
        ownRead: async (slug) => {
          const [note] = await db.select().from(sqliteNotes).where(eq(sqliteNotes.slug, slug));
          return note ?? gone();
        },
        ownWrite: async (id, set) => db.update(sqliteNotes).set(set).where(eq(sqliteNotes.id, id)),
        ownIncrement: (slug) =>
          db
            .update(sqliteNotes)
            .set({ age: sql`age + 1` })
            .where(eq(sqliteNotes.slug, slug))
            .run(),
        close: () => {
          client.close();
          return Promise.resolve();
        },
      };
    },
  },
];

/** The data layer that the app already had: Drizzle over libSQL. Each update increments the revision. */
import { createClient } from '@libsql/client';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const articles = sqliteTable('articles', {
  id: integer().primaryKey({ autoIncrement: true }),
  slug: text().notNull().unique(),
  title: text().notNull(),
  body: text().notNull(),
  revision: integer()
    .notNull()
    .default(1)
    .$onUpdate((): SQL => sql`${articles.revision} + 1`),
});

const client = createClient({ url: ':memory:' });

export const db = drizzle(client);

/** Resolves when the table exists. */
export const migrated = client.execute(`CREATE TABLE articles (
  id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, body TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1)`);

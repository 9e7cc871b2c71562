/** The data layer that the app already had: Drizzle over SQLite. Each update increments the revision. */
import Database from 'better-sqlite3';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
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

export const db = drizzle(new Database(':memory:'));

db.run(sql`CREATE TABLE articles (
  id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, body TEXT NOT NULL, revision INTEGER NOT NULL DEFAULT 1)`);

/** The data layer that the app already had: Drizzle over libSQL. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const articles = sqliteTable('articles', {
  id: integer().primaryKey({ autoIncrement: true }),
  slug: text().notNull().unique(),
  title: text().notNull(),
  body: text().notNull(),
});

const folder = mkdtempSync(join(tmpdir(), 'articles-'));
const client = createClient({ url: `file:${join(folder, 'articles.db')}` });

export const db = drizzle(client);

/** Resolves when the table exists. */
export const migrated = client.execute(`CREATE TABLE articles (
  id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL, body TEXT NOT NULL)`);

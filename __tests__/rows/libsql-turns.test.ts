/**
 * Writes through Drizzle over libSQL take turns: a connection whose BEGIN has met another transaction could not commit any more
 * ("SQL statements in progress"), and other writes found the file locked.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { drizzleRows, rowStore } from '../../lib/rows';

test('of writes at once, none meets the transaction of another', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-turns-'));
  const client = createClient({ url: `file:${join(folder, 'notes.db')}` });
  await client.execute('CREATE TABLE notes (slug text PRIMARY KEY, title text NOT NULL)');
  const begin = client.transaction.bind(client);
  const failed: unknown[] = [];
  client.transaction = (mode?: 'write') =>
    begin(mode ?? 'write').catch((error: unknown) => {
      failed.push(error);
      throw error;
    });
  const notes = sqliteTable('notes', { slug: text().primaryKey(), title: text().notNull() });
  const columns = { title: 'string' } as const;
  const store = rowStore({ ...drizzleRows(drizzle(client), notes), columns, key: 'slug' });
  const slugs = Array.from({ length: 10 }, (_, index) => `note-${index}`);
  const written = await Promise.all(slugs.map((slug) => store.replace(slug, null, { title: slug })));
  expect(written.map((state) => state !== undefined && 'value' in state && state.value.title)).toEqual(slugs);
  expect(failed).toEqual([]);
  client.close();
  rmSync(folder, { recursive: true });
});

/** A column that the database generates, which neither the options nor the schema of the ORM say. */
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { drizzleRows, rowStore } from '../../lib/rows';
import { describeEachOrm } from './support/each-orm';

describeEachOrm(
  (opened) => {
    beforeAll(async () => {
      const { sql } = opened();
      await sql('ALTER TABLE notes DROP COLUMN age');
      await sql('ALTER TABLE notes ADD COLUMN age integer GENERATED ALWAYS AS (length(title)) STORED');
    });

    test.each([
      { what: 'a change', key: 'a', expected: '' },
      { what: 'a creation', key: 'new', expected: null },
    ])('is named with the remedy, and nothing is written: $what', async ({ key, expected }) => {
      const { rows, sql } = opened();
      await sql('DELETE FROM notes');
      await sql(`INSERT INTO notes (slug, title) VALUES ('a', 'milk')`);
      const columns = { title: 'string', age: 'integer?' } as const;
      const store = rowStore({ ...rows, columns, key: 'slug' });
      const current = await store.get('a');
      expect(current?.value).toEqual({ title: 'milk', age: 4 });
      await expect(
        store.replace(key, expected, { title: 'milk', age: 7 }, { current: current as never }),
      ).rejects.toMatchObject({
        code: 'PATCH_OPTIONS_GENERATED_COLUMN',
        message: expect.stringContaining('age') as unknown,
      });
      expect(await sql('SELECT slug, age FROM notes')).toEqual([{ slug: 'a', age: 4 }]);
    });
  },
  ['PostgreSQL', 'MariaDB'],
);

test.each([
  { what: 'a generated column', total: integer().generatedAlwaysAs(drizzleSql`a * 2`), isRefused: true },
  { what: 'an identity', total: integer().generatedAlwaysAsIdentity(), isRefused: true },
  { what: 'an identity by default', total: integer().generatedByDefaultAsIdentity(), isRefused: false },
])(
  'Drizzle, which leaves it out of an INSERT, is asked for its schema: $what',
  async ({ total, isRefused }) => {
    const table = pgTable('sums', { slug: text().primaryKey(), a: integer(), total });
    // Nothing listens there: what is refused is not sent.
    const db = drizzle('postgres://127.0.0.1:1/none');
    const { insert } = drizzleRows(db, table);
    const writing = Promise.resolve().then(() => insert({ slug: 'new', a: 1, total: 9 }));
    await expect(writing).rejects.toMatchObject(
      isRefused
        ? {
            code: 'PATCH_OPTIONS_GENERATED_COLUMN',
            message: expect.stringContaining('the column total,') as unknown,
          }
        : { cause: expect.anything() as unknown },
    );
  },
);

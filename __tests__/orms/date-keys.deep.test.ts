/** A day in a key of several columns: each ORM finds the row, listed or not, or says what the key must be. */
import { randomUUID } from 'node:crypto';
import { rowStore, type RowStoreOptions, type Rows } from '../../lib/rows';
import { describeEachOrm } from './support/each-orm';
import { write } from './support/written';

const parts = (key: string) => key.split('/') as [string, string];
const listed = { title: 'string', day: { kind: 'day', readOnly: true } } as const;
const unlisted = { title: 'string' } as const;

const ways: readonly { way: string; key: RowStoreOptions['key']; columns: RowStoreOptions['columns'] }[] = [
  { way: 'names, listed', key: ['slug', 'day'], columns: listed },
  { way: 'names, not listed', key: ['slug', 'day'], columns: unlisted },
  { way: 'text, listed', key: (key) => ({ slug: parts(key)[0], day: parts(key)[1] }), columns: listed },
  { way: 'text, not listed', key: (key) => ({ slug: parts(key)[0], day: parts(key)[1] }), columns: unlisted },
  {
    way: 'a Date, listed',
    key: (key) => ({ slug: parts(key)[0], day: new Date(parts(key)[1]) }),
    columns: listed,
  },
  {
    way: 'a Date, not listed',
    key: (key) => ({ slug: parts(key)[0], day: new Date(parts(key)[1]) }),
    columns: unlisted,
  },
];

describeEachOrm((opened, { orm, database }) => {
  /** Over a driver, SQLite has no type for a day. */
  const needsForm = database === 'SQLite' && ['Knex', 'Kysely'].includes(orm);
  const asListed = { ...listed, day: { ...listed.day, ...(needsForm && { storedAs: 'iso' as const }) } };

  test.each(ways)('$way', async ({ way, key, columns }) => {
    const { rows, sql } = opened();
    const slug = randomUUID();
    // SQLite compares text: Prisma finds only dates that are spelled as it writes them.
    const day = orm === 'Prisma' && database === 'SQLite' ? '2026-11-22T00:00:00.000+00:00' : '2026-11-22';
    await sql(`INSERT INTO notes (slug, title, day) VALUES ('${slug}', 'found', '${day}')`);
    const declared = { columns: columns === listed ? asListed : columns, key };
    const store = rowStore({ ...(rows as Rows & Required<Pick<Rows, 'delete'>>), ...declared });
    const keyOf = (day: string) => `${slug}/${day}`;
    const isDate = way.startsWith('a Date');
    if (isDate && orm !== 'Prisma') {
      const error = /^The option key returned a Date for the column day, .*Return text/;
      await expect(store.get(keyOf('2026-11-22'))).rejects.toThrow(error);
      await expect(store.delete(keyOf('2026-11-22'))).rejects.toThrow(error);
      return;
    }
    const stored = await store.get(keyOf('2026-11-22'));
    expect(stored?.value['title']).toBe('found');
    for (const other of [
      '2026-11-21',
      '2026-11-23',
      'x',
      ...(isDate ? [] : ['20261122', '2026-11-22T00:00:00Z']),
    ])
      expect(await store.get(keyOf(other))).toBeUndefined();
    const changed = await write(store, keyOf('2026-11-22'), stored, { ...stored?.value, title: 'changed' });
    expect(changed.value['title']).toBe('changed');
    expect(await store.delete(keyOf('2026-11-22'))).toBe(true);
    expect(await sql(`SELECT * FROM notes WHERE slug = '${slug}'`)).toEqual([]);
  });
});

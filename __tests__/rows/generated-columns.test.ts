/** Columns that the database generates, and that the options do not declare as read-only. */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { tableStore } from '../../lib/rows';
import { openPostgresPool } from '../support/engines';
import { change, create, stateOf } from '../support/written';
import { describeOver, type TestDatabase, testEngines } from './databases';

describeOver(testEngines, 'a generated column', ({ dialect, open }) => {
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `sums_${randomUUID().slice(0, 8)}`;
    await database.sql(`CREATE TABLE ${table} (slug varchar(20) PRIMARY KEY, a integer, b integer,
      total integer GENERATED ALWAYS AS (a + b) STORED)`);
    await database.sql(`INSERT INTO ${table} (slug, a, b) VALUES ('x', 1, 2)`);
  });
  const options = { key: 'slug' } as const;
  const columns = { a: 'integer?', b: 'integer?', total: 'integer?' } as const;
  // SQLite has no code for it, and names the column itself: it is looked for in the schema.
  const [alone, among] =
    dialect === 'sqlite'
      ? ['the column total,', 'the column total,']
      : ['the column total,', 'one of the columns a, total,'];

  test.each([
    { what: 'a change of it', key: 'x', next: { a: 1, b: 2, total: 9 }, named: alone, more: '' },
    { what: 'a change of others too', key: 'x', next: { a: 5, b: 2, total: 9 }, named: among, more: '' },
    {
      what: 'a creation',
      key: 'new',
      next: { a: 1, b: 2, total: 9 },
      named: dialect === 'sqlite' ? alone : 'one of the columns a, b, total, slug,',
      more: dialect === 'sqlite' ? '' : ' If it is the key column slug, set insert: undefined.',
    },
  ])('is named with the remedy, and nothing is written: $what', async ({ key, next, named, more }) => {
    const store = tableStore(database.db, { table, ...options, columns });
    const writing = key === 'x' ? change(store, key, next) : create(store, key, next);
    await expect(writing).rejects.toMatchObject({
      name: 'GeneratedColumnError',
      code: 'PATCH_OPTIONS_GENERATED_COLUMN',
      message: expect.stringMatching(new RegExp(`^The database generates ${named}`)) as unknown,
      cause: expect.anything() as unknown,
    });
    await expect(writing).rejects.toThrow(`Declare it as { kind, readOnly: true }.${more}`);
    const rows = await database.sql(`SELECT slug, a, b, total FROM ${table}`);
    expect(rows.map((row) => ({ ...row }))).toEqual([{ slug: 'x', a: 1, b: 2, total: 3 }]);
  });

  test('that is read-only is shown, and follows what is written', async () => {
    const store = tableStore(database.db, {
      ...{ table, ...options },
      columns: { ...columns, total: { kind: 'integer?', readOnly: true } },
    });
    expect((await change(store, 'x', { a: 5, b: 2, total: 3 })).value).toEqual({
      ...{ a: 5, b: 2, total: 7 },
    });
    expect((await create(store, 'new', { a: 1, b: 1, total: null })).value.total).toBe(2);
  });

  test('another refusal stays what it was', async () => {
    const store = tableStore(database.db, { table, ...options, columns });
    await database.sql(`ALTER TABLE ${table} ADD COLUMN must integer NOT NULL DEFAULT 0`);
    const must = tableStore(database.db, { table, ...options, columns: { must: 'integer' } });
    await expect(change(must, 'x', { must: null as never })).rejects.toMatchObject({ status: 422 });
    expect((await store.get('x'))?.value.total).toBe(3);
  });
});

describe('PostgreSQL', () => {
  let pool: Pool;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ pool, close } = await openPostgresPool());
    await pool.query(`CREATE TABLE parts (slug text PRIMARY KEY, a integer) PARTITION BY HASH (slug);
      CREATE TABLE part PARTITION OF parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
      CREATE TABLE ids (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, a integer);
      INSERT INTO parts VALUES ('x', 1)`);
  });
  afterAll(() => close());

  test.each([
    { what: 'its content', options: {} },
    { what: 'xmin', options: { version: 'xmin' } as const },
  ])(
    'a row of a partitioned table, whose state is $what, is changed, created and deleted',
    async ({ options }) => {
      const store = tableStore(pool, { table: 'parts', columns: { a: 'integer' }, key: 'slug', ...options });
      await create(store, 'new', { a: 1 });
      expect((await change(store, 'new', { a: 2 })).value).toEqual({ a: 2 });
      expect(await store.get('new')).toMatchObject({ value: { a: 2 } });
      const current = await stateOf(store, 'new');
      expect(await store.delete('new', current.version ?? '', { current })).toBe(true);
      expect(await store.get('new')).toBeUndefined();
    },
  );

  test('an identity that is the key is named when a row is created', async () => {
    const store = tableStore(pool, {
      table: 'ids',
      columns: { a: 'integer' },
      key: 'id',
    });
    await expect(store.replace('7', null, { a: 1 })).rejects.toThrow(
      'The database generates one of the columns a, id, and refuses a write of it; its name is in the cause. ' +
        'Declare it as { kind, readOnly: true }. If it is the key column id, set insert: undefined.',
    );
  });
});

/** Values that an engine, or its driver, gives back in another form than the one in which they were sent. */
import { randomUUID } from 'node:crypto';
import { types } from 'pg';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import type { PostgresConnection } from '../../lib/rows/sql/table-rows';
import { describeOver, type TestDatabase, testEngines } from './databases';

interface Form {
  readonly kind: 'decimal' | 'string' | 'decimal[]' | 'bigint[]' | 'string[]' | 'bigint';
  readonly column: string;
  readonly values: readonly unknown[];
  /** What is read, where it is not what was sent. */
  readonly read?: readonly unknown[];
}

const tiny = '0.0000001';
const big = '1000000000000000000000';

const forms: Readonly<Record<'sqlite' | 'postgres' | 'mysql', readonly Form[]>> = {
  sqlite: [
    { kind: 'decimal', column: 'decimal', values: ['-1.5', '0.1'] },
    { kind: 'decimal', column: 'real', values: ['0.30000000000000004'] },
    { kind: 'decimal', column: 'integer', values: ['12.50'], read: ['12.5'] },
    { kind: 'decimal', column: 'text', values: [tiny, '12345678901234567890.10'] },
    {
      kind: 'string',
      column: 'STRING',
      values: ['a', '007', '1e3', '5', '-1.50'],
      read: ['a', '7', '1000', '5', '-1.5'],
    },
    { kind: 'string', column: 'datetime', values: ['2026'] },
  ],
  postgres: [
    { kind: 'decimal', column: 'numeric', values: [tiny, big, '12345678901234567890.10'] },
    { kind: 'decimal[]', column: 'numeric[]', values: [[tiny, big, '12345678901234567890.10', '1.10'], []] },
    { kind: 'bigint', column: 'bigint', values: ['9223372036854775807'] },
    { kind: 'bigint[]', column: 'numeric[]', values: [['9223372036854775807', '-1']] },
    { kind: 'string[]', column: 'state[]', values: [['paid', 'a "draft"', '\u00a0'], []] },
    {
      kind: 'string[]',
      column: 'citext[]',
      values: [['A', 'a,b', '', 'NULL', ' ', '\\"', '\u00a0', '\ufeff\u3000'], []],
    },
    { kind: 'string[]', column: 'name[]', values: [['a b']] },
  ],
  mysql: [
    { kind: 'decimal', column: 'decimal(65, 20)', values: ['12345678901234567890.12345678901234567890'] },
  ],
};

/** What cannot be read as it is stored: refused, and the row is as it was. */
const unreadable = {
  sqlite: { kind: 'decimal', column: 'decimal', value: '9'.repeat(400) },
  postgres: { kind: 'string', column: 'timestamptz', value: 'tomorrow' },
  mysql: { kind: 'decimal', column: 'double', value: '0.12345678901234567' },
} as const;

describeOver(testEngines, 'tableStore', ({ dialect, open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    if (dialect !== 'postgres') return;
    await database.sql(
      `CREATE EXTENSION IF NOT EXISTS citext; DROP TYPE IF EXISTS state; CREATE TYPE state AS ENUM ('paid', 'a "draft"', '\u00a0')`,
    );
  });
  afterAll(() => database.close());

  /** Its member `a` is the column of that type. */
  const tableOf = async (column: string) => {
    const table = `forms_${randomUUID().slice(0, 8)}`;
    const key = dialect === 'mysql' ? 'varchar(40)' : 'text';
    await database.sql(
      `CREATE TABLE ${table} (slug ${key} PRIMARY KEY, title ${key}, a ${column}, version ${key})`,
    );
    return table;
  };
  const declared = (kind: Form['kind']) =>
    ({ columns: { title: 'string?', a: `${kind}?` }, key: 'slug' }) as const;

  test.each(forms[dialect])(
    '$kind over $column: $values',
    async ({ kind, column, values, read = values }) => {
      const store = tableStore(database.db, { table: await tableOf(column), ...declared(kind) });
      let version = (await store.replace('k', null, { title: null, a: null }))?.version ?? '';
      for (const [i, a] of values.entries()) {
        const made = await store.replace(`k${i}`, null, { title: 'x', a: a as never });
        expect(made?.value.a).toEqual(read[i]);
        const written = await store.replace('k', version, { title: 'x', a: a as never });
        expect(written?.value.a).toEqual(read[i]);
        const other = await store.replace('k', written?.version ?? '', { title: 'y', a: read[i] as never });
        expect(other).toEqual({ value: { title: 'y', a: read[i] }, version: expect.any(String) as unknown });
        expect(await store.get('k')).toEqual(other);
        version = other?.version ?? '';
      }
    },
  );

  const { kind, column, value } = unreadable[dialect];
  test(`${kind} over ${column}: ${value.slice(0, 20)}`, async () => {
    const store = tableStore(database.db, { table: await tableOf(column), ...declared(kind) });
    const made = await store.replace('k', null, { title: 'x', a: null });
    const refusal = { status: 422, problem: { errors: [{ pointer: '/a' }] } };
    const writing = store.replace('k', made?.version ?? '', { title: 'y', a: value });
    await expect(writing).rejects.toMatchObject(refusal);
    await expect(store.replace('new', null, { title: 'x', a: value })).rejects.toMatchObject(refusal);
    const after = await store.get('k');
    expect([after?.value, await store.get('new')]).toEqual([made?.value, undefined]);
    // Without a transaction it was undone by a second write, which makes a version, too.
    expect(after?.version === made?.version).toBe(dialect === 'mysql');
    expect(await store.delete('k')).toBe(true);
  });

  if (dialect === 'postgres') {
    test('in a transaction it is rolled back', async () => {
      const table = await tableOf(column);
      const db = database.db as PostgresConnection & {
        connect(): Promise<PostgresConnection & { release(): void }>;
      };
      const store = rowStore({
        ...{ ...tableRows(db, { table }), ...declared(kind) },
        transaction: async (run) => {
          const client = await db.connect();
          try {
            await client.query('BEGIN', []);
            await run(tableRows(client, { table }), client);
            await client.query('COMMIT', []);
          } catch (error) {
            await client.query('ROLLBACK', []);
            throw error;
          } finally {
            client.release();
          }
        },
      });
      const made = await store.replace('k', null, { title: 'x', a: null });
      const refusal = { status: 422, problem: { errors: [{ pointer: '/a' }] } };
      await expect(store.replace('k', made?.version ?? '', { title: 'x', a: value })).rejects.toMatchObject(
        refusal,
      );
      await expect(store.replace('new', null, { title: 'x', a: value })).rejects.toMatchObject(refusal);
      expect([await store.get('k'), await store.get('new')]).toEqual([made, undefined]);
    });

    test('how the app lets the driver read numbers makes no difference', async () => {
      const table = await tableOf('numeric[], b bigint, c numeric');
      const columns = { a: 'decimal[]', b: 'bigint', c: 'decimal' } as const;
      const store = tableStore(database.db, { table, columns, key: 'slug' });
      const next = { a: ['12345678901234567890.10'], b: '9007199254740993', c: '12345678901234567890.10' };
      const { INT8, NUMERIC } = types.builtins;
      const before = [INT8, NUMERIC].map((type) => types.getTypeParser(type) as never);
      try {
        for (const type of [INT8, NUMERIC]) types.setTypeParser(type, Number);
        const made = await store.replace('k', null, next);
        const more = { ...next, a: [...next.a, '0.1'] };
        await store.replace('k', made?.version ?? '', more);
        expect((await store.get('k'))?.value).toEqual(more);
      } finally {
        for (const [i, type] of [INT8, NUMERIC].entries()) types.setTypeParser(type, before[i] as never);
      }
    });
  }
});

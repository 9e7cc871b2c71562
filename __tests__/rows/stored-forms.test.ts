/** Values that an engine, or its driver, gives back in another form than the one in which they were sent. */
import { randomUUID } from 'node:crypto';
import { types } from 'pg';
import { tableStore } from '../../lib/rows';
import { change, create } from '../support/written';
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
    await database.sql(`CREATE TABLE ${table} (slug ${key} PRIMARY KEY, title ${key}, a ${column})`);
    return table;
  };
  const declared = (kind: Form['kind']) =>
    ({ columns: { title: 'string?', a: `${kind}?` }, key: 'slug' }) as const;

  test.each(forms[dialect])(
    '$kind over $column: $values',
    async ({ kind, column, values, read = values }) => {
      const store = tableStore(database.db, { table: await tableOf(column), ...declared(kind) });
      await create(store, 'k', { title: null, a: null });
      for (const [i, a] of values.entries()) {
        const made = await create(store, `k${i}`, { title: 'x', a: a as never });
        expect(made.value.a).toEqual(read[i]);
        const changed = await change(store, 'k', { title: 'x', a: a as never });
        expect(changed.value.a).toEqual(read[i]);
        const other = await change(store, 'k', { title: 'y', a: read[i] as never });
        expect(other.value).toEqual({ title: 'y', a: read[i] });
        expect(await store.get('k')).toEqual(other);
      }
    },
  );

  const { kind, column, value } = unreadable[dialect];
  test(`${kind} over ${column}: ${value.slice(0, 20)}`, async () => {
    const store = tableStore(database.db, { table: await tableOf(column), ...declared(kind) });
    const made = await create(store, 'k', { title: 'x', a: null });
    const refusal = { status: 422, problem: { errors: [{ pointer: '/a' }] } };
    await expect(change(store, 'k', { title: 'y', a: value })).rejects.toMatchObject(refusal);
    await expect(create(store, 'new', { title: 'x', a: value })).rejects.toMatchObject(refusal);
    expect([await store.get('k'), await store.get('new')]).toEqual([made, undefined]);
    expect(await store.delete('k')).toBe(true);
  });

  if (dialect === 'postgres') {
    test('how the app lets the driver read numbers makes no difference', async () => {
      const table = await tableOf('numeric[], b bigint, c numeric');
      const columns = { a: 'decimal[]', b: 'bigint', c: 'decimal' } as const;
      const store = tableStore(database.db, { table, columns, key: 'slug' });
      const next = { a: ['12345678901234567890.10'], b: '9007199254740993', c: '12345678901234567890.10' };
      const { INT8, NUMERIC } = types.builtins;
      const before = [INT8, NUMERIC].map((type) => types.getTypeParser(type) as never);
      try {
        for (const type of [INT8, NUMERIC]) types.setTypeParser(type, Number);
        await create(store, 'k', next);
        const more = { ...next, a: [...next.a, '0.1'] };
        await change(store, 'k', more);
        expect((await store.get('k'))?.value).toEqual(more);
      } finally {
        for (const [i, type] of [INT8, NUMERIC].entries()) types.setTypeParser(type, before[i] as never);
      }
    });
  }
});

/** Rows with values that do not fit their kinds: they cannot be shown, but can be replaced and deleted. */
import { rowStore, type Row, type Rows, type RowStoreOptions } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';

/** A table whose `price` and `note` a client can write, and the app can fill with anything. */
const tableOf = (row: Record<string, unknown>, stores: (set: Row) => Row = (set) => set) =>
  memoryTable([{ slug: 'milk', version: 'v1', ...row }], { stores, defaults: () => row });

const columns = {
  title: 'string',
  price: 'decimal?',
  tags: 'string[]',
  made: { kind: 'date?', readOnly: true },
} as const;
const declared = { columns, key: 'slug' } as const;
const sound = { title: 'Buy milk', price: '1.50', tags: ['a'], made: null };
const columnError = (name: string) =>
  expect.objectContaining({
    code: 'PATCH_OPTIONS_COLUMN_VALUE',
    message: expect.stringContaining(`The column ${name} contains a`) as unknown,
  }) as Error;

type Options = Partial<RowStoreOptions<typeof columns>>;
const storeOver = (table: ReturnType<typeof tableOf>, options: Options = {}) =>
  rowStore({ ...table.orm, ...declared, transaction: table.transaction, ...options });

/** As an engine stores a decimal where it writes 1e400 as infinity. */
const overflowing = (set: Row): Row =>
  String(set['price']).length > 300 ? { ...set, price: 'Infinity' } : set;
const huge = '9'.repeat(310);

test('a row is read without the members that cannot be, which are named with the reason', async () => {
  const store = storeOver(tableOf({ ...sound, price: 'NaN', tags: 'a,b' }));
  expect(await store.get('milk')).toEqual({
    value: { title: 'Buy milk', made: null },
    version: 'v1',
    unreadable: [
      { pointer: '/price', reason: columnError('price') },
      { pointer: '/tags', reason: columnError('tags') },
    ],
  });
});

test('a row that can be read whole says nothing of it', async () => {
  expect(await storeOver(tableOf(sound)).get('milk')).not.toHaveProperty('unreadable');
});

test.each([
  { what: 'another error', read: () => JSON.parse('{') as string },
  {
    what: 'no error',
    read: () => {
      throw 'no day';
    },
  },
])('so is one whose codec throws $what', async ({ read }) => {
  const codec = { fault: () => undefined, read, write: (outside: string) => outside };
  const { orm } = tableOf({ ...sound, day: 'x' });
  const store = rowStore({ ...orm, ...declared, columns: { title: 'string', day: { kind: codec } } });
  expect((await store.get('milk'))?.unreadable).toEqual([{ pointer: '/day', reason: columnError('day') }]);
});

describe('replacing it', () => {
  test.each([
    { what: 'a value', price: '2.00' },
    { what: 'null', price: null },
  ])('writes $what that is sent for an unreadable member', async ({ price }) => {
    const table = tableOf({ ...sound, price: 'NaN' });
    const written = await storeOver(table).replace('milk', 'v1', { ...sound, price });
    expect(written).toEqual({ value: { ...sound, price }, version: expect.any(String) as unknown });
    expect(table.rows[0]).toMatchObject({ price });
  });

  test.each([
    { what: 'left out', next: { title: 'x', tags: ['a'] }, detail: 'must be sent, because' },
    { what: 'not valid', next: { ...sound, price: 'x' }, detail: 'must be a decimal number' },
  ])('an unreadable member that is $what is refused, in fit too', async ({ next, detail }) => {
    const table = tableOf({ ...sound, price: 'NaN' });
    const store = storeOver(table);
    const current = await store.get('milk');
    if (current === undefined) throw new Error('There is no milk.');
    const refusal = {
      status: 422,
      problem: { errors: [{ pointer: '/price', detail: expect.stringContaining(detail) as unknown }] },
    };
    await expect(store.replace('milk', 'v1', next as never)).rejects.toMatchObject(refusal);
    await expect(store.replace('milk', 'v1', next as never, { current })).rejects.toMatchObject(refusal);
    expect(() => store.fit('milk', next as never, current.value)).toThrow(
      expect.objectContaining({ status: 422 }),
    );
    expect(table.rows[0]).toMatchObject({ price: 'NaN', version: 'v1' });
  });

  test('null in a column that cannot be NULL is refused', async () => {
    const store = storeOver(tableOf({ ...sound, tags: 'a,b' }));
    await expect(store.replace('milk', 'v1', { ...sound, tags: null as never })).rejects.toMatchObject({
      problem: { errors: [{ pointer: '/tags', detail: 'must not be null or missing' }] },
    });
  });

  test('a read-only member stays unreadable, and is not written', async () => {
    const table = tableOf({ ...sound, made: 'never' });
    const written = await storeOver(table).replace('milk', 'v1', { ...sound, title: 'x' });
    expect(written).toMatchObject({ value: { title: 'x' }, unreadable: [{ pointer: '/made' }] });
    expect(table.rows[0]).toMatchObject({ title: 'x', made: 'never' });
    await expect(
      storeOver(table).replace('milk', written?.version ?? '', { ...sound, made: '2026-11-22T10:00:00Z' }),
    ).rejects.toMatchObject({ problem: { errors: [{ pointer: '/made', detail: 'is read-only' }] } });
  });
});

test('it is deleted, with its version and without', async () => {
  for (const expected of ['v1', undefined]) {
    const table = tableOf({ ...sound, price: 'NaN' });
    expect(await storeOver(table).delete('milk', 'v0')).toBe(false);
    expect(await storeOver(table).delete('milk', expected)).toBe(true);
    expect(table.rows).toEqual([]);
  }
});

describe('a value that the database stores in a form that cannot be read', () => {
  const writes = [
    { what: 'a change', key: 'milk', expected: 'v1' },
    { what: 'a creation', key: 'new', expected: null },
  ];

  test.each(writes)('is rolled back in a transaction: $what', async ({ key, expected }) => {
    const table = tableOf(sound, overflowing);
    const told: string[] = [];
    const store = storeOver(table, { transaction: table.transaction, onWrite: () => told.push('written') });
    await expect(store.replace(key, expected, { ...sound, price: huge })).rejects.toMatchObject({
      status: 422,
      code: 'invalid-result',
      cause: columnError('price'),
      problem: {
        errors: [{ pointer: '/price', detail: expect.stringContaining('cannot be read back') as unknown }],
      },
    });
    expect([table.rows, told]).toEqual([[{ slug: 'milk', version: 'v1', ...sound }], []]);
  });

  test.each(writes)('is undone where the statement returned it: $what', async ({ key, expected }) => {
    const { title, price } = sound;
    const table = tableOf({ title, price }, overflowing);
    const some = { title: columns.title, price: columns.price };
    const store = rowStore({ ...table.orm, ...declared, columns: some });
    await expect(store.replace(key, expected, { title: 'x', price: huge })).rejects.toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/price' }] },
    });
    const [milk] = table.rows;
    expect(table.rows).toEqual([{ slug: 'milk', title, price, version: expect.any(String) as unknown }]);
    // The second write has made a version, as every write does.
    expect(milk?.['version'] === 'v1').toBe(expected === null);
    expect(await store.get('milk')).toEqual({ value: { title, price }, version: milk?.['version'] });
  });

  test('what another write has made of the row meanwhile stays', async () => {
    const { title, price } = sound;
    const table = tableOf({ title, price }, overflowing);
    const some = { title: columns.title, price: columns.price };
    const update: Rows['update'] = (where, set, names) => {
      const written = table.orm.update(where, set, names);
      if ('price' in set && set['price'] === huge)
        Object.assign(table.rows[0] ?? {}, { title: 'of another', price: '2.00', version: 'v3' });
      return written;
    };
    const store = rowStore({ ...table.orm, update, ...declared, columns: some });
    await expect(store.replace('milk', 'v1', { title: 'x', price: huge })).rejects.toMatchObject({
      status: 422,
    });
    expect(table.rows).toMatchObject([{ title: 'of another', price: '2.00', version: 'v3' }]);
  });

  test('an inserted row that cannot be deleted again is an error', async () => {
    const table = tableOf({ title: 'a', price: '1' }, overflowing);
    const some = { title: columns.title, price: columns.price };
    const { find, update, insert, returning } = table.orm;
    const store = rowStore({ find, update, insert, returning, ...declared, columns: some });
    const writing = store.replace('new', null, { title: 'x', price: huge });
    await expect(writing).rejects.toThrow('the store has no delete to undo that. Add transaction.');
  });

  test('one that was there before is not the fault of a change beside it', async () => {
    const table = tableOf({ ...sound, made: 'never' });
    const seen: unknown[] = [];
    const onWrite = (_tx: unknown, write: object) => void seen.push(write);
    const store = storeOver(table, { transaction: table.transaction, onWrite });
    const { title, price, tags } = sound;
    const shown = { title, price, tags };
    await store.replace('milk', 'v1', { ...sound, title: 'x' });
    expect(await store.delete('milk')).toBe(true);
    expect(seen).toEqual([
      { key: 'milk', before: shown, after: { ...shown, title: 'x' } },
      { key: 'milk', before: { ...shown, title: 'x' }, after: undefined },
    ]);
  });
});

test('a key that its column cannot hold is for the database to refuse', async () => {
  const refused = Object.assign(new Error('invalid input syntax for type uuid: "x"'), { code: '22P02' });
  const store = rowStore({
    find: () => Promise.reject(refused),
    update: () => 0,
    insert: () => Promise.reject(refused),
    returning: true,
    columns: { id: { kind: 'uuid', readOnly: true }, title: 'string' },
    key: 'id',
  });
  expect(store.fit('x', { title: 'a' } as never, undefined)).toEqual({ title: 'a' });
  await expect(store.replace('x', null, { title: 'a' } as never)).rejects.toMatchObject({ status: 422 });
});

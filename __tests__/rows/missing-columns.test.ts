/** A column that was asked for and is not in the row is an error that names it: it is never shown, or written, as NULL. */
import { type Row, rowStore, tableStore } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';
import { DatabaseSync } from '../support/sqlite';

const declared = {
  columns: { title: 'string', body: { kind: 'string?', column: 'body_text' } },
  key: 'slug',
} as const;
const tea = { slug: 'tea', title: 'Tea', body_text: 'green', version: 'v1' };
const missing = (call: string, named: string) => ({
  name: 'MissingColumnError',
  code: 'PATCH_OPTIONS_MISSING_COLUMN',
  message:
    `The row that ${call}() returned does not have the column${named.includes(',') ? 's' : ''} ${named}. ` +
    'Return every column that is asked for, under the name in the options, and NULL as null.',
});

/** As an ORM returns rows that renames columns. */
const camelCase = ({ body_text, ...others }: Row): Row => ({ ...others, bodyText: body_text });

test.each([
  { what: 'another name', read: camelCase, named: 'body_text (it has bodyText)' },
  { what: 'undefined', read: (row: Row) => ({ ...row, body_text: undefined }), named: 'body_text' },
  { what: 'no key', read: ({ slug, ...row }: Row) => ({ ...row, is: slug }), named: 'slug' },
  { what: 'no version', read: ({ version, ...row }: Row) => ({ ...row, is: version }), named: 'version' },
  { what: 'nothing', read: () => ({}), named: 'version, slug, title, body_text' },
  {
    what: 'a list of values',
    read: (row: Row) => Object.assign([], Object.values(row)),
    named: 'version, slug, title, body_text',
  },
])('find: a row with $what', async ({ read, named }) => {
  const { orm, rows } = memoryTable([{ ...tea }]);
  const find: typeof orm.find = (where, columns) => {
    const row = orm.find(where, columns) as Row | undefined;
    return Promise.resolve(row && [read(row)]);
  };
  const store = rowStore({ ...orm, find, ...declared });
  await expect(store.get('tea')).rejects.toMatchObject(missing('find', named));
  await expect(store.replace('tea', 'v1', { title: 'Tea', body: null })).rejects.toMatchObject(
    missing('find', named),
  );
  await expect(store.delete('tea')).rejects.toMatchObject(missing('find', named));
  expect(rows).toEqual([tea]);
});

describe('what a save returns', () => {
  const stored = { title: 'x', body: 'y' };

  test.each([
    { call: 'update', key: 'tea', expected: 'v1' },
    { call: 'insert', key: 'new', expected: null },
  ] as const)('$call: in a transaction, it is rolled back', async ({ call, key, expected }) => {
    const { orm, rows, transaction } = memoryTable([{ ...tea }]);
    const renaming: typeof orm =
      call === 'update'
        ? { ...orm, update: async (...args) => camelCase((await orm.update(...args)) as Row) }
        : { ...orm, insert: async (...args) => camelCase((await orm.insert(...args)) as Row) };
    const store = rowStore({
      ...renaming,
      ...declared,
      transaction: (run) => transaction((_, tx) => run(renaming, tx)),
    });
    await expect(store.replace(key, expected, stored)).rejects.toMatchObject(
      missing(call, 'body_text (it has bodyText)'),
    );
    expect(rows).toEqual([tea]);
  });

  test('insert: a row without its version, where nothing else could say so', async () => {
    const { orm } = memoryTable([]);
    const insert = () => Promise.resolve({ title: 'x', rowVersion: 'v' });
    const store = rowStore({ ...orm, insert, ...declared, version: 'row_version' });
    await expect(store.replace('new', null, stored)).rejects.toMatchObject(
      missing('insert', 'row_version (it has rowVersion), slug, body_text'),
    );
  });
});

test('NULL is null', async () => {
  const { orm } = memoryTable([{ ...tea, body_text: null }]);
  expect((await rowStore({ ...orm, ...declared }).get('tea'))?.value).toEqual({ title: 'Tea', body: null });
});

describe('SQLite, which ignores the letter case of names', () => {
  const create =
    "CREATE TABLE teas (slug TEXT PRIMARY KEY, Title TEXT, version TEXT); INSERT INTO teas VALUES ('tea', 'Tea', 'v')";
  const options = { table: 'teas', columns: { title: 'string?' }, key: 'slug' } as const;

  test('a name in another letter case', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(create);
    const store = tableStore(db, options);
    const error =
      /^The row that find\(\) returned does not have the column title \(it has Title\)\. Write the name in the letter case/;
    await expect(store.get('tea')).rejects.toThrow(error);
    await expect(store.replace('tea', 'v', { title: null })).rejects.toThrow(error);
    expect(db.prepare('SELECT Title FROM teas').all()).toEqual([{ Title: 'Tea' }]);
    const named = tableStore(db, { ...options, columns: { title: { kind: 'string?', column: 'Title' } } });
    expect((await named.get('tea'))?.value).toEqual({ title: 'Tea' });
  });
});

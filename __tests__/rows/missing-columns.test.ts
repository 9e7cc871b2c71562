/** A column that was asked for and is not in the row is an error that names it: it is never shown, or written, as NULL. */
import { type Row, rowStore, tableStore } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';
import { DatabaseSync } from '../support/sqlite';
import { change } from '../support/written';

const declared = {
  columns: { title: 'string', body: { kind: 'string?', column: 'body_text' } },
  key: 'slug',
} as const;
const tea = { slug: 'tea', title: 'Tea', body_text: 'green' };
const missing = (call: string, named: string) => ({
  name: 'MissingColumnError',
  code: 'PATCH_OPTIONS_MISSING_COLUMN',
  message:
    `The row that ${call}() returned does not have the column${named.includes(',') ? 's' : ''} ${named}. ` +
    'Return every requested column, under the name in the options, and NULL as null.',
});

/** As an ORM returns rows that renames columns. */
const camelCase = ({ body_text, ...others }: Row): Row => ({ ...others, bodyText: body_text });

test.each([
  { what: 'another name', read: camelCase, named: 'body_text (it has bodyText)' },
  { what: 'undefined', read: (row: Row) => ({ ...row, body_text: undefined }), named: 'body_text' },
  { what: 'no key', read: ({ slug, ...row }: Row) => ({ ...row, is: slug }), named: 'slug' },
  { what: 'no counter', read: ({ count, ...row }: Row) => ({ ...row, is: count }), named: 'count' },
  { what: 'no outcomes', read: ({ outcomes, ...row }: Row) => ({ ...row, is: outcomes }), named: 'outcomes' },
  { what: 'nothing', read: () => ({}), named: 'count, outcomes, slug, title, body_text' },
  {
    what: 'a list of values',
    read: (row: Row) => Object.assign([], Object.values(row)),
    named: 'count, outcomes, slug, title, body_text',
  },
])('find: a row with $what', async ({ read, named }) => {
  const row = { ...tea, count: 1, outcomes: null };
  const { orm, rows } = memoryTable([{ ...row }]);
  const renaming: typeof orm = {
    ...orm,
    find: (where, columns) => {
      const found = orm.find(where, columns) as Row | undefined;
      return Promise.resolve(found && [read(found)]);
    },
    transaction: (run) => orm.transaction((_, tx) => run(renaming, tx)),
  };
  const counted = { ...declared, counter: 'count', outcomes: 'outcomes' } as const;
  const store = rowStore({ ...renaming, ...counted });
  const error = missing('find', named);
  await expect(store.get('tea')).rejects.toMatchObject(error);
  // Read in another way than in the transaction.
  const mixed = rowStore({ ...orm, ...counted, transaction: renaming.transaction });
  await expect(change(mixed, 'tea', { title: 'Tea', body: null })).rejects.toMatchObject(error);
  await expect(mixed.replace('new', null, { title: 'x', body: null })).rejects.toMatchObject(error);
  await expect(mixed.delete('tea')).rejects.toMatchObject(error);
  expect(rows).toEqual([row]);
});

test('updateReturning: a row without its version', async () => {
  const { orm } = memoryTable([{ ...tea, xmin: 7 }]);
  const updateReturning = () => Promise.resolve([camelCase({ ...tea, title: 'x' })]);
  const store = rowStore({ ...orm, updateReturning, ...declared, version: 'xmin' });
  await expect(change(store, 'tea', { title: 'x', body: 'green' })).rejects.toMatchObject(
    missing('updateReturning', 'xmin, body_text (it has bodyText)'),
  );
});

test('NULL is null', async () => {
  const { orm } = memoryTable([{ ...tea, body_text: null }]);
  expect((await rowStore({ ...orm, ...declared }).get('tea'))?.value).toEqual({ title: 'Tea', body: null });
});

describe('SQLite, which ignores the letter case of names', () => {
  const create =
    "CREATE TABLE teas (slug TEXT PRIMARY KEY, Title TEXT); INSERT INTO teas VALUES ('tea', 'Tea')";
  const options = { table: 'teas', columns: { title: 'string?' }, key: 'slug' } as const;

  test('a name in another letter case', async () => {
    const db = new DatabaseSync(':memory:');
    db.exec(create);
    const store = tableStore(db, options);
    const error =
      /^The row that find\(\) returned does not have the column title \(it has Title\)\. Write the name in the letter case/;
    await expect(store.get('tea')).rejects.toThrow(error);
    await expect(store.delete('tea')).rejects.toThrow(error);
    expect(db.prepare('SELECT Title FROM teas').all()).toEqual([{ Title: 'Tea' }]);
    const named = tableStore(db, { ...options, columns: { title: { kind: 'string?', column: 'Title' } } });
    expect((await named.get('tea'))?.value).toEqual({ title: 'Tea' });
  });
});

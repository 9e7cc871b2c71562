/** Columns without a kind, which have the one of the ORM's schema. */
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core';
import { drizzleRows, rowStore, tableRows } from '../../lib/rows';
import { readPrismaColumns } from '../../lib/rows/orms/prisma';
import { mistakesOf } from '../support/mistakes-of';
import { DatabaseSync } from '../support/sqlite';
import { change } from '../support/written';

const names = ['id', 'title', 'state', 'made', 'photo', 'money'];
const known = {
  columnNames: Object.fromEntries(names.map((name) => [name, name])),
  columnKinds: {
    id: { type: 'int', kind: 'integer', readOnly: true },
    title: { type: 'text', kind: 'string' },
    state: { type: 'enum', kind: 'string?', values: ['draft', 'paid'] },
    made: { type: 'timestamp', kind: 'date', readOnly: true },
    photo: { type: 'bytea' },
    money: { type: 'int', convertedBy: 'a transformer' },
    author: { type: 'relation' },
  },
} as const;

function openRows(row: Readonly<Record<string, unknown>> = {}) {
  const rows = [{ id: 1, title: 'a', state: null, made: new Date(0), ...row }];
  return {
    find: () => rows[0],
    lock: () => 1,
    update: (_where: object, set: object) => {
      Object.assign(rows[0] ?? {}, set);
      return 1;
    },
    transaction: (run: (inside: never, tx: unknown) => Promise<void>) => run(openRows() as never, undefined),
  };
}

const storeOf = (columns: object, more: object = known) =>
  rowStore({ ...openRows(), ...more, columns, key: (key: string) => ({ id: Number(key) }) } as never);

describe('a mistake when the store is made', () => {
  test.each([
    {
      what: 'rows that know no schema',
      columns: { title: true },
      more: {},
      says: "columns.title: true names no kind, and the schema of the table is not known here. Write the kind, as in title: 'string'.",
    },
    {
      what: 'the same, as an object',
      columns: { title: { readOnly: true } },
      more: {},
      says: 'columns.title: an object names no kind',
    },
    {
      what: 'an ORM that knows its names, and not yet its types',
      columns: { title: true },
      more: { columnNames: known.columnNames },
      says: 'names no kind',
    },
    {
      what: 'a type without a kind',
      columns: { photo: true },
      says: 'columns.photo: true is of the type bytea in the schema, for which there is no kind. Write a codec',
    },
    {
      what: 'the same, under another name',
      columns: { picture: { column: 'photo' } },
      says: 'columns.picture: an object is of the type bytea',
    },
    {
      what: 'values that the app converts',
      columns: { money: true },
      says: 'columns.money: true has a transformer in the schema, so only your app knows its kind. Write the kind',
    },
    {
      what: 'a relation',
      columns: { author: true },
      says: "columns.author: 'author' is a relation, which has no column. List the column of its foreign key, or add it in represent.",
    },
    {
      what: 'an unknown column',
      columns: { titel: true },
      says: "columns.titel: 'titel' is not a column that the ORM knows. Did you mean 'title'?",
    },
    {
      what: 'a write of what the schema sets',
      columns: { made: { readOnly: false } },
      says: "columns.made.readOnly: false contradicts the schema: the column is the primary key, or the database or the ORM sets it. Leave it out; or also write the kind, as in { kind: 'date' }",
    },
    {
      what: 'the same, unseen',
      columns: { made: { writeOnly: true } },
      says: 'columns.made.writeOnly: true contradicts the schema',
    },
    {
      what: 'false in place of true',
      columns: { title: false },
      says: 'columns.title: false must be a kind, an object or true',
    },
    {
      what: 'a form that the kind does not have',
      columns: { title: { storedAs: 'iso' } },
      says: "columns.title.storedAs: 'iso' has no effect with the kind 'string'",
    },
  ])('$what', ({ columns, more = known, says }) => {
    const make = () => storeOf(columns, more);
    expect(mistakesOf(make)).toHaveLength(1);
    expect(make).toThrow(says);
  });

  test('the option rows, whose schema is only known with a request', () => {
    const rows = () => ({ ...openRows(), ...known, insert: () => undefined, delete: () => 1 });
    const make = () => rowStore({ rows, columns: { title: true }, key: () => ({ id: 1 }) });
    expect(make).toThrow('but not with the option rows');
  });

  test('rows of a driver, which has no schema', () => {
    const db = new DatabaseSync(':memory:');
    const make = () =>
      rowStore({ ...tableRows(db, { table: 'notes' }), columns: { title: true }, key: 'title' });
    expect(mistakesOf(make)).toMatchObject([{ option: 'columns.title', code: 'option-dependency' }]);
  });

  test.each([7, null, 'text'])('columnKinds: %p', (columnKinds) => {
    const make = () => storeOf({ title: 'string' }, { columnNames: known.columnNames, columnKinds });
    expect(mistakesOf(make)).toMatchObject([{ option: 'columnKinds' }]);
  });
});

test('the kind, NULL, the values, and what is read-only', async () => {
  const store = storeOf({ id: true, title: true, state: true, made: true });
  expect(store.readOnly).toEqual(['/id', '/made']);
  const value = { id: 1, title: 'a', state: null, made: '1970-01-01T00:00:00.000Z' } as never;
  expect(await store.get('1')).toMatchObject({ value });
  await expect(change(store, '1', { ...(value as object), state: 'lost' } as never)).rejects.toThrow(
    'one of "draft", "paid"',
  );
  await expect(change(store, '1', { ...(value as object), title: null } as never)).rejects.toMatchObject({
    status: 422,
  });
});

test.each([
  { what: 'a kind', columns: { made: 'date' }, readOnly: [] },
  { what: 'a kind in an object', columns: { made: { kind: 'date' } }, readOnly: [] },
  {
    what: 'a codec',
    columns: { photo: { kind: { fault: () => undefined, read: String, write: String } } },
    readOnly: [],
  },
  { what: 'readOnly', columns: { title: { readOnly: true } }, readOnly: ['/title'] },
])('what the options say counts more than the schema: $what', ({ columns, readOnly }) => {
  expect(storeOf(columns).readOnly).toEqual(readOnly);
});

test('values of the options in place of those of the schema', async () => {
  const store = storeOf({ state: { values: ['lost'] } });
  await expect(change(store, '1', { state: 'draft' } as never)).rejects.toMatchObject({ status: 422 });
});

test('a serial id from the schema is a key', async () => {
  const table = pgTable('notes', {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    state: pgEnum('state', ['draft', 'paid'])(),
  });
  const rows = drizzleRows(drizzle('postgres://127.0.0.1:1/none'), table);
  const store = rowStore({ ...rows, columns: { id: true, title: true, state: true }, key: 'id' });
  expect(store.readOnly).toEqual(['/id']);
  // Only 7 is the key of that row.
  expect(await store.get('07')).toBeUndefined();
});

test('a serial id of the schema is a number in conditions, even if it is not listed', async () => {
  const conditions: unknown[] = [];
  const rows = { ...openRows(), find: (where: unknown) => void conditions.push(where) };
  const options = { ...rows, ...known, columns: { title: true } };
  await rowStore({ ...options, key: 'id' } as never).get('7');
  await rowStore({ ...options, key: ['state', 'id'] } as never).get('paid/7');
  expect(conditions).toEqual([{ id: 7 }, { state: 'paid', id: 7 }]);
  expect(await rowStore({ ...options, key: 'id' } as never).get('07')).toBeUndefined();
  expect(conditions).toHaveLength(2);
});

test.each(['x', '01', '1.0', '', '99999999999999999999'])(
  'a 64-bit id: %j is no row, without a question to the database',
  async (text) => {
    const find = jest.fn();
    const columnKinds = { ...known.columnKinds, id: { type: 'BigInt', kind: 'bigint' } };
    const options = { ...openRows(), ...known, columnKinds, find, key: 'id' };
    for (const columns of [{ title: true }, { id: { readOnly: true }, title: true }]) {
      const store = rowStore({ ...options, columns } as never);
      expect(await store.get(text)).toBeUndefined();
      expect(find).not.toHaveBeenCalled();
    }
    await rowStore({ ...options, columns: { title: true } } as never).get('9223372036854775807');
    expect(find.mock.calls).toEqual([
      [{ id: '9223372036854775807' }, expect.anything(), expect.anything(), expect.anything()],
    ]);
  },
);

describe('the text of a schema of Prisma', () => {
  const schema = `
    /// model Note { title Int }
    model Note {
      id        Int       @id @default(autoincrement()) // Int {
      slug      String    @unique @default("http://x/*")
      title     String?   @db.Text
      /* off    Int
      */
      uid       String    @pg.Uuid
      state     State?    @default(draft)
      states    State[]
      day       DateTime  @default(now()) @db.Date
      time      DateTime? @db.Time(6)
      zoned     DateTime? @db.Timetz(6)
      changed   DateTime  @updatedAt @map("changed_at")
      place     Unsupported("point")?
      author    Author?   @relation(fields: [authorId], references: [id])
      authorId  Int?

      @@map("notes")
    }
    model NoteMore {
      title Int
    }
    model Line {
      tenant String
      line   Int
      title  String
      @@id([tenant, line(sort: Desc)], name: "key")
    }
    model Named {
      tenant String
      title  String
      @@id(name: "key", fields: [tenant])
    }
    view Notes {
      title String
    }
    enum State {
      draft
      paid  @map("Paid!") // off
      @@map("states")
    }`.replaceAll('\n    ', '\n');

  test.each([
    { field: 'id', kind: 'integer', readOnly: true },
    { field: 'slug', kind: 'string', readOnly: false },
    { field: 'title', kind: 'string?', readOnly: false },
    { field: 'off', kind: undefined, readOnly: undefined },
    { field: 'uid', kind: 'uuid', readOnly: false },
    { field: 'state', kind: 'string?', readOnly: false, values: ['draft', 'paid'] },
    { field: 'states', kind: 'string[]', readOnly: false, values: ['draft', 'paid'] },
    { field: 'day', kind: 'day', readOnly: false },
    { field: 'time', kind: 'time?', readOnly: false },
    { field: 'zoned', kind: undefined, readOnly: false },
    { field: 'changed', kind: 'date', readOnly: true },
    { field: 'place', kind: undefined, readOnly: false },
    { field: 'author', kind: undefined, readOnly: false },
    { field: 'authorId', kind: 'integer?', readOnly: false },
    { model: 'NoteMore', field: 'title', kind: 'integer', readOnly: false },
    { model: 'Line', field: 'tenant', kind: 'string', readOnly: true },
    { model: 'Line', field: 'line', kind: 'integer', readOnly: true },
    { model: 'Line', field: 'title', kind: 'string', readOnly: false },
    { model: 'Named', field: 'tenant', kind: 'string', readOnly: true },
    { model: 'Notes', field: 'title', kind: 'string', readOnly: false },
  ])('$model.$field is $kind', ({ model = 'Note', field, kind, readOnly, values }) => {
    for (const lines of [schema, schema.replaceAll('\n', '\r\n')]) {
      const column = readPrismaColumns(lines, model)[field];
      expect([column?.kind, column?.readOnly, column?.values]).toEqual([kind, readOnly, values]);
    }
  });
});

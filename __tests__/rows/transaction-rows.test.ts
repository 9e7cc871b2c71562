/** The rows that the option `transaction` passes to `run`: what the app has replaced of the store's functions holds there too. */
import { DatabaseSync } from '@photostructure/sqlite';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, tableRows, type Row, type Rows } from '../../lib/rows';
import { describeOver, testEngines, type TestDatabase } from './databases';

let db: InstanceType<typeof DatabaseSync>;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT NOT NULL, tenant TEXT DEFAULT 'a', deleted INTEGER, version TEXT);
    INSERT INTO notes VALUES ('milk', 'Buy milk', 'a', NULL, 'v1'), ('salt', 'Buy salt', 'b', NULL, 'v1');`);
});
afterEach(() => {
  db.close();
});

const declared = { columns: { title: 'string' }, key: 'slug' } as const;
type All = Required<Omit<Rows, 'columnNames'>>;

const library = (): All => tableRows(db, { table: 'notes' });
const inTransaction = async (run: () => Promise<void>) => {
  db.exec('BEGIN');
  try {
    await run();
    db.exec('COMMIT');
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
};
const notes = () => db.prepare('SELECT * FROM notes ORDER BY slug').all() as Row[];

const softDelete = (where: Row) =>
  Number(
    db
      .prepare('UPDATE notes SET deleted = 1, version = NULL WHERE slug = ? AND version = ?')
      .run(String(where['slug']), String(where['version'])).changes,
  );

/** One of its functions replaced by one of the app. */
const replaced: { readonly name: string; readonly own: Partial<All> }[] = [
  { name: 'delete', own: { delete: softDelete } },
  { name: 'find', own: { find: (where, ...rest) => library().find({ ...where, tenant: 'a' }, ...rest) } },
  { name: 'update', own: { update: (...call) => library().update(...call) } },
  { name: 'insert', own: { insert: (row, ...rest) => library().insert({ ...row, tenant: 'c' }, ...rest) } },
];

describe.each(replaced)('$name of the app', ({ name, own }) => {
  test.each(['replace', 'create', 'delete'])('is missed before anything is written: %s', async (write) => {
    const store = rowStore({
      ...{ ...library(), ...own, ...declared },
      transaction: (run) => inTransaction(() => run(library(), db)),
    });
    const before = notes();
    const writing = {
      replace: () => store.replace('milk', 'v1', { title: 'x' }),
      create: () => store.replace('new', null, { title: 'x' }),
      delete: () => store.delete('milk', 'v1'),
    }[write];
    const error: unknown = await writing?.().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ mistakes: [{ option: 'transaction', code: 'transaction-rows' }] });
    expect(String(error)).toContain(`without ${name}() of the store`);
    expect(notes()).toEqual(before);
  });

  test('holds where one function makes the rows of both', async () => {
    const rows = () => ({ ...library(), ...own });
    const store = rowStore({
      ...{ ...rows(), ...declared },
      transaction: (run) => inTransaction(() => run(rows(), db)),
    });
    expect((await store.replace('milk', 'v1', { title: 'x' }))?.value).toEqual({ title: 'x' });
    expect((await store.replace('salt', 'v1', { title: 'x' })) === undefined).toBe(name === 'find');
    await store.replace('new', null, { title: 'x' }).catch(() => undefined); // a filter on tenant hides it
    expect(await store.delete('milk')).toBe(true);
    const [milk, made] = notes();
    if (name === 'delete') expect(milk).toMatchObject({ slug: 'milk', deleted: 1 });
    else expect(milk).not.toMatchObject({ slug: 'milk' });
    if (name === 'insert')
      expect(notes()).toContainEqual(expect.objectContaining({ slug: 'new', tenant: 'c' }));
    expect(made).toBeDefined();
  });
});

test.each(['insert', 'delete'] as const)(
  'what the store does not have, %s, it does not have inside',
  async (name) => {
    const store = rowStore({
      ...{ ...library(), [name]: undefined, ...declared },
      transaction: (run) => inTransaction(() => run(library(), db)),
    });
    if (name === 'delete') {
      expect(store).not.toHaveProperty('delete');
      return;
    }
    expect(store).toMatchObject({ creates: false });
    expect(await store.replace('new', null, { title: 'x' })).toBeUndefined();
    expect(notes()).toHaveLength(2);
  },
);

test.each(['insert', 'delete'] as const)(
  'rows without %s, which the store has, are a mistake',
  async (name) => {
    const store = rowStore({
      ...{ ...library(), ...declared },
      transaction: (run) => inTransaction(() => run({ ...library(), [name]: undefined }, db)),
    });
    await expect(store.replace('milk', 'v1', { title: 'x' })).rejects.toThrow(
      `without ${name}() of the store`,
    );
    expect(await store.get('milk')).toMatchObject({ version: 'v1' });
  },
);

test('functions of the app alone need not be the same: they are the app’s own on both sides', async () => {
  const { find, update } = library();
  const wrapped = (): Rows => ({
    find: (...given) => find(...given),
    update: (...given) => update(...given),
  });
  const store = rowStore({
    ...{ ...wrapped(), ...declared, dialect: 'sqlite' as const },
    transaction: (run) => inTransaction(() => run(wrapped(), db)),
  });
  expect((await store.replace('milk', 'v1', { title: 'x' }))?.value).toEqual({ title: 'x' });
});

test('more of the app inside than outside is no mistake', async () => {
  const store = rowStore({
    ...{ ...library(), ...declared },
    transaction: (run) => inTransaction(() => run({ ...library(), delete: softDelete }, db)),
  });
  expect(await store.delete('milk')).toBe(true);
  expect(notes()[0]).toMatchObject({ slug: 'milk', deleted: 1 });
});

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'sqlite'),
  'rows of the pool in a transaction',
  ({ open }) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await open();
      await database.sql(
        'CREATE TABLE outer_rows (slug varchar(20) PRIMARY KEY, title varchar(20), version varchar(40))',
      );
    });
    afterAll(() => database.close());

    test.each(['the same rows', 'other rows'])(
      '%s of the pool: an error, and nothing is written',
      async (which) => {
        const outer = () => tableRows(database.db, { table: 'outer_rows' });
        const rows = outer();
        const store = rowStore({
          ...{ ...rows, ...declared },
          transaction: (run) => run(which === 'the same rows' ? rows : outer(), database.db),
          onWrite: () => {
            throw new Error('thrown by the app');
          },
        });
        await expect(store.replace('a', null, { title: 'x' })).rejects.toThrow(
          'passes rows to run that write outside the transaction. Make them from the transaction: ',
        );
        expect(await database.sql('SELECT * FROM outer_rows')).toEqual([]);
      },
    );
  },
);

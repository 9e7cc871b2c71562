/** The rows that a transaction passes to `run`: what the app has replaced of the store's functions holds there, too. */
import { DatabaseSync } from '@photostructure/sqlite';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, tableRows, type Row, type Rows } from '../../lib/rows';
import type { BuilderRows } from '../../lib/rows/rows';
import { mistakesOf } from '../support/mistakes-of';
import { change, create, stateOf } from '../support/written';
import { describeOver, replaceFunctions, testEngines, type TestDatabase } from './databases';

const declared = { columns: { title: 'string' }, key: 'slug' } as const;

/** One of the library's functions, replaced by one of the app. */
const replaced: { readonly name: keyof Rows; readonly own: (rows: BuilderRows) => Partial<Rows> }[] = [
  { name: 'delete', own: (rows) => ({ delete: (where) => rows.update(where, { deleted: 1 }) }) },
  {
    name: 'find',
    own: (rows) => ({ find: (where, ...rest) => rows.find({ ...where, tenant: 'a' }, ...rest) }),
  },
  { name: 'update', own: (rows) => ({ update: (...call) => rows.update(...call) }) },
  { name: 'insert', own: (rows) => ({ insert: (row) => rows.insert({ tenant: 'c', ...row }) }) },
];

describeOver(testEngines, 'functions of the app', ({ dialect, open }) => {
  const key = dialect === 'mysql' ? 'varchar(20)' : 'text';
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await database.sql(
      `CREATE TABLE owned (slug ${key} PRIMARY KEY, title ${key} NOT NULL, tenant ${key}, deleted integer)`,
    );
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.sql('DELETE FROM owned');
    await database.sql(
      "INSERT INTO owned VALUES ('milk', 'Buy milk', 'a', NULL), ('salt', 'Buy salt', 'b', NULL)",
    );
  });
  const library = () => tableRows(database.db, { table: 'owned' });
  const notes = () => database.sql('SELECT * FROM owned ORDER BY slug');

  describe.each(replaced)('$name', ({ name, own }) => {
    test('in the store alone is a mistake: the transaction of the library would not call it', () => {
      const rows = library();
      const option = dialect === 'sqlite' ? 'transactionSync' : 'transaction';
      const [mistake, ...others] = mistakesOf(() => rowStore({ ...rows, ...own(rows), ...declared }));
      expect(mistake).toMatchObject({
        ...{ option, code: 'transaction-rows' },
        reason: `passes rows to run without ${name}() of the store`,
        fix: expect.stringContaining(`${option}: (run) =>`) as unknown,
      });
      expect(others).toEqual([]);
    });

    test.each(['replace', 'create', 'delete'])('is missed before anything is written: %s', async (write) => {
      const outside = (rows: BuilderRows): BuilderRows => ({ ...rows, ...own(rows) }) as BuilderRows;
      const store = rowStore({ ...replaceFunctions(library(), outside, (rows) => rows), ...declared });
      const before = await notes();
      const writing = {
        replace: () => change(store, 'milk', { title: 'x' }),
        create: () => create(store, 'new', { title: 'x' }),
        delete: () => store.delete('milk'),
      }[write];
      const error: unknown = await writing?.().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).toContain(`without ${name}() of the store`);
      expect(await notes()).toEqual(before);
    });

    test('holds where both are made by one function', async () => {
      const both = (rows: BuilderRows): BuilderRows => ({ ...rows, ...own(rows) }) as BuilderRows;
      const store = rowStore({ ...replaceFunctions(library(), both), ...declared });
      expect((await change(store, 'milk', { title: 'x' })).value).toEqual({ title: 'x' });
      expect((await store.get('salt')) === undefined).toBe(name === 'find');
      expect(await store.delete('milk')).toBe(true);
      const milk = (await notes()).find(({ slug }) => slug === 'milk');
      expect(milk).toEqual(
        name === 'delete' ? { slug: 'milk', title: 'x', tenant: 'a', deleted: 1 } : undefined,
      );
      if (name === 'find') return; // its filter on tenant hides a new row
      await create(store, 'new', { title: 'x' });
      expect(await notes()).toContainEqual(
        expect.objectContaining({ slug: 'new', tenant: name === 'insert' ? 'c' : null }),
      );
    });
  });

  test.each(['insert', 'delete'] as const)(
    'what the store does not have, %s, it does not have inside',
    async (name) => {
      const store = rowStore({ ...library(), [name]: undefined, ...declared } as never) as object;
      if (name === 'delete') {
        expect(store).not.toHaveProperty('delete');
        return;
      }
      expect(store).toMatchObject({ creates: false });
      const { replace } = store as { replace(...call: unknown[]): Promise<unknown> };
      expect(await replace('new', null, { title: 'x' })).toBeUndefined();
      expect(await notes()).toHaveLength(2);
    },
  );

  test.each(['insert', 'delete'] as const)(
    'rows without %s, which the store has, are a mistake',
    async (name) => {
      const without = (inside: BuilderRows) => ({ ...inside, [name]: undefined }) as unknown as BuilderRows;
      const store = rowStore({ ...replaceFunctions(library(), (rows) => rows, without), ...declared });
      const before = await notes();
      await expect(change(store, 'milk', { title: 'x' })).rejects.toThrow(`without ${name}() of the store`);
      expect(await notes()).toEqual(before);
    },
  );
});

describe('a transaction of the app over one connection', () => {
  let db: InstanceType<typeof DatabaseSync>;
  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    db.exec(`CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT NOT NULL, deleted INTEGER);
      INSERT INTO notes VALUES ('milk', 'Buy milk', NULL)`);
  });
  afterEach(() => {
    db.close();
  });
  const library = () => tableRows(db, { table: 'notes' });
  const inTransaction = async (run: () => Promise<void>) => {
    db.exec('BEGIN');
    try {
      await run();
      db.exec('COMMIT');
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  };

  test('beside the synchronous one of the driver is a mistake', () => {
    const make = () => rowStore({ ...library(), ...declared, transaction: (run) => run(library(), db) });
    expect(mistakesOf(make)).toMatchObject([
      {
        ...{ option: 'transaction', code: 'option-conflict' },
        reason: expect.stringContaining(
          'statements of other requests would get into the transaction',
        ) as unknown,
      },
    ]);
  });

  test('functions of the app alone need not be the same: they are the app’s own on both sides', async () => {
    // Inside of its own transaction, the driver's find would wait for the end of it.
    const read = (where: Row) => db.prepare('SELECT * FROM notes WHERE slug = ?').get(String(where['slug']));
    const wrapped = (): Rows => ({
      find: read,
      update: (where, { title }) =>
        Number(
          db.prepare('UPDATE notes SET title = ? WHERE slug = ?').run(String(title), String(where['slug']))
            .changes,
        ),
    });
    const store = rowStore({
      ...{ ...wrapped(), ...declared, dialect: 'sqlite' as const },
      transaction: (run) => inTransaction(() => run(wrapped(), db)),
    });
    expect((await change(store, 'milk', { title: 'x' })).value).toEqual({ title: 'x' });
    expect((await stateOf(store, 'milk')).value).toEqual({ title: 'x' });
  });
});

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'sqlite'),
  'rows of the pool in a transaction',
  ({ open }) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await open();
      await database.sql('CREATE TABLE outer_rows (slug varchar(20) PRIMARY KEY, title varchar(20))');
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

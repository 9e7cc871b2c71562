/** One handle of SQLite, which all requests share: nothing of another request gets into a transaction, and nothing waits in one. */
import { setTimeout as delay } from 'node:timers/promises';
import LibsqlDatabase from 'libsql';
import { tableStore } from '../../lib/rows';
import { storeConformance } from '../../lib/testing';
import { type OpenSqlite, sqliteDrivers } from '../support/sqlite';
import { testSomeCases } from '../support/test-cases';
import { change, create, replaceAt, stateOf } from '../support/written';

const libsql = {
  driver: 'libsql',
  openFile: (file: string) => new LibsqlDatabase(file) as unknown as OpenSqlite,
};

const columns = { title: 'string', n: 'integer?' } as const;

describe.each([...sqliteDrivers, libsql])('$driver', ({ openFile }) => {
  let db: OpenSqlite;
  beforeEach(() => {
    db = openFile(':memory:');
    db.exec(
      'CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT NOT NULL, n INTEGER, outcomes TEXT); CREATE TABLE log (a)',
    );
    db.exec("INSERT INTO notes VALUES ('a', 'x', 0, NULL), ('b', 'x', 0, NULL)");
  });
  afterEach(() => {
    db.close();
  });
  const openStore = (more: object = {}) => tableStore(db, { table: 'notes', columns, key: 'slug', ...more });
  const rows = () =>
    (db.prepare('SELECT slug, title, n FROM notes ORDER BY slug').all() as Record<string, unknown>[]).map(
      (row) => Object.values(row).join(),
    );

  describe('the contract', () => {
    const cases = storeConformance(
      () => ({
        open: () =>
          tableStore(db, { table: 'notes', columns: { title: 'string' }, key: 'slug', outcomes: 'outcomes' }),
      }),
      { versions: false, carrier: { wrap: (title: string) => ({ title }), unwrap: ({ title }) => title } },
    );
    testSomeCases(cases, 1);
  });

  test('statements of other requests do not get into a transaction, in whichever order their turns come', async () => {
    const states: boolean[] = [];
    const isOpen = () => {
      const { inTransaction, isTransaction } = db as { inTransaction?: boolean; isTransaction?: boolean };
      return inTransaction ?? isTransaction ?? false;
    };
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        states.push(isOpen());
        await Promise.resolve();
        states.push(isOpen());
        await new Promise(setImmediate);
      }
    };
    const watching = watch();
    const store = openStore({
      onWrite: () => {
        states.push(!isOpen()); // here it is
        db.exec("INSERT INTO log VALUES ('x')");
      },
    });
    const results = await Promise.allSettled([
      change(store, 'a', { title: 'y', n: 0 }),
      create(store, 'c', { title: 'z', n: 0 }),
      store.delete('b'),
      store.get('a'),
      create(store, 'a', { title: 'lost', n: 0 }),
    ]);
    isOver = true;
    await watching;
    expect(results.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
    expect(states.length).toBeGreaterThan(4);
    expect(states).not.toContain(true);
    expect(rows().map((row) => row.split(',').slice(0, 2))).toEqual([
      ['a', 'y'],
      ['c', 'z'],
    ]);
  });

  test('a write that is refused is rolled back, and others that came with it are not', async () => {
    db.exec("CREATE UNIQUE INDEX one ON notes (title) WHERE title <> 'x'");
    const store = openStore();
    const [first, second] = await Promise.allSettled([
      change(store, 'a', { title: 'y', n: 1 }),
      change(store, 'b', { title: 'y', n: 1 }),
    ]);
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(rows()).toEqual(['a,y,1', 'b,x,0']);
  });

  test.each([
    { end: 'ROLLBACK', n: 0 },
    { end: 'COMMIT', n: 9 },
  ])('a transaction of the app on the handle is waited for: $end', async ({ end, n }) => {
    const store = openStore();
    const current = await stateOf(store, 'a');
    db.exec('BEGIN');
    db.exec("UPDATE notes SET n = 9 WHERE slug = 'b'");
    const all = Promise.all([
      replaceAt(store, 'a', current, { title: 'y', n: 0 }),
      create(store, 'c', { title: 'z', n: 0 }),
      store.get('b'),
    ]);
    await delay(20);
    expect(rows()).toEqual(['a,x,0', 'b,x,9']);
    db.exec(end);
    const [, , read] = await all;
    // What was not committed is not shown.
    expect(read?.value).toEqual({ title: 'x', n });
    expect(rows()).toEqual(['a,y,0', `b,x,${n}`, 'c,z,0']);
  });

  test('one that does not end is an error, and nothing is written', async () => {
    const store = openStore();
    const current = await stateOf(store, 'a');
    db.exec('BEGIN');
    const code = 'PATCH_OPTIONS_OPEN_TRANSACTION';
    await expect(replaceAt(store, 'a', current, { title: 'y', n: 0 })).rejects.toMatchObject({ code });
    db.exec('COMMIT');
    expect(rows()).toEqual(['a,x,0', 'b,x,0']);
  });
});

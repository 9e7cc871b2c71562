/** While a write is held, the app's own goes on: other rows, other keys, and rows that refer to the one that is locked. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { tableStore } from '../../lib/rows';
import { change, create, stateOf, replaceAt } from '../support/written';
import { type AppConnection, describeOver, type TestDatabase, testEngines } from './databases';

/** How many milliseconds a write is held for one that waits for it: many, as machines are busy. */
const longest = 30_000;

const engines = testEngines.filter(({ dialect }) => dialect !== 'sqlite');

describeOver(engines, 'while a write is held', ({ dialect, open }) => {
  let database: TestDatabase;
  let app: AppConnection;
  let table: string;
  beforeAll(async () => {
    database = await open();
    app = await database.connect();
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });
  beforeEach(async () => {
    table = `held_${randomUUID().slice(0, 8)}`;
    await app.sql(`CREATE TABLE ${table} (slug varchar(20) PRIMARY KEY, title varchar(20), n integer)`);
    await app.sql(`CREATE TABLE ${table}_child (note varchar(20) REFERENCES ${table} (slug))`);
    await app.sql(`INSERT INTO ${table} VALUES ('a', 'x', 0), ('b', 'x', 0), ('c', 'x', 0)`);
  });
  const openStore = (onWrite?: () => Promise<unknown>) =>
    tableStore(database.db, {
      ...{ table, columns: { title: 'string' }, key: 'slug', timeout: 2 * longest },
      ...(onWrite && { onWrite }),
    } as const);

  const holds: { held: string; hold: (store: ReturnType<typeof openStore>) => Promise<unknown> }[] = [
    { held: 'a change', hold: (store) => change(store, 'a', { title: 'y' }) },
    { held: 'a creation', hold: (store) => create(store, 'new', { title: 'y' }) },
    { held: 'a deletion', hold: (store) => store.delete('a') },
  ];
  const acts: { act: string; isFree?: (held: string) => boolean; run: () => Promise<unknown> }[] = [
    { act: 'an UPDATE of another row', run: () => app.sql(`UPDATE ${table} SET n = n + 1 WHERE slug = 'b'`) },
    { act: 'an INSERT of another key', run: () => app.sql(`INSERT INTO ${table} VALUES ('d', 'x', 0)`) },
    { act: 'a change of another row by the store', run: () => change(openStore(), 'c', { title: 'z' }) },
    { act: 'a creation of another key by the store', run: () => create(openStore(), 'e', { title: 'z' }) },
    { act: 'a read of the row', run: () => app.sql(`SELECT * FROM ${table}`) },
    { act: 'a GET by the store', run: () => openStore().get('a') },
    {
      act: 'an INSERT of a row that refers to it',
      // InnoDB lets it wait for any write of the row, as for one by hand; and a deletion is waited for everywhere.
      isFree: (held) => dialect === 'postgres' && held === 'a change',
      run: () => app.sql(`INSERT INTO ${table}_child VALUES ('a')`),
    },
  ];

  test.each(
    holds.flatMap((hold) =>
      acts.filter(({ isFree }) => isFree?.(hold.held) ?? true).map((act) => ({ ...hold, ...act })),
    ),
  )('$held does not keep $act waiting', async ({ hold, run }) => {
    let isHeld: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const released = new AbortController();
    let isOver = false;
    const writing = hold(
      openStore(async () => {
        isHeld();
        // Until the other has come to its end, or can only wait for this one.
        await delay(longest, undefined, { signal: released.signal }).catch(() => undefined);
        isOver = true;
      }),
    );
    await held;
    await run();
    expect(isOver).toBe(false);
    released.abort();
    await writing;
  });

  test('a key that is not there locks nothing: two creations of different keys at once, and writes of a row that is gone', async () => {
    const missing = { value: { title: 'x' }, handle: { slug: 'gone', title: 'x' } };
    let arrived = 0;
    let bothAreHeld: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (bothAreHeld = resolve));
    const wait = () => {
      if (++arrived === 2) bothAreHeld();
      return both;
    };
    // Each looks for its key before it is inserted, and waits for the other.
    const made = await Promise.all(
      ['x1', 'x2'].map(async (key) => {
        const store = openStore(wait);
        expect(await replaceAt(store, key, missing, { title: 'y' })).toEqual({ current: undefined });
        return create(store, key, { title: key });
      }),
    );
    expect(made.map(({ value }) => value.title)).toEqual(['x1', 'x2']);
  });

  test('a creation that comes second gets the state of the first, also while that is held', async () => {
    const first = openStore(() => delay(200));
    const [one, other] = await Promise.all([
      create(first, 'new', { title: 'first' }),
      delay(50).then(() => openStore().replace('new', null, { title: 'second' })),
    ]);
    expect(one.value).toEqual({ title: 'first' });
    expect(other).toEqual({ current: await stateOf(openStore(), 'new') });
  });
});

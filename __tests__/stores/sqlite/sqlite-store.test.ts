import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from '../../../lib/config/options-check';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { hasWalResetFault, isBusy, type SqliteHandle } from '../../../lib/stores/sql/sqlite-handle';
import { SqliteStore } from '../../../lib/stores/sqlite/sqlite-store';
import { describePatchesOver } from '../../patch/tables/index';
import { runTypescript } from '../../support/run-typescript';
import { DatabaseSync, sqliteDrivers } from '../../support/sqlite';
import { testCases } from '../../support/test-cases';
import { describeTables } from '../sql/describe-tables';

/** better-sqlite3's errors are those of whichever test file of the process loaded it first, and so not Jest's `Error`. */
const saying = (message: string) => ({ message: expect.stringContaining(message) as string });

const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };

const folder = mkdtempSync(join(tmpdir(), 'patch-options-sqlite-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
let files = 0;
const newFile = () => join(folder, `${files++}.db`);

describe.each(sqliteDrivers)('SqliteStore over $driver', ({ openFile }) => {
  const open: { close(): unknown }[] = [];
  const openStore = async (file: string, table = 'resources', options = {}) => {
    const db = openFile(file);
    open.push(db);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    const store = new SqliteStore(db, { table, ...options });
    await store.setup();
    return { db, store };
  };
  afterEach(() => {
    for (const db of open.splice(0)) db.close();
  });

  describe('keeps the contract of ResourceStore', () => {
    const cases = storeConformance(() => {
      const file = newFile();
      return { open: async () => (await openStore(file)).store };
    });
    testCases(cases);
  });

  test.each(['notes', 'select', 'the "notes"', "it's", 'notes; DROP TABLE notes', 'main.notes', 'ä'])(
    'the table may be named %s',
    async (table) => {
      const { store } = await openStore(newFile(), table);
      const made = await store.replace('key', null, { title: 'a' });
      expect(await store.get('key')).toEqual(made);
    },
  );

  test('nothing is acknowledged inside a transaction of your app, whose ROLLBACK would undo it', async () => {
    const { db, store } = await openStore(newFile(), 'resources', { busyTimeout: 50 });
    const made = await store.replace('key', null, { n: 1 });
    db.exec('BEGIN');
    for (const write of [
      () => store.replace('key', made?.version ?? null, { n: 2 }),
      () => store.replace('other', null, {}),
      () => store.replace('other', null, {}, { outcome }),
      () => store.delete('key'),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'PATCH_OPTIONS_OPEN_TRANSACTION' });
    }
    const patient = new SqliteStore(db, { table: 'resources' });
    const waiting = patient.replace('key', made?.version ?? null, { n: 3 });
    db.exec('ROLLBACK');
    expect((await waiting)?.value).toEqual({ n: 3 });
    expect((await store.get('key'))?.value).toEqual({ n: 3 });
  });

  test('nor does setup resolve inside one, whose ROLLBACK would take the tables away', async () => {
    const db = openFile(newFile());
    open.push(db);
    db.exec('BEGIN');
    const early = new SqliteStore(db, { table: 'notes', busyTimeout: 0 });
    await expect(early.setup()).rejects.toMatchObject({ code: 'PATCH_OPTIONS_OPEN_TRANSACTION' });
    const store = new SqliteStore(db, { table: 'notes' });
    const waiting = store.setup();
    db.exec('ROLLBACK');
    await waiting;
    expect(await store.replace('key', null, 1)).toBeDefined();
  });

  test.each(['UTF-16le', 'UTF-16be'])('a database in %s is refused at start', (encoding) => {
    const db = openFile(newFile());
    open.push(db);
    db.exec(`PRAGMA encoding = '${encoding}'`);
    const make = () => new SqliteStore(db, { table: 'notes', acceptWalResetFault: true });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      `db: '${encoding}' is an encoding that cannot store every text. Create the file with PRAGMA`,
    );
  });

  test('your app lists with its own query, on the columns that are documented', async () => {
    const { db, store } = await openStore(newFile(), 'notes');
    const made = await store.replace('a', null, { title: 'first' });
    await store.replace('b', null, { title: 'second' });
    const rows = db.prepare('SELECT key, value, version, modified FROM notes ORDER BY key').all();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      key: 'a',
      value: '{"title":"first"}',
      version: made?.version,
      modified: made?.modified?.toISOString(),
    });
  });

  test('the text of an outcome is made outside a transaction: it may ask your app, and that the database', async () => {
    const { db, store } = await openStore(newFile());
    const text = () => {
      db.exec('BEGIN; COMMIT');
      return 'the text';
    };
    expect(await store.replace('key', null, 1, { outcome: { ...outcome, text } })).toBeDefined();
    expect((await store.get('key', { outcome }))?.outcome).toBe('the text');
  });

  describeTables({
    name: 'SqliteStore',
    fault: (table) => new RegExp(`^no such table: (?:main\\.)?${table}$`),
    columnFault: (column) => `no such column: ${column}`,
    setupSql: (table) => SqliteStore.setupSql({ table }),
    open: () => {
      const db = openFile(newFile());
      open.push(db);
      const exec = (sql: string) => db.exec(sql);
      return {
        store: new SqliteStore(db, { table: 'notes', acceptWalResetFault: true }),
        table: 'notes',
        quoted: (name) => `"${name}"`,
        exec,
        addTrigger: (table, into) =>
          exec(`CREATE TRIGGER t AFTER INSERT ON ${table} BEGIN INSERT INTO ${into} VALUES (1); END`),
      };
    },
  });

  test('a commit that fails is an error, not an acknowledgement', async () => {
    // With a rollback journal an open reader lets others write, but not commit.
    const file = newFile();
    const [db, reader] = [openFile(file), openFile(file)];
    open.push(db, reader);
    const store = new SqliteStore(db, { table: 'notes', busyTimeout: 30 });
    await store.setup();
    const made = await store.replace('a', null, 'before');
    await store.replace('b', null, 'before');
    reader.exec('BEGIN; SELECT * FROM notes');
    for (const context of [{}, { outcome }]) {
      const written = store.replace('a', made?.version ?? '', 'after', context);
      await expect(written).rejects.toMatchObject(saying('database is locked'));
    }
    reader.exec('COMMIT');
    const found = await store.get('a', { outcome });
    expect([found?.value, found?.outcome]).toEqual(['before', undefined]);
    expect(await store.replace('a', made?.version ?? '', 'after', { outcome })).toBeDefined();
  });

  test('a writer waits for another without blocking the process, and gives up when aborted', async () => {
    const file = newFile();
    const { store } = await openStore(file);
    const { db: other } = await openStore(file);
    other.exec('BEGIN IMMEDIATE');
    const waiting = store.replace('key', null, 1);
    const controller = new AbortController();
    const aborted = store.replace('other', null, 1, { signal: controller.signal });
    const reason = new Error('gone');
    setTimeout(() => {
      controller.abort(reason);
    }, 20);
    await expect(aborted).rejects.toBe(reason);
    other.exec('COMMIT');
    expect(await waiting).toBeDefined();
    expect(await store.get('other')).toBeUndefined();
  });

  test('a value over maxBytes is refused with a 413 problem', async () => {
    const { store } = await openStore(newFile());
    await expect(store.replace('key', null, 'é'.repeat(50), { maxBytes: 100 })).rejects.toMatchObject({
      status: 413,
      code: 'limit-result',
      message: 'The result would have 102 bytes, but the limit is 100. Make it smaller.',
    });
  });
});

describe('PATCH over SqliteStore', () => {
  const db = new DatabaseSync(':memory:');
  afterAll(() => {
    db.close();
  });

  describePatchesOver(async () => {
    const store = new SqliteStore(db, { table: 'patched' });
    await store.setup();
    return store;
  }, 2);
});

test('several processes on one file lose no update', async () => {
  const file = newFile();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL');
  const store = new SqliteStore<number>(db, { table: 'counters' });
  await store.setup();
  await store.replace('counter', null, 0);
  const counters = Array.from({ length: 3 }, () =>
    runTypescript(join(__dirname, 'count-in-sqlite.ts'), [file, '100']),
  );
  const codes = await Promise.all(counters.map((counter) => once(counter, 'exit')));
  expect(codes.map(([code]) => code as unknown)).toEqual([0, 0, 0]);
  expect((await store.get('counter'))?.value).toBe(300);
  db.close();
});

describe('SqliteStore refuses at start', () => {
  const handleOf = (version: string, mode: string): SqliteHandle => ({
    exec: () => undefined,
    prepare: () => ({ all: () => [{ version, mode, encoding: 'UTF-8' }] }),
  });
  const sound = handleOf('3.53.0', 'wal');

  test.each<{
    readonly title: string;
    readonly db?: unknown;
    readonly options?: object;
    readonly message: string;
  }>([
    { title: 'a path', db: 'notes.db', message: `db: a string must be an open database` },
    { title: 'no table', options: {}, message: 'table: undefined must be a non-empty string' },
    { title: 'an empty name', options: { table: '' }, message: `table: '' must be a non-empty string` },
    { title: 'a NUL in the name', options: { table: 'a\0b' }, message: `table: 'a\\x00b' contains NUL` },
    {
      title: 'a lone surrogate in the name',
      options: { table: '\ud800' },
      message: 'contains NUL or a lone surrogate',
    },
    {
      title: "SQLite's own names",
      options: { table: 'SQLite_notes' },
      message: 'a prefix that the database reserves',
    },
    {
      title: 'a wait that is none',
      options: { table: 'notes', busyTimeout: -1 },
      message: 'busyTimeout: -1 must be a number of milliseconds',
    },
    {
      title: 'a flag that is none',
      options: { table: 'notes', acceptWalResetFault: 'true' },
      message: `acceptWalResetFault: a string must be a boolean`,
    },
    {
      title: 'a misspelt option',
      options: { tabel: 'notes', table: 'notes' },
      message: `Did you mean 'table'?`,
    },
    { title: 'the WAL-reset fault', db: handleOf('3.51.2', 'wal'), message: `'3.51.2' is a SQLite release` },
  ])('$title', ({ db = sound, options = { table: 'notes' }, message }) => {
    const make = () => new SqliteStore(db as SqliteHandle, options as { table: string });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  test('a name that cannot be one, in setupSql too', () => {
    expect(() => SqliteStore.setupSql({ table: '' })).toThrow(ConfigurationError);
  });

  test('the WAL-reset fault does not matter outside WAL mode, nor to an app that accepts it', () => {
    expect(() => new SqliteStore(handleOf('3.51.2', 'delete'), { table: 'notes' })).not.toThrow();
    const options = { table: 'notes', acceptWalResetFault: true };
    expect(() => new SqliteStore(handleOf('3.51.2', 'wal'), options)).not.toThrow();
  });

  test.each([
    { version: '3.7.0', expected: true },
    { version: '3.44.5', expected: true },
    { version: '3.44.6', expected: false },
    { version: '3.45.0', expected: true },
    { version: '3.50.6', expected: true },
    { version: '3.50.7', expected: false },
    { version: '3.51.2', expected: true },
    { version: '3.51.3', expected: false },
    { version: '3.52.0', expected: false },
    { version: '4.0.0', expected: false },
  ])('SQLite $version has the WAL-reset fault: $expected', ({ version, expected }) => {
    expect(hasWalResetFault(version)).toBe(expected);
  });
});

test.each<{ readonly what: string; readonly error: unknown; readonly expected: boolean }>([
  { what: 'better-sqlite3', error: { code: 'SQLITE_BUSY' }, expected: true },
  { what: 'better-sqlite3, an extended code', error: { code: 'SQLITE_BUSY_RECOVERY' }, expected: true },
  { what: 'node:sqlite', error: { code: 'ERR_SQLITE_ERROR', errcode: 5 }, expected: true },
  {
    what: 'node:sqlite, an extended code',
    error: { code: 'ERR_SQLITE_ERROR', errcode: 5 | (2 << 8) },
    expected: true,
  },
  {
    what: 'another fault',
    error: { code: 'ERR_SQLITE_ERROR', errcode: 13, message: 'database or disk is full' },
    expected: false,
  },
  { what: 'another fault of better-sqlite3', error: { code: 'SQLITE_FULL' }, expected: false },
  { what: 'no error at all', error: undefined, expected: false },
])('$what: busy', ({ error, expected }) => {
  expect(isBusy(error)).toBe(expected);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteHandle } from '../../../lib/stores/sql/sqlite-handle';
import { SqliteStore } from '../../../lib/stores/sqlite/sqlite-store';
import { type OpenSqlite, sqliteDrivers } from '../../support/sqlite';

const folder = mkdtempSync(join(tmpdir(), 'patch-options-sqlite-group-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
let files = 0;

const outcome = (id: string, keep = 10) => {
  return { id, scope: 's', text: () => `outcome ${id}`, keep, total: 100, maxAge: 60 };
};

describe.each(sqliteDrivers)(
  'writes of one turn are committed together by SqliteStore over $driver',
  ({ openFile }) => {
    let db: OpenSqlite;
    let handle: SqliteHandle;
    let store: SqliteStore;
    /** What was run on the handle by name. */
    let executed: string[];
    let executing: (sql: string) => void;

    beforeEach(async () => {
      db = openFile(join(folder, `${files++}.db`));
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
      executed = [];
      executing = () => undefined;
      handle = {
        prepare: (sql) => db.prepare(sql),
        exec(sql) {
          executed.push(sql.split(' ')[0] ?? '');
          executing(sql);
          return db.exec(sql);
        },
      };
      store = new SqliteStore(handle, { table: 'notes', busyTimeout: 60_000 });
      await store.setup();
      executed.length = 0;
    });
    afterEach(() => db.close());

    const create = (key: string, context = {}) => store.replace(key, null, { key }, context);
    const refuse = (key: string, how: string) =>
      db.exec(
        `CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN NEW.key = '${key}' BEGIN SELECT RAISE(${how}, 'refused'); END`,
      );
    const keys = async (...asked: string[]) => {
      const found = await Promise.all(asked.map((key) => store.get(key)));
      return asked.filter((_key, i) => found[i] !== undefined);
    };

    test('many in one transaction, one without any of ours', async () => {
      await Promise.all(['a', 'b', 'c'].map((key) => create(key)));
      expect(executed).toEqual(['BEGIN', 'COMMIT']);
      await create('d');
      expect(executed).toEqual(['BEGIN', 'COMMIT']);
      expect(await keys('a', 'b', 'c', 'd')).toEqual(['a', 'b', 'c', 'd']);
    });

    test('of several that replace one version, one writes', async () => {
      const made = await create('a');
      const version = made?.version ?? null;
      const written = await Promise.all([1, 2, 3].map((n) => store.replace('a', version, { n })));
      expect(written.map((stored) => stored?.value)).toEqual([{ n: 1 }, undefined, undefined]);
      expect((await store.get('a'))?.value).toEqual({ n: 1 });
    });

    test('nothing is acknowledged before the commit', async () => {
      const settled: string[] = [];
      executing = (sql) => settled.push(sql);
      await Promise.all(['a', 'b'].map((key) => create(key).then(() => settled.push(key))));
      expect(settled).toEqual(['BEGIN IMMEDIATE', 'COMMIT', 'a', 'b']);
    });

    test.each(['ABORT', 'FAIL', 'ROLLBACK'])(
      'where one fails (%s), it alone is told so, and the others are written',
      async (how) => {
        refuse('b', how);
        const results = await Promise.allSettled(['a', 'b', 'c'].map((key) => create(key)));
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(results[1]).toMatchObject({
          reason: { message: expect.stringContaining('refused') as string },
        });
        expect(await keys('a', 'b', 'c')).toEqual(['a', 'c']);
        // No transaction was left open.
        expect(await create('d')).toBeDefined();
      },
    );

    test('where the commit fails, all are told so, and none takes its own write for another’s', async () => {
      executing = (sql) => {
        if (sql === 'COMMIT') throw new Error('disk I/O error');
      };
      const results = await Promise.allSettled(['a', 'b'].map((key) => create(key)));
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(results[0]).toMatchObject({ reason: { message: 'disk I/O error' } });
      executing = () => undefined;
      expect(await keys('a', 'b')).toEqual([]);
      expect(await create('a')).toBeDefined();
    });

    test('whose client has gone while the others waited is left out', async () => {
      const leaving = new AbortController();
      const writes = [create('a'), create('b', { signal: leaving.signal }), create('c')];
      leaving.abort(new Error('gone'));
      const results = await Promise.allSettled(writes);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(results[1]).toMatchObject({ reason: { message: 'gone' } });
      expect(await keys('a', 'b', 'c')).toEqual(['a', 'c']);
    });

    test('what is written with an outcome stands or falls with it, and with nothing else', async () => {
      const made = await create('a', { outcome: outcome('1') });
      const version = made?.version ?? null;
      const again = { outcome: outcome('1') };
      const full = { outcome: outcome('2', 1) };
      const results = await Promise.allSettled([
        create('b', { outcome: outcome('1') }),
        store.replace('a', version, { again: true }, again),
        create('c'),
      ]);
      expect(
        results.map((result) => (result.status === 'fulfilled' ? result.value?.value : result.status)),
      ).toEqual([{ key: 'b' }, undefined, { key: 'c' }]);
      const filled = await Promise.allSettled([
        create('d'),
        store.replace('a', version, { full: true }, full),
        store.delete('b'),
      ]);
      expect(filled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(filled[1]).toMatchObject({ reason: { code: 'outcomes-full', status: 503 } });
      expect(await store.get('a', { outcome: outcome('1') })).toMatchObject({
        value: { key: 'a' },
        version,
        outcome: 'outcome 1',
      });
      expect(await keys('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
    });

    test('where a constraint is deferred to the commit, it refuses the write that it is about', async () => {
      db.exec('PRAGMA foreign_keys = ON');
      db.exec('CREATE TABLE links (note TEXT REFERENCES notes (key) DEFERRABLE INITIALLY DEFERRED)');
      await create('x');
      db.exec("INSERT INTO links VALUES ('x')");
      const results = await Promise.allSettled([create('a'), store.delete('x'), create('b')]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await keys('a', 'b', 'x')).toEqual(['a', 'b', 'x']);
    });

    test('where no transaction can be begun, each is written as if it were alone', async () => {
      executing = (sql) => {
        if (sql.startsWith('BEGIN'))
          throw new TypeError('This database connection is busy executing a query');
      };
      expect(await Promise.all([create('a'), create('b')])).toMatchObject([{ value: {} }, { value: {} }]);
    });

    test('a client that goes while your app’s transaction is open is told why at once', async () => {
      const own = new SqliteStore(db, { table: 'notes', busyTimeout: 60_000 });
      db.exec('BEGIN');
      const leaving = new AbortController();
      const left = own.replace('a', null, {}, { signal: leaving.signal });
      const stays = own.replace('b', null, {});
      const reason = new Error('gone');
      setTimeout(() => {
        leaving.abort(reason);
      }, 20);
      await expect(left).rejects.toBe(reason);
      db.exec('COMMIT');
      expect(await stays).toBeDefined();
    });

    test('all wait for another connection’s lock, and give up together', async () => {
      const other = openFile(join(folder, `${files - 1}.db`));
      other.exec('BEGIN IMMEDIATE');
      const waiting = Promise.all(['a', 'b'].map((key) => create(key)));
      setTimeout(() => other.exec('COMMIT'), 50);
      expect((await waiting).every((stored) => stored !== undefined)).toBe(true);
      other.exec('BEGIN IMMEDIATE');
      const impatient = new SqliteStore(handle, { table: 'notes', busyTimeout: 50 });
      const results = await Promise.allSettled(
        ['c', 'd'].map((key) => impatient.replace(key, null, { key })),
      );
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      other.exec('ROLLBACK');
      other.close();
      expect(await keys('a', 'b', 'c', 'd')).toEqual(['a', 'b']);
    });
  },
);

/** Over one connection a write is a part of the transaction that the app has begun on it: a savepoint. */
import { randomUUID } from 'node:crypto';
import { createPool, type Pool as MysqlPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { type TableConnection, tableStore } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb, sharedPostgres } from '../support/engines';
import { change, create, replaceAt, stateOf } from '../support/written';

/** A connection of the app, on which it sends its own statements. */
interface Held {
  readonly db: TableConnection;
  readonly sql: (text: string) => Promise<unknown>;
  readonly release: () => void;
}

interface Opened {
  readonly pool: TableConnection;
  readonly rows: (text: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly hold: () => Promise<Held>;
  readonly close: () => Promise<void>;
}

const engines: readonly {
  readonly engine: string;
  readonly driver: string;
  readonly describe: jest.Describe;
  readonly open: () => Promise<Opened>;
}[] = [
  {
    ...{ engine: 'PostgreSQL', driver: 'pg', describe },
    open: async () => {
      const engine: SharedEngine = await sharedPostgres();
      const pool = new Pool({ connectionString: engine.urls[0] });
      pool.on('error', () => undefined);
      return {
        pool,
        rows: async (text) => (await pool.query<Record<string, unknown>>(text)).rows,
        hold: async () => {
          const client = await pool.connect();
          return { db: client, sql: (text) => client.query(text), release: () => client.release(true) };
        },
        close: async () => {
          await pool.end();
          await engine.close();
        },
      };
    },
  },
  {
    ...{ engine: 'MariaDB', driver: 'mysql2', describe: describeMariadb },
    open: async () => {
      const engine = await sharedMariadb();
      const pool: MysqlPool = createPool({ uri: engine.urls[0] });
      return {
        pool,
        rows: async (text) => (await pool.query(text))[0] as Record<string, unknown>[],
        hold: async () => {
          const connection = await pool.getConnection();
          return {
            db: connection,
            sql: (text) => connection.query(text),
            release: () => {
              connection.destroy();
            },
          };
        },
        close: async () => {
          await pool.end();
          await engine.close();
        },
      };
    },
  },
];

const columns = { title: 'string', n: 'integer' } as const;

for (const { engine, driver, describe: describeEngine, open } of engines)
  describeEngine(`one connection of ${driver}`, () => {
    let opened: Opened;
    let held: Held;
    let other: Held | undefined;
    let table: string;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      table = `joined_${randomUUID().slice(0, 8)}`;
      await opened.rows(
        `CREATE TABLE ${table} (slug varchar(20) PRIMARY KEY, title varchar(20) UNIQUE, n integer, CHECK (n < 100))`,
      );
      await opened.rows(
        `INSERT INTO ${table} VALUES ('a', 'x', 1), ('b', 'taken', 1), ('app', 'of the app', 0)`,
      );
      held = await opened.hold();
    });
    afterEach(() => {
      held.release();
      other?.release();
      other = undefined;
    });
    const openStore = (more: object = {}, db = held.db) =>
      tableStore(db, { table, columns, key: 'slug', ...more });
    const bytes = async () =>
      (await opened.rows(`SELECT slug, title, n FROM ${table} ORDER BY slug`)).map((row) =>
        Object.values(row).join(),
      );
    const before = ['a,x,1', 'app,of the app,0', 'b,taken,1'];

    test('the commit is the app’s, and so is the rollback', async () => {
      const store = openStore();
      for (const [end, after] of [
        ['ROLLBACK', before],
        ['COMMIT', ['a,y,1', 'app,of the app,1', 'new,n,0']],
      ] as const) {
        await held.sql('BEGIN');
        await held.sql(`UPDATE ${table} SET n = 1 WHERE slug = 'app'`);
        expect((await change(store, 'a', { title: 'y', n: 1 })).value).toEqual({ title: 'y', n: 1 });
        await create(store, 'new', { title: 'n', n: 0 });
        expect(await store.delete('b')).toBe(true);
        expect((await stateOf(store, 'a')).value.title).toBe('y');
        expect(await bytes()).toEqual(before);
        await held.sql(end);
        expect(await bytes()).toEqual(after);
      }
    });

    test.each<{
      what: string;
      write: (store: ReturnType<typeof openStore>) => Promise<unknown>;
      more?: object;
    }>([
      { what: 'a CHECK', write: (store) => change(store, 'a', { title: 'y', n: 100 }) },
      { what: 'a unique value', write: (store) => change(store, 'a', { title: 'taken', n: 1 }) },
      {
        what: 'a unique value of a new row',
        write: (store) => create(store, 'new', { title: 'taken', n: 1 }),
      },
      {
        what: 'onWrite',
        write: (store) => change(store, 'a', { title: 'y', n: 1 }),
        more: { onWrite: () => Promise.reject(new Error('no audit')) },
      },
      {
        what: 'onWrite of a deletion',
        write: (store) => store.delete('a'),
        more: { onWrite: () => Promise.reject(new Error('no audit')) },
      },
    ])(
      'a write that is refused by $what leaves the app’s other statements, and its transaction',
      async ({ write, more }) => {
        const store = openStore(more);
        await held.sql('BEGIN');
        await held.sql(`UPDATE ${table} SET n = 1 WHERE slug = 'app'`);
        await expect(write(store)).rejects.toThrow();
        await held.sql(`UPDATE ${table} SET n = n + 1 WHERE slug = 'app'`);
        await held.sql('COMMIT');
        expect(await bytes()).toEqual(['a,x,1', 'app,of the app,2', 'b,taken,1']);
      },
    );

    test('another state than the one that was judged is the result, and the transaction goes on', async () => {
      const store = openStore();
      await held.sql('BEGIN');
      const current = await stateOf(store, 'a');
      await held.sql(`UPDATE ${table} SET title = 'own' WHERE slug = 'a'`);
      expect(await replaceAt(store, 'a', current, { title: 'y', n: 1 })).toMatchObject({
        current: { value: { title: 'own' } },
      });
      await held.sql('COMMIT');
      expect((await bytes())[0]).toBe('a,own,1');
    });

    test('a row that another connection has changed since is not overwritten', async () => {
      const store = openStore();
      const current = await stateOf(store, 'a');
      await held.sql('BEGIN');
      // At REPEATABLE READ, the default of InnoDB, plain reads keep showing this state.
      await held.sql(`SELECT * FROM ${table}`);
      await opened.rows(`UPDATE ${table} SET title = 'faster' WHERE slug = 'a'`);
      expect(await replaceAt(store, 'a', current, { title: 'slower', n: 1 })).toMatchObject({
        current: { value: { title: 'faster' } },
      });
      await held.sql('COMMIT');
      expect((await bytes())[0]).toBe('a,faster,1');
    });

    test.each(['change', 'create', 'delete'])(
      'without a transaction it is an error that says so, and nothing is written: %s',
      async (what) => {
        const store = openStore();
        const write = {
          change: () => change(store, 'a', { title: 'y', n: 1 }),
          create: () => create(store, 'new', { title: 'y', n: 1 }),
          delete: () => store.delete('a'),
        }[what];
        const pool = driver === 'pg' ? 'new Pool()' : 'createPool(…)';
        await expect(write?.()).rejects.toThrow(
          `A write over one connection of ${driver} joins the transaction that your app has begun on it, but there is none. ` +
            `Pass ${pool}, or begin a transaction.`,
        );
        expect(await bytes()).toEqual(before);
        // The connection serves the app as before.
        await held.sql(`UPDATE ${table} SET n = 9 WHERE slug = 'app'`);
        expect((await bytes())[1]).toBe('app,of the app,9');
      },
    );

    test('a deadlock is the error that the app gets, and its transaction is its own to run again', async () => {
      other = await opened.hold();
      let runs = 0;
      const store = openStore({ onWrite: () => void (runs += 1) });
      const current = await stateOf(store, 'a');
      await held.sql('BEGIN');
      await held.sql(`UPDATE ${table} SET n = 5 WHERE slug = 'b'`);
      await other.sql('BEGIN');
      // InnoDB rolls back the transaction that has changed less.
      for (const slug of ['a', 'app']) await other.sql(`UPDATE ${table} SET n = 7 WHERE slug = '${slug}'`);
      const writing = replaceAt(store, 'a', current, { title: 'y', n: 1 }).catch((error: unknown) => error);
      const waiting = other
        .sql(`UPDATE ${table} SET n = 8 WHERE slug = 'b'`)
        .catch((error: unknown) => error);
      const error = await writing;
      const isOurs = error instanceof Error;
      if (engine === 'MariaDB') expect(error).toMatchObject({ errno: 1213 });
      else expect(isOurs ? error : await waiting).toMatchObject({ code: '40P01' });
      expect(runs).toBe(isOurs ? 0 : 1);
      await held.sql('ROLLBACK');
      await waiting;
      await other.sql('ROLLBACK');
      expect(await bytes()).toEqual(before);
    });

    if (driver === 'pg')
      test('with xmin as the state, a refused write leaves the app’s other statements, too', async () => {
        const store = openStore({ version: 'xmin' });
        await held.sql('BEGIN');
        await held.sql(`UPDATE ${table} SET n = 1 WHERE slug = 'app'`);
        await expect(change(store, 'a', { title: 'x', n: 100 })).rejects.toMatchObject({ status: 422 });
        expect((await change(store, 'a', { title: 'y', n: 1 })).value.title).toBe('y');
        await held.sql('COMMIT');
        expect(await bytes()).toEqual(['a,y,1', 'app,of the app,1', 'b,taken,1']);
      });

    if (driver === 'mysql2')
      test('with autocommit off it joins the transaction that the first statement begins', async () => {
        const store = openStore();
        await held.sql('SET autocommit = 0');
        await change(store, 'a', { title: 'y', n: 1 });
        expect(await bytes()).toEqual(before);
        await held.sql('COMMIT');
        expect((await bytes())[0]).toBe('a,y,1');
      });
  });

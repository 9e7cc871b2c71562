/** A write that takes longer than the option `timeout` is rolled back and answered 503, and the app's own goes on. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import express from 'express';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { type RowStoreOptions, type TableConnection, tableStore, WriteTimeoutError } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb, sharedPostgres } from '../support/engines';
import { type HeldTimers, holdTimers } from '../support/held-timers';

interface AppPool {
  readonly db: TableConnection;
  readonly query: (sql: string) => Promise<Readonly<Record<string, unknown>>[]>;
  readonly hold: () => Promise<{ query(sql: string): Promise<unknown>; release(): void }>;
  readonly end: () => Promise<void>;
}

const engines: readonly {
  readonly engine: string;
  readonly describe: jest.Describe;
  readonly start: () => Promise<SharedEngine>;
  readonly open: (url: string, size: number) => AppPool;
}[] = [
  {
    ...{ engine: 'PostgreSQL', describe, start: sharedPostgres },
    open: (connectionString, max) => {
      const pool = new Pool({ connectionString, max });
      pool.on('error', () => undefined);
      return {
        db: pool,
        query: async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows,
        hold: () => pool.connect(),
        end: () => pool.end(),
      };
    },
  },
  {
    ...{ engine: 'MariaDB', describe: describeMariadb, start: sharedMariadb },
    open: (uri, connectionLimit) => {
      const pool = createPool({ uri, connectionLimit });
      return {
        db: pool,
        query: async (sql) => (await pool.query(sql))[0] as Record<string, unknown>[],
        hold: () => pool.getConnection(),
        end: () => pool.end(),
      };
    },
  },
];

const columns = { title: 'string', n: 'integer' } as const;

/** Limits of so many milliseconds end when a test says so, and not before its `onWrite` has been called. */
let limits: HeldTimers | undefined;
const holdLimits = (timeout: number) => (limits = holdTimers((milliseconds) => milliseconds === timeout));
afterEach(() => {
  limits?.restore();
  limits = undefined;
});

for (const { engine: name, describe: describeEngine, start, open } of engines)
  describeEngine(`the time limit of a write over ${name}`, () => {
    let engine: SharedEngine;
    let other: AppPool;
    let table: string;
    const pools: AppPool[] = [];
    beforeAll(async () => {
      engine = await start();
      other = open(engine.urls[0], 2);
    });
    afterAll(async () => {
      await Promise.all([...pools, other].map((pool) => pool.end()));
      await engine.close();
    });
    beforeEach(async () => {
      table = `timed_${randomUUID().slice(0, 8)}`;
      await other.query(`CREATE TABLE ${table} (slug varchar(20) PRIMARY KEY, title varchar(20), n integer)`);
      const rows = Array.from({ length: 10 }, (_, i) => `('${i}', 'x', 0)`);
      await other.query(`INSERT INTO ${table} VALUES ${rows.join()}`);
    });
    const openPool = (size: number) => {
      const pool = open(engine.urls[0], size);
      pools.push(pool);
      return pool;
    };
    const bytes = () => other.query(`SELECT slug, title, n FROM ${table} ORDER BY slug`);

    type Options = Pick<
      RowStoreOptions<typeof columns, { query(sql: string): Promise<unknown> }>,
      'onWrite' | 'timeout'
    >;
    const serve = ({ db }: AppPool, options: Options) => {
      const store = tableStore(db, { table, columns, key: 'slug', ...options });
      const note = resource(store, [mergePatch({ json: true })], { key: 'slug', create: true });
      const app = express();
      app.route('/:slug').patch(note.patch).put(note.put).delete(note.delete);
      return { store, server: supertest(app) };
    };
    const isLate = (answer: supertest.Response) => {
      expect(answer.body).toMatchObject({ status: 503, code: 'write-timeout' });
      expect(answer.headers['retry-after']).toBe('1');
    };

    test.each([
      { method: 'patch', path: '/1' },
      { method: 'put', path: '/1' },
      { method: 'put', path: '/new' },
      { method: 'delete', path: '/1' },
    ] as const)(
      '$method $path whose onWrite waits for the row, without the transaction',
      async ({ method, path }) => {
        const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
        const pool = openPool(10);
        const before = await bytes();
        const stray: Promise<unknown>[] = [];
        const limit = holdLimits(300);
        const { server } = serve(pool, {
          timeout: 300,
          onWrite: (_tx, { key }) => {
            const writing =
              key === 'new'
                ? pool.query(`INSERT INTO ${table} VALUES ('new', 'by hand', 0)`)
                : pool.query(`UPDATE ${table} SET n = n + 1 WHERE slug = '${key}'`);
            stray.push(writing);
            setTimeout(limit.run, 50);
            return writing;
          },
        });
        isLate(await server[method](path).send({ title: 'y', n: 5 }));
        expect(await pool.query('SELECT 1 AS one')).toMatchObject([{ one: 1 }]);
        // What the app has sent outside the transaction is made once the row is free.
        await Promise.all(stray);
        const after = await bytes();
        if (path === '/new')
          expect(after.find(({ slug }) => slug === 'new')).toMatchObject({ title: 'by hand' });
        else expect(after).toEqual(before.map((row) => (row['slug'] === '1' ? { ...row, n: 1 } : row)));
        const warnings = warned.mock.calls.map(([message, options]) => [message, options] as const);
        warned.mockRestore();
        if (method !== 'patch' || name !== 'PostgreSQL') return; // it is told once
        expect(warnings).toEqual([
          [
            expect.stringMatching(
              /^The write of a row did not finish within 300 ms, .* pass it the transaction: /,
            ),
            { code: 'PATCH_OPTIONS_WRITE_TIMEOUT' },
          ],
        ]);
      },
    );

    test('the error has its cause, for the app that calls the store itself', async () => {
      const { store } = serve(openPool(2), { timeout: 100, onWrite: () => delay(400) });
      const writing = store.replace('new', null, { title: 'y', n: 1 });
      await expect(writing).rejects.toMatchObject({
        status: 503,
        cause: expect.any(WriteTimeoutError) as unknown,
      });
      expect(await bytes()).toHaveLength(10);
    });

    test('a pool of ten, and ten writes whose onWrite uses the pool', async () => {
      const pool = openPool(10);
      let arrived = 0;
      let allHaveArrived: () => void = () => undefined;
      const all = new Promise<void>((resolve) => (allHaveArrived = resolve));
      const limit = holdLimits(1_000);
      const { server } = serve(pool, {
        timeout: 1_000,
        onWrite: async () => {
          if (++arrived === 10) {
            allHaveArrived();
            setTimeout(limit.run, 50);
          }
          await all;
          await pool.query('SELECT 1');
        },
      });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => server.patch(`/${i}`).send({ title: 'y' })),
      );
      expect(await pool.query('SELECT 1 AS one')).toMatchObject([{ one: 1 }]);
      const late = answers.filter(({ status }) => status !== 204);
      expect(late.length).toBeGreaterThan(0);
      for (const answer of late) isLate(answer);
      const titles = answers.map(({ status }) => (status === 204 ? 'y' : 'x'));
      expect((await bytes()).map(({ title }) => title)).toEqual(titles);
    });

    test('a row that the app has locked for longer', async () => {
      const pool = openPool(3);
      const app = await other.hold();
      await app.query('BEGIN');
      await app.query(`UPDATE ${table} SET n = 7 WHERE slug = '1'`);
      const { server } = serve(pool, { timeout: 500 });
      const { server: patient } = serve(pool, { timeout: 60_000 });
      isLate(await server.patch('/1').send({ title: 'y' }));
      isLate(await server.delete('/1'));
      expect(await pool.query('SELECT 1 AS one')).toMatchObject([{ one: 1 }]);
      await patient.patch('/2').send({ title: 'y' }).expect(204);
      await app.query('COMMIT');
      app.release();
      await patient.patch('/1').send({ n: 8 }).expect(204);
      const [, first, second] = await bytes();
      expect([first, second]).toMatchObject([
        { title: 'x', n: 8 },
        { title: 'y', n: 0 },
      ]);
    });

    test('no connection is free: the write has not begun, and is not made when one is', async () => {
      const pool = openPool(1);
      const { store } = serve(pool, { timeout: 300 });
      const { server } = serve(pool, { timeout: 60_000 });
      const current = await store.get('1');
      if (current === undefined) throw new Error('There is no row.');
      const held = await pool.hold();
      const writing = store.replace('1', '', { title: 'y', n: 0 }, { current });
      await expect(writing).rejects.toMatchObject({
        status: 503,
        cause: {
          message: expect.stringMatching(
            /^The write of a row could not begin its transaction within 300 ms/,
          ) as unknown,
        },
      });
      held.release();
      await pool.query('SELECT 1');
      expect(await bytes()).toMatchObject(Array.from({ length: 10 }, () => ({ title: 'x' })));
      await server.patch('/1').send({ title: 'z' }).expect(204);
    });

    test('statements of an onWrite that goes on after the limit get into nothing', async () => {
      const pool = openPool(1);
      const ended: unknown[] = [];
      let [release, finish]: (() => void)[] = [];
      const released = new Promise<void>((resolve) => (release = resolve));
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const limit = holdLimits(300);
      const { server: late } = serve(pool, {
        timeout: 300,
        onWrite: async (tx) => {
          setTimeout(limit.run);
          await released;
          const sql = `UPDATE ${table} SET n = 99 WHERE slug = '5'`;
          ended.push(await tx.query(sql).catch((error: unknown) => error));
          finish?.();
        },
      });
      isLate(await late.patch('/1').send({ title: 'y' }));
      // The next write has the only connection of the pool while the first onWrite goes on.
      const { server } = serve(pool, {
        timeout: 60_000,
        onWrite: () => {
          release?.();
          return finished;
        },
      });
      await server.patch('/2').send({ title: 'y' }).expect(204);
      expect(ended).toEqual([expect.any(Error)]);
      expect((await bytes()).map(({ title, n }) => [title, n])).toEqual(
        Array.from({ length: 10 }, (_, i) => [i === 2 ? 'y' : 'x', 0]),
      );
    });
  });

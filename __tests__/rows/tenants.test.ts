/** A connection for each request: the database of its tenant. */
import express, { type ErrorRequestHandler } from 'express';
import { createPool, type Pool as MysqlPool } from 'mysql2/promise';
import supertest from 'supertest';
import { mergePatch, type PatchRequest, resource } from '../../lib';
import * as compiling from '../../lib/rows/row-store-options';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { describeMariadb, type SharedEngine, sharedMariadb } from '../support/engines';
import { mistakesOf } from '../support/mistakes-of';
import { DatabaseSync } from '../support/sqlite';
import { change, create } from '../support/written';

function openTenant(name: string): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT NOT NULL, due TEXT)');
  db.prepare('INSERT INTO notes VALUES (?, ?, NULL)').run('a', name);
  return db;
}

const tenants = { acme: openTenant('of acme'), globex: openTenant('of globex'), none: openTenant('of none') };
const columns = { title: 'string', due: { kind: 'date?', storedAs: 'iso' } } as const;
const asked: (PatchRequest | undefined)[] = [];

/** The tenant of the request; without one, as in a job of the app, there is none. */
const dbOf = (req: PatchRequest | undefined): DatabaseSync => {
  asked.push(req);
  const name = req === undefined ? 'none' : String(req.headers['x-tenant']);
  const db = tenants[name as keyof typeof tenants] as DatabaseSync | undefined;
  if (db === undefined) throw Object.assign(new Error(`There is no tenant ${name}.`), { status: 421 });
  return db;
};

const ways = [
  {
    way: 'tableStore((req) => db)',
    open: (more: object = {}) => tableStore(dbOf, { table: 'notes', columns, key: 'slug', ...more }),
  },
  {
    way: 'rowStore({ rows: (req) => … })',
    open: (more: object = {}) =>
      rowStore({ rows: (req) => tableRows(dbOf(req), { table: 'notes' }), columns, key: 'slug', ...more }),
  },
];

describe.each(ways)('$way', ({ open }) => {
  beforeEach(() => {
    asked.length = 0;
    for (const [name, db] of Object.entries(tenants)) {
      db.exec('DELETE FROM notes');
      db.prepare('INSERT INTO notes VALUES (?, ?, NULL)').run('a', `of ${name}`);
    }
  });
  const titles = () =>
    Object.fromEntries(
      Object.entries(tenants).map(([name, db]) => [
        name,
        (db.prepare('SELECT slug, title FROM notes ORDER BY slug').all() as Record<string, unknown>[]).map(
          ({ slug, title }) => `${String(slug)}: ${String(title)}`,
        ),
      ]),
    );
  const serve = (store: ReturnType<typeof open>) => {
    const note = resource(store, [mergePatch({ json: true })], {
      key: 'slug',
      create: () => ({ due: null }) as never,
    });
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    const errors: ErrorRequestHandler = (error: Error & { status?: number }, _req, res, next) => {
      if (res.headersSent) next(error);
      else res.status(error.status ?? 500).send(error.message);
    };
    return supertest(app.use(errors));
  };

  test('each request reads and writes the rows of its tenant', async () => {
    const server = serve(open());
    const as = (tenant: string) => ({ 'X-Tenant': tenant });
    expect((await server.get('/a').set(as('acme'))).body).toEqual({ title: 'of acme', due: null });
    await server.patch('/a').set(as('globex')).send({ title: 'changed' }).expect(204);
    await server.put('/b').set(as('acme')).send({ title: 'made' }).expect(201);
    await server.get('/b').set(as('globex')).expect(404);
    await server.delete('/a').set(as('acme')).expect(204);
    expect(titles()).toEqual({ acme: ['b: made'], globex: ['a: changed'], none: ['a: of none'] });
    expect(asked.map((req) => req?.headers['x-tenant'])).not.toContain(undefined);
    expect((await server.get('/a').set(as('initech'))).text).toBe('There is no tenant initech.');
  });

  test('at once, too', async () => {
    const server = serve(open());
    await Promise.all(
      ['acme', 'globex'].flatMap((tenant) =>
        Array.from({ length: 10 }, (_, i) =>
          server.put(`/${i}`).set('X-Tenant', tenant).send({ title: tenant }).expect(201),
        ),
      ),
    );
    for (const tenant of ['acme', 'globex'] as const)
      expect(titles()[tenant]).toEqual([
        ...Array.from({ length: 10 }, (_, i) => `${i}: ${tenant}`),
        `a: of ${tenant}`,
      ]);
  });

  test('a call of the app passes no request', async () => {
    const store = open();
    expect((await change(store, 'a', { title: 'by a job', due: null })).value.title).toBe('by a job');
    await create(store, 'b', { title: 'by a job', due: null });
    expect(await store.delete('a')).toBe(true);
    expect(titles()).toMatchObject({ none: ['b: by a job'], acme: ['a: of acme'] });
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });

  test('mistakes that need no connection are thrown at once, without asking for one', () => {
    expect(mistakesOf(() => open({ key: 7 }))).toMatchObject([{ option: 'key' }]);
    expect(asked).toEqual([]);
  });

  test('the others are the error of the first request, and of the next', async () => {
    const server = serve(open({ columns: { title: 'string', due: 'date?' } }));
    for (const tenant of ['acme', 'globex']) {
      const answer = await server.get('/a').set('X-Tenant', tenant);
      expect([answer.status, answer.text]).toEqual([500, expect.stringMatching(/columns\.due.*as/s)]);
    }
  });

  test('kinds are compiled once, and again only after a mistake', async () => {
    const compiled = jest.spyOn(compiling, 'compileRowStore');
    const server = serve(open());
    for (let i = 0; i < 3; i++)
      for (const tenant of ['acme', 'globex'])
        await server
          .patch('/a')
          .set('X-Tenant', tenant)
          .send({ title: `${i}` })
          .expect(204);
    // Once without a connection, and once with the first.
    expect(compiled).toHaveBeenCalledTimes(2);
    compiled.mockRestore();
  });

  test('what the store says of itself is known before there is a connection', () => {
    const store = open();
    expect(store).toMatchObject({ versions: false, readOnly: [], writeOnly: [] });
    expect(asked).toEqual([]);
  });
});

describeMariadb('the time zone of a TIMESTAMP', () => {
  let engine: SharedEngine;
  const pools: MysqlPool[] = [];
  const questions: string[] = [];
  const openPool = (zone: string) => {
    const pool = createPool({ uri: engine.urls[0], timezone: 'Z' });
    pool.on('connection', (connection) => void connection.query(`SET time_zone = '${zone}'`));
    pools.push(pool);
    return pool;
  };
  /** Counts what is asked about the table. */
  const counted = (pool: MysqlPool) => ({
    query: () => undefined,
    getConnection: () => pool.getConnection(),
    execute: (statement: { readonly sql: string }) => {
      if (statement.sql.includes('information_schema')) questions.push(statement.sql);
      return pool.execute(statement as never);
    },
  });
  beforeAll(async () => {
    engine = await sharedMariadb();
    await openPool('+00:00').query(
      "CREATE TABLE seen (slug varchar(20) PRIMARY KEY, at timestamp(3) NULL) AS SELECT 'a' AS slug, NOW(3) AS at",
    );
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await engine.close();
  });

  test('is asked for each connection, and not for each request', async () => {
    const right = [openPool('+00:00'), openPool('+00:00')].map(counted);
    const wrong = counted(openPool('+08:00'));
    const options = { table: 'seen', columns: { at: 'date?' }, key: 'slug' } as const;
    let present: object = wrong;
    const store = tableStore(() => present as never, options);
    for (const one of [...right, ...right, ...right]) {
      present = one;
      expect(await store.get('a')).toBeDefined();
      await change(store, 'a', { at: '2026-11-22T10:00:00.000Z' });
    }
    expect(questions).toHaveLength(2);
    present = wrong;
    await expect(store.get('a')).rejects.toMatchObject({ code: 'PATCH_OPTIONS_TIME_ZONE' });
  });
});

/**
 * What earlier releases wrote stays readable. `earlier-data.json` has the tables and keys as 1.0.0-rc.1 leaves them, after two
 * PATCH requests with an Idempotency-Key each; only the time at which their outcomes expire was put off.
 */
import express from 'express';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import { mergePatch, resource, type ResourceStore } from '../../lib';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisStore } from '../../lib/stores/redis';
import { SqliteStore } from '../../lib/stores/sqlite';
import { describeRedis, openPostgresPool, sharedRedis } from '../support/engines';
import { DatabaseSync } from '../support/sqlite';
import { once } from './redis/describe-redis-store';
import earlier from './earlier-data.json';

type Row = Readonly<Record<string, string | number>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

/** How an engine writes names and parameters. */
interface Dialect {
  readonly quote: string;
  readonly parameter: (number: number) => string;
}
const inPostgres: Dialect = { quote: '"', parameter: (number) => `$${number}` };
const inSqlite: Dialect = { quote: '`', parameter: () => '?' };

/** Sends every statement that makes the tables, and one for each row. */
async function load(
  { setup, rows }: { readonly setup: readonly string[]; readonly rows: Tables },
  send: (sql: string, values: (string | number)[]) => unknown,
  { quote, parameter }: Dialect = inSqlite,
): Promise<void> {
  for (const statement of setup) await send(statement, []);
  for (const [table, list] of Object.entries(rows)) {
    for (const row of list) {
      const columns = Object.keys(row).map((name) => quote + name + quote);
      const parameters = columns.map((_, i) => parameter(i + 1));
      await send(
        `INSERT INTO ${table} (${columns.join()}) VALUES (${parameters.join()})`,
        Object.values(row),
      );
    }
  }
}

/** The same for every store: the state, the outcomes of both requests, and the next ones. */
async function expectReadable(
  store: ResourceStore<never>,
  { state, tag }: { readonly state: object; readonly tag: string },
): Promise<void> {
  const { value, version } = state as { readonly value: object; readonly version: string };
  expect(await store.get('a')).toMatchObject({ value, version });

  const note = resource<never>(store, [mergePatch()], {
    key: (req) => String(req.params['id']),
    idempotency: 'optional',
    respond: 'representation',
    scope: () => 'ann',
  });
  const app = express().patch('/notes/:id', note.patch).get('/notes/:id', note.get);
  if ('delete' in note) app.delete('/notes/:id', note.delete);
  const send = (key: string, title: string) =>
    supertest(app)
      .patch('/notes/a')
      .set({ 'Content-Type': 'application/merge-patch+json', 'Idempotency-Key': key })
      .send(JSON.stringify({ title }));

  // A repeat of the last request has its answer, and one of the first changes nothing.
  const repeat = await send('"k-2"', 'third');
  expect([repeat.status, repeat.headers['etag'], repeat.body]).toEqual([200, tag, value]);
  expect((await send('"k-1"', 'second')).status).toBeLessThan(300);
  expect((await store.get('a'))?.version).toBe(version);
  // A key that was used for another patch is refused.
  expect((await send('"k-2"', 'another')).status).toBe(422);

  const next = await send('"k-3"', 'fourth');
  expect([next.status, next.body]).toEqual([200, { ...value, title: 'fourth' }]);
  const get = await supertest(app).get('/notes/a').expect(200);
  expect(get.headers['etag']).toBe(next.headers['etag']);
  if (!('delete' in note)) return;
  await supertest(app).delete('/notes/a').set('If-Match', String(next.headers['etag'])).expect(204);
  expect(await store.get('a')).toBeUndefined();
}

const oddKey = 'ü/%41 x';

test('SqliteStore', async () => {
  const db = new DatabaseSync(':memory:');
  await load(earlier.sqlite, (sql, values) => db.prepare(sql).run(...values));
  const store = new SqliteStore<never>(db, { table: 'notes' });
  await store.setup();
  expect((await store.get(oddKey))?.value).toEqual([1, 'é']);
  await expectReadable(store, earlier.sqlite);
});

test('PostgresStore', async () => {
  const { pool, close } = await openPostgresPool();
  try {
    await load(earlier.postgres, (sql, values) => pool.query(sql, values), inPostgres);
    const store = new PostgresStore<never>(pool, { table: 'notes' });
    await store.setup();
    expect((await store.get(oddKey))?.value).toEqual([1, 'é']);
    await expectReadable(store, earlier.postgres);
  } finally {
    await close();
  }
});

describeRedis('in Redis', () => {
  test('RedisStore', async () => {
    const engine = await sharedRedis();
    const client = new Redis(engine.urls[0], once);
    try {
      const prefix = `${process.pid}:${Date.now()}:`;
      for (const [key, fields] of Object.entries(earlier.redis.rows))
        await client.hset(key.replace('notes:', prefix), fields);
      const store = new RedisStore<never>(client, { prefix });
      expect((await store.get(oddKey))?.value).toEqual([1, 'é']);
      await expectReadable(store, earlier.redis);
    } finally {
      client.disconnect();
      await engine.close();
    }
  });
});

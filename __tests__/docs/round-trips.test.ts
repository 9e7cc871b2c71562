import { Redis } from 'ioredis';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { ResourceStore } from '../../lib';
import { tableStore } from '../../lib/rows';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisStore } from '../../lib/stores/redis';
import { SqliteStore } from '../../lib/stores/sqlite';
import {
  describeMariadb,
  describeRedis,
  type SharedEngine,
  sharedMariadb,
  sharedPostgres,
  sharedRedis,
} from '../support/engines';
import { DatabaseSync } from '../support/sqlite';
import { documentedRoundTrips, EngineProxy, roundTripsOfPatch, type Sent } from './round-trips';

const ddl = 'CREATE TABLE things (id varchar(36) PRIMARY KEY, title text, outcomes text)';
const withoutOutcomes = { table: 'things', columns: { title: 'string' }, key: 'id' } as const;
const table = { ...withoutOutcomes, outcomes: 'outcomes' } as const;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function openProxy(opening: Promise<SharedEngine>): Promise<EngineProxy> {
  const engine = await opening;
  opened.push(() => engine.close());
  const proxy = await EngineProxy.start(engine.urls[0]);
  opened.push(() => proxy.close());
  return proxy;
}

async function expectAsDocumented(name: string, store: ResourceStore, sent: Sent): Promise<void> {
  const counted = [
    await roundTripsOfPatch(store, sent, { hasIdempotencyKey: false }),
    await roundTripsOfPatch(store, sent, { hasIdempotencyKey: true }),
  ];
  expect({ name, counted }).toEqual({ name, counted: documentedRoundTrips(name) });
}

test('over PostgreSQL', async () => {
  const proxy = await openProxy(sharedPostgres());
  const pool = new Pool({ connectionString: proxy.url });
  opened.push(() => pool.end());
  pool.on('error', () => undefined); // connections that are still being ended when the engine stops
  const store = new PostgresStore(pool, { table: 'notes' });
  await store.setup();
  await pool.query(ddl);
  await expectAsDocumented('`PostgresStore`', store, proxy.sent);
  await expectAsDocumented('`tableStore` over pg', tableStore(pool, table), proxy.sent);
  const byXmin = tableStore(pool, { ...withoutOutcomes, version: 'xmin' });
  const name = "the same with `version: 'xmin'`";
  const counted = [await roundTripsOfPatch(byXmin, proxy.sent, { hasIdempotencyKey: false })];
  expect({ name, counted }).toEqual({ name, counted: documentedRoundTrips(name).slice(0, 1) });
});

describeMariadb('over MariaDB', () => {
  test('a table', async () => {
    const proxy = await openProxy(sharedMariadb());
    const pool = createPool(proxy.url);
    opened.push(() => pool.end());
    await pool.query(ddl);
    await expectAsDocumented('`tableStore` over mysql2', tableStore(pool, table), proxy.sent);
  });
});

describeRedis('over Redis', () => {
  test('the store', async () => {
    const proxy = await openProxy(sharedRedis());
    const redis = new Redis(proxy.url, { autoResendUnfulfilledCommands: false });
    opened.push(() => redis.quit());
    await expectAsDocumented('`RedisStore`', new RedisStore(redis, { prefix: 'round-trips:' }), proxy.sent);
  });
});

test('over SQLite, which runs in the process: its statements', async () => {
  const db = new DatabaseSync(':memory:');
  const sent: Sent = [];
  const noting =
    <P extends unknown[], R>(text: string, run: (...parameters: P) => R) =>
    (...parameters: P): R => {
      sent.push(text);
      return run(...parameters);
    };
  const handle = {
    exec: (text: string) => noting(text, db.exec.bind(db))(text),
    prepare: (text: string) => {
      const statement = db.prepare(text);
      return {
        all: noting(text, statement.all.bind(statement)),
        run: noting(text, statement.run.bind(statement)),
      };
    },
  };
  const store = new SqliteStore(handle, { table: 'notes' });
  await store.setup();
  db.exec(ddl);
  await expectAsDocumented('`SqliteStore`', store, sent);
  await expectAsDocumented('`tableStore` over SQLite', tableStore(handle, table), sent);
  db.close();
});

import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { cachedStore } from '../../../lib/stores/cached/cached-store';
import { type ConformingStore, storeConformance } from '../../../lib/testing';
import { MysqlStore } from '../../../lib/stores/mysql/mysql-store';
import { PostgresStore } from '../../../lib/stores/postgres/postgres-store';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import { SqliteStore } from '../../../lib/stores/sqlite/sqlite-store';
import { scaled } from '../../support/deep-scale';
import { type Engine, startMariadb, startPostgres, startRedis, withMariadb } from '../../support/engines';
import { describePatchesOver, type EmptiedStore } from '../../patch/tables/index';
import { everyStatus, interleave } from './interleavings';
import { DatabaseSync } from '../../support/sqlite';
import { testCases } from '../../support/test-cases';

test('two processes with a cache each: no update is lost, and every answer is true', async () => {
  expect(await interleave(scaled(20_000))).toEqual(everyStatus);
});

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** Opened when they are first needed, and once. */
const engines: readonly {
  readonly engine: string;
  readonly open: () => Promise<ConformingStore & EmptiedStore>;
}[] = [
  {
    engine: 'SqliteStore',
    open: async () => {
      const database = new DatabaseSync(':memory:');
      closing.push(() => {
        database.close();
      });
      const store = new SqliteStore(database, { table: 'resources' });
      await store.setup();
      return store;
    },
  },
  {
    engine: 'PostgresStore',
    open: async () => {
      const engine = await started(startPostgres);
      const pool = new Pool({ connectionString: engine.urls[0] });
      pool.on('error', () => undefined); // the engine may end before the last connection does
      closing.push(() => pool.end());
      const store = new PostgresStore(pool, { table: 'resources' });
      await store.setup();
      return store;
    },
  },
  ...withMariadb({
    engine: 'MysqlStore',
    open: async () => {
      const engine = await started(startMariadb);
      const pool = createPool(engine.urls[0]);
      closing.push(() => pool.end());
      const store = new MysqlStore(pool, { table: 'resources' });
      await store.setup();
      return store;
    },
  }),
  {
    engine: 'RedisStore',
    open: async () => {
      const engine = await started(startRedis);
      const client = new Redis(engine.urls[0], { autoResendUnfulfilledCommands: false });
      closing.push(() => client.quit());
      return new RedisStore(client, { prefix: `${randomUUID()}:` });
    },
  },
];

async function started(start: () => Promise<Engine>): Promise<Engine> {
  const engine = await start();
  closing.push(() => engine.close());
  return engine;
}

describe.each(engines)('cachedStore over $engine', ({ open }) => {
  let opening: ReturnType<typeof open> | undefined;
  const openCached = async () => cachedStore(await (opening ??= open()), { max: 100 });

  describe('keeps the contract of ResourceStore', () => {
    testCases(storeConformance(() => ({ open: openCached })));
  });

  describe('answers PATCH', () => {
    describePatchesOver(openCached);
  });
});

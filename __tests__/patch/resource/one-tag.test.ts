/** Five methods under one entity tag, from several clients at once, over every store and over rows. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createPool, type Pool as MysqlPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { PostgresStore } from '../../../lib/stores/postgres';
import { RedisStore } from '../../../lib/stores/redis';
import { tableStore } from '../../../lib/rows';
import { SqliteStore } from '../../../lib/stores/sqlite';
import { isDeep, times } from '../../support/deep-scale';
import {
  describeMariadb,
  describeRedis,
  sharedMariadb,
  sharedPostgres,
  sharedRedis,
} from '../../support/engines';
import { fc } from '../../support/properties';
import { expectOneTag, plans, type Log } from './one-tag';
import { DatabaseSync } from '../../support/sqlite';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const folder = mkdtempSync(join(tmpdir(), 'patch-options-one-tag-'));
closing.push(() => {
  rmSync(folder, { recursive: true });
});

function openDatabase(name: string) {
  const database = new DatabaseSync(join(folder, name));
  closing.push(() => {
    database.close();
  });
  return database;
}

/** As if the engine were elsewhere: others come between any two calls. */
class Distant implements ResourceStore<Log> {
  constructor(private readonly engine: MemoryStore<Log>) {}

  get(key: string) {
    return afterAWhile(() => this.engine.get(key));
  }

  replace(...args: Parameters<MemoryStore<Log>['replace']>) {
    return afterAWhile(() => this.engine.replace(...args));
  }

  delete(key: string, expected?: string) {
    return afterAWhile(() => this.engine.delete(key, expected));
  }
}

async function afterAWhile<R>(call: () => Promise<R>): Promise<R> {
  for (let turns = Math.random() * 20; turns > 0; turns--) await setImmediate();
  return call();
}

const columns = { log: 'json' } as const;
const rowTable = `CREATE TABLE IF NOT EXISTS logs (id TEXT PRIMARY KEY, log TEXT NOT NULL, extra TEXT)`;

/** Two instances over one engine each, as two processes have them. */
const stores: Readonly<Record<string, () => Promise<readonly ResourceStore<Log>[]>>> = {
  MemoryStore: () => {
    const engine = new MemoryStore<Log>();
    return Promise.resolve([new Distant(engine), new Distant(engine)]);
  },
  SqliteStore: async () => {
    const open = () => new SqliteStore<Log>(openDatabase('resources.db'), { table: 'resources' });
    const [first, second] = [open(), open()];
    await first.setup();
    return [first, second];
  },
  'tableStore over SQLite': () => {
    openDatabase('rows.db').exec(`PRAGMA journal_mode = WAL; ${rowTable}`);
    const open = () => tableStore(openDatabase('rows.db'), { table: 'logs', columns, key: 'id' });
    return Promise.resolve([open(), open()] as ResourceStore<Log>[]);
  },
};

const engines: typeof stores = {
  PostgresStore: async () => {
    const pool = await openPool();
    const open = () => new PostgresStore<Log>(pool, { table: 'resources' });
    const [first, second] = [open(), open()];
    await first.setup();
    return [first, second];
  },
  'tableStore over PostgreSQL': async () => {
    const pool = await openPool();
    await pool.query(rowTable.replace('log TEXT', 'log JSON'));
    const open = () => tableStore(pool, { table: 'logs', columns, key: 'id' });
    return [open(), open()] as ResourceStore<Log>[];
  },
  'tableStore over PostgreSQL, with xmin': async () => {
    const pool = await openPool();
    const table = 'logs_with_xmin';
    await pool.query(rowTable.replace('logs', table).replace('log TEXT', 'log JSON'));
    const open = () => tableStore(pool, { table, columns, key: 'id', version: 'xmin' });
    return [open(), open()] as ResourceStore<Log>[];
  },
};

const mariadb: typeof stores = {
  'tableStore over MariaDB': async () => {
    const pool = await openMariadb();
    await pool.query(rowTable.replace('id TEXT', 'id VARCHAR(100)').replace('log TEXT', 'log JSON'));
    const open = () => tableStore(pool, { table: 'logs', columns, key: 'id' });
    return [open(), open()] as ResourceStore<Log>[];
  },
};

let mariadbPool: Promise<MysqlPool> | undefined;
function openMariadb(): Promise<MysqlPool> {
  return (mariadbPool ??= sharedMariadb().then((engine) => {
    const opened = createPool(engine.urls[0]);
    closing.push(
      () => engine.close(),
      () => opened.end(),
    );
    return opened;
  }));
}

const redis: typeof stores = {
  RedisStore: async () => {
    const engine = await sharedRedis();
    closing.push(() => engine.close());
    const client = new Redis(engine.urls[0], { autoResendUnfulfilledCommands: false });
    closing.push(() => client.quit());
    const prefix = `${randomUUID()}:`;
    return [new RedisStore<Log>(client, { prefix }), new RedisStore<Log>(client, { prefix })];
  },
};

let pool: Promise<Pool> | undefined;
function openPool(): Promise<Pool> {
  return (pool ??= sharedPostgres().then((engine) => {
    const opened = new Pool({ connectionString: engine.urls[0] });
    opened.on('error', () => undefined); // the engine may stop before the last connection has ended
    closing.push(
      () => engine.close(),
      () => opened.end(),
    );
    return opened;
  }));
}

describeOver(stores, describe);
if (isDeep()) {
  describeOver(engines, describe);
  describeOver(mariadb, describeMariadb);
  describeOver(redis, describeRedis);
}

test('a store that writes whatever the version is would be found out', async () => {
  const engine = new MemoryStore<Log>();
  class WritesAnyway extends Distant {
    override async replace(...[key, , next]: Parameters<ResourceStore<Log>['replace']>) {
      const current = await super.get(key);
      return super.replace(key, current?.version ?? null, next);
    }
  }
  const opened = [new WritesAnyway(engine), new WritesAnyway(engine)];
  const property = fc.asyncProperty(plans, (plan) => expectOneTag(opened, randomUUID(), plan));
  await expect(fc.assert(property, { numRuns: 50, endOnFailure: true })).rejects.toThrow();
});

function describeOver(opening: typeof stores, describeIt: jest.Describe): void {
  describeIt.each(Object.entries(opening).map(([what, open]) => ({ what, open })))('$what', ({ open }) => {
    let opened: readonly ResourceStore<Log>[];
    beforeAll(async () => {
      opened = await open();
    });

    test('one entity tag, nothing lost, no tag revived', async () => {
      const property = fc.asyncProperty(plans, (plan) => expectOneTag(opened, randomUUID(), plan));
      await fc.assert(property, { numRuns: times(1, 300), endOnFailure: true });
    });
  });
}

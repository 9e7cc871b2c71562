/**
 * A server in a process of its own, with a resource of 10 MB: `stalled-server.ts <engine>`, where the engine is `memory`, the
 * URL of PostgreSQL, MariaDB or Redis, or an SQLite file. Says its port, and for each line of
 * its standard input how many requests have begun and what it holds.
 */
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { MemoryStore, mergePatch, patchHandler, type ResourceStore } from '../../lib';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisStore } from '../../lib/stores/redis';
import { tableStore } from '../../lib/rows';
import { SqliteStore } from '../../lib/stores/sqlite';
import { DatabaseSync } from '../support/sqlite';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function openStore(engine: string): Promise<ResourceStore> {
  if (engine === 'memory') return new MemoryStore();
  if (engine === 'rows') return openRows();
  if (engine.startsWith('redis:')) {
    return new RedisStore(new Redis(engine, { autoResendUnfulfilledCommands: false }), {
      prefix: 'stalled:',
    });
  }
  const options = { table: 'stalled' };
  const store = engine.startsWith('postgres:')
    ? new PostgresStore(new Pool({ connectionString: engine }), options)
    : new SqliteStore(new DatabaseSync(engine), options);
  await store.setup();
  return store;
}

function openRows(): ResourceStore {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE stalled (slug text PRIMARY KEY, list text, version text)');
  return tableStore(db, {
    ...{ table: 'stalled', key: 'slug' },
    columns: { list: 'json' },
  });
}

async function serve(engine: string): Promise<void> {
  const store = await openStore(engine);
  const list = Array.from({ length: 160_000 }, (_, index) => `${index} ${'x'.repeat(50)}`);
  const before = await store.get('1');
  await store.replace('1', before?.version ?? null, { list });
  const app = express();
  app.patch('/notes/:id', patchHandler(store, [mergePatch()], { key: (req) => req.params.id }));
  let begun = 0;
  const server = app.listen(0, '127.0.0.1', () => {
    console.log((server.address() as AddressInfo).port);
  });
  server.on('request', () => begun++);
  createInterface({ input: process.stdin })
    .on('line', () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      console.log(JSON.stringify({ begun, held: heapUsed + external }));
    })
    .on('close', () => process.exit());
}

void serve(process.argv[2] ?? '');

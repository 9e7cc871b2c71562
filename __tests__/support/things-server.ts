/**
 * A server in a process of its own: `things-server.ts <engine>`, where the engine is an SQLite file, the URL of PostgreSQL or
 * Redis, or the URLs of a Redis Cluster. Says its port; ends when its standard input does.
 */
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { Cluster, Redis } from 'ioredis';
import { Pool } from 'pg';
import { entityTag } from '../../lib/http/entity-tag';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { PostgresStore } from '../../lib/stores/postgres/postgres-store';
import { RedisStore } from '../../lib/stores/redis/redis-store';
import type { ResourceStore } from '../../lib/stores/contract/resource-store';
import { SqliteStore } from '../../lib/stores/sqlite/sqlite-store';
import { engineTimeout } from './engine-timeout';
import { DatabaseSync } from './sqlite';

async function openStore([engine = '', ...more]: readonly string[]): Promise<ResourceStore> {
  if (engine.startsWith('postgres:')) return openPostgres(engine);
  if (engine.startsWith('redis:')) return openRedis([engine, ...more]);
  const db = new DatabaseSync(engine);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const store = new SqliteStore(db, { table: 'things' });
  await store.setup();
  return store;
}

async function openPostgres(connectionString: string): Promise<ResourceStore> {
  const timeouts = { connectionTimeoutMillis: engineTimeout, query_timeout: engineTimeout };
  const pool = new Pool({ connectionString, max: 8, ...timeouts });
  pool.on('error', () => undefined); // idle connections break when the engine stops; the pool opens new ones
  const store = new PostgresStore(pool, { table: 'things' });
  await store.setup();
  return store;
}

function openRedis(urls: readonly string[]): ResourceStore {
  const redisOptions = { maxRetriesPerRequest: 1, autoResendUnfulfilledCommands: false };
  const [url = ''] = urls;
  const client =
    urls.length > 1
      ? new Cluster([...urls], { retryDelayOnFailover: 0, redisOptions })
      : new Redis(url, redisOptions);
  client.on('error', () => undefined);
  return new RedisStore(client, { prefix: 'things:', commandTimeout: engineTimeout });
}

const reportFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(503).send(String(error));
};

async function serve(engine: readonly string[]): Promise<void> {
  const store = await openStore(engine);
  const app = express();
  app.get('/things/:id', async (req, res) => {
    const stored = await store.get(req.params.id);
    if (stored === undefined) res.sendStatus(404);
    else res.set('ETag', entityTag(stored)).json(stored.value);
  });
  const handler = patchHandler(store, [jsonPatch(), mergePatch()], {
    key: (req) => req.params.id,
    create: true,
    idempotency: 'optional',
    // They are written with every change; half a minute is longer than any client goes on repeating one.
    idempotencyLimits: { keep: 100_000, maxAge: 30 },
  });
  app.patch('/things/:id', handler);
  app.use(reportFault);
  const server = app.listen(0, '127.0.0.1', () => {
    console.log((server.address() as AddressInfo).port);
  });
}

process.stdin.resume().once('end', () => process.exit());
void serve(process.argv.slice(2));

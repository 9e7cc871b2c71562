/**
 * The real drivers' objects are what the stores take, without a cast; compiled with everything else by `npm run types`. A
 * line that must not compile is marked; where it does compile, the mark is an error.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { Cluster, Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { PostgresStore } from '../../lib/stores/postgres/postgres-store';
import { RedisStore } from '../../lib/stores/redis/redis-store';
import type { ResourceStore } from '../../lib/stores/contract/resource-store';
import { SqliteStore } from '../../lib/stores/sqlite/sqlite-store';

interface Note {
  readonly title: string;
}

/** `node:sqlite` as @types/node 24 declares it, for those with an older @types/node. */
interface NodeSqlite {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
}
type SqlInput = null | number | bigint | string | NodeJS.ArrayBufferView;
interface NodeStatement {
  all(...anonymousParameters: SqlInput[]): Record<string, SqlInput>[];
  all(
    namedParameters: Record<string, SqlInput>,
    ...anonymousParameters: SqlInput[]
  ): Record<string, SqlInput>[];
}
declare const nodeSqlite: NodeSqlite;

export const stores: readonly ResourceStore<Note>[] = [
  new MemoryStore<Note>(),

  new SqliteStore<Note>(nodeSqlite, { table: 'notes' }),
  new SqliteStore<Note>(new DatabaseSync(':memory:'), { table: 'notes' }),

  new PostgresStore<Note>(new Pool(), { table: 'notes', schema: 'app', prepare: false }),
  new PostgresStore<Note>(new Client(), { table: 'notes' }),

  new RedisStore<Note>(new Redis(), { prefix: 'notes:' }),
  new RedisStore<Note>(new Cluster(['127.0.0.1']), { prefix: 'notes:' }),
  new RedisStore<Note>(createClient(), { prefix: 'notes:' }),
  new RedisStore<Note>(createClient({ RESP: 3 }), { prefix: 'notes:' }),
  new RedisStore<Note>(createClientPool(), { prefix: 'notes:' }),
  new RedisStore<Note>(createCluster({ rootNodes: [] }), { prefix: 'notes:' }),

  // @ts-expect-error: it sends writes again after its connection broke
  new RedisStore<Note>(createSentinel({ name: 'main', sentinelRootNodes: [] }), { prefix: 'notes:' }),

  // @ts-expect-error: of something else
  new MemoryStore<number>(),
];

// @ts-expect-error: no table is named
new SqliteStore(nodeSqlite, {});
// @ts-expect-error: a path, not a handle
new SqliteStore('notes.db', { table: 'notes' });
// @ts-expect-error: an address, not a pool
new PostgresStore('postgres://localhost', { table: 'notes' });
// @ts-expect-error: the module, not a client
new RedisStore(Redis, { prefix: 'notes:' });

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createPool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { retry } from '../../lib/stores/contract/retry';
import { type Engine, type EngineName, type EngineUrls, KeptEngine } from './kept-engine';
import { tellNotTested } from './not-tested';

export type { Engine };

/** What a test file has of an engine that the whole run shares, and that nobody stops or kills. */
export interface SharedEngine {
  readonly urls: EngineUrls;
  close(): Promise<void>;
}

/** A pool of such a database. */
export async function openPostgresPool(): Promise<{
  readonly pool: Pool;
  readonly close: () => Promise<void>;
}> {
  const engine = await sharedPostgres();
  const pool = new Pool({ connectionString: engine.urls[0] });
  // Idle connections break when the engine stops.
  pool.on('error', () => undefined);
  return {
    pool,
    async close() {
      await pool.end();
      await engine.close();
    },
  };
}

/** A database of its own in PostgreSQL: in the one at DATABASE_URL, or else in one that npm brought. */
export async function sharedPostgres(): Promise<SharedEngine> {
  const url = new URL(process.env['DATABASE_URL'] ?? (await sharedUrls('postgres'))[0]);
  const database = `test_${randomUUID().slice(0, 8)}`;
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${database}`);
  url.pathname = database;
  return {
    urls: [url.href],
    async close() {
      // Connections of pools that have ended go on for a moment yet.
      await retry(
        () => admin.query(`DROP DATABASE ${database}`),
        () => true,
        (tries) => tries >= 100,
      );
      await admin.end();
    },
  };
}

/** A database of its own in MariaDB: in the one at MYSQL_URL, or else in the machine's mariadbd. */
export async function sharedMariadb(): Promise<SharedEngine> {
  const url = new URL(process.env['MYSQL_URL'] ?? (await sharedUrls('mariadb'))[0]);
  const database = `test_${randomUUID().slice(0, 8)}`;
  const admin = createPool({ uri: url.href, connectionLimit: 1 });
  await admin.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  url.pathname = database;
  return {
    urls: [url.href],
    async close() {
      await admin.query(`DROP DATABASE ${database}`);
      await admin.end();
    },
  };
}

/** Redis: the one at REDIS_URL, or else the machine's redis-server. Each test file has prefixes of its own. */
export async function sharedRedis(): Promise<SharedEngine> {
  const url = process.env['REDIS_URL'];
  return { urls: url === undefined ? await sharedUrls('redis') : [url], close: () => Promise.resolve() };
}

/** A cluster of three nodes of the machine's redis-server. Each test file has prefixes of its own. */
export async function sharedRedisCluster(): Promise<SharedEngine> {
  return { urls: await sharedUrls('redis-cluster'), close: () => Promise.resolve() };
}

/** The URLs of an engine that the whole run shares. */
export async function sharedUrls(name: EngineName): Promise<EngineUrls> {
  const answer = await fetch(`${process.env['SHARED_ENGINES']}/${name}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as EngineUrls;
}

/** PostgreSQL from npm, for the caller alone, who may stop and kill it. */
export function startPostgres(): Promise<Engine> {
  return KeptEngine.start('postgres');
}

/** The machine's mariadbd, for the caller alone. */
export function startMariadb(): Promise<Engine> {
  return KeptEngine.start('mariadb');
}

/** The machine's redis-server, for the caller alone. */
export function startRedis(): Promise<Engine> {
  return KeptEngine.start('redis');
}

/** Three nodes of the machine's redis-server, for the caller alone. */
export function startRedisCluster(): Promise<Engine> {
  return KeptEngine.start('redis-cluster');
}

/**
 * `describe` for what needs a server that npm does not bring. Where it is missing the tests are left out, and
 * said to be; under CI they run, and fail.
 */
export const describeRedis: jest.Describe = describeWith('redis-server', 'Redis');
export const describeMariadb: jest.Describe = describeWith('mariadbd', 'MariaDB', 'mariadb-server');

function describeWith(command: string, engine: string, debianPackage = command): jest.Describe {
  const isThere = () => spawnSync(command, ['--version']).status === 0;
  if (process.env['CI'] === 'true' || isThere()) return describe;
  tellNotTested(
    `There is no ${command} here, and so nothing was tried with ${engine}: apt-get install ${debianPackage}`,
  );
  return describe.skip;
}

/**
 * Starts one engine in a folder and on ports of its own, and keeps it for as long as standard input is open: so it is
 * stopped also where the tests were killed. `node engine-keeper.mjs postgres|mariadb|redis|redis-cluster|mongodb`
 *
 * Says its URLs, as JSON, in the first line; then obeys `kill` (as kill -9 does), `stop` and `start`, a line each, and
 * answers each with a line when it is done. What engines print goes to standard error if KEEPER_LOG is set, or if they do not
 * start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keepMariadb } from './engine-keeper/mariadb.mjs';
import { keepMongodb } from './engine-keeper/mongodb.mjs';
import { keepPostgres } from './engine-keeper/postgres.mjs';
import { keepRedis, keepRedisCluster } from './engine-keeper/redis.mjs';

const keepers = {
  ...{ postgres: keepPostgres, mariadb: keepMariadb },
  ...{ redis: keepRedis, 'redis-cluster': keepRedisCluster },
  mongodb: keepMongodb,
};
const [, , name] = process.argv;
const folder = await mkdtemp(join(tmpdir(), `patch-options-${name}-`));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.stdin.destroy());

let engine;
try {
  engine = await keepers[name](folder);
  await engine.start();
  console.log(JSON.stringify(engine.urls));
  for await (const command of createInterface({ input: process.stdin })) {
    await engine[command]();
    console.log('done');
  }
} finally {
  await engine?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mongo } from 'mongoose';
import { type SharedEngine, sharedUrls } from './engines';
import { tellNotTested } from './not-tested';
import { secantusdb } from './secantusdb';

/**
 * A database of its own, which is the path of the URL: in the MongoDB at MONGODB_URL, or else in the machine's mongod or SecantusDB.
 * Wait for `Model.init()` before the first write: SecantusDB hangs where two commands create one collection at once.
 */
export async function sharedMongodb(): Promise<SharedEngine> {
  const url = new URL(process.env['MONGODB_URL'] ?? (await sharedUrls('mongodb'))[0]);
  const database = `test_${randomUUID().slice(0, 8)}`;
  const admin = await new mongo.MongoClient(url.href).connect();
  url.pathname = database;
  return {
    urls: [url.href],
    async close() {
      await admin.db(database).dropDatabase();
      await admin.close();
    },
  };
}

/** `describe`, where there is a server; else the tests are left out, and said to be, but under CI, where they fail. */
export const describeMongodb: jest.Describe = hasServer() ? describe : describeMissing();

function hasServer(): boolean {
  const isThere = () => existsSync(secantusdb) || spawnSync('mongod', ['--version']).status === 0;
  return process.env['CI'] === 'true' || process.env['MONGODB_URL'] !== undefined || isThere();
}

function describeMissing(): jest.Describe {
  tellNotTested(
    'There is no MONGODB_URL, no mongod and no SecantusDB here, and so nothing was tried with MongoDB: run .ci/secantusdb',
  );
  return describe.skip;
}

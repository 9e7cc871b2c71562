/**
 * Every entry point gives the same by `import` and by `require`, and the errors that its code throws are of the root's
 * classes, whichever way either came: `node entry-points.mjs`.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as root from 'patch-options';
import * as client from 'patch-options/client';
import * as explain from 'patch-options/explain';
import * as json from 'patch-options/json';
import * as mongoose from 'patch-options/mongoose';
import * as postgres from 'patch-options/postgres';
import * as redis from 'patch-options/redis';
import * as rows from 'patch-options/rows';
import * as sqlite from 'patch-options/sqlite';
import * as testing from 'patch-options/testing';

const require = createRequire(import.meta.url);
const entryPoints = {
  'patch-options': root,
  'patch-options/sqlite': sqlite,
  'patch-options/postgres': postgres,
  'patch-options/redis': redis,
  'patch-options/rows': rows,
  'patch-options/mongoose': mongoose,
  'patch-options/explain': explain,
  'patch-options/json': json,
  'patch-options/client': client,
  'patch-options/testing': testing,
};

const required = {};
for (const [name, imported] of Object.entries(entryPoints)) {
  const exported = require(name);
  for (const key of Object.keys(exported)) assert.equal(imported[key], exported[key], `${key} of ${name}`);
  Object.assign(required, exported);
}
const imported = Object.assign({}, ...Object.values(entryPoints));

for (const [stores, errors] of [
  [required, required],
  [required, imported],
  [imported, required],
  [imported, imported],
]) {
  const made = [
    new stores.SqliteStore({ exec: () => undefined, prepare: () => ({ all: () => [] }) }, { table: 'notes' }),
    new stores.PostgresStore({ query: () => Promise.resolve({ rows: [] }) }, { table: 'notes' }),
    new stores.RedisStore(
      { eval: () => Promise.resolve(null), evalsha: () => Promise.resolve(null) },
      { prefix: '' },
    ),
  ];
  for (const store of made) {
    assert.throws(() => new store.constructor({}, {}), errors.ConfigurationError);
    await assert.rejects(store.replace('1', null, 'too long', { maxBytes: 1 }), errors.ProblemError);
    await assert.rejects(store.replace('1', null, 1n), errors.NotJsonError);
  }
}

for (const [stores, errors] of [
  [required, imported],
  [imported, required],
]) {
  assert.throws(() => stores.rowStore({}), errors.ConfigurationError);
  const rows = { find: () => ({ slug: '1', title: 'a' }), lock: () => 1, update: () => 1 };
  const transaction = (run) => run(rows, undefined);
  const store = stores.rowStore({ ...rows, transaction, columns: { title: 'string' }, key: 'slug' });
  const current = await store.get('1');
  await assert.rejects(store.replace('1', '', { title: 1 }, { current }), errors.ProblemError);
}

for (const [made, errors] of [
  [required, imported],
  [imported, required],
]) {
  assert.throws(() => made.resourceClient('https://api.example', { timeout: -1 }), errors.ArgumentError);
}

const store = new root.MemoryStore();
const cases = testing.storeConformance(() => ({ open: () => store }));
for (const { run, skip } of cases) if (skip === undefined) await run();
console.log(`${Object.keys(entryPoints).length} entry points: right; ${cases.length} cases: right`);

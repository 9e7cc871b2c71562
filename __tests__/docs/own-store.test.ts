/** The store without versions of docs/your-own-store.md keeps the contract, over PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { ResourceStore } from '../../lib';
import { isStorableKey } from '../../lib/stores/contract/key';
import { storeConformance } from '../../lib/testing';
import { blocksOf } from '../support/doc-blocks';
import { sharedPostgres, type SharedEngine } from '../support/engines';
import { evaluate } from '../support/page-modules';
import { testSomeCases } from '../support/test-cases';

const requireHere = createRequire(__filename);
const page = readFileSync(join(__dirname, '../../docs/your-own-store.md'), 'utf8');
const block = blocksOf(page, 'ts').find((text) => text.includes('versions = false')) ?? '';
const { SettingsStore } = evaluate(`${block}\nexport { SettingsStore };`, {}, requireHere) as {
  SettingsStore: new (pool: Pool) => ResourceStore;
};

/** Keys that no text of PostgreSQL can be are absent, as the page says. */
class Store extends SettingsStore {
  override get: ResourceStore['get'] = async (key, context) =>
    isStorableKey(key) ? super.get(key, context) : undefined;
  override replace: ResourceStore['replace'] = async (key, ...write) =>
    isStorableKey(key) ? super.replace(key, ...write) : undefined;
}

let engine: SharedEngine;
let pool: Pool;
beforeAll(async () => {
  engine = await sharedPostgres();
  pool = new Pool({ connectionString: engine.urls[0] });
  pool.on('error', () => undefined);
  await pool.query('CREATE TABLE IF NOT EXISTS settings (name text PRIMARY KEY, json text NOT NULL)');
});
afterAll(async () => {
  await pool.query('DROP TABLE settings');
  await pool.end();
  await engine.close();
});

testSomeCases(
  storeConformance(() => ({ open: () => new Store(pool) }), {
    ...{ versions: false, outcomes: false, deletes: false },
    key: () => randomUUID(),
  }),
  1,
);

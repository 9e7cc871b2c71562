import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { storeConformance } from '../../lib/stores/conformance';
import { PostgresStore, type PostgresStoreOptions } from '../../lib/stores/postgres-store';
import { type Engine, startPostgres } from '../support/engines';

let engine: Engine;
beforeAll(async () => {
  engine = await startPostgres();
}, 60_000);
afterAll(() => engine.close());

const schema = `patch-options "${randomUUID()}"`;

describe.each<[string, Partial<PostgresStoreOptions>, string]>([
  ['with prepared statements', {}, ''],
  ['without prepared statements', { prepare: false }, ''],
  ['under SERIALIZABLE', {}, '-c default_transaction_isolation=serializable'],
])('PostgresStore keeps the contract of ResourceStore %s', (_, options, flags) => {
  const pools: Pool[] = [];
  const openPool = () => {
    const pool = new Pool({ connectionString: engine.urls[0], options: flags });
    pools.push(pool);
    return pool;
  };
  afterAll(() => Promise.all(pools.map((pool) => pool.end())));

  let first: Pool | undefined;
  let second: Pool | undefined;
  const cases = storeConformance(() => {
    const waiting = [(first ??= openPool()), (second ??= openPool())];
    return {
      async open() {
        const pool = waiting.shift() ?? first;
        if (pool === undefined) throw new Error('no pool');
        const store = new PostgresStore(pool, { schema, table: 'the "resources"', ...options });
        await store.setup();
        return store;
      },
    };
  });
  test.each(cases)('$name', ({ run }) => run());
});

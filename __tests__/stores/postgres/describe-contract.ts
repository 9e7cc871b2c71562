/** The contract of stores, over PostgreSQL as it may be set up. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { PostgresStore, type PostgresStoreOptions } from '../../../lib/stores/postgres/postgres-store';
import { storeConformance } from '../../../lib/testing/store-conformance';
import type { SharedEngine } from '../../support/engines';
import { testCases } from '../../support/test-cases';

interface Way {
  readonly what: string;
  readonly options: Partial<PostgresStoreOptions>;
  readonly flags: string;
}

const schema = `patch-options "${randomUUID()}"`;

/** The ways in which a store may be set up, the first as it is by default. */
export const ways: readonly Way[] = [
  { what: 'with prepared statements', options: {}, flags: '' },
  { what: 'without prepared statements', options: { prepare: false }, flags: '' },
  { what: 'under SERIALIZABLE', options: {}, flags: '-c default_transaction_isolation=serializable' },
];

export function describeContract(chosen: readonly Way[], engine: () => SharedEngine): void {
  describe.each(chosen)('PostgresStore keeps the contract of ResourceStore $what', (way) => {
    describeWay(way, engine);
  });
}

function describeWay({ options, flags }: Way, engine: () => SharedEngine): void {
  const pools: Pool[] = [];
  const openPool = () => {
    const pool = new Pool({ connectionString: engine().urls[0], options: flags });
    pool.on('error', () => undefined); // connections that are being closed while the engine stops
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
  testCases(cases);
}

import { rowStore } from '../../lib/rows';
import { documentedRoundTrips, EngineProxy, roundTripsOfPatch } from '../docs/round-trips';
import { describeEachOrm } from './support/each-orm';

describeEachOrm(
  (opened, { orm, database, open }) => {
    test('a PATCH takes the round trips that docs/performance.md says', async () => {
      const proxy = await EngineProxy.start(opened().url);
      const { rows, transaction, close } = await open(proxy.url);
      const columns = { title: 'string' } as const;
      const options = { ...rows, columns, key: 'slug', version: 'version', outcomes: 'outcomes' };
      const stores = [rowStore(options), rowStore({ ...options, transaction: (run) => transaction(run) })];
      const counted = [];
      for (const store of stores)
        for (const hasIdempotencyKey of [false, true])
          counted.push(await roundTripsOfPatch(store, proxy.sent, { hasIdempotencyKey }));
      const [plain, transacted] = documentedRoundTrips(orm).slice(database === 'MariaDB' ? 2 : 0);
      expect(counted).toEqual([plain, plain, transacted, transacted]);
      await close();
      await proxy.close();
    });
  },
  ['PostgreSQL', 'MariaDB'],
);

import { rowStore } from '../../lib/rows';
import { documentedRoundTrips, EngineProxy, roundTripsOfPatch } from '../docs/round-trips';
import { describeEachOrm } from './support/each-orm';

describeEachOrm(
  (opened, { orm, database, open }) => {
    test('a PATCH takes the round trips that docs/performance.md says', async () => {
      const proxy = await EngineProxy.start(opened().url);
      const { rows, close } = await open(proxy.url);
      try {
        const columns = { title: 'string' } as const;
        const store = rowStore({ ...rows, columns, key: 'slug', outcomes: 'outcomes' });
        const [onPostgres, onMariadb] = documentedRoundTrips(orm);
        const roundTrips = database === 'MariaDB' ? onMariadb : onPostgres;
        for (const hasIdempotencyKey of [false, true])
          expect(await roundTripsOfPatch(store, proxy.sent, { hasIdempotencyKey })).toBe(roundTrips);
      } finally {
        await close();
        await proxy.close();
      }
    });
  },
  ['PostgreSQL', 'MariaDB'],
);

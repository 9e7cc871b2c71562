/** A cluster of its own: what moves a slot would take the keys of other tests with it. */
import { Cluster, Redis } from 'ioredis';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import { describeRedis, startRedisCluster } from '../../support/engines';
import { once, outcome } from './describe-redis-store';

describeRedis('RedisStore over a Redis Cluster that is being resharded', () => {
  test('follows the key while its slot moves (ASK) and when it has moved (MOVED)', async () => {
    const engine = await startRedisCluster();
    const cluster = new Cluster([...engine.urls], { retryDelayOnFailover: 0, redisOptions: once });
    const nodes = engine.urls.map((url) => new Redis(url));
    try {
      const store = new RedisStore(cluster, { prefix: 'notes:' });
      const key = 'moving';
      let made = await store.replace(key, null, 0, { outcome });
      const write = async (value: number) => {
        const context = { outcome: { ...outcome, id: `id-${value}` } };
        return (made = await store.replace(key, made?.version ?? '', value, context));
      };

      const { source, target, slot } = await homesOf(nodes, `notes:${key}`);
      await target.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', source.id);
      await source.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', target.id);
      expect((await write(1))?.value).toBe(1); // still at the source
      await source.redis.call('MIGRATE', '127.0.0.1', target.port, `notes:${key}`, 0, 5_000);
      expect((await write(2))?.value).toBe(2); // ASK, at a node that has never seen the script
      for (const { redis } of [target, source])
        await redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', target.id);
      expect((await write(3))?.value).toBe(3); // MOVED
      expect(await store.get(key)).toEqual(made);
      for (const id of ['a', 'id-1', 'id-2', 'id-3']) {
        expect((await store.get(key, { outcome: { id } }))?.outcome).toBe('the text');
      }
    } finally {
      await Promise.all([cluster.quit(), ...nodes.map((node) => node.quit())]);
      await engine.close();
    }
  });
});

/** The node that has a key's slot, and another one. */
async function homesOf(nodes: readonly Redis[], key: string) {
  const [first] = nodes;
  const slot = Number(await first?.call('CLUSTER', 'KEYSLOT', key));
  const homes = await Promise.all(
    nodes.map(async (redis) => ({
      redis,
      id: String(await redis.call('CLUSTER', 'MYID')),
      port: Number(redis.options.port),
      holds: Number(await redis.call('CLUSTER', 'COUNTKEYSINSLOT', slot)) > 0,
    })),
  );
  const source = homes.find(({ holds }) => holds);
  const target = homes.find(({ holds }) => !holds);
  if (source === undefined || target === undefined) throw new Error(`No node holds ${key}`);
  return { source, target, slot };
}

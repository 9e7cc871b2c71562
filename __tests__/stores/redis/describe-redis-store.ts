/** What every driver and every kind of server is held to. */
import { randomUUID } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import type { RedisClient } from '../../../lib/stores/redis/client';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { describeRedis, type SharedEngine, sharedRedis, sharedRedisCluster } from '../../support/engines';
import { testCases } from '../../support/test-cases';

export const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };

/** For ioredis. */
export const once = { autoResendUnfulfilledCommands: false };

interface Connected {
  readonly client: RedisClient;
  close(): unknown;
}

interface Driver {
  readonly driver: string;
  readonly connect: (urls: SharedEngine['urls']) => Connected | Promise<Connected>;
}

const standalone: readonly Driver[] = [
  {
    driver: 'ioredis',
    connect: ([url]) => {
      const client = new Redis(url, once);
      return { client, close: () => client.quit() };
    },
  },
  {
    driver: 'node-redis',
    connect: async ([url]) => {
      const client = createClient({ url });
      await client.connect();
      return { client, close: () => client.close() };
    },
  },
];

const clustered: readonly Driver[] = [
  {
    driver: 'ioredis',
    connect: (urls) => {
      const client = new Cluster([...urls], { retryDelayOnFailover: 0, redisOptions: once });
      return { client, close: () => client.quit() };
    },
  },
  {
    driver: 'node-redis',
    connect: async (urls) => {
      const client = createCluster({ rootNodes: urls.map((url) => ({ url })) });
      await client.connect();
      return { client, close: () => client.close() };
    },
  },
];

const servers = [
  { servers: 'one Redis', start: sharedRedis, drivers: standalone },
  { servers: 'a Redis Cluster of three nodes', start: sharedRedisCluster, drivers: clustered },
];

/**
 * Over both kinds of servers, with one of the drivers each.
 *
 * @param crossed - the other driver than without
 */
export function describeRedisStore({ crossed }: { readonly crossed: boolean }): void {
  const chosen = servers.map((each, index) => ({
    ...each,
    drivers: each.drivers.filter((_, at) => (at === index) !== crossed),
  }));
  describeRedis.each(chosen)('RedisStore over $servers', describeDrivers);
}

function describeDrivers({ start, drivers }: (typeof servers)[number]): void {
  let engine: SharedEngine;
  beforeAll(async () => {
    engine = await start();
  }, 60_000);
  afterAll(() => engine.close());

  describe.each(drivers)('with $driver', ({ connect }) => {
    const connections: Connected[] = [];
    beforeAll(async () => {
      connections.push(await connect(engine.urls), await connect(engine.urls));
    });
    afterAll(() => Promise.all(connections.map((connection) => connection.close())));

    const prefix = `patch-options:${randomUUID()}:`;
    const openStore = (at = 0) => {
      const connection = connections[at % connections.length];
      if (connection === undefined) throw new Error('not connected');
      return new RedisStore(connection.client, { prefix });
    };

    describe('keeps the contract of ResourceStore', () => {
      let opened = 0;
      const cases = storeConformance(() => ({ open: () => openStore(opened++) }));
      testCases(cases);
    });

    test('a node that has lost its scripts is told them again', async () => {
      const store = openStore();
      const made = await store.replace('forgotten', null, 1);
      await onEachNode(engine, (node) => node.script('FLUSH'));
      expect((await store.get('forgotten'))?.value).toBe(1);
      await onEachNode(engine, (node) => node.script('FLUSH'));
      const updated = await store.replace('forgotten', made?.version ?? '', 2);
      expect(updated?.value).toBe(2);
      await onEachNode(engine, (node) => node.script('FLUSH'));
      expect(await store.delete('forgotten', updated?.version)).toBe(true);
    });

    test('your app finds what is stored under prefix and key, in the fields that are documented', async () => {
      const made = await openStore().replace('documented', null, { title: 'a' });
      const found = await onEachNode(engine, (node) => node.hgetall(`${prefix}documented`).catch(() => ({})));
      expect(Object.assign({}, ...found)).toEqual({
        value: '{"title":"a"}',
        version: made?.version,
        modified: String(made?.modified?.getTime()),
      });
    });

    test('outcomes are fields of the same hash, which does not grow beyond those that are kept', async () => {
      const store = openStore();
      const fields = async () => Object.assign({}, ...(await onEachNode(engine, readFields))) as object;
      const readFields = (node: Redis) => node.hgetall(`${prefix}growing`).catch(() => ({}));
      let made = await store.replace('growing', null, 0, { outcome });
      for (const id of ['b', 'c', 'd']) {
        const context = { outcome: { ...outcome, id } };
        made = await store.replace('growing', made?.version ?? '', 0, context);
      }
      expect(Object.keys(await fields()).sort()).toEqual(
        [
          ...['value', 'version', 'modified', 'outcome:a', 'outcome:b', 'outcome:c', 'outcome:d'],
          ...['count', 'last', 'id:1', 'id:2', 'id:3', 'id:4'],
          ...['count:s', 'last:s', 'id:s:1', 'id:s:2', 'id:s:3', 'id:s:4'],
        ].sort(),
      );
      await expireOutcomes(engine, `${prefix}growing`);
      await store.replace('growing', made?.version ?? '', 0, {
        outcome: { ...outcome, id: 'b', scope: 't' },
      });
      expect(Object.keys(await fields()).sort()).toEqual(
        [
          ...['value', 'version', 'modified', 'outcome:b', 'count', 'last', 'id:1'],
          ...['count:t', 'last:t', 'id:t:1'],
        ].sort(),
      );
    });

    test('of many outcomes over their age a write forgets a few, or as many as make room for it', async () => {
      const store = openStore();
      let made = await store.replace('old', null, 0);
      const write = async (id: string, bounds: object) => {
        const context = { outcome: { ...outcome, id, keep: 100, ...bounds } };
        made = await store.replace('old', made?.version ?? '', 0, context);
      };
      const countAfter = async (...writing: Parameters<typeof write>) => {
        await write(...writing);
        const counts = await onEachNode(engine, (node) =>
          node.hget(`${prefix}old`, 'count').catch(() => null),
        );
        return Number(counts.find((count) => count !== null));
      };
      for (let old = 0; old < 60; old++) await write(`old-${old}`, { scope: old < 30 ? 's' : 't' });
      await expireOutcomes(engine, `${prefix}old`);
      expect(await countAfter('a', { scope: 'u' })).toBe(51);
      expect(await countAfter('b', { scope: 't' })).toBe(32); // of all and of the scope
      expect(await countAfter('c', { scope: 'u', total: 20 })).toBe(20);
      expect(await countAfter('d', { scope: 'u', keep: 3, total: 4 })).toBe(4);
      for (const id of ['a', 'b', 'c', 'd']) {
        expect((await store.get('old', { outcome: { id } }))?.outcome).toBe('the text');
      }
    });

    test('a fault of the engine passes through as it is', async () => {
      const key = randomUUID();
      await onEachNode(engine, (node) => node.set(prefix + key, 'no hash').catch(() => undefined));
      await expect(openStore().get(key)).rejects.toThrow('WRONGTYPE');
    });
  });
}

export async function onEachNode<R>(engine: SharedEngine, act: (node: Redis) => Promise<R>): Promise<R[]> {
  return Promise.all(
    engine.urls.map(async (url) => {
      const node = new Redis(url);
      try {
        return await act(node);
      } finally {
        await node.quit();
      }
    }),
  );
}

/** Puts the outcomes of a resource over their age: to wait for it, they would have to be written within that age. */
async function expireOutcomes(engine: SharedEngine, key: string): Promise<void> {
  await onEachNode(engine, async (node) => {
    const fields = await node.hgetall(key).catch(() => ({}));
    for (const [name, text] of Object.entries(fields)) {
      if (name.startsWith('outcome:'))
        await node.hset(key, name, text.replace(/^(\d+ \S+ \d+) \d+ /, '$1 0 '));
    }
  });
}

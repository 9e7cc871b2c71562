/** What every driver and every kind of server is held to. */
import { randomUUID } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import type { RedisClient } from '../../../lib/stores/redis/client';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { isDeep } from '../../support/deep-scale';
import { describeRedis, type SharedEngine, sharedRedis, sharedRedisCluster } from '../../support/engines';
import { testCases, testSomeCases } from '../../support/test-cases';

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

/** Over both kinds of servers, with one of the drivers each, and with both at full size. */
export function describeRedisStore(): void {
  const chosen = servers.map((each, index) => ({
    ...each,
    drivers: each.drivers.filter((_, at) => isDeep() || at === index),
  }));
  describeRedis.each(chosen)('RedisStore over $servers', describeDrivers);
}

function describeDrivers({ servers: kind, start, drivers }: (typeof servers)[number]): void {
  let engine: SharedEngine;
  beforeAll(async () => {
    engine = await start();
  });
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
      if (kind === 'one Redis') testCases(cases);
      else testSomeCases(cases, 0);
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

    test('outcomes are one field of the same hash, which no other write changes', async () => {
      const store = openStore();
      const readFields = async () => {
        const found = await onEachNode(engine, (node) => node.hgetall(`${prefix}noted`).catch(() => ({})));
        return Object.assign({}, ...found) as Readonly<Record<string, string>>;
      };
      let made = await store.replace('noted', null, 0);
      expect(Object.keys(await readFields()).sort()).toEqual(['modified', 'value', 'version']);
      for (const id of ['a', 'b']) {
        made = await store.replace('noted', made?.version ?? '', 0, { outcome: { ...outcome, id } });
      }
      const fields = await readFields();
      expect(Object.keys(fields).sort()).toEqual(['modified', 'outcomes', 'value', 'version']);
      await store.replace('noted', made?.version ?? '', 1);
      expect((await readFields())['outcomes']).toBe(fields['outcomes']);
    });

    test('a fault of the engine passes through as it is', async () => {
      const key = randomUUID();
      await onEachNode(engine, (node) => node.set(prefix + key, 'no hash').catch(() => undefined));
      await expect(openStore().get(key)).rejects.toThrow('WRONGTYPE');
    });
  });
}

async function onEachNode<R>(engine: SharedEngine, act: (node: Redis) => Promise<R>): Promise<R[]> {
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

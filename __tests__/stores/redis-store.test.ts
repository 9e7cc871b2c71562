import { randomUUID } from 'node:crypto';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { storeConformance } from '../../lib/stores/conformance';
import type { RedisClient } from '../../lib/stores/redis-client';
import { RedisStore } from '../../lib/stores/redis-store';
import { describeRedis, type Engine, startRedis, startRedisCluster } from '../support/engines';

interface Connected {
  readonly client: RedisClient;
  close(): unknown;
}

type Connect = (urls: Engine['urls']) => Connected | Promise<Connected>;

const standalone: [string, Connect][] = [
  [
    'ioredis',
    ([url]) => {
      const client = new Redis(url);
      return { client, close: () => client.quit() };
    },
  ],
  [
    'node-redis',
    async ([url]) => {
      const client = createClient({ url });
      await client.connect();
      return { client, close: () => client.close() };
    },
  ],
];

const clustered: [string, Connect][] = [
  [
    'ioredis',
    (urls) => {
      const client = new Cluster([...urls]);
      return { client, close: () => client.quit() };
    },
  ],
  [
    'node-redis',
    async (urls) => {
      const client = createCluster({ rootNodes: urls.map((url) => ({ url })) });
      await client.connect();
      return { client, close: () => client.close() };
    },
  ],
];

describeRedis.each([
  ['one Redis', startRedis, standalone] as const,
  ['a Redis Cluster of three nodes', startRedisCluster, clustered] as const,
])('RedisStore over %s', (_, start, clients) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await start();
  }, 60_000);
  afterAll(() => engine.close());

  describe.each([...clients])('with %s keeps the contract of ResourceStore', (_, connect) => {
    const connections: Connected[] = [];
    beforeAll(async () => {
      connections.push(await connect(engine.urls), await connect(engine.urls));
    });
    afterAll(() => Promise.all(connections.map((connection) => connection.close())));

    const prefix = `patch-options:${randomUUID()}:`;
    let opened = 0;
    const cases = storeConformance(() => ({
      open() {
        const connection = connections[opened++ % connections.length];
        if (connection === undefined) throw new Error('not connected');
        return new RedisStore(connection.client, { prefix });
      },
    }));
    test.each(cases)('$name', ({ run }) => run());
  });
});

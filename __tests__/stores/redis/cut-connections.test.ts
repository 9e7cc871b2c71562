import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { patchHandler } from '../../../lib/patch/patch-handler';
import type { RedisClient } from '../../../lib/stores/redis/client';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import type { WriteContext } from '../../../lib/stores/contract/resource-store';
import { CuttingProxy, randomCut } from '../../support/cutting-proxy';
import { describeRedis, type SharedEngine, sharedRedis, sharedRedisCluster } from '../../support/engines';
import { isDeep } from '../../support/deep-scale';
import { patchInProcess } from '../../support/patch-in-process';

const commandTimeout = 300;
/** What takes so many milliseconds hangs: far more than `commandTimeout`, as the machine may be busy with other tests. */
const hangs = 20_000;
const cuts = isDeep() ? 40 : 10;

interface List {
  readonly list: readonly string[];
}

interface Connected {
  readonly client: RedisClient;
  close(): unknown;
}

interface Row {
  readonly what: string;
  readonly start: () => Promise<SharedEngine>;
  /** @param proxies - by the port of the node that each stands before */
  readonly connect: (proxies: ReadonlyMap<number, number>) => Connected | Promise<Connected>;
}

const host = '127.0.0.1';
const nobody = () => undefined;
const once = { autoResendUnfulfilledCommands: false };
const reconnecting = { reconnectStrategy: () => 10 };

const table: readonly Row[] = [
  {
    what: 'one Redis, with ioredis',
    start: sharedRedis,
    connect: (proxies) => {
      const [port = 0] = proxies.values();
      const client = new Redis(port, host, { ...once, retryStrategy: () => 10 }).on('error', nobody);
      return {
        client,
        close: () => {
          client.disconnect();
        },
      };
    },
  },
  {
    what: 'one Redis, with node-redis',
    start: sharedRedis,
    connect: async (proxies) => {
      const [port = 0] = proxies.values();
      const client = createClient({ socket: { host, port, ...reconnecting } }).on('error', nobody);
      await client.connect();
      return { client, close: () => client.close() };
    },
  },
  {
    what: 'a cluster, with ioredis',
    start: sharedRedisCluster,
    connect: (proxies) => {
      const nodes = [...proxies.values()].map((port) => ({ host, port }));
      const natMap = Object.fromEntries(
        [...proxies].map(([node, port]) => [`${host}:${node}`, { host, port }]),
      );
      const client = new Cluster(nodes, { natMap, retryDelayOnFailover: 0, redisOptions: once });
      client.on('error', nobody);
      return {
        client,
        close: () => {
          client.disconnect();
        },
      };
    },
  },
  {
    what: 'a cluster, with node-redis',
    start: sharedRedisCluster,
    connect: async (proxies) => {
      const rootNodes = [...proxies.values()].map((port) => ({ socket: { host, port } }));
      const nodeAddressMap = (address: string) => {
        return { host, port: proxies.get(Number(address.split(':').at(-1))) ?? 0 };
      };
      const client = createCluster({ rootNodes, nodeAddressMap, defaults: { socket: reconnecting } });
      await client.on('error', nobody).connect();
      return { client, close: () => client.close() };
    },
  },
];

/** Notes how long each command takes. */
class Timed extends RedisStore<List> {
  longest = 0;

  override get(...given: Parameters<RedisStore<List>['get']>) {
    return this.#time(super.get(...given));
  }

  override replace(key: string, expected: string | null, next: List, context?: WriteContext) {
    return this.#time(super.replace(key, expected, next, context));
  }

  async #time<R>(command: Promise<R>): Promise<R> {
    const begin = performance.now();
    try {
      return await command;
    } finally {
      this.longest = Math.max(this.longest, performance.now() - begin);
    }
  }
}

describeRedis('RedisStore while connections are cut under load', () => {
  test.each(isDeep() ? table : table.slice(0, 2))(
    'over $what: no PATCH is applied twice, none that was acknowledged is lost, and none hangs',
    async ({ start, connect }) => {
      const engine = await start();
      const prefix = `cut ${randomUUID()}:`;
      const proxies: CuttingProxy[] = [];
      const done = () =>
        proxies.reduce((sum, proxy) => sum + [...proxy.cuts.values()].reduce((a, b) => a + b), 0);
      const cut = () => (done() < cuts ? randomCut(10 + Math.floor(Math.random() * 50)) : undefined);
      const ports = new Map<number, number>();
      for (const url of engine.urls) {
        const proxy = await CuttingProxy.start(cut);
        proxy.upstream = Number(new URL(url).port);
        proxies.push(proxy);
        ports.set(proxy.upstream, proxy.port);
      }
      // As two processes, each with a client of its own, and so with writes of another between what is sent twice.
      const connections = [await connect(ports), await connect(ports)];
      const stores = connections.map(({ client }) => new Timed(client, { prefix, commandTimeout }));
      const handlers = stores.map((store) =>
        patchHandler(store, [jsonPatch()], { key: (req) => req.params.id, create: () => ({ list: [] }) }),
      );
      try {
        const answers = new Map<string, number>();
        const keys = ['a', 'b', 'c', 'd'];
        const write = async (handler: (typeof handlers)[number], writer: number) => {
          const key = keys[writer % keys.length] ?? '';
          const type = { 'content-type': 'application/json-patch+json' };
          for (let turn = 0; done() < cuts; turn++) {
            const value = `${key} ${writer} ${turn}`;
            const patch = [{ op: 'add', path: '/list/-', value }];
            answers.set(value, (await patchInProcess(handler, key, patch, type)).status);
          }
        };
        await Promise.all(
          handlers.flatMap((handler, i) => keys.map((_, j) => write(handler, i * keys.length + j))),
        );
        await delay(commandTimeout); // for what may still be written

        const direct = await connect(new Map([...ports.keys()].map((port) => [port, port])));
        connections.push(direct);
        const store = new RedisStore<List>(direct.client, { prefix });
        const lists = await Promise.all(keys.map(async (key) => (await store.get(key))?.value.list ?? []));
        const times = new Map<string, number>();
        for (const value of lists.flat()) times.set(value, (times.get(value) ?? 0) + 1);
        const acknowledged = [...answers].filter(([, status]) => status < 300).map(([value]) => value);
        expect([...times].filter(([, count]) => count > 1)).toEqual([]);
        expect(acknowledged.filter((value) => !times.has(value))).toEqual([]);
        expect([...times.keys()].filter((value) => !answers.has(value))).toEqual([]);
        // The proof is none unless some were acknowledged and some failed.
        expect(acknowledged.length).toBeGreaterThan(cuts);
        expect(answers.size).toBeGreaterThan(acknowledged.length);
        for (const { longest } of stores) expect(longest).toBeLessThan(hangs);
      } finally {
        await Promise.all(connections.map((connection) => connection.close()));
        await Promise.all(proxies.map((proxy) => proxy.close()));
        await engine.close();
      }
    },
  );
});

import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { Cluster, Redis } from 'ioredis';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { ConfigurationError } from '../../../lib/config/options-check';
import { type RedisClient, RedisTimeoutError } from '../../../lib/stores/redis/client';
import { RedisStore } from '../../../lib/stores/redis/redis-store';
import { block } from '../../support/block';
import { mistakesOf } from '../../support/mistakes-of';
import { describeRedis, type SharedEngine, sharedRedis } from '../../support/engines';
import { describePatchesOver } from '../../patch/tables/index';
import { describeRedisStore, once } from './describe-redis-store';

describeRedisStore();

describeRedis('RedisStore', () => {
  let engine: SharedEngine;
  let client: Redis;
  beforeAll(async () => {
    engine = await sharedRedis();
    client = new Redis(engine.urls[0], once);
  });
  afterAll(async () => {
    await client.quit();
    await engine.close();
  });

  describe('answers PATCH', () => {
    const prefix = `${randomUUID()}:`;
    describePatchesOver(() => Promise.resolve(new RedisStore(client, { prefix })), 0);
  });

  test('modified is from the clock of the engine', async () => {
    const store = new RedisStore(client, { prefix: `${randomUUID()}:` });
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(0);
    const made = await store.replace('key', null, 1);
    jest.restoreAllMocks();
    expect(Math.abs((made?.modified?.getTime() ?? 0) - now)).toBeLessThan(60_000);
  });
});

describe('RedisStore refuses at start', () => {
  const client = { eval: () => Promise.resolve(), evalsha: () => Promise.resolve() };
  const options = { prefix: 'notes:' };
  const lazy = { lazyConnect: true };
  const cluster = { ...lazy, retryDelayOnFailover: 0, redisOptions: once };
  const node = { host: '127.0.0.1', port: 1 };

  test.each<{
    readonly title: string;
    readonly given: unknown;
    readonly options: object;
    readonly message: string;
  }>([
    {
      title: 'a URL',
      given: 'redis://localhost',
      options,
      message: `client: a string must be a Redis client`,
    },
    {
      title: 'a client that runs no scripts',
      given: { get: 1 },
      options,
      message: 'must be a Redis client that runs scripts',
    },
    { title: 'no prefix', given: client, options: {}, message: 'prefix: undefined must be a string' },
    {
      title: 'a lone surrogate in the prefix',
      given: client,
      options: { prefix: '\ud800' },
      message: 'contains NUL or a lone surrogate',
    },
    {
      title: 'a misspelt option',
      given: client,
      options: { prefix: '', prefx: '' },
      message: `Did you mean 'prefix'?`,
    },
    ...[0, -1, 0.5, NaN, Infinity, 2 ** 31, '5000', null].map((commandTimeout) => ({
      title: `the timeout ${inspect(commandTimeout)}`,
      given: client,
      options: { prefix: '', commandTimeout },
      message: 'Write a whole number from 1 to 2147483647, such as 5000 for five seconds.',
    })),
  ])('$title', ({ given, options, message }) => {
    const make = () => new RedisStore(given as RedisClient, options as { prefix: string });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });

  test.each<{
    readonly title: string;
    readonly make: () => unknown;
    /** The options that make it send again. */
    readonly named: readonly string[];
  }>([
    {
      title: 'ioredis as it is',
      make: () => new Redis(lazy),
      named: ['client.options.autoResendUnfulfilledCommands'],
    },
    {
      title: 'ioredis that is told to',
      make: () => new Redis({ ...lazy, autoResendUnfulfilledCommands: true }),
      named: ['client.options.autoResendUnfulfilledCommands'],
    },
    {
      title: 'ioredis over sentinels',
      make: () => new Redis({ ...lazy, sentinels: [node], name: 'main' }),
      named: ['client.options.autoResendUnfulfilledCommands'],
    },
    { title: 'ioredis that is told not to', make: () => new Redis({ ...lazy, ...once }), named: [] },
    {
      title: 'a Cluster of ioredis as it is',
      make: () => new Cluster([node], lazy),
      named: [
        'client.options.retryDelayOnFailover',
        'client.options.redisOptions.autoResendUnfulfilledCommands',
      ],
    },
    {
      title: 'a Cluster whose nodes alone do not',
      make: () => new Cluster([node], { ...lazy, redisOptions: once }),
      named: ['client.options.retryDelayOnFailover'],
    },
    {
      title: 'a Cluster whose nodes alone do',
      make: () => new Cluster([node], { ...cluster, redisOptions: {} }),
      named: ['client.options.redisOptions.autoResendUnfulfilledCommands'],
    },
    {
      title: 'a Cluster of which one node does',
      make: () =>
        new Cluster(
          ['redis://127.0.0.1:1', Object.assign({ autoResendUnfulfilledCommands: true }, node)],
          cluster,
        ),
      named: ['startupNodes[1].autoResendUnfulfilledCommands'],
    },
    { title: 'a Cluster that does not', make: () => new Cluster([node], cluster), named: [] },
    {
      title: 'a Sentinel of node-redis',
      make: () => createSentinel({ name: 'main', sentinelRootNodes: [node] }),
      named: ['client'],
    },
    { title: 'node-redis', make: () => createClient(), named: [] },
    { title: 'a pool of node-redis', make: () => createClientPool(), named: [] },
    { title: 'a cluster of node-redis', make: () => createCluster({ rootNodes: [] }), named: [] },
    { title: 'a client that shows no options', make: () => client, named: [] },
  ])('a client that sends commands again: $title, $named', ({ make, named }) => {
    const client = make();
    const mistakes = mistakesOf(() => new RedisStore(client as RedisClient, options));
    expect(mistakes.map(({ option }) => option)).toEqual(named);
    expect(new Set(mistakes.map(({ code }) => code))).toEqual(
      new Set(named.length > 0 ? ['store-client-resends'] : []),
    );
    if (client instanceof Redis || client instanceof Cluster) client.disconnect();
  });
});

describe('A command without an answer', () => {
  const never = () => new Promise<never>(() => undefined);
  const silent = { eval: never, evalsha: never };

  test('fails after 5 seconds, or what is set, with a code', async () => {
    jest.useFakeTimers();
    try {
      for (const [options, milliseconds] of [
        [{ prefix: '' }, 5_000],
        [{ prefix: '', commandTimeout: 20 }, 20],
      ] as const) {
        const store = new RedisStore(silent, options);
        const commands = [() => store.get('a'), () => store.replace('a', null, 1), () => store.delete('a')];
        for (const send of commands) {
          const settled = jest.fn();
          send().then(settled, settled);
          await jest.advanceTimersByTimeAsync(milliseconds - 1);
          expect(settled).not.toHaveBeenCalled();
          await jest.advanceTimersByTimeAsync(2);
          expect(settled.mock.lastCall).toMatchObject([
            {
              name: 'RedisTimeoutError',
              code: 'PATCH_OPTIONS_REDIS_TIMEOUT',
              message: `Redis did not answer within ${milliseconds} ms. Check the connection. If the command was a write, it may have been carried out: read the resource before a retry.`,
            },
          ]);
          expect(settled.mock.lastCall?.[0]).toBeInstanceOf(RedisTimeoutError);
        }
      }
    } finally {
      jest.useRealTimers();
    }
  });

  test('is not one where the answer came while the event loop was busy', async () => {
    const { port1, port2 } = new MessageChannel();
    const late = async () => {
      await new Promise((resolve) => port1.once('message', resolve));
      return ['1', 'v1', '0'];
    };
    const store = new RedisStore({ eval: late, evalsha: late }, { prefix: '', commandTimeout: 20 });
    const found = store.get('key');
    port2.postMessage('answered');
    block(60);
    expect(await found).toMatchObject({ value: 1 });
    port1.close();
  });

  test('leaves no timer behind once it is answered', async () => {
    const answer = () => Promise.resolve(null);
    const store = new RedisStore({ eval: answer, evalsha: answer }, { prefix: '' });
    jest.useFakeTimers();
    await store.get('key');
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

/** Proxies that change entity tags, and caches that return old states: what both have in common, and where they differ. */
import { resourceClient, type ResourceClientOptions } from '../../lib/client';
import { type Carrier, fetchBy, type Reply, TaggedServer } from './tagged-server';
import { notModified, refused, scriptedFetch, state, type Step } from './scripted-fetch';

interface Note {
  title: string;
}

const url = 'https://api.example/notes/1';
const rename = (note: Note): void => {
  note.title += '!';
};

/** Passes requests on as they are, and changes the tags of some answers. */
const changing =
  (change: (tag: string) => string | undefined, isChanged: (reply: Reply) => boolean = () => true): Carrier =>
  (request, server) => {
    const reply = server.answer(request);
    const { ETag: tag, ...rest } = reply.headers;
    if (tag === undefined || !isChanged(reply)) return Promise.resolve(reply);
    const changed = change(tag);
    const headers = changed === undefined ? rest : { ...rest, ETag: changed };
    return Promise.resolve({ ...reply, headers });
  };
const append =
  (suffix: string) =>
  (tag: string): string =>
    `${tag.slice(0, -1)}${suffix}"`;
const isSuccess = ({ status }: Reply): boolean => status < 400;
const isRefusal = ({ status }: Reply): boolean => status >= 400;

function behind(proxy: Carrier, options: ResourceClientOptions<Note> = {}) {
  const server = new TaggedServer();
  server.store(url, { title: 'a' });
  return { server, client: resourceClient<Note>(undefined, { fetch: fetchBy(server, proxy), ...options }) };
}

/** What comes of the call, and how long that takes, in milliseconds. */
async function settled(call: Promise<unknown>) {
  const start = performance.now();
  const outcome = call.catch((error: unknown) => error);
  await jest.runAllTimersAsync();
  return { outcome: await outcome, took: performance.now() - start };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

type Client = ReturnType<typeof behind>['client'];
const writes: readonly (readonly [string, (client: Client) => Promise<unknown>])[] = [
  ['change', (client) => client.change(url, rename)],
  ['save', (client) => client.save(url, { title: 'a' }, { title: 'b' })],
  ['put', (client) => client.put(url, { title: 'b' })],
  ['remove', (client) => client.remove(url)],
];

describe.each<{ readonly what: string; readonly proxy: Carrier; readonly condition: string }>([
  {
    what: 'nginx and HAProxy, which weaken the tags of what they compress',
    proxy: changing((tag) => `W/${tag}`, isSuccess),
    condition: '"1"',
  },
  { what: 'the same, of refusals as well', proxy: changing((tag) => `W/${tag}`), condition: '"1"' },
  {
    what: 'Apache, DeflateAlterETag AddSuffix',
    proxy: changing(append('-gzip'), isSuccess),
    condition: '"1-gzip", "1"',
  },
  { what: 'the same, of refusals as well', proxy: changing(append('-gzip')), condition: '"1-gzip", "1"' },
  {
    what: 'Apache, BrotliAlterETag AddSuffix',
    proxy: changing(append('-br'), isSuccess),
    condition: '"1-br", "1"',
  },
  { what: 'Caddy', proxy: changing(append('-zstd'), isSuccess), condition: '"1-zstd", "1"' },
  { what: 'Jetty', proxy: changing(append('--gzip'), isSuccess), condition: '"1--gzip", "1"' },
  {
    what: 'nginx in front of Apache',
    proxy: changing((tag) => `W/${append('-gzip')(tag)}`, isSuccess),
    condition: '"1-gzip", "1"',
  },
])('$what', ({ proxy, condition }) => {
  test('what is cached is asked for with If-None-Match', async () => {
    const { server, client } = behind(proxy);
    const first = await client.get(url);
    expect(await client.get(url)).toBe(first);
    expect(server.lines).toEqual(['GET → 200', `GET ${condition} → 304`]);
  });

  test.each(writes)('%s is made at the first attempt', async (_name, write) => {
    const { server, client } = behind(proxy);
    await client.get(url);
    await write(client);
    expect(server.lines[1]).toMatch(new RegExp(`^(?:PATCH|PUT|DELETE) ${condition} → 20`));
  });

  test.each(writes)(
    '%s, of a state that somebody else has changed: no update is lost',
    async (name, write) => {
      const { server, client } = behind(proxy);
      await client.get(url);
      server.store(url, { title: 'theirs' });
      const { outcome } = await settled(write(client));
      expect(outcome).toMatchObject(
        {
          change: { value: { title: 'theirs!' }, attempts: 2 },
          save: { code: 'conflict', theirs: { title: 'theirs' } },
          put: { code: 'precondition-failed' },
          remove: { code: 'precondition-failed' },
        }[name] ?? {},
      );
      expect(server.valueAt(url)).toEqual({ title: name === 'change' ? 'theirs!' : 'theirs' });
    },
  );

  test('a tag that the caller gives, as it was received', async () => {
    const { server, client } = behind(proxy);
    const read = await proxy({ method: 'GET', url, headers: new Headers(), body: undefined }, server);
    const etag = read.headers['ETag'] ?? '';
    await client.put(url, { title: 'b' }, { etag });
    expect(server.lines).toContain(`PUT ${condition} → 200`);
    const again = await client.put(url, { title: 'c' }, { etag }).catch((error: unknown) => error);
    expect(again).toMatchObject({ code: 'precondition-failed' });
  });
});

describe.each<{ readonly what: string; readonly proxy: Carrier; readonly named: string }>([
  {
    what: 'a proxy that replaces tags',
    proxy: changing((tag) => `"of-proxy-${tag.slice(1)}`, isSuccess),
    named: 'the ETag "of-proxy-1", but If-Match with it fails again: the ETag of the 412 is "1"',
  },
  {
    what: 'a GET with the weak tag that Express makes of the body',
    proxy: changing(() => 'W/"b-FiEzjWWnTw1KjKVJ4KeQM4EQ1FI"', isSuccess),
    named:
      'the ETag "b-FiEzjWWnTw1KjKVJ4KeQM4EQ1FI", but If-Match with it fails again: the ETag of the 412 is "1"',
  },
  {
    what: 'something else that is appended',
    proxy: changing(append('-cdn'), isSuccess),
    named: 'the ETag "1-cdn", but If-Match with it fails again: the ETag of the 412 is "1"',
  },
  {
    what: 'refusals without their tag',
    proxy: async (request, server) => {
      const reply = await changing(append('-cdn'), isSuccess)(request, server);
      return isRefusal(reply) ? { ...reply, headers: {} } : reply;
    },
    named: 'the ETag "1-cdn", but If-Match with it fails again: the ETag of the 412 is missing',
  },
])('$what', ({ proxy, named }) => {
  const mismatch = {
    name: 'EntityTagError',
    code: 'entity-tag-mismatch',
    message: expect.stringContaining(named),
  };

  test.each(writes.slice(0, 2))('%s ends at the second 412 with the same tags', async (_name, write) => {
    const { server, client } = behind(proxy);
    const { outcome, took } = await settled(write(client));
    expect(outcome).toMatchObject(mismatch);
    expect(server.lines.map((line) => line.replace(/ .*→/, ''))).toEqual([
      'GET 200',
      'PATCH 412',
      'GET 200',
      'GET 200',
      'PATCH 412',
    ]);
    expect(took).toBeLessThan(1_000);

    // The next one has a state to begin with.
    expect(await settled(write(client))).toMatchObject({ outcome: mismatch });
    expect(server.requests).toBe(9);
  });

  test.each(writes.slice(2))(
    '%s: the first 412 is one, and the second, after a GET, is the mistake',
    async (_name, write) => {
      let carry = proxy;
      const { server, client } = behind((request, to) => carry(request, to));
      await client.get(url);
      const refusal = { name: 'ResponseError', code: 'precondition-failed' };
      await expect(write(client)).rejects.toMatchObject(refusal);
      await expect(write(client)).rejects.toMatchObject(refusal);
      await client.get(url);
      await expect(write(client)).rejects.toMatchObject(mismatch);
      expect(server.requests).toBe(5);

      // Once GET returns the tag that PATCH compares, it is made.
      carry = changing((tag) => tag);
      await client.get(url);
      await write(client);
    },
  );
});

describe('states that come back, as of a switch whose tags are made of its content, are waited for', () => {
  const a = state(1, { title: 'a' });
  const b = state(2, { title: 'b' });
  const again = [a, a, refused(2)];
  const end = [b, state(4, { title: 'b!' })];

  test.each<{ readonly once: string; readonly steps: readonly Step[]; readonly calls: number }>([
    {
      once: 'a write was made with a tag of GET',
      steps: [a, state(3, { title: 'a!' }), refused(9), a, refused(2), ...again, ...again, ...end],
      calls: 2,
    },
    {
      once: 'GET has returned the tag of a 412',
      steps: [a, refused(2), b, refused(1), a, refused(2), ...again, ...again, ...end],
      calls: 1,
    },
  ])('once $once', async ({ steps, calls }) => {
    const { fetch, left } = scriptedFetch(...steps);
    const client = resourceClient<Note>(undefined, { fetch });
    for (let call = 1; call < calls; call += 1) await client.change(url, rename);
    const { outcome } = await settled(client.change(url, rename));
    expect(outcome).toMatchObject({ value: { title: 'b!' } });
    expect(left).toEqual([]);
  });
});

test('the weak tag of an answer to a write is not that of GET, for all the client knows: it reads again', async () => {
  const script = scriptedFetch(
    state(1, { title: 'a' }),
    { status: 200, headers: { ETag: 'W/"of-the-body"' }, body: { title: 'a!' } },
    state(2, { title: 'a!' }),
    { status: 204 },
  );
  const client = resourceClient<Note>(undefined, { fetch: script.fetch });
  expect(await client.change(url, rename)).toMatchObject({ etag: '"2"' });
  await client.remove(url);
  expect(script.lines).toEqual(['GET', 'PATCH "1"', 'GET', 'DELETE "2"']);
});

const old = state(1, { title: 'a' });
const passing: readonly { what: string; steps: readonly Step[]; attempts: number }[] = [
  {
    what: 'a cache that has the old state a moment longer',
    steps: [old, refused(2), old, state(2, { title: 'b' }), state(3, { title: 'b!' })],
    attempts: 2,
  },
  {
    what: 'the same, with 304',
    steps: [old, refused(2), notModified, state(2, { title: 'b' }), state(3, { title: 'b!' })],
    attempts: 2,
  },
  {
    what: 'a cache that lags behind a resource that others keep changing',
    steps: [
      ...[old, refused(2), old, old, refused(3), old, old, refused(4), old, old, refused(5)],
      ...[state(5, { title: 'b' }), state(6, { title: 'b!' })],
    ],
    attempts: 5,
  },
  {
    what: 'a tag that is made of the content, and a state that is back again',
    steps: [old, refused(2), old, old, state(3, { title: 'a!' })],
    attempts: 2,
  },
  {
    what: 'a tag that is the beginning of the one that comes after it',
    steps: [old, refused(10), old, old, state(11, { title: 'a!' })],
    attempts: 2,
  },
];

test.each(passing)('$what is waited for', async ({ steps, attempts }) => {
  const { fetch, left } = scriptedFetch(...steps);
  const { outcome, took } = await settled(resourceClient<Note>(undefined, { fetch }).change(url, rename));
  expect(outcome).toMatchObject({ attempts });
  expect(left).toEqual([]);
  expect(took).toBeLessThan(1_000 * attempts);
});

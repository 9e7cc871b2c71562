/** Proxies that change entity tags, and caches that return old states: what both have in common, and where they differ. */
import { EntityTagError, resourceClient, type ResourceClientOptions } from '../../lib/client';
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

const proxies: readonly {
  what: string;
  proxy: Carrier;
  tags: readonly string[];
  requests: number;
  waits: boolean;
}[] = [
  {
    what: 'Apache, DeflateAlterETag AddSuffix',
    proxy: changing(append('-gzip'), isSuccess),
    tags: ['"1-gzip"', '"1"'],
    ...{ requests: 3, waits: false },
  },
  {
    what: 'the same, on refusals as well',
    proxy: changing(append('-gzip')),
    tags: ['"1-gzip"'],
    ...{ requests: 3, waits: false },
  },
  {
    what: 'Apache, BrotliAlterETag AddSuffix',
    proxy: changing(append('-br'), isSuccess),
    tags: ['"1-br"', '"1"'],
    ...{ requests: 3, waits: false },
  },
  {
    what: 'Jetty',
    proxy: changing(append('--gzip'), isSuccess),
    tags: ['"1--gzip"', '"1"'],
    ...{ requests: 3, waits: false },
  },
  {
    what: 'refusals without their tag',
    proxy: async (request, server) => {
      const reply = await changing(append('-gzip'), isSuccess)(request, server);
      return isRefusal(reply) ? { ...reply, headers: {} } : reply;
    },
    tags: ['"1-gzip"'],
    ...{ requests: 3, waits: false },
  },
  {
    what: 'tags that have nothing in common',
    proxy: changing((tag) => `"of-proxy-${tag.slice(1)}`, isSuccess),
    tags: ['"of-proxy-1"', '"1"'],
    ...{ requests: 5, waits: true },
  },
];

describe.each(proxies)('$what', ({ proxy, tags, requests, waits }) => {
  test.each([
    ['change', (client: ReturnType<typeof behind>['client']) => client.change(url, rename)],
    [
      'save',
      (client: ReturnType<typeof behind>['client']) => client.save(url, { title: 'a' }, { title: 'b' }),
    ],
  ])('%s', async (_name, write) => {
    const { server, client } = behind(proxy);
    const { outcome, took } = await settled(write(client));
    expect(server.requests).toBe(requests);
    expect(took).toBeLessThan(waits ? 1_000 : 50);
    expect(outcome).toBeInstanceOf(EntityTagError);
    expect(outcome).toMatchObject({ code: 'entity-tag-mismatch' });
    const { message } = outcome as EntityTagError;
    expect(message.match(/"[^"]*"/g)).toEqual(tags);
    if (tags.length > 1) expect(message).toContain('DeflateAlterETag NoChange');

    // The next one has a state to begin with.
    await settled(write(client));
    expect(server.requests).toBe(2 * requests - 1);
  });
});

test('nginx, which makes tags weak where it compresses: the first GET is an error', async () => {
  const { server, client } = behind(changing((tag) => `W/${tag}`));
  const { outcome } = await settled(client.change(url, rename));
  expect(outcome).toMatchObject({ code: 'entity-tag-weak' });
  expect(server.requests).toBe(1);
});

const old = state(1, { title: 'a' });
const passing: readonly { what: string; steps: readonly Step[]; attempts: number }[] = [
  {
    what: 'a cache that has the old state a moment longer',
    steps: [old, refused(2), old, refused(2), state(2, { title: 'b' }), state(3, { title: 'b!' })],
    attempts: 3,
  },
  {
    what: 'the same, with 304',
    steps: [old, refused(2), notModified, refused(2), state(2, { title: 'b' }), state(3, { title: 'b!' })],
    attempts: 3,
  },
  {
    what: 'a cache that lags behind a resource that others keep changing',
    steps: [
      ...[old, refused(2), old, refused(3), old, refused(4), old, refused(5)],
      ...[state(5, { title: 'b' }), state(6, { title: 'b!' })],
    ],
    attempts: 5,
  },
  {
    what: 'a tag that is made of the content, and a state that is back again',
    steps: [old, refused(2), old, state(3, { title: 'a!' })],
    attempts: 2,
  },
  {
    what: 'a tag that is the beginning of the one that comes after it',
    steps: [old, refused(10), old, state(11, { title: 'a!' })],
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

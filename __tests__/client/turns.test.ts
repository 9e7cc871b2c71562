/** Writes of one client to one URL take turns. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Conflict,
  resourceClient,
  type ResourceClient,
  type ResourceClientOptions,
} from '../../lib/client';
import { Turns } from '../../lib/client/turns';
import { type Carrier, fetchBy, pause, slowly, TaggedServer } from './tagged-server';
import { times } from '../support/deep-scale';

interface Note {
  title: string;
  tags: string[];
}

const url = 'https://api.example/notes/1';
const other = 'https://api.example/notes/2';
const initial: Note = { title: 'a', tags: [] };
const reason = new Error('the page was left');

const add =
  (tag: string) =>
  (note: Note): void => {
    note.tags.push(tag);
  };
const rename = (note: Note): void => {
  note.title += '!';
};

const atOnce: Carrier = (request, server) => Promise.resolve(server.answer(request));

function served(carry: Carrier = atOnce, options: ResourceClientOptions<Note> = {}) {
  const server = new TaggedServer();
  server.store(url, initial);
  server.store(other, initial);
  const client = resourceClient<Note>(undefined, { fetch: fetchBy(server, carry), ...options });
  return { server, client };
}

const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => error,
  );
const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe.each([1, 30, 200])('%d changes at once', (changes) => {
  test('cost one request each, and one to read', async () => {
    const { server, client } = served(slowly(2));
    const names = Array.from({ length: changes }, (_, i) => String(i));
    const results = await Promise.all(names.map((name) => client.change(url, add(name))));
    expect(server.requests).toBe(changes + 1);
    expect(server.valueAt(url)).toEqual({ title: 'a', tags: names });
    expect(results.map(({ value }) => value.tags.length)).toEqual(names.map((_, i) => i + 1));
    expect(results.map(({ attempts }) => attempts)).toEqual(names.map(() => 1));
  });
});

test('each begins with the state that the one before has left, in the order of the calls', async () => {
  const { server, client } = served(slowly(2));
  await client.remove(url, { etag: '*' });
  server.arrived.length = 0;
  const calls = [
    client.put(url, { title: 'b', tags: [] }, { create: true }),
    client.change(url, add('x')),
    client.save(url, { title: 'b', tags: [] }, { title: 'c', tags: [] }),
    client.put(url, { title: 'd', tags: [] }),
    client.change(url, rename),
    client.remove(url),
    client.change(url, rename),
  ];
  expect(await Promise.all(calls.map(outcome))).toEqual([
    ...Array<unknown>(6).fill('done'),
    expect.objectContaining({ name: 'ResponseError', status: 404 }),
  ]);
  expect(await calls[2]).toMatchObject({ value: { title: 'c', tags: ['x'] } });
  expect(await calls[4]).toMatchObject({ value: { title: 'd!', tags: [] } });
  expect(server.lines).toEqual([
    'PUT * → 201',
    'PATCH "2" → 200',
    'PATCH "3" → 200',
    'PUT "4" → 200',
    'PATCH "5" → 200',
    'DELETE "6" → 204',
    'GET → 404',
  ]);
});

test('what a caller passes is what counts, not what it makes of it while the call waits', async () => {
  const { server, client } = served(slowly(2));
  const value = { title: 'b', tags: ['x'] };
  const calls = [client.change(url, rename), client.put(url, value), client.save(url, value, value)];
  value.title = 'later';
  await Promise.all(calls);
  expect(server.valueAt(url)).toEqual({ title: 'b', tags: ['x'] });
});

test('those to different URLs do not wait for each other', async () => {
  const { server, client } = served((request, at) =>
    request.url === url ? new Promise(() => undefined) : atOnce(request, at),
  );
  const controller = new AbortController();
  const stuck = outcome(client.change(url, rename, { signal: controller.signal }));
  await client.change(other, rename);
  expect(server.valueAt(other)).toEqual({ title: 'a!', tags: [] });
  controller.abort(reason);
  expect(await stuck).toBe(reason);
});

test('a URL is the same if it is after it was resolved', async () => {
  const { server } = served();
  const client = resourceClient<Note>('https://api.example', { fetch: fetchBy(server, slowly(2)) });
  const urls = ['/notes/1', 'notes/1', '/notes/../notes/1', url, '/notes/1#top'];
  await Promise.all(urls.map((each) => client.change(each, rename)));
  expect(server.requests).toBe(urls.length + 1);
});

describe('a write that fails does not hold up the next', () => {
  const invalid = { status: 422, headers: {}, body: { status: 422, code: 'invalid-result' } };
  type Failing = (client: ResourceClient<Note>) => Promise<unknown>;
  const rows: readonly { what: string; fail: Failing; code?: string; carry?: Carrier; requests: number }[] = [
    {
      what: 'its recipe throws',
      fail: (client) =>
        client.change(url, () => {
          throw reason;
        }),
      requests: 2,
    },
    {
      what: 'its recipe returns what is not JSON',
      fail: (client) => client.change(url, () => new Map() as never),
      code: 'value-not-json',
      requests: 2,
    },
    {
      what: 'it is a put of a state that was not read',
      fail: (client) => client.put(url, initial),
      code: 'precondition-unknown',
      requests: 2,
    },
    {
      what: 'it is refused',
      fail: (client) => client.put(url, initial, { etag: '"0"' }),
      code: 'precondition-failed',
      requests: 3,
    },
    {
      what: 'the server finds it invalid',
      fail: (client) => client.change(url, () => ({ title: '', tags: [] })),
      carry: (request, server) =>
        JSON.stringify(request.body ?? null).includes('""')
          ? Promise.resolve(invalid)
          : Promise.resolve(server.answer(request)),
      code: 'invalid-result',
      requests: 2,
    },
  ];

  test.each(rows)('where $what', async ({ fail, code, carry, requests }) => {
    const { server, client } = served(carry);
    const [failed, next] = await Promise.all([outcome(fail(client)), client.change(url, rename)]);
    if (code === undefined) expect(failed).toBe(reason);
    else expect(failed).toMatchObject({ code });
    expect(next.value.title).toBe('a!');
    expect(server.requests).toBe(requests);
  });
});

describe('a signal that is aborted while a write waits', () => {
  const writes: Record<string, (client: ResourceClient<Note>, signal: AbortSignal) => Promise<unknown>> = {
    change: (client, signal) => client.change(url, rename, { signal }),
    save: (client, signal) => client.save(url, initial, { title: 'b', tags: [] }, { signal }),
    put: (client, signal) => client.put(url, { title: 'b', tags: [] }, { signal }),
    remove: (client, signal) => client.remove(url, { signal }),
  };

  test.each(Object.keys(writes))('%s rejects at once, is not sent, and holds nobody up', async (name) => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { server, client } = served(async (request, at) => {
      await held;
      return at.answer(request);
    });
    const controller = new AbortController();
    const added = jest.spyOn(controller.signal, 'addEventListener');
    const removed = jest.spyOn(controller.signal, 'removeEventListener');
    const first = client.change(url, add('first'));
    const aborted = outcome(writes[name]?.(client, controller.signal) ?? Promise.resolve());
    const last = client.change(url, add('last'));
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    expect(added.mock.calls.length).toBe(1);
    expect(removed.mock.calls.length).toBe(1);
    answer();
    await Promise.all([first, last]);
    expect(server.valueAt(url)).toEqual({ title: 'a', tags: ['first', 'last'] });
    expect(server.lines).toEqual(['GET → 200', 'PATCH "1" → 200', 'PATCH "2" → 200']);
  });

  test('in the moment in which its turn comes: it is not sent, and the next is', async () => {
    const { server, client } = served();
    const controller = new AbortController();
    const first = client.change(url, rename).finally(() => {
      controller.abort(reason);
    });
    const second = outcome(client.change(url, add('second'), { signal: controller.signal }));
    const third = client.change(url, add('third'));
    await first;
    expect(await second).toBe(reason);
    await third;
    expect(server.valueAt(url)).toEqual({ title: 'a!', tags: ['third'] });
  });

  test('while it is in progress: the next takes its turn', async () => {
    let isHeld = true;
    const { server, client } = served((request, at) => {
      if (request.method === 'PATCH' && isHeld) return new Promise(() => undefined);
      return atOnce(request, at);
    });
    const controller = new AbortController();
    const first = outcome(client.change(url, rename, { signal: controller.signal }));
    const second = client.change(url, add('x'));
    await turn();
    isHeld = false;
    controller.abort(reason);
    expect(await first).toBe(reason);
    expect((await second).value).toEqual({ title: 'a', tags: ['x'] });
    expect(server.requests).toBe(3);
  });
});

describe('while onConflict is pending', () => {
  const mine: Note = { title: 'mine', tags: [] };
  const theirs: Note = { title: 'theirs', tags: [] };

  /** A save in conflict, whose person decides later. */
  async function undecided(signal?: AbortSignal) {
    const { server, client } = served();
    server.store(url, theirs);
    const conflicts: Conflict<Note>[] = [];
    let decide: (value: Note) => void = () => undefined;
    const onConflict = (conflict: Conflict<Note>) => {
      conflicts.push(conflict);
      return new Promise<Note>((resolve) => (decide = resolve));
    };
    const saved = client.save(url, initial, mine, { onConflict, signal });
    const settled = outcome(saved);
    while (conflicts.length === 0) await turn();
    return { server, client, conflicts, saved, settled, decide: (value: Note) => decide(value) };
  }

  test('other writes go on, for ever if nobody decides', async () => {
    const { server, client } = await undecided();
    await Promise.all(Array.from({ length: 10 }, (_, i) => client.change(url, add(String(i)))));
    await client.remove(url);
    expect(server.requests).toBe(12);
    expect(server.valueAt(url)).toBeUndefined();
  });

  test('and the save, once it is decided, starts from the state that they have left', async () => {
    const { server, client, decide, saved, conflicts } = await undecided();
    await client.change(url, add('x'));
    server.arrived.length = 0;
    decide({ title: 'both', tags: [] });
    expect(await saved).toMatchObject({ value: { title: 'both', tags: ['x'] }, attempts: 1 });
    expect(server.lines).toEqual(['PATCH "3" → 200']);
    expect(conflicts).toHaveLength(1);
  });

  test('decided without a write in between, it is sent without reading again', async () => {
    const { server, decide, saved, conflicts } = await undecided();
    decide(conflicts[0]?.withMine ?? initial);
    expect((await saved).value.title).toBe('mine');
    expect(server.lines).toEqual(['GET → 200', 'PATCH "2" → 200']);
  });

  test('decided for what is there, nothing is sent', async () => {
    const { server, decide, saved, conflicts } = await undecided();
    decide(conflicts[0]?.withTheirs ?? initial);
    expect(await saved).toMatchObject({ value: theirs, attempts: 0, patch: [] });
    expect(server.lines).toEqual(['GET → 200']);
  });

  test('decided while another write is in progress, it waits for that', async () => {
    const { server, client, decide, saved } = await undecided();
    const changed = client.change(url, add('x'));
    decide({ title: 'both', tags: [] });
    await Promise.all([changed, saved]);
    expect(server.lines.slice(1)).toEqual(['PATCH "2" → 200', 'PATCH "3" → 200']);
    expect(server.valueAt(url)).toEqual({ title: 'both', tags: ['x'] });
  });

  test('what others have changed there meanwhile is another conflict', async () => {
    const { client, decide, saved, conflicts } = await undecided();
    await client.change(url, rename);
    decide({ title: 'both', tags: [] });
    while (conflicts.length < 2) await turn();
    expect(conflicts[1]).toMatchObject({
      base: theirs,
      mine: { title: 'both' },
      theirs: { title: 'theirs!' },
    });
    decide({ title: 'all', tags: [] });
    expect((await saved).value.title).toBe('all');
  });

  test('what onConflict throws ends the save, and holds nobody up', async () => {
    const { server, client } = served();
    server.store(url, theirs);
    const onConflict = () => {
      throw reason;
    };
    const saved = outcome(client.save(url, initial, mine, { onConflict }));
    await client.change(url, rename);
    expect(await saved).toBe(reason);
    expect(server.requests).toBe(2);
  });

  test('it can write to the same resource', async () => {
    const { server, client } = served();
    server.store(url, theirs);
    const onConflict = async () => (await client.change(url, () => initial)).value;
    expect((await client.save(url, initial, mine, { onConflict })).value).toEqual(initial);
    expect(server.requests).toBe(3);
  });
});

describe('`timeout`', () => {
  test('does not count the wait for a turn', async () => {
    jest.useFakeTimers();
    const { server, client } = served(slowly(20), { timeout: 90 });
    const calls = Promise.all(Array.from({ length: 30 }, () => client.change(url, rename)));
    await jest.advanceTimersByTimeAsync(31 * 20);
    await calls;
    expect(server.requests).toBe(31);
    expect(jest.getTimerCount()).toBe(0);
  });

  const dead: readonly { what: string; carry: Carrier }[] = [
    { what: 'there is no connection', carry: () => Promise.reject(new TypeError('fetch failed')) },
    { what: 'nothing is answered', carry: () => new Promise(() => undefined) },
    {
      what: 'only a gateway answers',
      carry: () => Promise.resolve({ status: 503, headers: {}, body: undefined }),
    },
  ];

  test.each(dead)(
    'where $what, bounds how long callers wait: none waits for all before it',
    async ({ carry }) => {
      jest.useFakeTimers();
      const { client } = served(carry, { timeout: 1_000 });
      const errors: unknown[] = [];
      const call = () => outcome(client.change(url, rename)).then((error) => errors.push(error));
      for (let i = 0; i < 30; i++) void call();
      await jest.advanceTimersByTimeAsync(500);
      void call();
      await jest.advanceTimersByTimeAsync(1_500);
      expect(errors.length).toBeGreaterThanOrEqual(30);
      await jest.advanceTimersByTimeAsync(500);
      expect(errors).toHaveLength(31);
      expect(errors.slice(5, 30)).toEqual(
        Array(25).fill(expect.objectContaining({ code: 'connection-failed', uncertain: false })),
      );
      expect(jest.getTimerCount()).toBe(0);
      // A later call is sent.
      void call();
      expect(errors).toHaveLength(31);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(errors).toHaveLength(32);
    },
  );
});

test('nothing is left of many URLs, aborted waits included', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = async () => {
    await pause(0);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const turns = new Turns(30_000);
  const { signal } = new AbortController();
  const write = () => Promise.resolve();
  const fail = () => Promise.reject(reason);
  async function take(urls: number): Promise<void> {
    for (let i = 0; i < urls; i++) {
      const each = `${url}/${i}`;
      const calls = [turns.take('PATCH', each, signal, write), turns.take('PATCH', each, signal, fail)];
      if (i % 10 === 0) {
        const controller = new AbortController();
        calls.push(turns.take('PATCH', each, controller.signal, write));
        controller.abort(reason);
      }
      calls.push(turns.take('PATCH', each, undefined, write));
      await Promise.allSettled(calls);
    }
  }
  await take(2_000);
  const before = await used();
  const urls = times(40_000, 100_000);
  await take(urls);
  // An entry for each would be twice that, and 20 MB in the project `deep`.
  expect((await used()) - before).toBeLessThan(4_000_000);
});

test('forget() of all, as when another user signs in: what waits is not sent, what is on its way is', async () => {
  const { server, client } = served(slowly(20));
  await client.get(url);
  const sent = client.change(url, add('sent'));
  const waiting = [client.change(url, add('waiting')), client.remove(url), client.put(url, initial)].map(
    outcome,
  );
  await turn();
  client.forget();
  for (const ended of await Promise.all(waiting)) expect(ended).toMatchObject({ name: 'AbortError' });
  await sent;
  expect(server.valueAt(url)).toEqual({ title: 'a', tags: ['sent'] });
  // The next user's writes take their turns as ever.
  await Promise.all([client.change(url, add('b')), client.change(url, add('c'))]);
  expect(server.valueAt(url)).toEqual({ title: 'a', tags: ['sent', 'b', 'c'] });
});

test('forget() of one URL leaves what waits alone', async () => {
  const { server, client } = served(slowly(20));
  const writes = [client.change(url, add('a')), client.change(url, add('b'))];
  await turn();
  client.forget(url);
  await Promise.all(writes);
  expect(server.valueAt(url)).toEqual({ title: 'a', tags: ['a', 'b'] });
});

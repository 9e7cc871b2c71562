import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Express } from 'express';
import supertest from 'supertest';
import { ConfigurationError } from '../../../lib/configuration';
import { entityTag } from '../../../lib/http/entity-tag';
import { mergePatch } from '../../../lib/parsers/merge-patch';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { cachedStore } from '../../../lib/stores/cached/cached-store';
import { storeConformance } from '../../../lib/testing/store-conformance';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import type { ResourceStore } from '../../../lib/stores/contract/resource-store';
import { SqliteStore } from '../../../lib/stores/sqlite/sqlite-store';
import { frameworks } from '../../support/frameworks';
import { HeldStore } from '../../support/held-store';
import { patchInProcess } from '../../support/patch-in-process';
import { describePatchesOver } from '../../patch/tables/index';
import { serving } from '../../support/serving';
import { everyStatus, interleave } from './interleavings';
import { DatabaseSync } from '../../support/sqlite';
import { testCases } from '../../support/test-cases';

const mayBeStale = { mayBeStale: true };

describe.each([100, 1])('cachedStore keeps the contract of ResourceStore, with room for %d', (max) => {
  const cases = storeConformance(() => {
    const engine = new MemoryStore();
    return { open: () => cachedStore(engine, { max }) };
  });
  testCases(cases);
});

describe('cachedStore keeps the contract of ResourceStore over an engine whose values can be changed', () => {
  const databases: { close(): void }[] = [];
  afterAll(() => {
    for (const database of databases) database.close();
  });

  const cases = storeConformance(async () => {
    const database = new DatabaseSync(':memory:');
    databases.push(database);
    const engine = new SqliteStore(database, { table: 'resources' });
    await engine.setup();
    return { open: () => cachedStore(engine, { max: 100 }) };
  });
  testCases(cases);
});

test('two processes with a cache each: no update is lost, and every answer is true', async () => {
  expect(await interleave(150)).toEqual(everyStatus);
});

describe('PATCH over cachedStore', () => {
  describePatchesOver(() => Promise.resolve(cachedStore(new MemoryStore(), { max: 100 })));
});

/** Two processes over one engine; of the first, what it asks of the engine is counted. */
function twoProcesses() {
  const engine = new MemoryStore();
  const held = new HeldStore(engine);
  return { engine, held, cached: cachedStore(held, { max: 10 }), other: cachedStore(engine, { max: 10 }) };
}

describe.each(frameworks.slice(0, 1))('What a PATCH asks of the engine (%s)', (_, express) => {
  const appOver = (store: ResourceStore): Express => {
    const app = express();
    app.get('/things/:id', async (req, res) => {
      const stored = await store.get(req.params.id);
      if (stored === undefined) res.sendStatus(404);
      else res.set('ETag', entityTag(stored)).json(stored.value);
    });
    const options = {
      key: (req: { params: { id?: string } }) => req.params.id,
      idempotency: 'optional',
    } as const;
    app.patch('/things/:id', patchHandler(store, [mergePatch()], options));
    return app;
  };
  const patch = (client: ReturnType<typeof supertest>, body: object, headers = {}) =>
    client.patch('/things/7').set(headers).type('application/merge-patch+json').send(JSON.stringify(body));

  const withThing = async () => {
    const processes = twoProcesses();
    await processes.cached.replace('7', null, { title: 'first' });
    expect(processes.held.calls()).toEqual(['replace']);
    return processes;
  };

  test('where the process wrote last: the write alone, again and again', async () => {
    const { engine, held, cached } = await withThing();
    await serving(appOver(cached), async (server) => {
      for (const count of [1, 2, 3]) {
        await patch(supertest(server), { count }).expect(204);
        expect(held.calls()).toEqual(['replace']);
      }
    });
    expect((await engine.get('7'))?.value).toEqual({ title: 'first', count: 3 });
  });

  test('after a GET, with its entity tag: the write alone', async () => {
    const { engine, held, cached } = twoProcesses();
    await engine.replace('7', null, { title: 'first' });
    await serving(appOver(cached), async (server) => {
      const got = await supertest(server).get('/things/7').expect(200);
      expect(held.calls()).toEqual(['get']);
      await patch(supertest(server), { mine: 1 }, { 'If-Match': got.get('ETag') }).expect(204);
      expect(held.calls()).toEqual(['replace']);
    });
  });

  test('where another has written: the write, which loses, and once more on what is there', async () => {
    const { engine, held, cached, other } = await withThing();
    const read = await other.get('7');
    await other.replace('7', read?.version ?? '', { title: 'theirs' });
    await serving(appOver(cached), async (server) => {
      await patch(supertest(server), { mine: 1 }).expect(204);
      expect(held.calls()).toEqual(['replace', 'get', 'replace']);
      await patch(supertest(server), { mine: 2 }).expect(204);
      expect(held.calls()).toEqual(['replace']);
    });
    expect((await engine.get('7'))?.value).toEqual({ title: 'theirs', mine: 2 });
  });

  test('with the entity tag of what another has written: it is read, and written over', async () => {
    const { held, cached, other } = await withThing();
    const read = await other.get('7');
    const theirs = await other.replace('7', read?.version ?? '', { title: 'theirs' });
    if (theirs === undefined) throw new Error('The test lost a race of its own');
    await serving(appOver(cached), async (server) => {
      await patch(supertest(server), { mine: 1 }, { 'If-Match': entityTag(theirs) }).expect(204);
    });
    expect(held.calls()).toEqual(['get', 'replace']);
    expect((await other.get('7'))?.value).toEqual({ title: 'theirs', mine: 1 });
  });

  test('with an entity tag that is no more: 412 with the present one, read and not remembered', async () => {
    const { held, cached, other } = await withThing();
    const read = await cached.get('7');
    if (read === undefined) throw new Error('nothing there');
    const theirs = await other.replace('7', read.version, { title: 'theirs' });
    expect(held.calls()).toEqual(['get']);
    await serving(appOver(cached), async (server) => {
      const answer = await patch(supertest(server), { mine: 1 }, { 'If-Match': entityTag(read) });
      expect([answer.status, answer.get('ETag')]).toEqual([412, theirs && entityTag(theirs)]);
    });
    expect(held.calls()).toEqual(['replace', 'get']);
  });

  test('where another has deleted it: 404, as is found out', async () => {
    const { engine, held, cached } = await withThing();
    await engine.delete('7');
    await serving(appOver(cached), async (server) => {
      await patch(supertest(server), { mine: 1 }).expect(404);
      expect(held.calls()).toEqual(['replace', 'get']);
      await supertest(server).get('/things/7').expect(404);
    });
  });

  describe('under an Idempotency-Key', () => {
    const headers = { 'Idempotency-Key': '"k1"' };
    /** Sent to the one process, and again to the other, which remembers the state in between. */
    const twice = async (first: object, second: object, change?: (tag: string) => object) => {
      const { engine, held, cached, other } = await withThing();
      const before = await cached.get('7');
      const fields = change?.(before === undefined ? '' : entityTag(before));
      const [original] = await serving(appOver(other), async (server) => [
        await patch(supertest(server), first, { ...headers, ...fields }).expect(204),
        await patch(supertest(server), { other: 1 }),
      ]);
      await cached.get('7');
      held.calls();
      const repeat = await serving(appOver(cached), (server) =>
        patch(supertest(server), second, { ...headers, ...fields }).then((answer) => answer),
      );
      return { original, repeat, calls: held.calls(), value: (await engine.get('7'))?.value };
    };

    test('a first request costs the write alone', async () => {
      const { held, cached } = await withThing();
      await serving(appOver(cached), async (server) => {
        await patch(supertest(server), { count: 1 }, headers).expect(204);
      });
      expect(held.calls()).toEqual(['replace']);
    });

    test('a repeat at a process that remembers a later state: the write does nothing, and the outcome is read', async () => {
      const { original, repeat, calls, value } = await twice({ count: 1 }, { count: 1 });
      expect([repeat.status, repeat.get('ETag')]).toEqual([204, original.get('ETag')]);
      expect(calls).toEqual(['replace', 'get']);
      expect(value).toEqual({ title: 'first', count: 1, other: 1 });
    });

    test('a repeat whose If-Match is false of what is remembered: the outcome is read', async () => {
      const withTag = (tag: string) => ({ 'If-Match': tag });
      const { original, repeat, calls } = await twice({ count: 1 }, { count: 1 }, withTag);
      expect([repeat.status, repeat.get('ETag')]).toEqual([204, original.get('ETag')]);
      expect(calls).toEqual(['get']);
    });

    test('another request under the key: 422', async () => {
      const { repeat, value } = await twice({ count: 1 }, { count: 2 });
      expect([repeat.status, repeat.body]).toMatchObject([422, { code: 'idempotency-key-reused' }]);
      expect(value).toEqual({ title: 'first', count: 1, other: 1 });
    });
  });

  test('of twenty at once, each in its turn: its write alone', async () => {
    const { engine, held, cached } = await withThing();
    const handler = patchHandler(cached, [mergePatch()], { key: (req) => req.params.id });
    const release = held.hold();
    const answers = Array.from({ length: 20 }, (_, index) =>
      patchInProcess(handler, '7', { [`m${index}`]: index }),
    );
    await new Promise(setImmediate);
    release();
    for (const answer of answers) expect((await answer).status).toBe(204);
    expect(held.calls()).toEqual(Array(20).fill('replace'));
    expect(Object.keys((await engine.get('7'))?.value as object)).toHaveLength(21);
  });
});

describe('What cachedStore remembers', () => {
  /** What is remembered of the key: undefined where the engine has to be asked. */
  const remembered = async (held: HeldStore, store: ResourceStore) => {
    held.calls();
    const found = await store.get('7', mayBeStale);
    return held.calls().length === 0 ? found : undefined;
  };
  const written = async (store: ResourceStore, value: unknown) => {
    const before = await store.get('7');
    const made = await store.replace('7', before?.version ?? null, value);
    if (made === undefined) throw new Error('The test lost a race of its own');
    return made;
  };

  test('a plain get asks the engine, and is remembered', async () => {
    const { held, cached, other } = twoProcesses();
    await written(cached, 'ours');
    await written(other, 'theirs');
    expect((await cached.get('7'))?.value).toBe('theirs');
    expect((await remembered(held, cached))?.value).toBe('theirs');
  });

  test('that there is nothing is not remembered', async () => {
    const { held, cached, engine } = twoProcesses();
    await written(cached, 'ours');
    await engine.delete('7');
    await cached.get('7');
    expect(await remembered(held, cached)).toBeUndefined();
    await cached.get('7', mayBeStale);
    expect(held.calls()).toEqual(['get']);
  });

  test('at most `max` resources, those used last', async () => {
    const held = new HeldStore();
    const cached = cachedStore(held, { max: 2 });
    for (const key of ['a', 'b']) await cached.replace(key, null, key);
    await cached.get('a', mayBeStale);
    await cached.replace('c', null, 'c');
    held.calls();
    for (const key of ['a', 'c']) expect((await cached.get(key, mayBeStale))?.value).toBe(key);
    expect(held.calls()).toEqual([]);
    await cached.get('b', mayBeStale);
    expect(held.calls()).toEqual(['get']);
  });

  test('what is remembered, read or written is deeply frozen, and shared', async () => {
    const { cached, engine } = twoProcesses();
    const made = await written(cached, { list: [{ a: 1 }] });
    const [read, known] = [await cached.get('7'), await cached.get('7', mayBeStale)];
    for (const stored of [made, read, known]) {
      expect(() => (stored?.value as { list: { a: number }[] }).list.push({ a: 2 })).toThrow(TypeError);
      expect(stored).toEqual(await engine.get('7'));
    }
    expect(known?.value).toBe((await cached.get('7', mayBeStale))?.value);
  });

  test('the part of a value that a write leaves as it was is shared with the state before', async () => {
    const { cached } = twoProcesses();
    const before = await written(cached, { kept: { a: 1 }, changed: 1 });
    const { kept } = before.value as { kept: object };
    await cached.replace('7', before.version, { kept, changed: 2 });
    expect(((await cached.get('7', mayBeStale))?.value as { kept: object }).kept).toBe(kept);
  });

  test('a signal that is aborted is heeded though nobody is asked', async () => {
    const { cached } = twoProcesses();
    await written(cached, 1);
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(cached.get('7', { ...mayBeStale, signal })).rejects.toThrow('gone');
  });

  describe('forgets what may be wrong', () => {
    test('after a write that failed: nobody knows whether it was carried out', async () => {
      const { held, cached } = twoProcesses();
      const { version } = await written(cached, 'first');
      const release = held.hold();
      const writing = cached.replace('7', version, 'second');
      release(new Error('No answer'));
      await expect(writing).rejects.toThrow('No answer');
      expect(await remembered(held, cached)).toBeUndefined();
      expect((await cached.get('7', mayBeStale))?.value).toBe('second');
    });

    test('after a write that lost', async () => {
      const { held, cached, other } = twoProcesses();
      const { version } = await written(cached, 'ours');
      await written(other, 'theirs');
      expect(await cached.replace('7', version, 'ours again')).toBeUndefined();
      expect(await remembered(held, cached)).toBeUndefined();
    });

    test('after a deletion', async () => {
      const { held, cached } = twoProcesses();
      await written(cached, 'first');
      expect(await cached.delete('7')).toBe(true);
      expect(await remembered(held, cached)).toBeUndefined();
    });

    test('but not after a read that failed', async () => {
      const { held, cached } = twoProcesses();
      await written(cached, 'first');
      const release = held.hold();
      const reading = cached.get('7');
      release(new Error('No answer'));
      await expect(reading).rejects.toThrow('No answer');
      expect((await remembered(held, cached))?.value).toBe('first');
    });
  });

  describe('of calls in flight at once', () => {
    test.each<{
      readonly what: string;
      readonly write: (store: ResourceStore & { delete(key: string): Promise<boolean> }) => Promise<unknown>;
      readonly after: unknown;
    }>([
      { what: 'a write', write: (store) => written(store, 'second'), after: 'second' },
      { what: 'a deletion', write: (store) => store.delete('7'), after: undefined },
    ])(
      'a read that is answered after $what began and ended does not bring back what was',
      async ({ write, after }) => {
        const { held, cached } = twoProcesses();
        await written(cached, 'first');
        const release = held.hold();
        const reading = cached.get('7');
        await write(cached);
        release();
        expect((await reading)?.value).toBe('first');
        expect((await remembered(held, cached))?.value).toBe(after);
      },
    );

    test('nor a read that began while a write that failed was in flight', async () => {
      const { held, cached } = twoProcesses();
      const { version } = await written(cached, 'first');
      const [failWrite, release] = [held.hold(), held.hold()];
      const writing = cached.replace('7', version, 'second');
      const reading = cached.get('7');
      failWrite(new Error('No answer'));
      await expect(writing).rejects.toThrow('No answer');
      release();
      await reading;
      expect(await remembered(held, cached)).toBeUndefined();
    });

    test('a read that began and ended while a write was in flight gives way to it', async () => {
      const { held, cached } = twoProcesses();
      const { version } = await written(cached, 'first');
      const release = held.hold();
      const writing = cached.replace('7', version, 'second');
      await cached.get('7');
      release();
      await writing;
      expect((await remembered(held, cached))?.value).toBe('second');
    });

    test('of writes whose order nobody knows, none is remembered', async () => {
      const { held, cached, engine } = twoProcesses();
      const { version } = await written(cached, 'first');
      const release = held.hold();
      const writing = cached.replace('7', version, 'second');
      const second = await engine.get('7');
      await cached.replace('7', second?.version ?? '', 'third');
      release();
      expect((await writing)?.value).toBe('second');
      expect(await remembered(held, cached)).toBeUndefined();
      expect((await cached.get('7', mayBeStale))?.value).toBe('third');
    });

    test('a read that began after the first of two writes ended, and before the other did, is not remembered', async () => {
      const { held, cached } = twoProcesses();
      await written(cached, 'first');
      const [releaseFirst, releaseSecond, releaseRead] = [held.hold(), held.hold(), held.hold()];
      const [first, second] = [cached.delete('7'), cached.replace('7', null, 'second')];
      releaseFirst();
      await first;
      const reading = cached.get('7');
      releaseSecond();
      await second;
      releaseRead();
      expect((await reading)?.value).toBe('second');
      expect(await remembered(held, cached)).toBeUndefined();
    });

    test('a read that was overtaken does not keep a later one from being remembered', async () => {
      const { held, cached, other } = twoProcesses();
      const { version } = await written(cached, 'first');
      const [releaseLost, releaseSecond, releaseEarly] = [held.hold(), held.hold(), held.hold()];
      const [lost, second] = [cached.replace('7', 'none', 0), cached.replace('7', version, 'second')];
      releaseLost();
      await lost;
      const early = cached.get('7');
      releaseSecond();
      await second;
      await written(other, 'third');
      const releaseLate = held.hold();
      const late = cached.get('7');
      releaseEarly();
      await early;
      releaseLate();
      await late;
      expect((await remembered(held, cached))?.value).toBe('third');
    });

    test('nothing is kept of calls that have ended', async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const cached = cachedStore(new MemoryStore(), { max: 1 });
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let call = 0; call < 20_000; call++) await cached.get(Buffer.alloc(2_000, `${call} `).toString());
      collect();
      const kept = process.memoryUsage().heapUsed - before;
      await cached.get('and is itself still there');
      expect(kept).toBeLessThan((20_000 * 2_000) / 4);
    });

    test('other keys do not matter', async () => {
      const { held, cached } = twoProcesses();
      await written(cached, 'first');
      const release = held.hold();
      const reading = cached.get('7');
      await cached.replace('8', null, 'other');
      release();
      await reading;
      expect((await remembered(held, cached))?.value).toBe('first');
    });
  });
});

describe('cachedStore passes on', () => {
  test('delete and setup, where the wrapped store has them', async () => {
    const engine = Object.assign(new MemoryStore(), { setup: jest.fn(() => Promise.resolve('made')) });
    const cached = cachedStore(engine, { max: 1 });
    expect(await cached.setup()).toBe('made');
    await cached.replace('7', null, 1);
    expect(await cached.delete('7', 'another version')).toBe(false);
    expect(await cached.delete('7')).toBe(true);
  });

  test('and has none where it has none', () => {
    const engine = new MemoryStore();
    const bare: ResourceStore = {
      get: (key) => engine.get(key),
      replace: (key, expected, next) => engine.replace(key, expected, next),
    };
    const cached = cachedStore(bare, { max: 1 });
    expect(['delete', 'setup', 'keepsOutcomes'].filter((name) => name in cached)).toEqual([]);
  });

  test('the context', async () => {
    const engine = new MemoryStore();
    const [get, replace] = [jest.spyOn(engine, 'get'), jest.spyOn(engine, 'replace')];
    const cached = cachedStore(engine, { max: 1 });
    const context = { signal: new AbortController().signal, maxBytes: 1 };
    await cached.get('7', context);
    await cached.replace('7', null, 1, context);
    expect(get).toHaveBeenCalledWith('7', context);
    expect(replace).toHaveBeenCalledWith('7', null, 1, context);
  });
});

describe('cachedStore refuses at start', () => {
  test.each<{
    readonly title: string;
    readonly store: unknown;
    readonly options: unknown;
    readonly message: string;
  }>([
    {
      title: 'no options',
      store: new MemoryStore(),
      options: undefined,
      message: 'options: undefined must be an object',
    },
    {
      title: 'no max',
      store: new MemoryStore(),
      options: {},
      message: 'max: undefined is not a valid number of resources',
    },
    {
      title: '0',
      store: new MemoryStore(),
      options: { max: 0 },
      message: 'max: 0 is not a valid number of resources',
    },
    { title: 'a negative number', store: new MemoryStore(), options: { max: -1 }, message: 'max: -1' },
    { title: 'a fraction', store: new MemoryStore(), options: { max: 1.5 }, message: 'max: 1.5' },
    { title: 'a string', store: new MemoryStore(), options: { max: '10' }, message: "max: '10'" },
    { title: 'Infinity', store: new MemoryStore(), options: { max: Infinity }, message: 'max: Infinity' },
    {
      title: 'more than a Map can hold',
      store: new MemoryStore(),
      options: { max: 2 ** 24 + 1 },
      message: 'a whole number from 1 to 16777216',
    },
    {
      title: 'a misspelt option',
      store: new MemoryStore(),
      options: { max: 1, maxx: 1 },
      message: "Did you mean 'max'?",
    },
    {
      title: 'what is no store',
      store: new Map(),
      options: { max: 1 },
      message: 'must be a store with the methods get and replace',
    },
    {
      title: 'nothing',
      store: undefined,
      options: { max: 1 },
      message: 'store: undefined must be a store with the methods get and replace',
    },
  ])('$title', ({ store, options, message }) => {
    const make = () => cachedStore(store as MemoryStore, options as { max: number });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});

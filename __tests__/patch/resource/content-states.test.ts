/** Handlers over a store whose states are their content: without versions, two states are the same if every member is. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import {
  change,
  checkPreconditions,
  entityTag,
  jsonPatch,
  mergePatch,
  type ProblemError,
  resource,
  type ResourceOptions,
  type ResourceStore,
  sendProblem,
} from '../../../lib';
import type { PatchRequest } from '../../../lib/http/middleware';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';
import { ContentStore } from '../../support/content-store';

const note = { title: 'Milk', done: false };

async function service(
  options: ResourceOptions<unknown> = {},
  store = new ContentStore(),
  value: unknown = note,
) {
  if (value !== null) await store.replace('1', null, value);
  const handlers = resource<unknown>(store, [mergePatch({ json: true }), jsonPatch()], {
    key: 'id',
    ...options,
  });
  const errors: unknown[] = [];
  const failed: ErrorRequestHandler = (error, _req, res, next) => {
    errors.push(error);
    if (res.headersSent) next(error);
    else res.status(500).send('failed');
  };
  const app = express();
  app.route('/notes/:id').get(handlers.get).put(handlers.put).patch(handlers.patch).delete(handlers.delete);
  app.use(failed);
  const tag = async () => (await request(app).get('/notes/1')).get('ETag') ?? '';
  const stored = async () => (await store.get('1'))?.value;
  return { app, store, handlers, errors, tag, stored };
}

describe('the entity tag is that of the content', () => {
  test('a change that changes nothing has the tag that it had, and so has a state that comes back', async () => {
    const { app, tag } = await service();
    const first = await tag();
    const same = await request(app)
      .patch('/notes/1')
      .set('If-Match', first)
      .send({ done: false })
      .expect(204);
    expect(same.get('ETag')).toBe(first);
    const changed = await request(app)
      .patch('/notes/1')
      .set('If-Match', first)
      .send({ done: true })
      .expect(204);
    expect(changed.get('ETag')).not.toBe(first);
    expect(changed.get('ETag')).toBe(await tag());
    await request(app).patch('/notes/1').set('If-Match', first).send({ done: true }).expect(412);
    await request(app).patch('/notes/1').send({ done: false }).expect(204);
    expect(await tag()).toBe(first);
    await request(app).delete('/notes/1').set('If-Match', first).expect(204);
    await request(app).delete('/notes/1').expect(404);
  });

  test('a GET of your own makes it by the handlers of the resource; entityTag() cannot', async () => {
    const { app, store, handlers, tag } = await service({ hidden: ['/pin'] });
    const stored = (await store.get('1')) ?? { value: undefined };
    const req = { headers: {}, method: 'GET' } as unknown as PatchRequest;
    expect(handlers.entityTag(stored, req)).toBe(await tag());
    expect(() => entityTag(stored)).toThrow('resource(…).entityTag(stored, req)');
    app.put('/by-hand/:id', (sent, res) => {
      const problem = checkPreconditions(sent, stored, { entityTag: handlers.entityTag as never });
      if (problem === undefined) res.status(204).end();
      else sendProblem(res, problem);
    });
    await request(app)
      .put('/by-hand/1')
      .set('If-Match', await tag())
      .expect(204);
    await request(app).put('/by-hand/1').set('If-Match', '"other"').expect(412);
  });

  test('the option entityTag gets a version made of what the client sees, for what it adds', async () => {
    const { app } = await service({
      represent: (value, req) => ({ ...(value as object), role: req.headers['role'] ?? null }),
      entityTag: ({ version }, req) => `"${String(version)}-${String(req.headers['role'])}"`,
      hidden: ['/pin'],
    });
    const read = async (role: string) =>
      (await request(app).get('/notes/1').set('Role', role)).get('ETag') ?? '';
    const [admin, reader] = [await read('admin'), await read('reader')];
    expect(admin).toMatch(/^"[\w-]{22}-admin"$/);
    await request(app)
      .patch('/notes/1')
      .set({ Role: 'reader', 'If-Match': admin })
      .send({ done: true })
      .expect(412);
    await request(app)
      .patch('/notes/1')
      .set({ Role: 'reader', 'If-Match': reader })
      .send({ done: true })
      .expect(204);
  });
});

test('two worlds: what a client cannot see changes neither a tag nor any other byte of an answer', async () => {
  const kinds: readonly ResourceOptions<unknown>[] = [
    { hidden: ['/secret'] },
    { hidden: ['/nested/secret'] },
    { writeOnly: ['/secret'] },
  ];
  const secret = fc.oneof(fc.constant(undefined), fc.string(), fc.integer(), fc.constantFrom(null, {}, [1]));
  const body = fc.oneof(
    fc.record({ title: fc.string(), done: fc.boolean() }, { requiredKeys: [] }),
    fc.constantFrom(
      { secret: 'x' },
      { secret: null },
      { nested: null },
      { nested: { secret: 'x' } },
      { nested: { n: 2 } },
    ),
  );
  const method = fc.constantFrom('get', 'patch', 'put', 'delete');
  const precondition = fc.constantFrom('none', 'tag', 'other');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      secret,
      secret,
      fc.array(fc.tuple(method, body, precondition), { minLength: 1, maxLength: 4 }),
      async (options, one, other, requests) => {
        const answers = await Promise.all(
          [one, other].map(async (hidden) => {
            const value = { ...note, secret: hidden, nested: { n: 1, secret: hidden } };
            // The members of the same name that this kind does not hide are the same in both.
            if (options.hidden?.[0] === '/nested/secret') value.secret = 'seen';
            else value.nested.secret = 'seen';
            const { app, tag } = await service({ ...options, conflict: 'representation' }, undefined, value);
            const told: unknown[] = [];
            for (const [verb, document, condition] of requests) {
              const sending = request(app)[verb]('/notes/1');
              if (condition === 'tag') sending.set('If-Match', (await tag()) || '"none"');
              if (condition === 'other') sending.set('If-Match', '"other"');
              const { status, headers, text } = await sending.send(verb === 'get' ? undefined : document);
              told.push([verb, status, headers['etag'], text]);
            }
            return told;
          }),
        );
        expect(answers[0]).toEqual(answers[1]);
      },
    ),
    { numRuns: times(25, 1_000) },
  );
});

/** Counts what is read, and lets another request come first in front of each of the first writes. */
class Contested extends ContentStore {
  reads = 0;
  races = 1;
  theirs: () => unknown = () => ({ title: 'theirs', races: this.races });
  /** What readers are shown, as by a replica that lags behind. */
  stale: Awaited<ReturnType<ContentStore['get']>>;

  constructor() {
    super();
    this.meanwhile = () => {
      const entry = this.engine.get('1');
      if (this.races-- > 0 && entry !== undefined)
        this.engine.set('1', { ...entry, text: JSON.stringify(this.theirs()) });
      return undefined;
    };
  }

  override get(...args: Parameters<ContentStore['get']>) {
    this.reads++;
    return this.stale === undefined ? super.get(...args) : Promise.resolve(this.stale);
  }
}

async function contested(races: number, options: ResourceOptions<unknown> = {}) {
  const store = new Contested();
  store.races = 0;
  const made = await service(options, store);
  const tag = await made.tag();
  Object.assign(store, { races, reads: 0 });
  return {
    ...made,
    store,
    tag,
    value: () => JSON.parse(store['engine'].get('1')?.text ?? 'null') as unknown,
  };
}

describe('a write that finds another state is judged again on that one', () => {
  test.each([
    { races: 1, reads: 1 },
    // Others write all the time: it waits, and reads then.
    { races: 2, reads: 2 },
    { races: 3, reads: 2 },
  ])(
    'and not read again: after $races lost races it has been read $reads times',
    async ({ races, reads }) => {
      const { app, store, value } = await contested(races);
      await request(app).patch('/notes/1').send({ mine: true }).expect(204);
      expect([store.reads, value()]).toEqual([reads, { title: 'theirs', races: 0, mine: true }]);
    },
  );

  test('so a replica that lags behind cannot lose every race', async () => {
    const { app, store, value } = await contested(0);
    store.stale = await store.get('1');
    const current = store.stale ?? { value: null };
    await store.replace('1', '', { title: 'newer' }, { current });
    await request(app).patch('/notes/1').send({ mine: true }).expect(204);
    expect(value()).toEqual({ title: 'newer', mine: true });
  });

  test('If-Match then fails, with the tag and the content of that state, unless it is the same for this client', async () => {
    const { app, store, tag, value } = await contested(1, { conflict: 'representation', hidden: ['/pin'] });
    const refused = await request(app).patch('/notes/1').set('If-Match', tag).send({ mine: true });
    expect(refused.body).toMatchObject({ status: 412, current: { title: 'theirs', races: 0 } });
    expect(refused.get('ETag')).not.toBe(tag);
    const now = refused.get('ETag') ?? '';
    Object.assign(store, { races: 1, theirs: () => ({ title: 'theirs', races: 0, pin: 1 }) });
    await request(app).patch('/notes/1').set('If-Match', now).send({ mine: true }).expect(204);
    expect(value()).toEqual({ title: 'theirs', races: 0, pin: 1, mine: true });
  });

  test('may is asked about it, and a client without access learns nothing', async () => {
    const may = (_req: unknown, value: unknown) => (value as { title: string }).title !== 'theirs';
    const { app, value } = await contested(1, { may });
    await request(app).patch('/notes/1').send({ mine: true }).expect(403);
    expect(value()).toEqual({ title: 'theirs', races: 0 });
  });

  test('may is asked once about each state, whether it was found or read', async () => {
    const judged: unknown[] = [];
    const may = (_req: unknown, value: unknown) => judged.push((value as { races?: number }).races) > 0;
    const { app, store } = await contested(3, { may });
    judged.length = 0;
    await request(app).patch('/notes/1').send({ mine: true }).expect(204);
    // After the second race, the state is read, and the state that was found is not judged.
    expect(judged).toEqual([undefined, 2, 1, 0]);
    Object.assign(store, { races: 3 });
    judged.length = 0;
    await request(app).delete('/notes/1').expect(204);
    expect(judged).toEqual([0, 2, 1, 0]);
  });

  test('DELETE, too', async () => {
    const { app, store, tag } = await contested(1);
    await request(app).delete('/notes/1').set('If-Match', tag).expect(412);
    store.races = 1;
    await request(app).delete('/notes/1').expect(204);
    expect(store.reads).toBe(2);
  });

  test('a resource that was deleted meanwhile is absent, and one that was created is there', async () => {
    const { app, store, value } = await contested(1);
    store.meanwhile = () => void store['engine'].delete('1');
    await request(app).patch('/notes/1').send({ mine: true }).expect(404);
    const creating = await service({ create: true }, undefined, null);
    creating.store.meanwhile = async () => {
      creating.store.meanwhile = () => undefined;
      await creating.store.replace('1', null, { title: 'theirs' });
    };
    await request(creating.app).patch('/notes/1').send({ mine: true }).expect(204);
    expect([value(), await creating.stored()]).toEqual([null, { title: 'theirs', mine: true }]);
  });

  test('change(), too', async () => {
    const { store, value } = await contested(1);
    const after = await change<{ n?: number }>(store as ResourceStore<{ n?: number }>, '1', (draft) => {
      draft.n = 1;
    });
    expect(after.value).toEqual({ title: 'theirs', races: 0, n: 1 });
    expect([store.reads, value()]).toEqual([1, after.value]);
  });

  test('a store that finds the same state again and again drops the write: an error of the app', async () => {
    const { app, store, errors } = await contested(0);
    store.replace = async () => ({ current: await store.get('1') });
    await request(app).patch('/notes/1').send({ mine: true }).expect(500);
    expect(String(errors[0])).toContain('still in the state that was read');
  });

  test.each([
    {
      title: 'a default that differs at each read does not make the dropped write a lost race',
      shown: (value: object, reads: number) => ({ ...value, readAt: reads }),
      stable: (value: object) => value,
      problem: 'Error: Nothing was written in many tries',
    },
    {
      title: 'a member that others have written is another state, even with the value of its default',
      shown: (value: object) => ({ ...value, readAt: 0 }),
      stable: (value: object, reads: number) => ({ ...value, readAt: reads }),
      problem: 'lost-race',
    },
  ])('$title, because the stable value is compared', async ({ shown, stable, problem }) => {
    const { app, store, errors } = await service();
    const get = store.get.bind(store);
    let reads = 0;
    store.get = async (...args) => {
      const state = await get(...args);
      const value = state?.value as object;
      return state && { ...state, value: shown(value, ++reads), stable: stable(value, reads) };
    };
    store.replace = store.delete = async () => ({ current: await store.get('1') });
    const patched = await request(app).patch('/notes/1').send({ mine: true });
    const deleted = await request(app).delete('/notes/1');
    for (const { body } of [patched, deleted])
      expect((body as { code?: string }).code ?? String(errors.pop())).toContain(problem);
    const changing = change(store as ResourceStore<object>, '1', (value) => ({ ...value, mine: true }));
    await expect(changing.catch((error: ProblemError) => error.code ?? String(error))).resolves.toContain(
      problem,
    );
  });
});

test('a repeat in another process finds the outcome, though the state that was handed back has none', async () => {
  const { app, store, stored } = await service({ idempotency: 'optional' });
  let isFirst = true;
  store.meanwhile = async () => {
    if (!isFirst) return;
    isFirst = false;
    // The same request, in another process: its queue is another.
    const other = await service({ idempotency: 'optional' }, store, null);
    await request(other.app).patch('/notes/1').set('Idempotency-Key', '"k"').send({ done: true });
  };
  const replace = store.replace.bind(store);
  store.replace = async (...write) => {
    const result = await replace(...write);
    if (result === undefined || !('current' in result) || result.current === undefined) return result;
    const { value, handle } = result.current;
    return { current: { value, handle } };
  };
  const elsewhere = Object.assign(Object.create(store) as ContentStore, {
    get: store.get.bind(store),
    replace: (...write: Parameters<ContentStore['replace']>) => store.replace(...write),
  });
  const here = await service({ idempotency: 'optional' }, elsewhere, null);
  await request(here.app).patch('/notes/1').set('Idempotency-Key', '"k"').send({ done: true }).expect(204);
  expect([await stored(), app === here.app]).toEqual([{ ...note, done: true }, false]);
});

test('a wrapper that forgets the context deletes and writes nothing', async () => {
  const inner = new ContentStore();
  await inner.replace('1', null, note);
  const wrapper: ResourceStore = {
    versions: false,
    get: (key) => inner.get(key),
    replace: (key, expected, next) => inner.replace(key, expected, next),
    delete: (key, expected) => inner.delete(key, expected),
  };
  const {
    get,
    patch,
    delete: remove,
  } = resource<unknown>(wrapper, [mergePatch({ json: true })], { key: 'id' });
  const app = express();
  app.route('/:id').get(get).patch(patch).delete(remove);
  app.use(((error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).end();
  }) satisfies ErrorRequestHandler);
  await request(app).delete('/1').expect(500);
  await request(app).patch('/1').send({ done: true }).expect(500);
  expect((await inner.get('1'))?.value).toEqual(note);
});

test('nothing is lost among many writers over a store that waits for no lock', async () => {
  const { store, stored } = await service();
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 4));
  store.meanwhile = pause;
  // As many processes: each has a queue of its own.
  const apps = await Promise.all(
    Array.from({ length: times(24, 60) }, () => {
      const process = Object.assign(Object.create(store) as ContentStore, {
        get: (...read: Parameters<ContentStore['get']>) => store.get(...read),
        replace: (...write: Parameters<ContentStore['replace']>) => store.replace(...write),
      });
      return service({}, process, null);
    }),
  );
  const answers = await Promise.all(
    apps.map(({ app }, index) =>
      request(app)
        .patch('/notes/1')
        .send({ [`m${index}`]: index }),
    ),
  );
  // On a loaded machine a writer can lose all of its sixteen races.
  const written = answers.flatMap(({ status }, index) => (status === 204 ? [`m${index}`] : []));
  const others = answers.filter(({ status }) => status !== 204);
  expect(others.map(({ status, body }) => [status, (body as { code: unknown }).code])).toEqual(
    others.map(() => [409, 'lost-race']),
  );
  expect(Object.keys((await stored()) as object).sort()).toEqual([...Object.keys(note), ...written].sort());
  expect(written.length).toBeGreaterThan(apps.length / 2);
});

test('nothing is lost among twenty writers, each of another member', async () => {
  const { app, stored } = await service();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      request(app)
        .patch('/notes/1')
        .send({ [`m${index}`]: index }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  expect(Object.keys((await stored()) as object)).toHaveLength(22);
});

test('a repeat with an Idempotency-Key gets the status, without a tag or a body', async () => {
  const { app, stored } = await service({ idempotency: 'optional', respond: 'representation' });
  const send = () => request(app).patch('/notes/1').set('Idempotency-Key', '"k"').send({ done: true });
  const [first, repeat] = [await send(), await send()];
  expect([first.status, first.get('ETag'), first.body]).toEqual([
    200,
    expect.any(String),
    { ...note, done: true },
  ]);
  expect([repeat.status, repeat.get('ETag'), repeat.text]).toEqual([204, undefined, '']);
  await request(app).patch('/notes/1').send({ done: false }).expect(200);
  expect([(await send()).status, await stored()]).toEqual([204, note]);
  const other = await request(app).patch('/notes/1').set('Idempotency-Key', '"k"').send({ done: false });
  expect(other.body).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
});

test.each([
  { what: 'no version, from a store that has not said so', versions: {}, state: { value: 1 } },
  {
    what: 'a version, from a store that has none',
    versions: { versions: false as const },
    state: { value: 1, version: 'v' },
  },
])('$what: the error of the app names it', async ({ versions, state }) => {
  const store: ResourceStore = {
    ...versions,
    get: () => Promise.resolve(state),
    replace: () => Promise.resolve(undefined),
  };
  const other = resource<unknown>(store, [mergePatch()], { key: 'id' });
  const failed: unknown[] = [];
  const handler: ErrorRequestHandler = (error, _req, res, next) => {
    failed.push(error);
    if (res.headersSent) next(error);
    else res.end();
  };
  await request(express().get('/:id', other.get).use(handler)).get('/1');
  expect(String(failed[0])).toContain('The method get of the store returned a state whose version is');
});

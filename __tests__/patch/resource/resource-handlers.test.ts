/** What the handlers of a resource share, and what comes of two at once. */
import { once } from 'node:events';
import { request } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import supertest from 'supertest';
import {
  ConfigurationError,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  patchOptions,
  resource,
  type ResourceOptions,
  type ResourceStore,
} from '../../../lib';
import { block } from '../../support/block';
import { serving } from '../../support/serving';

const formats = [
  jsonPatch(),
  mergePatch({ mediaType: ['application/merge-patch+json', 'application/json'] }),
];

function appOver(store: ResourceStore, options: ResourceOptions<unknown> = {}): Express {
  const note = resource(store, formats, { key: (req) => req.params['id'], ...options });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  return app;
}

async function storeOf(value: unknown): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.replace('1', null, value);
  return store;
}

async function tagIn(store: ResourceStore): Promise<string> {
  const stored = await store.get('1');
  return stored === undefined ? 'none' : entityTag(stored);
}

describe('what is mounted', () => {
  const withoutDelete = (): ResourceStore => {
    const store = new MemoryStore();
    return { get: store.get.bind(store), replace: store.replace.bind(store) };
  };

  test('over a store that deletes: all four', () => {
    expect(Object.keys(resource(new MemoryStore(), formats))).toEqual(['get', 'put', 'patch', 'delete']);
  });

  test('over one that does not: no delete in a copy, and to take it is a mistake', () => {
    const note = resource(withoutDelete(), formats);
    expect(Object.keys({ ...note })).toEqual(['get', 'put', 'patch']);
    expect(() => note.delete).toThrow(ConfigurationError);
    expect(() => note.delete).toThrow('has no delete method');
  });

  test('Allow lists what the routes have', async () => {
    const app = express();
    app.use(patchOptions());
    const note = resource(new MemoryStore(), formats);
    app.route('/notes/:id').get(note.get).put(note.put);
    await supertest(app).options('/notes/1').expect('Allow', 'GET, HEAD, OPTIONS, PUT');
  });

  test('patchOptions mounts what is there, each method behind the guard', async () => {
    const guard: RequestHandler = (req, res, next) => {
      if (req.get('Authorization') === undefined) res.sendStatus(401);
      else next();
    };
    const store = await storeOf({ a: 1 });
    const app = express();
    const note = resource(store, formats, { key: (req) => req.params['id'] });
    const bare = resource(withoutDelete(), formats);
    app.use(
      patchOptions({ resources: { '/notes/:id': { guard, ...note }, '/bare/:id': { guard, ...bare } } }),
    );
    const client = supertest(app);
    await client.options('/notes/1').expect('Allow', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
    await client.options('/bare/1').expect('Allow', 'GET, HEAD, OPTIONS, PATCH, PUT');
    for (const method of ['get', 'head', 'put', 'patch', 'delete'] as const) {
      await client[method]('/notes/1').expect(401);
    }
    expect((await store.get('1'))?.value).toEqual({ a: 1 });
    const authorized = { Authorization: 'Bearer x' };
    await client.get('/notes/1').set(authorized).expect(200, { a: 1 });
    await client.put('/notes/1').set(authorized).send({ a: 2 }).expect(204);
    await client.patch('/notes/1').set(authorized).send({ b: 3 }).expect(204);
    await client.get('/notes/1').set(authorized).expect(200, { a: 2, b: 3 });
    await client.delete('/notes/1').set(authorized).expect(204);
    await client.get('/notes/1').set(authorized).expect(404);
  });

  test('a request of another method goes on, and one outside a route is an error', async () => {
    const { get, put } = resource(await storeOf({}), formats);
    const app = express();
    app.use('/mounted', get, put, (_req, res) => res.sendStatus(418));
    await supertest(app).post('/mounted').expect(418);
  });
});

describe('what the app is told', () => {
  test('onPatched of PATCH and PUT, onDeleted of DELETE', async () => {
    const told: unknown[] = [];
    const app = appOver(await storeOf({ a: 1 }), {
      onPatched: ({ before, after, patch, req }) =>
        told.push([req.method, before?.value, after.value, patch.mediaType, patch.document.toString()]),
      onDeleted: ({ key, before, req }) => told.push([req.method, key, before.value]),
    });
    const client = supertest(app);
    await client.put('/notes/1').send({ a: 2 }).expect(204);
    await client.patch('/notes/1').type('application/merge-patch+json').send('{"a":3}').expect(204);
    await client.delete('/notes/1').expect(204);
    expect(told).toEqual([
      ['PUT', { a: 1 }, { a: 2 }, 'application/json', '{"a":2}'],
      ['PATCH', { a: 2 }, { a: 3 }, 'application/merge-patch+json', '{"a":3}'],
      ['DELETE', '1', { a: 3 }],
    ]);
  });

  test('onRefused of every method, and not of 304', async () => {
    const told: unknown[] = [];
    const store = await storeOf({ a: 1 });
    const app = appOver(store, { onRefused: ({ req, code }) => told.push([req.method, code]) });
    const client = supertest(app);
    await client
      .get('/notes/1')
      .set('If-None-Match', await tagIn(store))
      .expect(304);
    await client.get('/notes/2').expect(404);
    await client.head('/notes/2').expect(404);
    await client.put('/notes/2').send({}).expect(404);
    await client.delete('/notes/2').expect(404);
    expect(told).toEqual(['GET', 'HEAD', 'PUT', 'DELETE'].map((method) => [method, 'target-not-found']));
  });

  test("errors: 'next' hands the refusals of every method to the app", async () => {
    const app = appOver(new MemoryStore(), { errors: 'next' });
    const handle: ErrorRequestHandler = (error: Error, _req, res, next) => {
      if (res.headersSent) next(error);
      else res.status(499).send(error.name);
    };
    app.use(handle);
    for (const method of ['get', 'put', 'patch', 'delete'] as const) {
      const client = supertest(app);
      const request = client[method]('/notes/1').set('Content-Type', 'application/json');
      await request.expect(499, 'ProblemError');
    }
  });
});

describe('what others do meanwhile', () => {
  /** Somebody else writes before each of the first conditional writes. */
  class Contested extends MemoryStore {
    races = 1;
    meanwhile: () => Promise<unknown> = async () => {
      const current = await super.get('1');
      return super.replace('1', current?.version ?? null, { theirs: true, kept: true });
    };

    override async replace(...args: Parameters<MemoryStore['replace']>) {
      if (this.races-- > 0) await this.meanwhile();
      return super.replace(...args);
    }

    override async delete(...args: Parameters<MemoryStore['delete']>) {
      if (this.races-- > 0) await this.meanwhile();
      return super.delete(...args);
    }
  }

  async function contested(value: unknown): Promise<Contested> {
    const store = new Contested();
    store.races = 0;
    await store.replace('1', null, value);
    store.races = 1;
    return store;
  }

  test('PUT without a precondition is judged again on what they wrote', async () => {
    const store = await contested({ kept: false, a: 1 });
    await supertest(appOver(store, { readOnly: ['/kept'] }))
      .put('/notes/1')
      .send({ a: 2 })
      .expect(204);
    expect((await store.get('1'))?.value).toEqual({ kept: true, a: 2 });
  });

  test('PUT with If-Match: 412, and theirs stays', async () => {
    const store = await contested({ a: 1 });
    await supertest(appOver(store))
      .put('/notes/1')
      .set('If-Match', await tagIn(store))
      .send({ a: 2 })
      .expect(412);
    expect((await store.get('1'))?.value).toEqual({ theirs: true, kept: true });
  });

  test('PUT with If-None-Match: * that somebody else creates first: 412', async () => {
    const store = new Contested();
    await supertest(appOver(store, { create: true }))
      .put('/notes/1')
      .set('If-None-Match', '*')
      .send({ a: 2 })
      .expect(412);
    expect((await store.get('1'))?.value).toEqual({ theirs: true, kept: true });
  });

  test('DELETE without a precondition deletes what they wrote', async () => {
    const store = await contested({ a: 1 });
    const told: unknown[] = [];
    const app = appOver(store, { onDeleted: ({ before }) => told.push(before.value) });
    await supertest(app).delete('/notes/1').expect(204);
    expect(await store.get('1')).toBeUndefined();
    expect(told).toEqual([{ theirs: true, kept: true }]);
  });

  test('DELETE with If-Match: 412, and theirs stays', async () => {
    const store = await contested({ a: 1 });
    await supertest(appOver(store))
      .delete('/notes/1')
      .set('If-Match', await tagIn(store))
      .expect(412);
    expect((await store.get('1'))?.value).toEqual({ theirs: true, kept: true });
  });

  test('DELETE of what they deleted: 404', async () => {
    const store = await contested({ a: 1 });
    store.meanwhile = () => store.delete('1');
    await supertest(appOver(store)).delete('/notes/1').expect(404);
  });

  test('DELETE that always loses: 409 with Retry-After', async () => {
    const store = await contested({ a: 1 });
    store.races = Infinity;
    await supertest(appOver(store)).delete('/notes/1').expect(409).expect('Retry-After', '1');
  });

  test('DELETE of a client that goes away while your app decides deletes nothing', async () => {
    const store = await storeOf({ a: 1 });
    const events = new EventTarget();
    const reached = once(events, 'reached');
    const authorize = async () => {
      const goOn = once(events, 'go on');
      events.dispatchEvent(new Event('reached'));
      await goOn;
      return true;
    };
    await serving(appOver(store, { authorize }), async (server, port) => {
      const closed = new Promise((resolve) => {
        server.once('connection', (socket) => socket.once('close', resolve));
      });
      const sent = request({ port, method: 'DELETE', path: '/notes/1' });
      sent.on('error', () => undefined).end();
      await reached;
      sent.destroy();
      await closed;
      events.dispatchEvent(new Event('go on'));
      await new Promise((resolve) => setImmediate(resolve));
    });
    expect((await store.get('1'))?.value).toEqual({ a: 1 });
  });
});

describe('Idempotency-Key of PUT', () => {
  const once = { 'Idempotency-Key': '"1"' };

  test('a repeat is answered as the first was, and writes nothing', async () => {
    const store = new MemoryStore();
    const client = supertest(appOver(store, { idempotency: 'optional', create: true }));
    const first = await client.put('/notes/1').set(once).send({ a: 1 }).expect(201);
    const repeat = await client.put('/notes/1').set(once).send({ a: 1 }).expect(201);
    expect(first.get('ETag')).toMatch(/^"/);
    expect(repeat.get('ETag')).toBe(first.get('ETag'));
    expect(await tagIn(store)).toBe(first.get('ETag'));
  });

  test('it tells no tag when another state stands: whether GET gave what was sent is not known any more', async () => {
    const client = supertest(appOver(await storeOf({}), { idempotency: 'optional' }));
    await client.put('/notes/1').set(once).send({ a: 1 }).expect(204).expect('ETag', /^"/);
    await client.put('/notes/1').send({ a: 2 }).expect(204);
    const repeat = await client.put('/notes/1').set(once).send({ a: 1 }).expect(204);
    expect(repeat.get('ETag')).toBeUndefined();
    await client.get('/notes/1').expect(200, { a: 2 });
  });

  test('one key of a PATCH and of a PUT, whose type and content are the same: 422', async () => {
    const client = supertest(appOver(await storeOf({ b: 1 }), { idempotency: 'optional' }));
    await client.patch('/notes/1').set(once).send({ a: 1 }).expect(204);
    await client.put('/notes/1').set(once).send({ a: 1 }).expect(422);
    await client.get('/notes/1').expect(200, { b: 1, a: 1 });
  });

  test("'required' is asked of PUT, and neither of GET nor of DELETE", async () => {
    const client = supertest(appOver(await storeOf({}), { idempotency: 'required' }));
    await client.put('/notes/1').send({ a: 1 }).expect(400);
    await client.get('/notes/1').expect(200);
    await client.delete('/notes/1').expect(204);
  });
});

describe('Last-Modified is not later than Date, RFC 9110 8.8.2.1', () => {
  const noteModifiedAt = async (modified: () => Date) => {
    const store = await storeOf({});
    const timed = {
      get: async (key: string) => {
        const stored = await store.get(key);
        return stored && { ...stored, modified: modified() };
      },
      replace: store.replace.bind(store),
    };
    return resource(timed, formats, { key: (req) => req.params['id'] });
  };
  const expectInOrder = (response: supertest.Response) => {
    expect(Date.parse(response.get('Last-Modified') ?? '')).toBeLessThanOrEqual(
      Date.parse(response.get('Date') ?? ''),
    );
  };

  test('though the clock of the engine may be: it has none yet', async () => {
    const note = await noteModifiedAt(() => new Date(Date.now() + 3_600_000));
    const response = await supertest(express().get('/notes/:id', note.get)).get('/notes/1').expect(200);
    expect(response.headers).not.toHaveProperty('last-modified');
  });

  test('though Node sends the Date of a second ago where the event loop was blocked', async () => {
    const note = await noteModifiedAt(() => new Date(Date.now() - 1_000));
    const app = express().get('/date', (_req, res) => void res.end());
    app.use((_req, _res, next) => {
      block(2_100);
      next();
    });
    app.get('/notes/:id', note.get);
    await serving(app, async (_server, port) => {
      await fetch(`http://127.0.0.1:${port}/date`);
      const { headers } = await fetch(`http://127.0.0.1:${port}/notes/1`);
      expectInOrder({ get: (name: string) => headers.get(name) ?? undefined } as never);
    });
  });
});

test.each([
  { method: 'get', option: 'may' },
  { method: 'delete', option: 'may' },
  { method: 'delete', option: 'authorize' },
] as const)(
  '$method: $option that gives an object is a fault, not a permission',
  async ({ method, option }) => {
    const store = await storeOf({});
    const app = appOver(store, { [option]: () => ({ allowed: false }) as never });
    await supertest(app.set('env', 'test'))[method]('/notes/1').expect(500);
    expect(await store.get('1')).toBeDefined();
  },
);

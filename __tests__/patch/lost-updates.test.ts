import { once } from 'node:events';
import { request } from 'node:http';
import type { ErrorRequestHandler, Response } from 'express';
import supertest from 'supertest';

import { entityTag } from '../../lib/http/entity-tag';
import { ProblemError } from '../../lib/http/problem';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import { resource } from '../../lib/patch/resource/resource';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { ResourceStore, Stored } from '../../lib/stores/contract/resource-store';
import { frameworks, type ExpressModule } from '../support/frameworks';
import { serving } from '../support/serving';

const type = 'application/merge-patch+json';

/** A store in which others write too: `meanwhile` runs in front of the first conditional writes. */
class ContestedStore implements ResourceStore {
  readonly inner = new MemoryStore();
  readonly calls: string[] = [];
  races = 0;
  meanwhile: () => Promise<unknown> = () => this.write({ title: 'theirs' });

  async get(key: string): Promise<Stored<unknown> | undefined> {
    this.calls.push('get');
    return this.inner.get(key);
  }

  async replace(key: string, expected: string | null, next: unknown): Promise<Stored<unknown> | undefined> {
    this.calls.push('replace');
    if (this.races-- > 0) await this.meanwhile();
    return this.inner.replace(key, expected, next);
  }

  async write(value: unknown): Promise<string> {
    const before = await this.inner.get('7');
    const written = await this.inner.replace('7', before?.version ?? null, value);
    if (written === undefined) throw new Error('The test lost a race of its own');
    return entityTag(written);
  }

  async value(): Promise<unknown> {
    return (await this.inner.get('7'))?.value;
  }
}

function appOver(express: ExpressModule, store: ResourceStore, options: PatchHandlerOptions<unknown> = {}) {
  const app = express();
  app.patch(
    '/things/:id',
    patchHandler(store, [jsonPatch(), mergePatch()], { key: (req) => req.params.id, ...options }),
  );
  return app;
}

/** Express knows an error handler by its four parameters. */
function errorHandler(handle: (error: unknown, res: Response) => void): ErrorRequestHandler {
  return (error, _req, res, next) => {
    handle(error, res);
    if (!res.headersSent) next(error);
  };
}

describe.each(frameworks)('RFC 5789 2.2: no update is lost (%s)', (_name, express) => {
  test('100 unconditional patches at once all succeed', async () => {
    const store = new MemoryStore();
    await store.replace('7', null, {});
    await serving(appOver(express, store), async (server) => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          supertest(server)
            .patch('/things/7')
            .type(type)
            .send(JSON.stringify({ [`member${index}`]: index })),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      expect(new Set(answers.map((answer) => answer.get('ETag'))).size).toBe(100);
    });
    expect(Object.keys((await store.get('7'))?.value as object)).toHaveLength(100);
  });

  test('of 20 patches with one If-Match exactly one is applied, the others get 412', async () => {
    const store = new ContestedStore();
    const tag = await store.write({ count: 0 });
    await serving(appOver(express, store), async (server) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          supertest(server)
            .patch('/things/7')
            .type(type)
            .set('If-Match', tag)
            .send(JSON.stringify({ by: index })),
        ),
      );
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    });
  });

  describe('a race lost to another process', () => {
    test('without a precondition the patch is applied to what the other wrote', async () => {
      const store = new ContestedStore();
      await store.write({ title: 'ours', kept: 1 });
      store.races = 3;
      store.meanwhile = () => store.write({ title: 'theirs', races: store.races });
      const judged: unknown[] = [];
      const options: PatchHandlerOptions<unknown> = {
        validate: (next) => void judged.push(next),
        authorize: (_req, { current }) => judged.push(current) > 0,
      };
      await serving(appOver(express, store, options), async (server) => {
        await supertest(server).patch('/things/7').type(type).send('{"mine":true}').expect(204);
      });
      expect(await store.value()).toEqual({ title: 'theirs', races: 0, mine: true });
      expect(judged).toHaveLength(8);
    });

    // The value that MemoryStore returns is frozen; what an attempt shares with it, the next one must not write into.
    test.each([
      {
        what: 'a PUT',
        method: 'put',
        type: 'application/json',
        body: { a: { b: [1] }, list: [{ n: 1 }, { n: 5 }] },
      },
      { what: 'a merge patch', method: 'patch', type, body: { a: { b: [1] }, list: [{ n: 1 }, { n: 5 }] } },
      {
        what: 'a JSON Patch',
        method: 'patch',
        type: 'application/json-patch+json',
        body: [
          { op: 'add', path: '/a', value: { b: [1] } },
          { op: 'add', path: '/list', value: [{ n: 1 }, { n: 5 }] },
        ],
      },
    ] as const)('$what is judged again on what was sent', async ({ method, type: sentType, body }) => {
      const store = new ContestedStore();
      await store.write({ a: { b: [1] }, list: [{ n: 1 }, { n: 2 }] });
      store.races = 3;
      store.meanwhile = () => store.write({ a: { b: [2, store.races] }, list: [{ n: 1 }, { n: 3 }] });
      const sent: string[] = [];
      const { put, patch } = resource(store, [jsonPatch(), mergePatch()], {
        key: 'id',
        // A rule that writes into what it checks, as validators do.
        validate(next) {
          sent.push(JSON.stringify(next));
          const { list = [] } = next as { list?: { n: number }[] };
          for (const element of list) if (!Object.isFrozen(element)) element.n *= 2;
        },
      });
      const app = express().put('/things/:id', put).patch('/things/:id', patch);
      await serving(app, async (server) => {
        await supertest(server)[method]('/things/7').type(sentType).send(JSON.stringify(body)).expect(204);
      });
      const whole = JSON.stringify({ a: { b: [1] }, list: [{ n: 1 }, { n: 5 }] });
      expect(sent).toEqual([whole, whole, whole, whole]);
    });

    test('with If-Match: 412 with the fresh ETag, and nothing is written', async () => {
      const store = new ContestedStore();
      const tag = await store.write({ title: 'ours' });
      store.races = 1;
      let theirs = '';
      store.meanwhile = async () => (theirs = await store.write({ title: 'theirs' }));
      await serving(appOver(express, store), async (server) => {
        const answer = await supertest(server)
          .patch('/things/7')
          .type(type)
          .set('If-Match', tag)
          .send('{"mine":true}');
        expect([answer.status, answer.get('ETag')]).toEqual([412, theirs]);
      });
      expect(await store.value()).toEqual({ title: 'theirs' });
    });

    test('with If-Match: * it goes on', async () => {
      const store = new ContestedStore();
      await store.write({ title: 'ours' });
      store.races = 1;
      await serving(appOver(express, store), async (server) => {
        await supertest(server)
          .patch('/things/7')
          .type(type)
          .set('If-Match', '*')
          .send('{"mine":true}')
          .expect(204);
      });
      expect(await store.value()).toEqual({ title: 'theirs', mine: true });
    });

    test('a test that is no longer true of what the other wrote: 409', async () => {
      const store = new ContestedStore();
      await store.write({ title: 'ours' });
      store.races = 1;
      await serving(appOver(express, store), async (server) => {
        await supertest(server)
          .patch('/things/7')
          .type('application/json-patch+json')
          .send('[{"op":"test","path":"/title","value":"ours"},{"op":"add","path":"/mine","value":true}]')
          .expect(409);
      });
      expect(await store.value()).toEqual({ title: 'theirs' });
    });

    test('lost again and again: 409 with Retry-After, after 15 retries', async () => {
      const store = new ContestedStore();
      await store.write({ title: 'ours' });
      store.races = Infinity;
      await serving(appOver(express, store), async (server) => {
        const answer = await supertest(server).patch('/things/7').type(type).send('{"mine":true}');
        expect([answer.status, answer.get('Retry-After')]).toEqual([409, '1']);
        expect(answer.body).toMatchObject({ code: 'lost-race' });
      });
      expect(store.calls.filter((call) => call === 'replace')).toHaveLength(16);
      expect(await store.value()).toEqual({ title: 'theirs' });
    });

    test('a target deleted meanwhile: 404', async () => {
      const store = new ContestedStore();
      await store.write({ title: 'ours' });
      store.races = 1;
      store.meanwhile = () => store.inner.delete('7');
      await serving(appOver(express, store), async (server) => {
        await supertest(server).patch('/things/7').type(type).send('{"mine":true}').expect(404);
      });
      expect(await store.value()).toBeUndefined();
    });

    test('two that create one target: both patches are in it, one created', async () => {
      const store = new ContestedStore();
      await serving(appOver(express, store, { create: true }), async (server) => {
        const answers = await Promise.all(
          ['{"a":1}', '{"b":1}'].map((body) => supertest(server).patch('/things/7').type(type).send(body)),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 204]);
      });
      expect(await store.value()).toEqual({ a: 1, b: 1 });
    });
  });
});

describe.each(frameworks)('What goes wrong around a PATCH (%s)', (_name, express) => {
  test('a client that goes away before the commit changes nothing', async () => {
    const store = new ContestedStore();
    await store.write({ title: 'ours' });
    const waiting = new EventTarget();
    const validate = () =>
      new Promise<undefined>((resolve) => {
        waiting.addEventListener('go on', () => {
          resolve(undefined);
        });
        waiting.dispatchEvent(new Event('reached'));
      });
    const reached = once(waiting, 'reached');
    await serving(appOver(express, store, { validate }), async (server, port) => {
      const closed = new Promise((resolve) => {
        server.once('connection', (socket) => socket.once('close', resolve));
      });
      const sent = request({ port, method: 'PATCH', path: '/things/7', headers: { 'Content-Type': type } });
      sent.on('error', () => undefined).end('{"mine":true}');
      await reached;
      sent.destroy();
      await closed;
      waiting.dispatchEvent(new Event('go on'));
      await new Promise((resolve) => setImmediate(resolve));
    });
    expect(store.calls).not.toContain('replace');
    expect(await store.value()).toEqual({ title: 'ours' });
  });

  test.each(['get', 'replace'] as const)(
    'a store whose %s throws goes to your app’s error handler',
    async (method) => {
      const store = new ContestedStore();
      await store.write({ title: 'ours' });
      store[method] = () => Promise.reject(new Error('The disk is gone'));
      const app = appOver(express, store);
      const handled: unknown[] = [];
      app.use(
        errorHandler((error, res) => {
          handled.push(error);
          res.status(503).end();
        }),
      );
      await serving(app, async (server) => {
        await supertest(server).patch('/things/7').type(type).send('{"mine":true}').expect(503);
      });
      expect(handled).toEqual([new Error('The disk is gone')]);
    },
  );

  test('a store that fails while the body is refused ends no process, and the refusal is answered', async () => {
    const store = new ContestedStore();
    store.get = () => Promise.reject(new Error('The disk is gone'));
    await serving(appOver(express, store, { limits: { bytes: 3 } }), async (server) => {
      await supertest(server).patch('/things/7').type(type).send('{"mine":true}').expect(413);
    });
  });

  test('errors: next hands the refusal to your app’s error handler', async () => {
    const store = new ContestedStore();
    const tag = await store.write({ title: 'ours' });
    const app = appOver(express, store, { errors: 'next' });
    app.use(
      errorHandler((error, res) => {
        if (error instanceof ProblemError)
          res.status(error.status).json({ headers: error.headers, problem: error.problem });
      }),
    );
    await serving(app, async (server) => {
      const answer = await supertest(server).patch('/things/7').type(type).set('If-Match', '"x"').send('{}');
      expect(answer.status).toBe(412);
      expect(answer.body).toMatchObject({ headers: { ETag: tag }, problem: { code: 'precondition-failed' } });
    });
  });

  test('other methods pass', async () => {
    const app = express();
    app.use('/things', patchHandler(new MemoryStore(), [mergePatch()]));
    app.get('/things', (_req, res) => void res.send('listed'));
    await serving(app, async (server) => {
      await supertest(server).get('/things').expect(200, 'listed');
    });
  });
});

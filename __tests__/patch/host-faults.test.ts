import { EventEmitter, once } from 'node:events';
import { IncomingMessage, request } from 'node:http';
import type { Application, RequestHandler } from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../lib/patch/formats/patch-parser';
import { patchHandler } from '../../lib/patch/patch-handler';
import type { PatchHandlerOptions } from '../../lib/patch/handler-options';
import type { Validator } from '../../lib/patch/rules/validate';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { ResourceStore, Stored } from '../../lib/stores/contract/resource-store';
import { SqliteStore } from '../../lib/stores/sqlite/sqlite-store';
import { frameworks, type ExpressModule } from '../support/frameworks';
import { serving } from '../support/serving';
import { DatabaseSync } from '../support/sqlite';

interface Thing {
  title: string;
  id?: string;
}
const type = 'application/merge-patch+json';
const old: Thing = { title: 'old', id: '7' };

async function host(
  express: ExpressModule,
  options: PatchHandlerOptions<Thing>,
  {
    before = [],
    store = new MemoryStore<Thing>(),
  }: { before?: RequestHandler[]; store?: ResourceStore<Thing> } = {},
) {
  await store.replace('7', null, old);
  const app = express();
  app.set('env', 'test');
  app.patch(
    '/things/:id',
    ...before,
    patchHandler(store, [mergePatch()], { key: (req) => req.params.id, ...options }),
  );
  return { app, value: async () => (await store.get('7'))?.value };
}

/** An error handler behind all that the app has. */
function watchErrors(app: Application) {
  const onError = jest.fn((_error: unknown, _req: unknown, _res: unknown, next: () => void) => {
    next();
  });
  app.use(onError);
  return onError;
}

/** One PATCH, and the answer. */
async function patched(app: Parameters<typeof serving>[0], body = '{"title":"new"}', path = '/things/7') {
  return serving(app, async (server) => supertest(server).patch(path).type(type).send(body));
}

/** The event, or an error where it does not come: a server that is waited for in vain would keep the whole run. */
const happens = (emitter: EventEmitter | AbortSignal, event: string) =>
  once(emitter as EventEmitter, event, { signal: AbortSignal.timeout(4_000) });

const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Answers 503 at once, and lets the rest go on, as a time limit does that has run out. */
const timeLimit: RequestHandler = (_req, res, next) => {
  res.status(503).end();
  next();
};

describe.each(frameworks)('What your app’s own functions get wrong (%s)', (_name, express) => {
  test('validate that returns more than detail and pointer: only these are sent', async () => {
    const validate = () => [{ detail: 'Too dull.', pointer: '/title', limit: 10n }];
    const answer = await patched((await host(express, { validate })).app);
    expect([answer.status, (answer.body as { errors: unknown }).errors]).toEqual([
      422,
      [{ detail: 'Too dull.', pointer: '/title' }],
    ]);
  });

  test.each([
    { what: 'errors of another form', errors: [{ path: ['title'], message: 'Too dull.' }] },
    { what: 'a pointer that is a list', errors: [{ pointer: ['title'], detail: 'Too dull.' }] },
    { what: 'a pointer that is null', errors: [{ pointer: null, detail: 'Too dull.' }] },
    { what: 'a boolean', errors: true },
    { what: 'a text', errors: 'Too dull.' },
  ])('validate that returns $what is an error that names the form', async ({ errors }) => {
    const validate = (() => errors) as unknown as Validator<unknown>;
    const answer = await patched((await host(express, { validate })).app);
    expect([answer.status, answer.text]).toEqual([
      500,
      expect.stringContaining('The option validate did not return a list of errors.'),
    ]);
  });

  test.each([
    { what: 'a list, as Express 5 makes of a wildcard', key: () => ['7'], shown: 'an array' },
    { what: 'a promise', key: () => Promise.resolve('7'), shown: 'a promise' },
    { what: 'null', key: () => null, shown: 'null' },
  ])('key that gives $what: a fault, and nothing is written', async ({ key, shown }) => {
    const { app, value } = await host(express, { key: key as never });
    const answer = await patched(app);
    expect([answer.status, await value()]).toEqual([500, old]);
    expect(answer.text.replaceAll('&#39;', "'")).toMatch(
      new RegExp(`TypeError: The option key returned ${shown}\\. Return a string`),
    );
  });

  test.each([
    { option: 'may', given: { allowed: false } },
    { option: 'authorize', given: Promise.resolve('no') },
  ])(
    '$option that gives what only counts as true: a fault, and nothing is written',
    async ({ option, given }) => {
      const { app, value } = await host(express, { [option]: () => given });
      const answer = await patched(app);
      expect([answer.status, await value()]).toEqual([500, old]);
      expect(answer.text).toContain(`TypeError: The option ${option} returned a value of type`);
    },
  );

  test.each(['may', 'authorize'])('%s that gives nothing refuses', async (option) => {
    const { app, value } = await host(express, { [option]: () => undefined });
    expect([(await patched(app)).status, await value()]).toEqual([403, old]);
  });

  test('entityTag that gives no tag: a fault, and nothing is written', async () => {
    const { app, value } = await host(express, { entityTag: () => 'untagged' });
    const answer = await patched(app);
    expect([answer.status, await value()]).toEqual([500, old]);
    expect(answer.text).toContain('is not an entity tag');
  });

  test('entityTag that gives none of what was written: answered as written, without a tag', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { app, value } = await host(express, { entityTag: ({ value: { title } }) => `"${title}"` });
    const answer = await patched(app, '{"title":"caf€"}');
    expect([answer.status, answer.get('ETag'), await value()]).toEqual([
      204,
      undefined,
      { ...old, title: 'caf€' },
    ]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test.each<{ readonly fault: string; readonly represent: () => unknown }>([
    { fault: 'gives nothing', represent: () => undefined },
    { fault: 'gives what JSON cannot write', represent: () => 1n },
    {
      fault: 'throws',
      represent: () => {
        throw new Error('no picture');
      },
    },
    { fault: 'rejects', represent: () => Promise.reject(new Error('no picture')) },
  ])('represent that $fault costs the body, not the answer: the change is made', async ({ represent }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { app, value } = await host(express, { respond: 'representation', represent });
    const answers = [await patched(app), await patched(app, '{"title":"newer"}')];
    const { calls } = warned.mock;
    warned.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(answers.map(({ headers }) => [typeof headers['etag'], headers['preference-applied']])).toEqual([
      ['string', undefined],
      ['string', undefined],
    ]);
    expect(await value()).toEqual({ ...old, title: 'newer' });
    expect(calls.map(([, warning]) => warning)).toEqual([{ code: 'PATCH_OPTIONS_REPRESENT' }]);
  });

  test('represent that throws at a PUT costs its tag as well, which would be for what GET returns', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const store = new MemoryStore<Thing>();
    await store.replace('7', null, old);
    const represent = () => {
      throw new Error('no picture');
    };
    const app = express();
    app.put(
      '/things/:id',
      patchHandler(store, [mergePatch()], { key: (req) => req.params.id, method: 'PUT', represent }),
    );
    const answer = await serving(app, async (server) =>
      supertest(server).put('/things/7').type(type).send('{"title":"new"}'),
    );
    expect([answer.status, answer.get('ETag'), (await store.get('7'))?.value]).toEqual([
      204,
      undefined,
      { ...old, title: 'new' },
    ]);
    expect(warned.mock.calls.map(([, warning]) => warning)).toEqual([{ code: 'PATCH_OPTIONS_REPRESENT' }]);
    warned.mockRestore();
  });

  test.each([
    {
      option: 'onRefused',
      options: {
        onRefused: () => Promise.reject(new Error('metrics are down')),
        validate: () => [{ detail: 'x' }],
      },
      status: 422,
    },
    {
      option: 'onPatched',
      options: { onPatched: () => Promise.reject(new Error('audit is down')) },
      status: 204,
    },
  ])('$option that fails ends no process', async ({ options, status }) => {
    expect((await patched((await host(express, options)).app)).status).toBe(status);
    await later(10);
  });

  test('a schema whose output lacks what is read-only leaves it as it is', async () => {
    const validate = z.object({ title: z.string() });
    const { app, value } = await host(express, { validate, readOnly: ['/id'] });
    expect([(await patched(app)).status, await value()]).toEqual([204, { ...old, title: 'new' }]);
  });

  test('a stream whose encoding was set is your app’s fault, not the client’s', async () => {
    const before: RequestHandler = (req, _res, next) => {
      req.setEncoding('utf8');
      next();
    };
    expect((await patched((await host(express, {}, { before: [before] })).app)).status).toBe(500);
  });
});

describe.each(frameworks)('A PATCH whose answer nobody awaits any more (%s)', (_name, express) => {
  test('answered by a time limit before: nothing is written, and a refusal ends no process', async () => {
    const written = await host(express, {}, { before: [timeLimit] });
    expect((await patched(written.app)).status).toBe(503);
    await later(20);
    expect(await written.value()).toEqual(old);

    const refused = await host(express, { validate: () => [{ detail: 'x' }] }, { before: [timeLimit] });
    expect((await patched(refused.app)).status).toBe(503);
    await later(20);
  });

  test.each<{ when: string; before: RequestHandler[]; length?: number }>([
    { when: 'before the handler was reached', before: [express.json({ type })] },
    { when: 'before the handler was reached, its body unread', before: [] },
    { when: 'before the handler was reached, in the middle of its body', before: [], length: 100 },
  ])(
    'the client left $when: nothing is written, and your app is told no error',
    async ({ before, length }) => {
      const steps = new EventEmitter();
      const login: RequestHandler = (_req, res, next) => {
        res.once('close', () => (next(), steps.emit('handled')));
        steps.emit('arrived');
      };
      const { app, value } = await host(express, {}, { before: [...before, login] });
      const onError = watchErrors(app);
      await serving(app, async (_server, port) => {
        const [arrived, handled] = [happens(steps, 'arrived'), happens(steps, 'handled')];
        const body = '{"title":"new"}';
        const headers = { 'Content-Type': type, 'Content-Length': length ?? body.length };
        const sent = request({ port, method: 'PATCH', path: '/things/7', headers });
        sent.on('error', () => undefined).write(body);
        await arrived;
        sent.destroy();
        await handled;
      });
      await later(20);
      expect(await value()).toEqual(old);
      expect(onError).not.toHaveBeenCalled();
    },
  );

  test('the client left while its body was being read: nothing is written, and your app is told no error', async () => {
    const { app, value } = await host(express, {});
    const onError = watchErrors(app);
    await serving(app, async (server, port) => {
      const ended = happens(server, 'ended');
      server.on('request', (req, res) => {
        res.once('close', () => server.emit('ended'));
        req.once('data', () => sent.destroy());
      });
      const headers = { 'Content-Type': type, 'Content-Length': 100 };
      const sent = request({ port, method: 'PATCH', path: '/things/7', headers });
      sent.on('error', () => undefined).write('{"title":"new"}');
      await ended;
    });
    await later(20);
    expect(await value()).toEqual(old);
    expect(onError).not.toHaveBeenCalled();
  });
});

describe.each(frameworks)('What the store and the parser are told (%s)', (_name, express) => {
  test('the store: the signal and limits.result, on reading and on writing, and there what was read', async () => {
    const seen: unknown[] = [];
    const store = new MemoryStore<Thing>();
    const { get, replace } = { get: store.get.bind(store), replace: store.replace.bind(store) };
    const { app } = await host(express, { limits: { result: 1_234 } }, { store });
    store.get = (key, context) => (seen.push(context), get(key, context));
    store.replace = (key, expected, next, context) => (
      seen.push(context),
      replace(key, expected, next, context)
    );
    await patched(app);
    const told = { request: expect.any(IncomingMessage), signal: expect.any(AbortSignal), maxBytes: 1_234 };
    const current = expect.objectContaining({ value: old }) as Stored<Thing>;
    expect(seen).toEqual([told, { ...told, current }]);
  });

  test('limits.result, where the store serialises: 413, and nothing is written', async () => {
    const store = new SqliteStore<Thing>(new DatabaseSync(':memory:'), { table: 'things' });
    await store.setup();
    const { app, value } = await host(express, { limits: { result: 40 } }, { store });
    const answer = await patched(app, JSON.stringify({ title: 'x'.repeat(50) }));
    expect([answer.status, (answer.body as { code: unknown }).code]).toEqual([413, 'limit-result']);
    expect(await value()).toEqual(old);
  });

  test('the store is never asked for a key that no store holds, and nothing is created there', async () => {
    const keys: string[] = [];
    const store = new MemoryStore<Thing>();
    const read = store.get.bind(store);
    const { app } = await host(express, { create: () => old }, { store });
    store.get = (key, context) => (keys.push(key), read(key, context));
    for (const path of ['/things/%00', `/things/${'k'.repeat(1_025)}`]) {
      expect((await patched(app, '{}', path)).status).toBe(404);
    }
    expect(keys).toEqual([]);
    expect((await patched(app, '{}', `/things/${'k'.repeat(1_024)}`)).status).toBe(201);
  });

  test('a key that the engine cannot hold does not exist either: 404, not a race', async () => {
    const store = new MemoryStore<Thing>();
    const { app } = await host(express, { create: () => old }, { store });
    store.replace = () => Promise.resolve(undefined);
    expect((await patched(app, '{}', '/things/other')).status).toBe(404);
  });

  test('the parser: the parameters of Content-Type', async () => {
    const seen: unknown[] = [];
    const format: PatchParser<Thing> = {
      mediaType: 'text/x-lines',
      parse(_document, { parameters }) {
        seen.push(parameters);
        return (current) => current;
      },
    };
    const store = new MemoryStore<Thing>();
    await store.replace('7', null, old);
    const app = express();
    app.patch('/things/:id', patchHandler(store, [format], { key: (req) => req.params.id }));
    await serving(app, async (server) => {
      await supertest(server)
        .patch('/things/7')
        .set('Content-Type', 'text/x-lines; From=3')
        .send('x')
        .expect(204);
    });
    expect(seen).toEqual([{ from: '3' }]);
  });

  test('patches of one key queue: 50 at once need no retry', async () => {
    const store = new MemoryStore<Thing>();
    const read = store.get.bind(store);
    store.get = async (key) => (await later(1), read(key));
    const { app } = await host(express, {}, { store });
    const replace = jest.spyOn(store, 'replace');
    await serving(app, async (server) => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          supertest(server).patch('/things/7').type(type).send(`{"title":"${index}"}`),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      expect(replace).toHaveBeenCalledTimes(50);
    });
  });
});

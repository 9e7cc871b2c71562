/** What the app makes of a document, or in place of one, and JSON cannot hold: refused by name, and nothing is written. */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import request from 'supertest';
import {
  change,
  jsonPatch,
  MemoryStore,
  mergePatch,
  type NotJsonError,
  type PatchParser,
  resource,
  type ResourceOptions,
} from '../../lib';

const merge = 'application/merge-patch+json';
const stored = { n: 1, title: 't', list: [{ id: 1 }] };

async function service(options: ResourceOptions<unknown>, front?: RequestHandler, parser?: PatchParser) {
  const store = new MemoryStore();
  await store.replace('1', null, stored);
  const note = resource<unknown>(store, [parser ?? mergePatch(), jsonPatch()], { key: 'id', ...options });
  const errors: NotJsonError[] = [];
  const failed: ErrorRequestHandler = (error: NotJsonError, _req, res, next) => {
    errors.push(error);
    if (res.headersSent) next(error);
    else res.status(500).send('failed');
  };
  const app = express();
  if (front !== undefined) app.use(express.json({ type: () => true }), front);
  app.route('/:id').put(note.put).patch(note.patch);
  app.use(failed);
  return { app, store, errors };
}

/** What a sanitizer, a validator or a function of the app leaves, and what becomes of it. */
const values = [
  { what: 'NaN', value: () => NaN, says: 'is NaN', byClient: true },
  { what: 'Infinity', value: () => Infinity, says: 'is Infinity', byClient: true },
  { what: 'an invalid Date', value: () => new Date('x'), says: 'is an invalid Date', byClient: true },
  { what: 'a BigInt', value: () => 1n, says: 'is a BigInt', byClient: false },
  { what: 'a Set', value: () => new Set([1]), says: 'is of the type Set', byClient: false },
  { what: 'a Map', value: () => new Map([[1, 2]]), says: 'is of the type Map', byClient: false },
  { what: 'a function', value: () => () => 1, says: 'is a function', byClient: false },
  { what: 'a gap', value: () => [1, , 2], says: 'is undefined', byClient: false }, // oxlint-disable-line no-sparse-arrays -- the case
];
const at = (what: string) => (what === 'a gap' ? '/n/1' : '/n');

describe.each(values)('$what', ({ what, value, says, byClient }) => {
  const pointer = at(what);

  test.each([
    { where: 'prepare', options: { prepare: () => ({ n: value() }) } },
    {
      where: 'the patch of a parser of your own',
      parser: { mediaType: merge, parse: () => () => ({ n: value() }) },
    },
    { where: 'the output of a schema', options: { validate: making(() => ({ ...stored, n: value() })) } },
    { where: 'create', options: { create: () => ({ n: value() }) }, path: '/new' },
  ])('of $where is an error of the app', async ({ options = {}, parser, path = '/1' }) => {
    const { app, store, errors } = await service(options, undefined, parser);
    const answer = await request(app).patch(path).set('Content-Type', merge).send('{"n":2}');
    expect([answer.status, answer.text]).toEqual([500, 'failed']);
    expect(errors).toMatchObject([
      { code: 'PATCH_OPTIONS_NOT_JSON', pointer, message: expect.stringContaining(says) as unknown },
    ]);
    expect([await store.get('1'), await store.get('new')]).toMatchObject([{ value: stored }, undefined]);
  });

  test.each(['patch', 'put'] as const)(
    `in req.body of a %s: ${byClient ? '400' : 'an error of the app'}`,
    async (method) => {
      const { app, store, errors } = await service({}, (req, _res, next) => {
        req.body = { n: value() };
        next();
      });
      const type = method === 'put' ? 'application/json' : merge;
      const answer = await request(app)[method]('/1').set('Content-Type', type).send('{"n":2}');
      const code = method === 'put' ? 'representation-malformed' : 'patch-malformed';
      if (byClient) expect(answer.body).toMatchObject({ status: 400, code, pointer });
      else expect(errors).toMatchObject([{ code: 'PATCH_OPTIONS_NOT_JSON', pointer }]);
      expect(await store.get('1')).toMatchObject({ value: stored });
    },
  );

  test('of the recipe of change()', async () => {
    const { store } = await service({});
    const changed = change<unknown>(store, '1', () => ({ ...stored, n: value() }));
    await expect(changed).rejects.toMatchObject({ code: 'PATCH_OPTIONS_NOT_JSON', pointer });
    expect(await store.get('1')).toMatchObject({ value: stored });
  });
});

/** A Standard Schema that makes this output of any value. */
function making(output: () => unknown) {
  return { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: output() }) } } as const;
}

describe('an undefined member is absent, and toJSON is asked', () => {
  const due = new Date(0);
  test.each([
    {
      where: 'prepare',
      options: { prepare: () => ({ due, n: undefined }) },
      after: { ...stored, due: due.toISOString() },
    },
    {
      where: 'a patch of your own',
      parser: {
        mediaType: merge,
        parse: () => (now: unknown) => ({ ...(now as object), due, n: undefined }),
      },
      after: { title: 't', list: [{ id: 1 }], due: due.toISOString() },
    },
  ])('in $where', async ({ options = {}, parser, after }) => {
    const { app, store } = await service(options, undefined, parser);
    await request(app).patch('/1').set('Content-Type', merge).send('{}').expect(204);
    expect((await store.get('1'))?.value).toEqual(after);
  });

  test('in the recipe of change(), which writes nothing if nothing differs', async () => {
    const { store } = await service({});
    const { version } = (await store.get('1')) ?? {};
    const same = await change<unknown>(store, '1', () => ({ ...stored, gone: undefined }));
    expect(same.version).toBe(version);
    const changed = await change<unknown>(store, '1', () => ({ ...stored, n: undefined, due }));
    expect(changed.value).toEqual({ title: 't', list: [{ id: 1 }], due: due.toISOString() });
  });
});

describe('prepare gets an object or a list where the resource is an object', () => {
  const prepare = (document: unknown) => {
    const { title } = document as { readonly title?: string };
    return { ...(title !== undefined && { title }) };
  };

  test.each(['null', '"text"', '1', 'true'])('%s is 422, and prepare is not asked', async (body) => {
    const { app, store, errors } = await service({ prepare });
    for (const method of ['patch', 'put'] as const) {
      const type = method === 'put' ? 'application/json' : merge;
      const answer = await request(app)[method]('/1').set('Content-Type', type).send(body);
      expect(answer.body).toMatchObject({ status: 422, code: 'patch-kind' });
    }
    expect([errors, (await store.get('1'))?.value]).toEqual([[], stored]);
  });

  test('where it is a text, prepare gets one', async () => {
    const { app, store } = await service({ prepare: (document) => String(document).trim() });
    await store.replace('text', null, 'before');
    await request(app).put('/text').set('Content-Type', 'application/json').send('" after "').expect(204);
    expect((await store.get('text'))?.value).toBe('after');
  });
});

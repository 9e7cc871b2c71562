/** The option method of patchHandler, and handlers on routes of other methods than theirs. */
import type { ErrorRequestHandler } from 'express';
import request from 'supertest';
import {
  corsPreflight,
  jsonPatch,
  MemoryStore,
  mergePatch,
  optionsHandler,
  patchHandler,
  resource,
} from '../../lib';
import { frameworks } from '../support/frameworks';
import { mistakesOf } from '../support/mistakes-of';

const note = { title: 'Milk', tags: ['a'], done: false };
const origin = 'https://app.example';

describe.each(frameworks)('%s', (_name, express) => {
  const failed: ErrorRequestHandler = (error: Error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).send(error.message);
  };

  describe("method: 'PUT', RFC 9110 9.3.4", () => {
    async function service() {
      const store = new MemoryStore();
      await store.replace('1', null, note);
      const app = express().use(corsPreflight({ origin }), optionsHandler());
      const options = { key: 'id', method: 'PUT', respond: 'representation', readOnly: ['/done'] } as const;
      app.put('/notes/:id', patchHandler(store, [mergePatch({ json: true }), jsonPatch()], options));
      return { app, stored: async () => (await store.get('1'))?.value };
    }

    interface Row {
      readonly title: string;
      readonly type?: string;
      readonly fields?: Readonly<Record<string, string>>;
      readonly document: unknown;
      readonly status: number;
      readonly answers?: Readonly<Record<string, unknown>>;
      readonly after?: unknown;
    }
    const changed = { ...note, title: 'Tea' };
    test.each<Row>([
      {
        title: 'changes only what it names, and the answer has no validator',
        document: { title: 'Tea' },
        status: 200,
        answers: { 'content-location': '/notes/1', etag: undefined },
        after: changed,
      },
      {
        title: 'but one, if what was sent is all that GET returns',
        document: { title: 'Tea', tags: ['a'], done: false },
        status: 200,
        answers: { etag: expect.stringMatching(/^"/) },
        after: changed,
      },
      {
        title: 'as a JSON Patch',
        type: 'application/json-patch+json',
        document: [{ op: 'replace', path: '/title', value: 'Tea' }],
        status: 200,
        after: changed,
      },
      {
        title: 'that removes a read-only member is refused, as a PATCH is',
        document: { done: null },
        status: 422,
      },
      { title: 'on a condition that fails', fields: { 'If-Match': '"old"' }, document: {}, status: 412 },
      {
        title: 'of another media type: 415 with Accept, RFC 9110 12.5.1',
        type: 'text/plain',
        document: 'x',
        status: 415,
        answers: {
          accept: 'application/merge-patch+json, application/json, application/json-patch+json',
          'accept-patch': undefined,
        },
      },
      {
        title: 'with Content-Range, RFC 9110 14.5',
        fields: { 'Content-Range': 'bytes 0-1/2' },
        document: {},
        status: 400,
      },
    ])(
      '$title',
      async ({ type = 'application/json', fields = {}, document, status, answers = {}, after = note }) => {
        const { app, stored } = await service();
        const answer = await request(app)
          .put('/notes/1')
          .type(type)
          .set(fields)
          .send(JSON.stringify(document));
        expect(answer.status).toBe(status);
        for (const [name, value] of Object.entries(answers)) expect(answer.headers[name]).toEqual(value);
        expect(await stored()).toEqual(after);
      },
    );

    test('it is PUT in Allow and in preflights, and no Accept-Patch', async () => {
      const { app } = await service();
      const { headers } = await request(app).options('/notes/1');
      expect(headers).toMatchObject({ allow: 'OPTIONS, PUT' });
      expect(headers).not.toHaveProperty('accept-patch');
      const fields = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
      const preflight = await request(app).options('/notes/1').set(fields);
      expect(preflight.headers).toMatchObject({ 'access-control-allow-methods': 'OPTIONS, PUT' });
    });
  });

  describe('a handler on a route of another method', () => {
    const patch = patchHandler(new MemoryStore(), [mergePatch()]);
    const put = patchHandler(new MemoryStore(), [mergePatch()], { method: 'PUT' });
    const all = resource(new MemoryStore(), [mergePatch()]);
    const app = express();
    app.put('/patch-on-put', patch).get('/patch-on-get', patch).post('/get-on-post', all.get);
    app.put('/patch-of-all-on-put', all.patch);
    app.patch('/put-on-patch', put).put('/patch-behind-another', (_req, _res, next) => void next(), patch);
    app.all('/patch-on-all', patch).use('/patch-everywhere', patch);
    app
      .route('/patch-on-its-own')
      .put((_req, _res, next) => void next())
      .patch(patch);
    app.get('/passes', (_req, _res, next) => void next());
    app.use('/passes', patch);
    app.use(failed);

    test.each([
      {
        method: 'put',
        path: '/patch-on-put',
        says: "The PATCH handler of patchHandler() is mounted on a route for PUT. Write app.patch(path, …), or set the option method: 'PUT' for a PUT that changes only what it names.",
      },
      {
        method: 'put',
        path: '/patch-behind-another',
        says: 'The PATCH handler of patchHandler() is mounted on a route for PUT. Write app.patch(path, …), or',
      },
      {
        method: 'put',
        path: '/patch-of-all-on-put',
        says: 'The PATCH handler of resource() is mounted on a route for PUT. Write app.patch(path, …).',
      },
      {
        method: 'get',
        path: '/patch-on-get',
        says: 'The PATCH handler of patchHandler() is mounted on a route for GET. Write app.patch(path, …).',
      },
      {
        method: 'post',
        path: '/get-on-post',
        says: 'The GET handler of resource() is mounted on a route for POST. Write app.get(path, …).',
      },
      {
        method: 'patch',
        path: '/put-on-patch',
        says: 'The PUT handler of patchHandler() is mounted on a route for PATCH. Write app.put(path, …).',
      },
      { method: 'put', path: '/patch-on-all', says: undefined },
      { method: 'put', path: '/patch-everywhere', says: undefined },
      { method: 'put', path: '/patch-on-its-own', says: undefined },
      { method: 'get', path: '/passes', says: undefined },
    ] as const)('$method $path: $says', async ({ method, path, says }) => {
      const { status, text } = await request(app)[method](path);
      expect(status).toBe(says === undefined ? 404 : 500);
      expect(text).toContain(says ?? 'Cannot');
    });
  });
});

test('mistakes: another method, and the option with resource()', () => {
  const make = (options: object) => () => patchHandler(new MemoryStore(), [mergePatch()], options);
  expect(mistakesOf(make({ method: 'POST' }))).toMatchObject([
    { option: 'method', value: "'POST'", code: 'option-value' },
  ]);
  const all = () => resource(new MemoryStore(), [mergePatch()], { method: 'PUT' } as object);
  expect(mistakesOf(all)).toMatchObject([{ option: 'method', code: 'option-unknown' }]);
});

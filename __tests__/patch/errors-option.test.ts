/** `errors: (problem, req) => …`: refusals in the form that the app's other errors have. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { MemoryStore, mergePatch, methodNotAllowed, resource, type ResourceOptions } from '../../lib';

type Errors = NonNullable<ResourceOptions<object>['errors']>;

function serve(errors: Errors, options: ResourceOptions<object> = {}) {
  const store = new MemoryStore<object>();
  const refusals: { status: number | undefined; code: string }[] = [];
  const note = resource(store, [mergePatch({ json: true })], {
    ...{ key: 'id', create: true, conflict: 'representation', readOnly: ['/id'], errors },
    onRefused: ({ status, code }) => void refusals.push({ status, code }),
    ...options,
  });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  app.use(methodNotAllowed({ errors: errors as 'answer' }));
  const thrown: unknown[] = [];
  const handler: ErrorRequestHandler = (error: Error & { status?: number }, _req, res, next) => {
    thrown.push(error);
    if (res.headersSent) next(error);
    else res.status(error.status ?? 500).send(error.message);
  };
  return { server: request(app.use(handler)), thrown, refusals };
}

const asApp: Errors = (problem, req) => ({ success: false, error: problem.code, path: req.url });

test('the body is JSON, with the status and the headers of the refusal', async () => {
  const { server, refusals } = serve(asApp);
  const created = await server.put('/notes/1').send({ title: 'Milk' });
  const answers = [
    { answer: await server.get('/notes/2'), status: 404, error: 'target-not-found' },
    { answer: await server.delete('/notes/2'), status: 404, error: 'target-not-found' },
    { answer: await server.patch('/notes/1').send({ id: 1 }), status: 422, error: 'read-only' },
    {
      answer: await server.patch('/notes/1').type('text/plain').send('x'),
      status: 415,
      error: 'unsupported-media-type',
    },
    {
      answer: await server.put('/notes/1').set('If-Match', '"x"').send({}),
      status: 412,
      error: 'precondition-failed',
    },
    { answer: await server.post('/notes/1').send({}), status: 405, error: 'method-not-allowed' },
  ];
  for (const { answer, status, error } of answers) {
    expect([answer.status, (answer.body as { error: unknown }).error]).toEqual([status, error]);
    expect(answer.get('Content-Type')).toBe('application/json; charset=utf-8');
    expect(Number(answer.get('Content-Length'))).toBe(Buffer.byteLength(answer.text));
  }
  expect(answers[4]?.answer.get('ETag')).toBe(
    created.get('ETag') ?? (await server.get('/notes/1')).get('ETag'),
  );
  expect(answers[3]?.answer.get('Accept-Patch')).toMatch('application/json');
  expect(answers[5]?.answer.get('Allow')).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
  expect(refusals.map(({ code }) => code)).toEqual(answers.slice(0, 5).map(({ error }) => error));
});

test('the current state of a conflict is in the problem', async () => {
  const { server } = serve(({ code, current }) => ({ code, current }));
  await server.put('/notes/1').send({ title: 'Milk' });
  const answer = await server.patch('/notes/1').set('If-Match', '"x"').send({ title: 'x' }).expect(412);
  expect(answer.body).toEqual({ code: 'precondition-failed', current: { title: 'Milk' } });
});

test('HEAD has the head alone', async () => {
  const { server } = serve(asApp);
  const answer = await server.head('/notes/1').expect(404);
  expect([answer.text ?? '', answer.get('Content-Type')]).toEqual(['', 'application/json; charset=utf-8']);
});

describe('what the function can return', () => {
  test.each<{
    readonly what: string;
    readonly errors: Errors;
    readonly status: number;
    readonly body: unknown;
  }>([
    { what: 'a text', errors: ({ detail }) => detail.slice(0, 12), status: 404, body: 'The resource' },
    { what: 'null', errors: () => null, status: 404, body: null },
    { what: 'a list', errors: ({ code }) => [code], status: 404, body: ['target-not-found'] },
    {
      what: 'another status',
      errors: () => ({ status: 400, body: { no: 1 } }),
      status: 400,
      body: { no: 1 },
    },
    {
      what: 'a body with a status as a text',
      errors: () => ({ status: 'error', body: 'x' }),
      status: 404,
      body: { status: 'error', body: 'x' },
    },
    {
      what: 'a body with a status and more',
      errors: ({ status }) => ({ status, body: 'x', more: 1 }),
      status: 404,
      body: { status: 404, body: 'x', more: 1 },
    },
  ])('$what', async ({ errors, status, body }) => {
    const answer = await serve(errors).server.get('/notes/1');
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  test('undefined: the problem document', async () => {
    const answer = await serve(({ status }) => (status === 404 ? undefined : {})).server.get('/notes/1');
    expect([answer.status, answer.get('Content-Type')]).toEqual([404, 'application/problem+json']);
    expect(answer.body).toMatchObject({ code: 'target-not-found' });
  });

  test('204 has no content', async () => {
    const answer = await serve(() => ({ status: 204, body: {} })).server.get('/notes/1');
    expect([answer.status, answer.text]).toEqual([204, '']);
  });
});

describe('a function that fails: its error goes to Express, and the request is answered', () => {
  const thrown = Object.assign(new Error('thrown by the app'), { status: 418 });
  test.each<{
    readonly what: string;
    readonly errors: Errors;
    readonly status: number;
    readonly message: string;
  }>([
    {
      what: 'it throws',
      errors: () => {
        throw thrown;
      },
      status: 418,
      message: 'thrown by the app',
    },
    {
      what: 'it is async',
      errors: () => Promise.reject(new Error('nobody waits for it')),
      status: 500,
      message: 'The option errors returned a promise. Return the body of the answer, not a promise of it.',
    },
    {
      what: 'a function',
      errors: () => () => 1,
      status: 500,
      message: 'The option errors returned .Function',
    },
    { what: 'no JSON', errors: () => ({ n: 1n }), status: 500, message: 'BigInt' },
    {
      what: 'a status that is none',
      errors: () => ({ status: 99, body: {} }),
      status: 500,
      message: 'not a whole number from 200 to 599',
    },
  ])('$what', async ({ errors, status, message }) => {
    const { server } = serve(errors);
    for (const answer of [await server.get('/notes/1'), await server.post('/notes/1').send({})]) {
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(new RegExp(message));
    }
  });
});

/** The validators and hooks of the app's model decide what becomes of a write, and their messages reach the client. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { mergePatch, resource } from '../../lib';
import { rowStore } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';

/** Sends a PATCH whose write throws the error: the answer, and what the app's error handler got. */
async function answerTo(thrown: unknown) {
  const table = memoryTable([{ slug: 'a', title: 'kept', address: {}, hash: 'secret' }]);
  const save = () => {
    throw thrown as Error;
  };
  const orm = {
    ...{ ...table.orm, save },
    transaction: table.orm.transaction,
  };
  const inside = { ...orm, transaction: (run: (rows: object, tx: unknown) => Promise<void>) => run(orm, 0) };
  const store = rowStore({
    ...inside,
    columns: { headline: { kind: 'string', column: 'title' }, address: 'json' },
    key: 'slug',
  } as never);
  const app = express();
  app.route('/:slug').patch(resource(store, [mergePatch()], { key: 'slug' }).patch);
  const seen: unknown[] = [];
  const handler: ErrorRequestHandler = (error: unknown, _req, res, next) => {
    seen.push(error);
    if (res.headersSent) return next(error);
    res.status(Number(Object(error).status ?? 500)).end();
  };
  app.use(handler);
  const { status, body } = await request(app)
    .patch('/a')
    .type('application/merge-patch+json')
    .send({ headline: 'changed' });
  expect(table.rows[0]).toMatchObject({ title: 'kept' });
  return { status, body: body as Record<string, unknown>, seen };
}

const sequelize = (...errors: object[]) =>
  Object.assign(new Error('Validation error'), { name: 'SequelizeValidationError', errors });

describe('messages of validators are 422, each with the pointer of its member', () => {
  test.each<{ readonly by: string; readonly thrown: unknown; readonly errors: readonly object[] }>([
    {
      by: 'Sequelize',
      thrown: sequelize({ path: 'title', message: 'Titles end with a letter.', type: 'Validation error' }),
      errors: [{ pointer: '/headline', detail: 'Titles end with a letter.' }],
    },
    {
      by: 'validate() of a whole model of Sequelize',
      thrown: sequelize({ path: 'bothOrNone', message: 'Give both, or neither.' }),
      errors: [{ detail: 'Give both, or neither.' }],
    },
    {
      by: 'Sequelize, of a column that clients do not see',
      thrown: sequelize(
        { path: 'hash', message: 'The hash is old.' },
        { path: 'title', message: 'Too short.' },
      ),
      errors: [{ detail: 'The hash is old.' }, { pointer: '/headline', detail: 'Too short.' }],
    },
    {
      by: 'Zod',
      thrown: Object.assign(new Error('[]'), {
        name: 'ZodError',
        issues: [{ code: 'too_small', path: ['address', 'lines', 0], message: 'Too short' }],
      }),
      errors: [{ pointer: '/address/lines/0', detail: 'Too short' }],
    },
    {
      by: 'a Standard Schema, whose segments are objects, or that has no path',
      thrown: { issues: [{ path: [{ key: 'title' }], message: 'Not a title' }, { message: 'Not at all' }] },
      errors: [{ pointer: '/headline', detail: 'Not a title' }, { detail: 'Not at all' }],
    },
    {
      by: 'validateOrReject of class-validator',
      thrown: [
        {
          property: 'title',
          constraints: { isEmail: 'title must be an email', minLength: 'title is short' },
        },
        {
          property: 'address',
          children: [{ property: 'zip', constraints: { isInt: 'zip must be a number' } }],
        },
      ],
      errors: [
        { pointer: '/headline', detail: 'title must be an email' },
        { pointer: '/headline', detail: 'title is short' },
        { pointer: '/address/zip', detail: 'zip must be a number' },
      ],
    },
  ])('$by', async ({ thrown, errors }) => {
    const { status, body, seen } = await answerTo(thrown);
    expect(seen).toEqual([]);
    expect({ status, code: body['code'], errors: body['errors'] }).toEqual({
      ...{ status: 422, code: 'invalid-result', errors },
    });
  });
});

describe('anything else goes to Express as it is', () => {
  test.each<{ readonly what: string; readonly thrown: unknown; readonly status: number }>([
    { what: 'an error of a hook', thrown: new Error('The mail server is down.'), status: 500 },
    { what: 'one with a status', thrown: Object.assign(new Error('Locked'), { status: 423 }), status: 423 },
    { what: 'a statusCode', thrown: Object.assign(new Error('No'), { statusCode: 403 }), status: 500 },
    {
      what: 'a status, although it has issues',
      thrown: Object.assign(new Error('No'), { status: 409, issues: [{ path: ['title'], message: 'x' }] }),
      status: 409,
    },
    {
      what: 'a status, although the engine has refused the statement within',
      thrown: Object.assign(new Error('Taken'), { status: 418, cause: { code: '23505' } }),
      status: 418,
    },
    {
      what: 'an empty list of issues',
      thrown: Object.assign(new Error('None'), { issues: [] }),
      status: 500,
    },
    { what: 'issues without messages', thrown: Object.assign(new Error('?'), { issues: [{}] }), status: 500 },
  ])('$what', async ({ thrown, status }) => {
    const answer = await answerTo(thrown);
    expect(answer.seen).toEqual([thrown]);
    expect(answer.seen[0]).toBe(thrown);
    expect(answer.status).toBe(status);
  });
});

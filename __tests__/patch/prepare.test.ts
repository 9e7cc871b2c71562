/** The option prepare: what middleware did to req.body, between parsing and applying. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import {
  jsonPatch,
  MemoryStore,
  mergePatch,
  type PatchHandlerOptions,
  type PatchParser,
  patchHandler,
  ProblemError,
  resource,
} from '../../lib';
import { mistakesOf } from '../support/mistakes-of';

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  put: 'application/json',
};
const note = { title: 'Milk', secret: 'hash' };

async function service(options: PatchHandlerOptions<unknown>, store = new MemoryStore()) {
  await store.replace('1', null, note);
  const { patch, put } = resource<unknown>(store, [jsonPatch(), mergePatch()], {
    key: 'id',
    ...options,
  } as never);
  const failed: ErrorRequestHandler = (error: Error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).send(error.message);
  };
  const app = express().patch('/notes/:id', patch).put('/notes/:id', put).use(failed);
  const send = (format: keyof typeof types, document: unknown, fields = {}) => {
    const method = format === 'put' ? 'put' : 'patch';
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    return request(app)[method]('/notes/1').type(types[format]).set(fields).send(text);
  };
  return { store, send, stored: async () => (await store.get('1'))?.value };
}

const hash = (text: string) => Promise.resolve(`hash of ${text}`);

/** As a middleware of an app has it: an allow-list, and a password that is hashed. */
async function prepare(document: unknown): Promise<unknown> {
  const { title, secret } = document as { readonly title?: string; readonly secret?: string };
  if (title === undefined && secret === undefined)
    throw new ProblemError(400, 'nothing-to-change', 'Nothing is to be changed.');
  return {
    ...(title !== undefined && { title }),
    ...(secret !== undefined && { secret: await hash(secret) }),
  };
}

describe('what it returns is applied', () => {
  test.each([
    {
      title: 'a merge patch',
      format: 'merge',
      document: { title: 'Tea', isAdmin: true },
      status: 204,
      after: { title: 'Tea', secret: 'hash' },
    },
    {
      title: 'awaited',
      format: 'merge',
      document: { secret: 'x' },
      status: 204,
      after: { title: 'Milk', secret: 'hash of x' },
    },
    {
      title: 'a PUT',
      format: 'put',
      document: { title: 'Tea', secret: 'x', isAdmin: true },
      status: 204,
      after: { title: 'Tea', secret: 'hash of x' },
    },
    {
      title: 'a ProblemError is the answer',
      format: 'merge',
      document: { isAdmin: true },
      status: 400,
      after: note,
    },
    { title: 'not asked about what is malformed', format: 'merge', document: '{', status: 400, after: note },
    { title: 'nor about a PUT that is', format: 'put', document: '{"a":1,"a":2}', status: 400, after: note },
  ] as const)('$title', async ({ format, document, status, after }) => {
    const { send, stored } = await service({ prepare });
    const answer = await send(format, document);
    expect([answer.status, await stored()]).toEqual([status, after]);
  });

  test('a JSON Patch is the list of its operations, which it can modify', async () => {
    const { send, stored } = await service({
      prepare: (document) => {
        const operations = document as { path: string }[];
        return operations.filter(({ path }) => path === '/title');
      },
    });
    await send('json', [
      { op: 'replace', path: '/title', value: 'Tea' },
      { op: 'add', path: '/isAdmin', value: true },
    ]);
    expect(await stored()).toEqual({ ...note, title: 'Tea' });
  });

  test('the codes of malformed documents are those of their method', async () => {
    const { send } = await service({ prepare });
    expect((await send('merge', '{')).body).toMatchObject({ code: 'patch-malformed' });
    expect((await send('put', '{')).body).toMatchObject({ code: 'representation-malformed' });
  });
});

test('it is called once, although a race is lost, after may and the preconditions', async () => {
  let calls = 0;
  class Overtaken extends MemoryStore {
    #isFirst = true;
    override async replace(...args: Parameters<MemoryStore['replace']>) {
      if (args[1] !== null && this.#isFirst) {
        this.#isFirst = false;
        await super.replace(args[0], args[1], { ...note, other: 1 });
      }
      return super.replace(...args);
    }
  }
  const { send, stored } = await service(
    { prepare: (document) => (calls++, document), may: (req) => req.headers.who !== 'stranger' },
    new Overtaken(),
  );
  expect((await send('merge', { title: 'Tea' }, { Who: 'stranger' })).status).toBe(403);
  expect((await send('merge', { title: 'Tea' }, { 'If-Match': '"old"' })).status).toBe(412);
  expect(calls).toBe(0);
  expect((await send('merge', { title: 'Tea' })).status).toBe(204);
  expect(calls).toBe(1);
  expect(await stored()).toEqual({ title: 'Tea', secret: 'hash', other: 1 });
});

test('a repeat with the same Idempotency-Key is told by what was sent, and not prepared again', async () => {
  let calls = 0;
  const { send, stored } = await service({
    prepare: () => ({ title: `Tea ${++calls}` }),
    idempotency: 'optional',
  });
  for (let i = 0; i < 2; i++)
    expect((await send('merge', { title: 'x' }, { 'Idempotency-Key': '"k"' })).status).toBe(204);
  expect([calls, await stored()]).toEqual([1, { ...note, title: 'Tea 1' }]);
});

test('the rules see what it returns', async () => {
  const { send } = await service({ prepare: () => ({ secret: 1 }), readOnly: ['/secret'] });
  expect((await send('merge', { title: 'Tea' })).body).toMatchObject({
    code: 'read-only',
    pointer: '/secret',
  });
});

test.each([
  {
    title: 'undefined',
    prepare: () => undefined,
    says: /^The option prepare returned undefined\. Return the document/,
  },
  { title: 'a promise of undefined', prepare: () => Promise.resolve(), says: /prepare returned undefined/ },
  { title: 'a function', prepare: () => () => undefined, says: /prepare returned \[Function/ },
  {
    title: 'it throws',
    prepare: () => {
      throw new Error('the app’s own');
    },
    says: /^the app’s own$/,
  },
])('an error of the app: $title', async ({ prepare: wrong, says }) => {
  const { send, stored } = await service({ prepare: wrong });
  const answer = await send('merge', { title: 'Tea' });
  expect([answer.status, answer.text]).toEqual([500, expect.stringMatching(says)]);
  expect(await stored()).toEqual(note);
});

test('beside a format that is not JSON, it is a mistake: it could not hold there', () => {
  // RFC 7464: one JSON text after the other.
  const sequence: PatchParser = { mediaType: 'application/json-seq', parse: () => (value) => value };
  const make = () =>
    patchHandler(new MemoryStore(), [mergePatch(), sequence], { prepare: (document) => document });
  const reason = 'cannot read application/json-seq, which is not JSON';
  expect(mistakesOf(make)).toMatchObject([{ option: 'prepare', code: 'option-conflict', reason }]);
});

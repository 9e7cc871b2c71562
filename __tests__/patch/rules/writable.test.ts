/** `writable` as a function: the rights of one request on one state. */
import express from 'express';
import request from 'supertest';
import { formatPointer, parsePointer } from '../../../lib/json/pointer';
import { isEqualJson, isJsonObject, type JsonObject, ownMember, setMember } from '../../../lib/json/value';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import { resource } from '../../../lib/patch/resource/resource';
import type { ResourceOptions } from '../../../lib/patch/resource/resource-options';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { times } from '../../support/deep-scale';
import { HeldStore } from '../../support/held-store';
import { describePatches, resource as thing } from '../../support/patch-table';
import { fc } from '../../support/properties';
import { answerTo, isSameBeside, json, mask, patch, type SentDocument, stored } from './random-patches';

const whole = { title: 'Buy milk', tags: ['home', 'shop'], size: { width: 3, unit: 'cm' }, none: null };
const jsonPatchOf = (...body: unknown[]) => ({ type: 'application/json-patch+json', body });
const titleOnly = { writable: () => ['/title'] };

describePatches(
  'writable as a function',
  {
    'a change of what it lists': {
      options: titleOnly,
      status: 204,
      after: { id: '7', ...whole, title: 'Buy bread' },
    },
    'a change of anything else: 403': {
      options: titleOnly,
      body: { id: '8' },
      status: 403,
      content: {
        code: 'member-forbidden',
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/id' })]) as unknown,
      },
    },
    'changes of several members: all that are not permitted, in order': {
      options: titleOnly,
      body: { title: 'x', id: '8', size: { width: 4 }, more: 1 },
      status: 403,
      content: {
        code: 'member-forbidden',
        errors: ['/id', '/size/width', '/more'].map((pointer) => ({
          pointer,
          detail: 'you are not allowed to change this member',
        })),
      },
    },
    'more pointers than limits.bytes: the first': {
      options: { ...titleOnly, limits: { bytes: 60 } },
      stored: { ['a'.repeat(20)]: {} },
      body: { ['a'.repeat(20)]: { a: 1, b: 1, c: 1 } },
      status: 403,
      content: { code: 'member-forbidden', errors: [{ pointer: `/${'a'.repeat(20)}` }] },
    },
    'a list that is no function: nobody may, 422': {
      options: { writable: ['/title'] },
      body: { id: '8' },
      status: 422,
      content: { code: 'read-only', pointer: '/id' },
    },
    'a copy into it': {
      options: titleOnly,
      ...jsonPatchOf({ op: 'copy', from: '/id', path: '/title' }),
      status: 204,
      after: { id: '7', ...whole, title: '7' },
    },
    'a move into it removes what is not writable: 403': {
      options: titleOnly,
      ...jsonPatchOf({ op: 'move', from: '/id', path: '/title' }),
      status: 403,
      content: {
        code: 'member-forbidden',
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/id' })]) as unknown,
      },
    },
    'the whole document, with another member in it: 403': {
      options: titleOnly,
      ...jsonPatchOf({ op: 'replace', path: '', value: { title: 'Buy bread' } }),
      status: 403,
      content: {
        code: 'member-forbidden',
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/id' })]) as unknown,
      },
    },
    "'all', by a promise": {
      options: { writable: () => Promise.resolve('all' as const) },
      body: { id: '8' },
      status: 204,
      after: { ...whole, id: '8' },
    },
    'nothing: a patch that changes nothing is no change': {
      options: { writable: () => [] },
      body: { title: 'Buy milk' },
      status: 204,
    },
    'nothing: 403': {
      options: { writable: () => [] },
      status: 403,
      content: { errors: [{ pointer: '/title' }] },
    },
    'PUT keeps what this request cannot write': {
      method: 'PUT',
      options: titleOnly,
      body: { title: 'Buy bread' },
      status: 204,
      after: { id: '7', ...whole, title: 'Buy bread' },
    },
    'PUT removes what it can write and leaves out': {
      method: 'PUT',
      options: { writable: () => ['/title', '/tags', '/size/width'] },
      body: {},
      status: 204,
      after: { id: '7', size: { unit: 'cm' }, none: null },
    },
    "PUT replaces all under 'all'": {
      method: 'PUT',
      options: { writable: () => 'all' as const },
      body: { title: 'Buy bread' },
      status: 204,
      after: { title: 'Buy bread' },
    },
    'a creation asks without a current value': {
      method: 'PUT',
      stored: null,
      options: { create: true, writable: (_req, current) => (current === undefined ? ['/title'] : []) },
      status: 201,
      after: { title: 'Buy bread' },
    },
    'a creation with more than it lists: 403': {
      method: 'PUT',
      stored: null,
      options: { ...titleOnly, create: true },
      body: { title: 'Buy bread', id: '7' },
      status: 403,
      content: {
        code: 'member-forbidden',
        errors: expect.arrayContaining([expect.objectContaining({ pointer: '/id' })]) as unknown,
      },
    },
    'what is hidden stays hidden, though it is listed: 422': {
      options: { hidden: ['/id'], writable: () => ['/id'] },
      body: { id: '8' },
      status: 422,
      content: { code: 'hidden-member' },
    },
    'DELETE does not ask': {
      method: 'DELETE',
      options: {
        writable: () => {
          throw new Error('It was asked.');
        },
      },
      status: 204,
      after: null,
    },
    'a precondition that is false comes first': {
      headers: { 'If-Match': '"old"' },
      options: {
        writable: () => {
          throw new Error('It was asked.');
        },
      },
      status: 412,
    },
    'a malformed document comes first': {
      body: '{',
      options: {
        writable: () => {
          throw new Error('It was asked.');
        },
      },
      status: 400,
    },
    'what a schema changes besides is left as it is': {
      options: {
        ...titleOnly,
        validate: {
          '~standard': {
            version: 1,
            vendor: 'own',
            validate: (value: unknown) => ({ value: { ...Object(value), id: '8' } as unknown }),
          },
        },
      },
      status: 204,
      after: { ...thing, title: 'Buy bread' },
    },
  },
  () => new MemoryStore(),
);

/** An app with one note of Ann's, and what `writable` was asked. */
async function notes(options: ResourceOptions<unknown>) {
  const store = new HeldStore();
  await store.replace('1', null, { owner: 'ann', title: 'a' });
  const app = express();
  const errors: unknown[] = [];
  const parsers = [jsonPatch(), mergePatch()];
  const note = resource(store, parsers, { key: (req) => req.params.id, ...options });
  app.patch('/notes/:id', note.patch);
  const onError: express.ErrorRequestHandler = (error, _req, res, next) => {
    errors.push(error);
    if (res.headersSent) next(error);
    else res.sendStatus(500);
  };
  app.use(onError);
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    request(app)
      .patch('/notes/1')
      .set({ 'Content-Type': 'application/merge-patch+json', ...headers })
      .send(JSON.stringify(body));
  return { send, store, errors };
}

describe('is asked once for each state', () => {
  test('again on the state that a lost race has left, whose rights count', async () => {
    const owners: unknown[] = [];
    const { send, store } = await notes({
      writable: (_req, current) => {
        const { owner } = Object(current) as { owner?: unknown };
        owners.push(owner);
        return owner === 'ann' ? ['/title'] : [];
      },
    });
    store.calls();
    const release = store.hold();
    const sending = send({ title: 'mine' }).then((answer) => answer);
    while (!store.calls().includes('get')) await new Promise((resolve) => setImmediate(resolve));
    const { version = '' } = (await store.get('1')) ?? {};
    await store.replace('1', version, { owner: 'eve', title: 'hers' });
    release();
    const answer = await sending;
    expect([answer.status, answer.body]).toMatchObject([
      403,
      { code: 'member-forbidden', errors: [{ pointer: '/title' }] },
    ]);
    expect(owners).toEqual(['ann', 'eve']);
    expect((await store.get('1'))?.value).toEqual({ owner: 'eve', title: 'hers' });
  });

  test('not for a repeat', async () => {
    let asked = 0;
    const { send } = await notes({
      idempotency: 'optional',
      writable: () => {
        asked++;
        return asked === 1 ? 'all' : [];
      },
    });
    await send({ title: 'b' }, { 'Idempotency-Key': '"k1"' }).expect(204);
    await send({ title: 'b' }, { 'Idempotency-Key': '"k1"' }).expect(204);
    expect(asked).toBe(1);
    await send({ title: 'b' }, { 'Idempotency-Key': '"k2"' }).expect(204);
    await send({ title: 'c' }, { 'Idempotency-Key': '"k3"' }).expect(403);
  });

  test('may is asked before', async () => {
    const { send } = await notes({
      may: () => false,
      writable: () => {
        throw new Error('It was asked.');
      },
    });
    await send({ title: 'b' }).expect(403);
  });
});

test.each([
  { result: undefined, message: 'returned undefined' },
  { result: null, message: 'returned null' },
  { result: true, message: 'returned true' },
  { result: 'any', message: 'returned a string' },
  { result: '/title', message: 'returned a string' },
  { result: { all: true }, message: 'returned an object' },
  { result: new Set(['/title']), message: 'returned a Set' },
  { result: ['title'], message: "returned a list with 'title', which is not a JSON Pointer" },
  { result: ['/title', 5], message: 'returned a list with 5, which is not a JSON Pointer' },
  { result: ['/~2'], message: "returned a list with '/~2', which is not a JSON Pointer" },
  { result: [['/title']], message: 'returned a list with an array, which is not a JSON Pointer' },
  { result: ['/a/*/b'], message: "returned a list with '/a/*/b', in which * is not a wildcard" },
  { result: ['/*'], message: "returned a list with '/*', in which * is not a wildcard" },
  { result: new Array(1), message: 'returned a list with undefined, which is not a JSON Pointer' },
])('$result is an error of the app, and nothing is written', async ({ result, message }) => {
  const { send, store, errors } = await notes({ writable: () => result as never });
  await send({ title: 'b' }).expect(500);
  const fix = "Return a list of JSON Pointers, such as ['/title'], or 'all'.";
  expect(errors).toEqual([new TypeError(`The option writable ${message}. ${fix}`)]);
  expect((await store.get('1'))?.value).toEqual({ owner: 'ann', title: 'a' });
});

test('what it throws goes to the error handler of the app, and nothing is written', async () => {
  const thrown = new Error('The permission service is down.');
  const { send, store, errors } = await notes({ writable: () => Promise.reject(thrown) });
  await send({ title: 'b' }).expect(500);
  expect(errors).toEqual([thrown]);
  expect((await store.get('1'))?.value).toEqual({ owner: 'ann', title: 'a' });
});

/** What a PUT makes of the current value, as plainly as it can be said; undefined: it is gone. */
function completedBySpec(
  before: unknown,
  sent: unknown,
  writable: readonly string[],
  at: readonly string[] = [],
): unknown {
  if (writable.includes(formatPointer(at))) return sent;
  if (!isJsonObject(before)) return sent === undefined ? before : sent;
  const isAbove = at.length === 0 || writable.some((text) => text.startsWith(`${formatPointer(at)}/`));
  // What is not writable comes whole, or not at all.
  if (!isAbove) return sent === undefined ? before : sent;
  if (sent !== undefined && !isJsonObject(sent)) return sent;
  const whole: JsonObject = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(sent ?? {})])) {
    const [old, next] = [before, sent ?? {}].map((value) => ownMember(value, name));
    const member = old === undefined ? next : completedBySpec(old, next, writable, [...at, name]);
    if (member !== undefined) setMember(whole, name, member);
  }
  return whole;
}

type Rights = readonly string[] | 'all';

test('an oracle of rights: a change is made exactly where the rights of this request on this state cover it', async () => {
  const rights: fc.Arbitrary<Rights> = fc.oneof(
    { weight: 5, arbitrary: mask },
    fc.constantFrom<Rights>([], 'all'),
  );
  const rules = fc.record({ ann: rights, eve: rights, locked: rights });
  const put = json.map<SentDocument>((document) => ({
    ...{ method: 'PUT', mediaType: 'application/json', document },
  }));
  const aimed = fc.tuple(mask, json).map(([[path = '/a'], value]) => ({
    mediaType: 'application/merge-patch+json',
    document: (parsePointer(path)?.tokens ?? []).reduceRight(
      (inner: unknown, token) => ({ [token]: inner }),
      value,
    ),
  }));
  const counts = { changed: 0, refused: 0 };
  const property = fc.asyncProperty(
    ...([
      stored,
      rules,
      fc.constantFrom('ann', 'eve'),
      fc.oneof<fc.Arbitrary<SentDocument>[]>(patch, aimed, put),
    ] as const),
    async (value, rulesOfApp, user, sent) => {
      const isLocked = value['a'] === 0;
      const pointers = isLocked ? rulesOfApp.locked : user === 'ann' ? rulesOfApp.ann : rulesOfApp.eve;
      const writable: ResourceOptions<unknown>['writable'] = async (req, current) => {
        await null;
        if (isJsonObject(current) && ownMember(current, 'a') === 0) return rulesOfApp.locked;
        return req.headers['x-user'] === 'ann' ? rulesOfApp.ann : rulesOfApp.eve;
      };
      const { status, after } = await answerTo(value, { writable }, sent, { 'x-user': user });
      // What the same request makes where everybody has all rights.
      const free = await answerTo(value, {}, sent);
      const list = pointers === 'all' ? [''] : pointers;
      const wanted = sent.method === 'PUT' ? completedBySpec(value, sent.document, list) : free.after;
      const isAllowed = free.status === 200 && isSameBeside(value, wanted, list);
      expect(status).toBe(isAllowed ? 200 : free.status === 200 ? 403 : free.status);
      expect(isEqualJson(after, isAllowed ? wanted : value)).toBe(true);
      if (isAllowed && !isEqualJson(after, value)) counts.changed++;
      if (free.status === 200 && !isAllowed) counts.refused++;
    },
  );
  const numRuns = times(250, 50_000);
  await fc.assert(property, { numRuns });
  // Worth nothing unless both happen often.
  expect(Math.min(counts.changed, counts.refused)).toBeGreaterThan(numRuns / 20);
});

/** A resource that is stored, but cannot be shown: what GET, PATCH, PUT and DELETE make of it. */
import express, { type ErrorRequestHandler } from 'express';
import supertest, { type Response } from 'supertest';
import {
  mergePatch,
  type ProblemError,
  resource,
  type ResourceOptions,
  type ResourceStore,
  type Stored,
} from '../../lib';
import { rowStore, type Row } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';

interface Note {
  title: string;
  owner: string;
  price: string | null;
}

const sound = { title: 'Buy milk', owner: 'ada', price: '1.50' };
const broken = { ...sound, price: 'NaN' };

function tableOf(row: Row) {
  const { rows, orm } = memoryTable([{ slug: 'milk', version: 'v1', outcomes: null, ...row }]);
  const store = rowStore({
    ...orm,
    columns: { title: 'string', owner: 'string', price: 'decimal?' },
    ...{ key: 'slug', outcomes: 'outcomes' },
  });
  return { rows, store: store as ResourceStore<Note> & { delete: (key: string) => Promise<boolean> } };
}

const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
beforeEach(() => warned.mockClear());
afterAll(() => {
  warned.mockRestore();
});

type Send = (
  method: 'get' | 'head' | 'put' | 'patch' | 'delete',
  body?: object,
  headers?: Record<string, string>,
) => Promise<Response>;

function over(store: ResourceStore<Note>, options: ResourceOptions<Note> = {}) {
  const note = resource(store, [mergePatch()], { key: (req) => req.params['slug'], ...options });
  const app = express();
  const handed: unknown[] = [];
  app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const onError: ErrorRequestHandler = (error, _req, res, next) => {
    handed.push(error);
    if (res.headersSent) next(error);
    else res.status((error as ProblemError).status).end();
  };
  app.use(onError);
  const send: Send = (method, body, headers = {}) => {
    const type = method === 'patch' ? 'application/merge-patch+json' : 'application/json';
    const request = supertest(app)[method]('/milk').set(headers);
    return Promise.resolve(
      body === undefined ? request : request.set('Content-Type', type).send(JSON.stringify(body)),
    );
  };
  return { send, handed };
}

/** With the ETag that a PATCH of the sound state would have: of the version, which is known. */
async function tagOfBroken(): Promise<string> {
  const { send } = over(tableOf(sound).store);
  return (await send('get')).get('ETag') ?? '';
}

const problem = {
  status: 500,
  title: 'Internal Server Error',
  code: 'unreadable-value',
  pointer: '/price',
  detail: expect.stringContaining('"/price" is stored in a form that cannot be shown') as unknown,
};

test('GET and PATCH say which member cannot be shown, and not what is stored', async () => {
  const { rows, store } = tableOf({ ...sound, price: 'c0ffee' });
  const { send, handed } = over(store);
  for (const answer of [
    await send('get'),
    await send('patch', { title: 'x' }),
    await send('patch', { price: '2' }),
  ]) {
    expect([answer.status, answer.type]).toEqual([500, 'application/problem+json']);
    expect(answer.body).toEqual(problem);
    expect(answer.text).not.toContain('c0ffee');
  }
  expect((await send('head')).status).toBe(500);
  expect([rows[0], handed]).toEqual([expect.objectContaining({ version: 'v1', price: 'c0ffee' }), []]);
});

test('the owner is told once, with the column and the fix', async () => {
  const { send } = over(tableOf(broken).store);
  await send('get');
  await send('patch', { title: 'x' });
  expect(warned.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^A resource of resource\(\) cannot be shown\. The column price contains a string, but is declared as decimal\./,
      ),
      { code: 'PATCH_OPTIONS_UNREADABLE' },
    ],
  ]);
});

test('with errors: next it goes to the error handler of the app, with the cause', async () => {
  const { send, handed } = over(tableOf(broken).store, { errors: 'next' });
  expect((await send('get')).status).toBe(500);
  expect(handed).toEqual([
    expect.objectContaining({
      code: 'unreadable-value',
      cause: expect.objectContaining({ name: 'ColumnValueError' }) as unknown,
    }),
  ]);
});

describe('PUT and DELETE', () => {
  test.each([
    { what: 'its tag', conditional: true },
    { what: 'no condition', conditional: false },
  ])('work with $what', async ({ conditional }) => {
    const headers: Record<string, string> = conditional ? { 'If-Match': await tagOfBroken() } : {};
    const replaced = tableOf(broken);
    const first = over(replaced.store);
    expect((await first.send('put', sound, headers)).status).toBe(204);
    expect((await first.send('get')).body).toEqual(sound);
    const deleted = tableOf(broken);
    expect((await over(deleted.store).send('delete', undefined, headers)).status).toBe(204);
    expect(deleted.rows).toEqual([]);
  });

  test('are refused with another tag, as PATCH and GET with theirs', async () => {
    const { rows, store } = tableOf(broken);
    const { send } = over(store);
    for (const method of ['put', 'patch', 'delete'] as const) {
      const body = method === 'delete' ? undefined : sound;
      expect((await send(method, body, { 'If-Match': '"other"' })).status).toBe(412);
    }
    expect((await send('get', undefined, { 'If-None-Match': await tagOfBroken() })).status).toBe(304);
    expect(rows[0]).toMatchObject({ version: 'v1' });
  });

  test('a PUT must send what cannot be read', async () => {
    const { rows, store } = tableOf(broken);
    const { send } = over(store);
    const answer = await send('put', { title: 'x', owner: 'ada' });
    expect(answer.body).toMatchObject({
      status: 422,
      code: 'invalid-result',
      errors: [{ pointer: '/price' }],
    });
    expect(rows[0]).toMatchObject({ version: 'v1' });
    expect((await send('put', { title: 'x', owner: 'ada', price: null })).status).toBe(204);
    expect((await send('get')).body).toEqual({ title: 'x', owner: 'ada', price: null });
  });
});

test('an Idempotency-Key and Prefer are as ever', async () => {
  const { store } = tableOf(broken);
  const { send } = over(store, { idempotency: 'optional' });
  const headers = { 'Idempotency-Key': '"1"', Prefer: 'return=representation' };
  expect([(await send('put', sound, headers)).body, (await send('put', sound, headers)).body]).toEqual([
    sound,
    sound,
  ]);
});

describe('functions of the app decide by what they can read, and by nothing else', () => {
  const mine = (note: Note | undefined) => note?.owner === 'ada';
  const cheap = (note: Note | undefined) => note?.price === undefined;

  test.each<{ what: string; options: ResourceOptions<Note>; status: number }>([
    { what: 'may, by another member', options: { may: (_req, note) => mine(note) }, status: 204 },
    { what: 'may, which refuses', options: { may: (_req, note) => !mine(note) }, status: 403 },
    { what: 'may, by that member', options: { may: (_req, note) => cheap(note) }, status: 500 },
    {
      what: 'may, by all members',
      options: { may: (_req, note) => JSON.stringify(note) !== '' },
      status: 500,
    },
    {
      what: 'authorize, by another',
      options: { authorize: (_req, { current }) => mine(current) },
      status: 204,
    },
    { what: 'authorize, by it', options: { authorize: (_req, { current }) => cheap(current) }, status: 500 },
    {
      what: 'validate, by it',
      options: { validate: (_next, current) => (cheap(current) ? [] : undefined) },
      status: 500,
    },
    {
      what: 'entityTag, by it',
      options: { entityTag: ({ value }) => `"${value.price ?? ''}"` },
      status: 500,
    },
    {
      what: 'entityTag, by the version',
      options: { entityTag: ({ version }) => `"${version}"` },
      status: 204,
    },
  ])('$what: $status', async ({ what, options, status }) => {
    const { rows, store } = tableOf(broken);
    const { send } = over(store, options);
    const conditional = what.startsWith('entityTag') ? { 'If-Match': '"v1"' } : {};
    const put = await send('put', sound, conditional);
    expect(put.status).toBe(status);
    if (status === 500) expect(put.body).toEqual(problem);
    if (what.startsWith('validate')) return;
    const other = tableOf(broken);
    expect((await over(other.store, options).send('delete', undefined, conditional)).status).toBe(status);
    expect([rows[0]?.['price'], other.rows.length]).toEqual(status === 204 ? ['1.50', 0] : ['NaN', 1]);
    expect((await over(tableOf(broken).store, options).send('get')).status).toBe(status === 403 ? 403 : 500);
  });
});

describe('a hidden member that cannot be read', () => {
  const options = { hidden: ['/price'] };
  const { title, owner } = sound;

  test('does not keep the others from being shown', async () => {
    const { send } = over(tableOf(broken).store, options);
    expect((await send('get')).body).toEqual({ title, owner });
    expect((await send('delete')).status).toBe(204);
  });

  test.each(['put', 'patch'] as const)('%s is refused, without naming it', async (method) => {
    const { rows, store } = tableOf(broken);
    const { send } = over(store, options);
    const answer = await send(method, { title: 'x', owner });
    expect(answer.body).toMatchObject({ status: 500, code: 'unreadable-value' });
    expect(answer.text).not.toContain('price');
    expect(rows[0]).toMatchObject({ version: 'v1' });
  });
});

test.each([
  { what: 'read-only', options: { readOnly: ['/price'] } },
  { what: 'not writable', options: { writable: ['/title', '/owner'] } },
  { what: 'not writable to this request', options: { writable: () => ['/title', '/owner'] } },
])('a member that is $what is not replaced because it cannot be read', async ({ options }) => {
  const { rows, store } = tableOf(broken);
  const { send } = over(store, options);
  const { title, owner } = sound;
  for (const body of [sound, { ...sound, price: null }, { title, owner }]) {
    expect((await send('put', body)).body).toEqual(problem);
  }
  expect(rows[0]).toMatchObject({ version: 'v1', price: 'NaN' });
  expect((await send('delete')).status).toBe(204);
});

/** A store of your own: what it cannot read is missing from the value. */
function storeWithout(pointer: string, keeps?: readonly string[]) {
  const state = { version: '1', unreadable: [{ pointer, reason: new Error('cut short') }] };
  const written: Note[] = [];
  const store: ResourceStore<Note> & { delete: () => Promise<boolean> } = {
    ...(keeps === undefined ? {} : { readOnly: keeps }),
    get: () => Promise.resolve({ ...state, value: { title: 'a' } as Note }),
    replace: (_key, _expected, value) => Promise.resolve((written.push(value), { value, version: '2' })),
    delete: () => Promise.resolve(true),
  };
  return { store, written };
}

test('a read-only column that cannot be read is missing from what your functions see, and is kept', async () => {
  const row: Record<string, unknown> = { slug: 'milk', title: 'a', made: 'junk', version: 'v1' };
  const store = rowStore({
    find: () => ({ ...row }),
    update: (_where, set) => ({ ...Object.assign(row, set) }),
    returning: true,
    delete: () => 1,
    ...({ columns: { title: 'string', made: { kind: 'date?', readOnly: true } } } as const),
    ...({ key: 'slug' } as const),
  });
  const seen: unknown[] = [];
  const { send } = over(store as unknown as ResourceStore<Note>, {
    authorize: (_req, { changed, next }) => (seen.push(changed, next), true),
    validate: (next) => void seen.push(next),
  });
  expect((await send('put', { title: 'b' })).status).toBe(204);
  expect(seen).toEqual([{ title: 'b' }, ['/title'], { title: 'b' }]);
  expect(row).toMatchObject({ title: 'b', made: 'junk' });
});

describe('a store of your own with a member that cannot be read', () => {
  test.each<{
    what: string;
    options: ResourceOptions<Note>;
    keeps?: string[];
    pointer?: string;
    status: number;
  }>([
    { what: 'which clients may write', options: {}, status: 204 },
    { what: 'that is read-only', options: { readOnly: ['/price'] }, status: 500 },
    {
      what: 'in one that is read-only',
      options: { readOnly: ['/price'] },
      pointer: '/price/net',
      status: 500,
    },
    { what: 'around one that is read-only', options: { readOnly: ['/price/net'] }, status: 500 },
    { what: 'outside the writable ones', options: { writable: ['/title'] }, status: 500 },
    { what: 'around a writable one', options: { writable: ['/title', '/price/net'] }, status: 500 },
    {
      what: 'in a writable one',
      options: { writable: ['/title', '/price'] },
      pointer: '/price/net',
      status: 204,
    },
    { what: 'that the store itself keeps', options: {}, keeps: ['/price'], status: 204 },
    { what: 'that both keep', options: { readOnly: ['/price'] }, keeps: ['/price'], status: 204 },
    {
      what: 'of which the store keeps a part',
      options: { readOnly: ['/price'] },
      keeps: ['/price/net'],
      status: 500,
    },
  ])('$what: PUT is $status', async ({ options, keeps, pointer = '/price', status }) => {
    const { store, written } = storeWithout(pointer, keeps);
    const answer = await over(store, options).send('put', { title: 'b' });
    expect([answer.status, written]).toEqual([status, status === 204 ? [{ title: 'b' }] : []]);
    if (status === 500) expect(answer.body).toMatchObject({ code: 'unreadable-value', pointer });
  });

  test('of which nothing can be read: no function of the app decides by it', async () => {
    const { store, written } = storeWithout('');
    const { send } = over(store, { may: (_req, note) => note?.owner !== 'eve' });
    expect([(await send('put', sound)).status, (await send('delete')).status]).toEqual([500, 500]);
    expect(written).toEqual([]);
  });

  test('below another member: GET where it is hidden, and DELETE, ask your app as ever', async () => {
    const { store } = storeWithout('/price/net');
    const options: ResourceOptions<Note> = {
      hidden: ['/price/net'],
      may: (_req, note) => note?.title === 'a',
    };
    const { send } = over(store, options);
    expect((await send('get')).body).toEqual({ title: 'a' });
    expect((await send('delete')).status).toBe(204);
  });
});

test.each<{ what: string; options: Pick<ResourceOptions<unknown>, 'hidden' | 'readOnly' | 'writable'> }>([
  { what: 'hidden', options: { hidden: ['/facts/role'] } },
  { what: 'read-only', options: { readOnly: ['/facts/role'] } },
  { what: 'not writable', options: { writable: ['/title', '/facts/age'] } },
])('a member that is $what inside one that cannot be read is not lost by a PUT', async ({ options }) => {
  const before = { slug: 'milk', title: 'a', facts: '{"role":"admin"', version: 'v1' };
  const row: Record<string, unknown> = { ...before };
  const store = rowStore({
    find: () => ({ ...row }),
    update: (_where, set) => ({ ...Object.assign(row, set) }),
    returning: true,
    delete: () => 1,
    dialect: 'sqlite',
    ...({ columns: { title: 'string', facts: 'json' }, key: 'slug' } as const),
  });
  const { send } = over(store as unknown as ResourceStore<Note>, options);
  for (const facts of [{}, { role: 'x' }, { age: 1 }, 'x', []]) {
    expect((await send('put', { title: 'a', facts })).body).toMatchObject({ code: 'unreadable-value' });
  }
  expect(row).toEqual(before);
  expect((await send('delete')).status).toBe(204);
});

test('what is written and cannot be shown is a success without a body, and without the tag of a PUT', async () => {
  const { store } = tableOf(sound);
  const seen: unknown[] = [];
  const reason = new Error('overtaken');
  const state = { value: undefined as never, version: '2', unreadable: [{ pointer: '', reason }] };
  jest.spyOn(store, 'replace').mockResolvedValue(state satisfies Stored<Note>);
  const { send } = over(store, {
    respond: 'representation',
    onPatched: ({ after }) => void seen.push(after),
  });
  const patched = await send('patch', { title: 'x' });
  const put = await send('put', sound);
  expect([patched.status, patched.text, typeof patched.get('ETag')]).toEqual([204, '', 'string']);
  expect([put.status, put.text, put.get('ETag')]).toEqual([204, '', undefined]);
  expect(seen).toEqual([state, state]);
  expect(warned.mock.calls).toEqual([
    [expect.stringContaining('overtaken'), { code: 'PATCH_OPTIONS_UNREADABLE' }],
  ]);
});

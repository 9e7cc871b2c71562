/** The option writeOnly: members that clients can set, and never see. */
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import {
  jsonPatch,
  type InvalidMember,
  MemoryStore,
  mergePatch,
  resource,
  type ResourceOptions,
} from '../../../lib';
import { mistakesOf } from '../../support/mistakes-of';

const user = { name: 'Ann', password: 'old-hash', auth: { pin: 1234, since: 2020 } };
const writeOnly = ['/password', '/auth/pin'];
const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  put: 'application/json',
};

async function service(options: ResourceOptions<unknown> = {}, value: unknown = user) {
  const store = new MemoryStore();
  if (value !== null) await store.replace('1', null, value);
  const handlers = resource(store, [jsonPatch(), mergePatch()], {
    ...{ key: 'id', writeOnly, respond: 'representation' },
    ...options,
  });
  const app = express();
  app.get('/users/:id', handlers.get).put('/users/:id', handlers.put).patch('/users/:id', handlers.patch);
  const send = (format: keyof typeof types, document: unknown) => {
    const method = format === 'put' ? 'put' : 'patch';
    const text = JSON.stringify(document);
    return request(app)[method]('/users/1').type(types[format]).send(text);
  };
  return { app, send, stored: async () => (await store.get('1'))?.value };
}

const seen = { name: 'Ann', auth: { since: 2020 } };

describe('what is set is stored, what is not set stays, and neither is shown', () => {
  interface Row {
    readonly title: string;
    readonly format: keyof typeof types;
    readonly document: unknown;
    readonly status: number;
    readonly shown?: unknown;
    readonly after: unknown;
  }
  const unchanged = { status: 200, shown: seen, after: user };
  test.each<Row>([
    {
      title: 'another member',
      format: 'merge',
      document: { name: 'Ben' },
      status: 200,
      shown: { ...seen, name: 'Ben' },
      after: { ...user, name: 'Ben' },
    },
    {
      title: 'the member',
      format: 'merge',
      document: { password: 'new' },
      status: 200,
      shown: seen,
      after: { ...user, password: 'new' },
    },
    {
      title: 'one inside an object',
      format: 'merge',
      document: { auth: { pin: 5 } },
      status: 200,
      shown: seen,
      after: { ...user, auth: { ...user.auth, pin: 5 } },
    },
    {
      title: 'null: it stays, as it cannot be removed',
      format: 'merge',
      document: { password: null },
      ...unchanged,
    },
    { title: 'the value that is stored', format: 'merge', document: { password: 'old-hash' }, ...unchanged },
    {
      title: 'add',
      format: 'json',
      document: [{ op: 'add', path: '/password', value: 'new' }],
      status: 200,
      shown: seen,
      after: { ...user, password: 'new' },
    },
    {
      title: 'test of the right value: as if it were not there',
      format: 'json',
      document: [{ op: 'test', path: '/password', value: 'old-hash' }],
      status: 409,
      after: user,
    },
    {
      title: 'test of a wrong value: the same',
      format: 'json',
      document: [{ op: 'test', path: '/password', value: 'x' }],
      status: 409,
      after: user,
    },
    {
      title: 'remove',
      format: 'json',
      document: [{ op: 'remove', path: '/password' }],
      status: 409,
      after: user,
    },
    {
      title: 'copy to where it could be read',
      format: 'json',
      document: [{ op: 'copy', from: '/password', path: '/name' }],
      status: 409,
      after: user,
    },
    {
      title: 'the object above it, removed',
      format: 'json',
      document: [{ op: 'remove', path: '/auth' }],
      status: 422,
      after: user,
    },
    {
      title: 'the object above it, replaced by another: it stays',
      format: 'json',
      document: [{ op: 'replace', path: '/auth', value: { since: 2021 } }],
      status: 200,
      shown: { name: 'Ann', auth: { since: 2021 } },
      after: { ...user, auth: { since: 2021, pin: 1234 } },
    },
    {
      title: 'PUT without it: it stays',
      format: 'put',
      document: { name: 'Ben', auth: {} },
      status: 200,
      shown: { name: 'Ben', auth: {} },
      after: { name: 'Ben', auth: { pin: 1234 }, password: 'old-hash' },
    },
    {
      title: 'PUT with it',
      format: 'put',
      document: { name: 'Ben', auth: { pin: 1 }, password: 'new' },
      status: 200,
      shown: { name: 'Ben', auth: {} },
      after: { name: 'Ben', auth: { pin: 1 }, password: 'new' },
    },
  ])('$title', async ({ format, document, status, shown, after }) => {
    const { app, send, stored } = await service();
    const answer = await send(format, document);
    expect(answer.status).toBe(status);
    if (shown !== undefined) expect(answer.body).toEqual(shown);
    expect(answer.text).not.toMatch(/old-hash|1234/);
    expect(await stored()).toEqual(after);
    const { text } = await request(app).get('/users/1');
    expect(text).not.toMatch(/password|pin/);
  });
});

test('a resource is created with it', async () => {
  const { send, stored } = await service({ create: true }, null);
  const answer = await send('merge', { name: 'Ann', password: 'new', auth: {} });
  expect([answer.status, answer.body]).toEqual([201, { name: 'Ann', auth: {} }]);
  expect(await stored()).toEqual({ name: 'Ann', password: 'new', auth: {} });
});

test('beside writable, it can be set only if it is listed', async () => {
  const { send, stored } = await service({ writable: ['/name', '/password'] });
  expect((await send('merge', { auth: { pin: 7 } })).body).toMatchObject({ status: 422, code: 'read-only' });
  expect((await send('merge', { password: 'new' })).status).toBe(200);
  expect(await stored()).toEqual({ ...user, password: 'new' });
});

describe('validate sees it', () => {
  const hashing = z.object({
    name: z.string(),
    password: z.string().transform((password) => `hash of ${password}`),
    auth: z.object({ pin: z.number(), since: z.number().optional() }),
  });

  test.each([
    {
      title: 'what a schema makes of it is stored',
      format: 'merge',
      document: { password: 'new' },
      password: 'hash of new',
    },
    {
      title: 'what was not set is not hashed again',
      format: 'merge',
      document: { name: 'Ben' },
      password: 'old-hash',
    },
    {
      title: 'neither by a PUT without it',
      format: 'put',
      document: { name: 'Ben', auth: {} },
      password: 'old-hash',
    },
    {
      title: 'but by a PUT with it',
      format: 'put',
      document: { ...user, password: 'new' },
      password: 'hash of new',
    },
  ] as const)('$title', async ({ format, document, password }) => {
    const { send, stored } = await service({ validate: hashing as never });
    expect((await send(format, document)).status).toBe(200);
    expect(await stored()).toMatchObject({ password, auth: { pin: 1234 } });
  });

  const short: InvalidMember = { pointer: '/password', detail: 'is too short' };
  test.each([
    {
      title: 'the client learns what is wrong with what it has sent',
      document: { password: 'x' },
      errors: [short],
    },
    {
      title: 'and nothing of what is stored',
      document: { name: 'Ben' },
      errors: [{ detail: 'A member that you cannot see has an invalid value.' }],
    },
  ])('$title', async ({ document, errors }) => {
    const { send } = await service({ validate: () => [short] });
    expect((await send('merge', document)).body).toMatchObject({ status: 422, errors });
  });
});

test('mistakes: the whole value, and members that cannot be written', () => {
  const make = (options: ResourceOptions<unknown>) => () =>
    resource(new MemoryStore(), [mergePatch()], options);
  expect(mistakesOf(make({ writeOnly: [''] }))).toMatchObject([
    { code: 'option-value', option: 'writeOnly[0]' },
  ]);
  expect(mistakesOf(make({ writeOnly: ['/a/b'], hidden: ['/a'] }))).toMatchObject([
    { code: 'option-conflict', value: "'/a/b'", reason: 'is also hidden, so no request can write it' },
  ]);
  expect(make({ writeOnly: ['/a/b', '/c'], hidden: ['/a/d'] })).not.toThrow();
  expect(mistakesOf(make({ writable: ['/a'], readOnly: ['/b'] }))).toMatchObject([
    { code: 'option-conflict', option: 'writable' },
  ]);
  expect(mistakesOf(make({ writeOnly: ['/a'], readOnly: ['/a'] }))).toMatchObject([
    { code: 'option-conflict', reason: 'is also read-only, so no request can write it' },
  ]);
});

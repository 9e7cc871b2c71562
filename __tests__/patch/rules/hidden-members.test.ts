import express from 'express';
import request from 'supertest';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchParser } from '../../../lib/patch/formats/patch-parser';
import type { PatchHandlerOptions } from '../../../lib/patch/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { sampled } from '../../support/deep-scale';

/** A format of an app's own, which replaces the whole value. */
const replaceAll: PatchParser = {
  mediaType: 'application/json',
  parse: (document) => () => JSON.parse(document.toString()) as unknown,
};
const formats = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  own: 'application/json',
};

const user = { name: 'Ann', auth: { hash: 'x1', since: 2020 }, pin: 1234, tags: [{ pin: 5 }] };
const hidden = ['/pin', '/auth/hash'];

const nothing = Symbol('nothing is stored');

async function service(options: PatchHandlerOptions<unknown> = {}, value: unknown = user) {
  const store = new MemoryStore();
  if (value !== nothing) await store.replace('1', null, value);
  const app = express();
  const handler = patchHandler(store, [jsonPatch(), mergePatch({ allowRootReplacement: true }), replaceAll], {
    ...{ key: (req) => req.params.id, hidden, respond: 'representation' },
    ...options,
  });
  app.patch('/users/:id', handler);
  const patch = (format: keyof typeof formats, document: unknown) =>
    request(app).patch('/users/1').type(formats[format]).send(JSON.stringify(document));
  return { patch, stored: async () => (await store.get('1'))?.value };
}

test('a pointer that is too long for an answer is left out, RFC 6901', async () => {
  const { patch } = await service();
  const path = `/pin/${'x'.repeat(5_000)}`;
  const answer = await patch('json', [{ op: 'add', path, value: 1 }]);
  expect(answer.body).toMatchObject({ status: 422, code: 'hidden-member' });
  expect(answer.body).not.toHaveProperty('pointer');
  expect(answer.text.length).toBeLessThan(500);
});

test('what is above a hidden member, and is not there, is missing as anything else', async () => {
  const { patch, stored } = await service({ hidden: ['/keys/private/pem'] });
  const answer = await patch('json', [{ op: 'add', path: '/keys/private', value: 1 }]);
  expect(answer.body).toMatchObject({ status: 409, code: 'patch-conflict' });
  expect(await stored()).toEqual(user);
});

test('whether a hidden member exists, and what it is, is seen in no answer to a path', async () => {
  const shown = { name: 'Ann', auth: { since: 2020 }, tags: [{ pin: 5 }] };
  const states = [
    user,
    shown,
    { ...user, pin: null, auth: { hash: [1, 2], since: 2020 } },
    { ...user, pin: { a: { b: 1 } }, auth: { hash: 'x', since: 2020 } },
  ];
  const paths = [
    '/pin',
    '/pin/a',
    '/pin/a/b',
    '/pin/0',
    '/pin/-',
    '/auth/hash',
    '/auth/hash/0',
    '/auth/none/x',
    '/none',
  ];
  const operations = [
    ...paths.flatMap((path) => [
      { op: 'add', path, value: 1 },
      { op: 'replace', path, value: 1 },
      { op: 'remove', path },
      { op: 'copy', from: path, path: '/name' },
      { op: 'move', from: path, path: '/name' },
      { op: 'test', path, value: 1 },
    ]),
  ];
  const services = await Promise.all(states.map((state) => service({}, state)));
  // Fives meet each path and each of the six operations.
  for (const operation of sampled(operations, 5)) {
    const refusals = new Set<string>();
    for (const { patch } of services) {
      const answer = await patch('json', [operation, { op: 'test', path: '/name', value: 'nobody' }]);
      refusals.add(answer.text);
    }
    expect([...refusals]).toHaveLength(1);
  }
});

const unseen = { detail: 'A member that you cannot see has an invalid value.' };

interface Row {
  readonly title: string;
  readonly format: keyof typeof formats;
  readonly document: unknown;
  readonly status: number;
  readonly pointer?: string;
}

describe('hidden members', () => {
  test.each<Row>([
    {
      title: 'add at one',
      format: 'json',
      document: [{ op: 'add', path: '/pin', value: 1 }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'replace one',
      format: 'json',
      document: [{ op: 'replace', path: '/pin', value: 1 }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'remove one',
      format: 'json',
      document: [{ op: 'remove', path: '/pin' }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'write below one',
      format: 'json',
      document: [{ op: 'add', path: '/pin/a', value: 1 }],
      status: 422,
      pointer: '/pin/a',
    },
    {
      title: 'move one away',
      format: 'json',
      document: [{ op: 'move', from: '/pin', path: '/p' }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'move onto one',
      format: 'json',
      document: [{ op: 'move', from: '/name', path: '/pin' }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'copy onto one',
      format: 'json',
      document: [{ op: 'copy', from: '/name', path: '/pin' }],
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'replace an object above one',
      format: 'json',
      document: [{ op: 'replace', path: '/auth', value: { since: 1 } }],
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'add over an object above one',
      format: 'json',
      document: [{ op: 'add', path: '/auth', value: {} }],
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'remove an object above one',
      format: 'json',
      document: [{ op: 'remove', path: '/auth' }],
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'move an object above one',
      format: 'json',
      document: [{ op: 'move', from: '/auth', path: '/a' }],
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'replace the whole value',
      format: 'json',
      document: [{ op: 'replace', path: '', value: {} }],
      status: 422,
      pointer: '',
    },
    {
      title: 'copy one: it is not there',
      format: 'json',
      document: [{ op: 'copy', from: '/pin', path: '/p' }],
      status: 409,
      pointer: '/pin',
    },
    {
      title: 'test one: it is not there',
      format: 'json',
      document: [{ op: 'test', path: '/pin', value: 1234 }],
      status: 409,
      pointer: '/pin',
    },
    {
      title: 'test an object above one as it is shown',
      format: 'json',
      document: [{ op: 'test', path: '/auth', value: { since: 2020 } }],
      status: 200,
    },
    {
      title: 'copy an object above one: without it',
      format: 'json',
      document: [{ op: 'copy', from: '/auth', path: '/a' }],
      status: 200,
    },
    {
      title: 'the same name within an array is not hidden',
      format: 'json',
      document: [{ op: 'replace', path: '/tags/0/pin', value: 6 }],
      status: 200,
    },
    {
      title: 'beside one',
      format: 'json',
      document: [{ op: 'replace', path: '/auth/since', value: 2021 }],
      status: 200,
    },
    { title: 'a member at one', format: 'merge', document: { pin: 1 }, status: 422, pointer: '/pin' },
    { title: 'null at one', format: 'merge', document: { pin: null }, status: 422, pointer: '/pin' },
    {
      title: 'an empty object at one',
      format: 'merge',
      document: { auth: { hash: {} } },
      status: 422,
      pointer: '/auth/hash',
    },
    {
      title: 'null over an object above one',
      format: 'merge',
      document: { auth: null },
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'a list over an object above one',
      format: 'merge',
      document: { auth: [] },
      status: 422,
      pointer: '/auth',
    },
    { title: 'a text over the whole value', format: 'merge', document: 'gone', status: 422, pointer: '' },
    { title: 'into an object above one', format: 'merge', document: { auth: { since: 1 } }, status: 200 },
    {
      title: 'a format of your own that writes one',
      format: 'own',
      document: { auth: {}, pin: 1 },
      status: 422,
      pointer: '/pin',
    },
    {
      title: 'a format of your own that removes an object above one',
      format: 'own',
      document: {},
      status: 422,
      pointer: '/auth',
    },
    {
      title: 'a format of your own that leaves them out',
      format: 'own',
      document: { auth: { a: 1 } },
      status: 200,
    },
  ])('$format, $title: $status', async ({ format, document, status, pointer }) => {
    const { patch, stored } = await service();
    const { body, ...answer } = (await patch(format, document)) as {
      status: number;
      body: { code?: string; pointer?: string };
    };
    expect(answer.status).toBe(status);
    expect(body.pointer).toBe(pointer);
    if (status === 422) expect(body.code).toBe('hidden-member');
    if (status !== 200) expect(await stored()).toEqual(user);
    else expect(await stored()).toMatchObject({ pin: 1234, auth: { hash: 'x1' } });
    expect(JSON.stringify(body)).not.toMatch(/1234|x1/);
  });

  test('are neither in the representation nor given to represent', async () => {
    const represent = jest.fn((value: unknown) => value);
    const { patch } = await service({ represent });
    const shown = { name: 'Bo', auth: { since: 2020 }, tags: [{ pin: 5 }] };
    expect((await patch('merge', { name: 'Bo' })).body).toEqual(shown);
    expect(represent.mock.calls[0]?.[0]).toEqual(shown);
  });

  test('leave the others in the order of the request, and come after them', async () => {
    const { patch, stored } = await service();
    await patch('merge', { name: 'Bo', auth: { since: 1 } }).expect(200);
    expect(JSON.stringify(await stored())).toBe(
      '{"name":"Bo","auth":{"since":1,"hash":"x1"},"tags":[{"pin":5}],"pin":1234}',
    );
  });

  test('that are absent stay absent, and an object above one may be made', async () => {
    const { patch, stored } = await service({}, { name: 'Ann' });
    await patch('json', [{ op: 'add', path: '/auth', value: { since: 1 } }]).expect(200);
    await patch('merge', { name: 'Bo' }).expect(200);
    expect(await stored()).toEqual({ name: 'Bo', auth: { since: 1 } });
    await patch('merge', { auth: { hash: 'mine' } }).expect(422);
  });

  test('that creation starts from are kept', async () => {
    const { patch, stored } = await service({ create: () => Promise.resolve({ pin: 1, name: '' }) }, nothing);
    await patch('merge', { name: 'Bo' }).expect(201);
    expect(await stored()).toEqual({ pin: 1, name: 'Bo' });
  });

  test('are not what a schema makes of them', async () => {
    const schema = {
      '~standard': {
        ...{ version: 1 as const, vendor: 'test' },
        validate: (value: unknown) => ({
          value: { name: String(Reflect.get(Object(value) as object, 'name')), auth: {}, pin: 'forged' },
        }),
      },
    };
    const { patch, stored } = await service({ validate: schema });
    await patch('merge', { name: 'Bo' }).expect(200);
    expect(await stored()).toEqual({ ...user, name: 'Bo' });
  });

  test('validate and authorize see them; a problem document does not name them', async () => {
    const validate = jest.fn((next: unknown) => [
      { detail: `${JSON.stringify(next)} is wrong`, pointer: '/auth/hash' },
      { detail: 'Too short', pointer: '/name' },
    ]);
    const { patch } = await service({ validate });
    const { body } = (await patch('merge', { name: '' })) as { body: { errors: unknown } };
    expect(validate.mock.calls[0]?.[0]).toMatchObject({ pin: 1234 });
    expect(body.errors).toEqual([{ detail: 'Too short', pointer: '/name' }, unseen]);
    expect(JSON.stringify(body)).not.toMatch(/1234|x1/);
  });

  const hiddenErrors = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ detail: `${index} of 1234`, pointer: `/pin/${index}` }));
  const asIssues = (errors: readonly { detail: string; pointer: string }[]) => ({
    '~standard': {
      ...{ version: 1 as const, vendor: 'test' },
      validate: () => ({
        issues: errors.map(({ detail, pointer }) => ({
          message: detail,
          path: pointer.split('/').slice(1),
        })),
      }),
    },
  });

  test.each([
    { visible: 0, shown: 0 },
    { visible: 1, shown: 1 },
    { visible: 19, shown: 19 },
    { visible: 20, shown: 20 },
    { visible: 21, shown: 20 },
    { visible: 1_000, shown: 20 },
  ])('$visible errors of others: their number and their places are not told', async ({ visible, shown }) => {
    const others = Array.from({ length: visible }, (_, i) => ({ detail: 'Wrong', pointer: `/tags/${i}` }));
    const half = Math.floor(visible / 2);
    const lists = [1, 2, 20, 500].flatMap((count) => [
      [...hiddenErrors(count), ...others],
      [...others.slice(0, half), ...hiddenErrors(count), ...others.slice(half)],
      [...others, ...hiddenErrors(count)],
      [...hiddenErrors(count), ...others, ...hiddenErrors(1)],
    ]);
    const answers = new Set<string>();
    for (const list of lists) {
      for (const validate of [() => list, asIssues(list)]) {
        const { patch } = await service({ validate });
        answers.add((await patch('merge', { name: '' })).text);
      }
    }
    expect(answers.size).toBe(1);
    const [text = ''] = answers;
    const { errors, ...rest } = JSON.parse(text) as { errors: unknown };
    expect(errors).toEqual([...others.slice(0, shown), ...(shown < 20 ? [unseen] : [])]);
    expect(rest).not.toHaveProperty('total');
  });
});

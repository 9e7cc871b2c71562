/** `conflict: 'representation'`: the answer to a write that came too late has the state that it came too late for. */
import express from 'express';
import request from 'supertest';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { resource } from '../../lib/patch/resource/resource';
import type { ResourceOptions } from '../../lib/patch/resource/resource-options';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { ResourceStore } from '../../lib/stores/contract/resource-store';
import { describePatches, PRESENT, resource as thing } from '../support/patch-table';

const shown = { conflict: 'representation' } as const;
const old = { 'If-Match': '"old"' };

describePatches(
  "conflict: 'representation'",
  {
    'PATCH with an old If-Match: 412 with the state and its tag': {
      headers: old,
      options: shown,
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed', current: thing },
    },
    'PUT with an old If-Match': {
      method: 'PUT',
      headers: old,
      options: shown,
      status: 412,
      answers: { ETag: PRESENT },
      content: { current: thing },
    },
    'DELETE with an old If-Match': {
      method: 'DELETE',
      headers: old,
      options: shown,
      status: 412,
      answers: { ETag: PRESENT },
      content: { current: thing },
    },
    'If-None-Match: *, of a client that wanted to create': {
      method: 'PUT',
      headers: { 'If-None-Match': '*' },
      options: { ...shown, create: true },
      status: 412,
      answers: { ETag: PRESENT },
      content: { current: thing },
    },
    'If-Unmodified-Since': {
      headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      options: shown,
      status: 412,
      content: { current: thing },
    },
    'as represent shows it, without hidden members': {
      headers: old,
      options: {
        ...shown,
        hidden: ['/id', '/size/unit'],
        represent: (value) => ({ shown: (value as typeof thing).size, keys: Object.keys(Object(value)) }),
      },
      status: 412,
      content: { current: { shown: { width: 3 }, keys: ['title', 'tags', 'size', 'none'] } },
    },
    'a value that is no object': {
      headers: old,
      stored: [1, null],
      options: shown,
      status: 412,
      content: { current: [1, null] },
    },
  },
  () => new MemoryStore(),
);

const whole = (code: string, status: number) => ({
  ...{ status, code, title: expect.any(String) as unknown, detail: expect.any(String) as unknown },
});

/** An app with one note, over a store of which a method can be replaced. */
async function notes(
  options: ResourceOptions<unknown>,
  broken: (store: MemoryStore<unknown>) => Partial<ResourceStore> = () => ({}),
) {
  const store = new MemoryStore<unknown>();
  await store.replace('1', null, { title: 'a' });
  const app = express();
  const key: ResourceOptions<unknown>['key'] = (req) => req.params.id;
  const note = resource(Object.assign(store, broken(store)), [jsonPatch(), mergePatch()], {
    key,
    ...options,
  });
  app.get('/notes/:id', note.get);
  app.put('/notes/:id', note.put);
  app.patch('/notes/:id', note.patch);
  app.delete('/notes/:id', note.delete);
  const send = (method: 'get' | 'put' | 'patch' | 'delete', headers: Record<string, string> = {}) => {
    const sending = request(app)[method]('/notes/1').set(headers);
    if (method === 'patch') void sending.type('application/merge-patch+json');
    if (method === 'put') void sending.type('application/json');
    return method === 'get' || method === 'delete' ? sending : sending.send('{"title":"b"}');
  };
  return { store, send };
}

test('the detail of a refusal advises a GET only where it does not show the current state', async () => {
  const details = [];
  for (const options of [{}, { conflict: 'representation' }] as const) {
    const { send } = await notes(options);
    details.push(((await send('patch', { 'If-Match': '"old"' })).body as { detail: string }).detail);
  }
  expect(details).toEqual([
    expect.stringContaining('GET it again, reapply the change, and send that.'),
    'If-Match failed: the resource has changed since it was read. ' +
      'Reapply the change to the member current, and send that with the ETag of this response.',
  ]);
});

describe('a plain answer stays plain', () => {
  test.each<{ title: string; options: ResourceOptions<unknown>; headers?: Record<string, string> }>([
    { title: 'without the option', options: {} },
    { title: "with 'minimal'", options: { conflict: 'minimal' } },
    { title: 'where the state exceeds limits.result', options: { ...shown, limits: { result: 12 } } },
  ])('$title: 412', async ({ options }) => {
    const { send } = await notes(options);
    const answer = await send('patch', old);
    expect(answer.body).toEqual(whole('precondition-failed', 412));
    expect(answer.get('ETag')).toBe((await send('get')).get('ETag'));
  });

  test('at limits.result the state is shown', async () => {
    const { send } = await notes({ ...shown, limits: { result: 13 } });
    expect((await send('patch', old)).body).toMatchObject({ current: { title: 'a' } });
  });

  test('a 428 shows nothing: the client has not said what it knows', async () => {
    const { send } = await notes({ ...shown, precondition: 'required' });
    expect((await send('patch')).body).toEqual(whole('precondition-required', 428));
  });

  test("GET's own 412", async () => {
    const { send } = await notes(shown);
    expect((await send('get', old)).body).toEqual(whole('precondition-failed', 412));
  });

  test('a creation that If-Match refuses has nothing to show', async () => {
    const { send, store } = await notes({ ...shown, create: true });
    await store.delete('1');
    expect((await send('put', { 'If-Match': '*' })).body).toEqual(whole('precondition-failed', 412));
  });

  test('represent throws: a 412 all the same, and a warning', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const represent = () => {
      throw new Error('out of order');
    };
    const { send } = await notes({ ...shown, represent });
    expect((await send('patch', old)).body).toEqual(whole('precondition-failed', 412));
    expect(warnings.mock.calls).toEqual([
      [
        'A refusal has no member current: the option represent, or entityTag, failed with Error. Further failures are not reported.',
        { code: 'PATCH_OPTIONS_REPRESENT' },
      ],
    ]);
    warnings.mockRestore();
  });
});

test('may decides before, so whoever may not write does not see the state', async () => {
  const { send } = await notes({ ...shown, may: () => false });
  for (const method of ['put', 'patch', 'delete'] as const) {
    const answer = await send(method, old);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([
      403,
      ['status', 'title', 'detail', 'code'],
    ]);
  }
});

describe('a race that was lost to the end', () => {
  /** Somebody else writes first, each time. */
  const lose = (store: MemoryStore<unknown>): Partial<ResourceStore> => {
    const write = store.replace.bind(store);
    return {
      replace: async (key, expected = null) => {
        await write(key, expected, { title: 'a' });
        return undefined;
      },
      delete: async (key, expected) => {
        await write(key, expected ?? null, { title: 'a' });
        return false;
      },
    };
  };

  test.each(['put', 'patch', 'delete'] as const)('%s: 409 with the state and its tag', async (method) => {
    const { send } = await notes(shown, lose);
    const answer = await send(method);
    expect(answer.body).toEqual({ ...whole('lost-race', 409), current: { title: 'a' } });
    expect(answer.get('ETag')).toBe((await send('get')).get('ETag'));
    expect(answer.get('Retry-After')).toBe('1');
  });

  test('the state of then is read, and may is asked on it', async () => {
    let reads = 0;
    const get = () => Promise.resolve({ value: { read: ++reads }, version: String(reads) });
    const asked: unknown[] = [];
    // Asked for the first attempt, for each of the 15 retries, and for the answer.
    const options = { ...shown, may: (_req: unknown, current: unknown) => asked.push(current) < 17 };
    const { send } = await notes(options, (store) => ({ ...lose(store), get }));
    const answer = await send('patch');
    expect([answer.status, answer.get('ETag')]).toEqual([403, undefined]);
    expect(answer.body).toEqual(whole('forbidden', 403));
    expect(asked).toEqual(Array.from({ length: 17 }, (_, index) => ({ read: index + 1 })));
  });

  test('a write that the database drops without an error was not overtaken: 500', async () => {
    const { send } = await notes(shown, () => ({ replace: () => Promise.resolve(undefined) }));
    expect((await send('patch')).status).toBe(500);
  });

  test('what was deleted meanwhile cannot be shown', async () => {
    let reads = 0;
    const get = () => Promise.resolve(++reads > 16 ? undefined : { value: {}, version: '1' });
    const { send } = await notes(shown, (store) => ({ ...lose(store), get }));
    expect((await send('patch')).body).toEqual(whole('lost-race', 409));
  });
});

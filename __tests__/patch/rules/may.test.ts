import { createServer } from 'node:http';
import express from 'express';
import request from 'supertest';
import { jsonPatch } from '../../../lib/patch/formats/json-patch';
import { mergePatch } from '../../../lib/patch/formats/merge-patch';
import type { PatchHandlerOptions } from '../../../lib/patch/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { resource } from '../../../lib/patch/resource/resource';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { HeldStore } from '../../support/held-store';
import { listen } from '../../support/serving';

interface Note {
  readonly owner: string;
  readonly text?: string;
}

async function notes(options: PatchHandlerOptions<Note>) {
  const store = new MemoryStore<Note>();
  await store.replace('1', null, { owner: 'ann' });
  const app = express();
  const key: PatchHandlerOptions<Note>['key'] = (req) => req.params.id;
  app.patch('/notes/:id', patchHandler(store, [jsonPatch(), mergePatch()], { key, ...options }));
  const patch = (id: string, headers: Record<string, string> = {}, body = '{"text":"hi"}') =>
    request(app)
      .patch(`/notes/${id}`)
      .set({ 'Content-Type': 'application/merge-patch+json', ...headers })
      .send(body);
  return { patch, store };
}

const onlyOwner: PatchHandlerOptions<Note> = {
  may: (req, current) => current?.owner === req.get('X-User'),
  idempotency: 'optional',
};

describe('may', () => {
  test.each<{
    readonly title: string;
    readonly id?: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }>([
    { title: 'a patch that would be made' },
    { title: 'a target that is absent', id: '2' },
    { title: 'a precondition that is false', headers: { 'If-Match': '"old"' } },
    { title: 'a document that is malformed', body: '{' },
    {
      title: 'a document that does not fit',
      headers: { 'Content-Type': 'application/json-patch+json' },
      body: '[{"op":"remove","path":"/x"}]',
    },
    { title: 'a precondition that is malformed', headers: { 'If-Match': 'old' } },
  ])('says no to $title: the same 403', async ({ id = '1', headers = {}, body }) => {
    const { patch, store } = await notes(onlyOwner);
    const answer = await patch(id, { 'X-User': 'eve', ...headers }, body);
    expect([answer.status, answer.get('ETag'), answer.text]).toEqual([
      403,
      undefined,
      '{"status":403,"title":"Forbidden","detail":"You are not allowed to PATCH this resource. Ask for permission.","code":"forbidden"}',
    ]);
    expect((await store.get('1'))?.value).toEqual({ owner: 'ann' });
  });

  test('says no to a repeat, too, though its outcome is kept', async () => {
    const { patch } = await notes(onlyOwner);
    const headers = { 'Idempotency-Key': '"k1"' };
    await patch('1', { ...headers, 'X-User': 'ann' }).expect(204);
    await patch('1', { ...headers, 'X-User': 'eve' }).expect(403);
    await patch('1', { ...headers, 'X-User': 'ann' }).expect(204);
  });

  test('is asked again of the state that a lost race has left', async () => {
    const asked: unknown[] = [];
    const { patch, store } = await notes({
      may: (_req, current) => {
        asked.push(current?.owner);
        return current?.owner === 'ann';
      },
    });
    const replace = store.replace.bind(store);
    store.replace = async (...args) => {
      store.replace = replace;
      await replace('1', args[1], { owner: 'bo' });
      return replace(...args);
    };
    await patch('1').expect(403);
    expect(asked).toEqual(['ann', 'bo']);
  });

  test('is told that nothing is there, and may let PATCH create it', async () => {
    const may = jest.fn(() => Promise.resolve(true));
    const { patch } = await notes({ may, create: () => ({ owner: 'bo' }) });
    await patch('2').expect(201);
    expect(may).toHaveBeenCalledWith(expect.anything(), undefined);
  });

  test('that fails is a fault of the app: 500, and nothing is written', async () => {
    const { patch, store } = await notes({ may: () => Promise.reject(new Error('no directory')) });
    expect((await patch('1')).status).toBe(500);
    expect((await store.get('1'))?.value).toEqual({ owner: 'ann' });
  });
});

describe('a client that may not waits for nobody, and nobody for it', () => {
  const asked: string[] = [];
  const only: NonNullable<PatchHandlerOptions<unknown>['may']> = (req) => {
    asked.push(req.get('X-User') ?? '');
    return req.get('X-User') !== 'eve';
  };

  async function held() {
    asked.length = 0;
    const store = new HeldStore();
    await store.replace('1', null, { text: 'old' });
    const note = resource(store, [mergePatch()], {
      key: (req) => String(req.params['id']),
      may: only,
      idempotency: 'optional',
    });
    const app = express();
    app.route('/notes/:id').patch(note.patch).put(note.put).delete(note.delete);
    const send = async (method: string, user: string, headers: Record<string, string> = {}) => {
      const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
      const body = method === 'DELETE' ? {} : { body: JSON.stringify({ text: `${method} of ${user}` }) };
      const all = { 'Content-Type': type, 'X-User': user, ...headers };
      const answer = await fetch(`http://127.0.0.1:${port}/notes/1`, { method, headers: all, ...body });
      const { code } = JSON.parse((await answer.text()) || '{}') as { code?: string };
      return [answer.status, code];
    };
    const server = createServer(app);
    const port = await listen(server);
    store.calls();
    return { store, send, close: () => server.close() };
  }

  test.each(['PATCH', 'PUT', 'DELETE'])('%s, while a write is under way', async (method) => {
    const { store, send, close } = await held();
    store.hold()();
    const release = store.hold();
    const first = send('PATCH', 'ann');
    while (!store.calls().includes('replace')) await new Promise(setImmediate);
    const refused = await Promise.all(Array.from({ length: 50 }, () => send(method, 'eve')));
    expect(new Set(refused.map(String))).toEqual(new Set(['403,forbidden']));
    const second = send('PATCH', 'bob');
    while (asked.filter((user) => user === 'bob').length === 0) await new Promise(setImmediate);
    release();
    expect(await Promise.all([first, second])).toEqual([
      [204, undefined],
      [204, undefined],
    ]);
    // One that had to wait is asked again on the state of its turn, the others once.
    const countOf = (name: string) => asked.filter((user) => user === name).length;
    expect([countOf('ann'), countOf('bob'), countOf('eve')]).toEqual([1, 2, 50]);
    close();
  });

  test('while may of another client takes its time', async () => {
    const store = new HeldStore();
    await store.replace('1', null, { text: 'old' });
    let answer: (allowed: boolean) => void = () => undefined;
    const isAllowed = new Promise<boolean>((resolve) => (answer = resolve));
    const app = express();
    const may = (req: { get(name: string): string | undefined }) => req.get('X-User') !== 'eve' || isAllowed;
    app.patch('/notes/:id', patchHandler(store, [mergePatch()], { key: 'id', may }));
    const type = { 'Content-Type': 'application/merge-patch+json' };
    const slow = request(app)
      .patch('/notes/1')
      .set({ ...type, 'X-User': 'eve' })
      .send('{}')
      .then(({ status }) => status);
    while (store.calls().length === 0) await new Promise(setImmediate);
    await request(app)
      .patch('/notes/1')
      .set({ ...type, 'X-User': 'ann' })
      .send('{"text":"new"}')
      .expect(204);
    answer(false);
    expect(await slow).toBe(403);
  });

  test.each(['PATCH', 'PUT', 'DELETE'])('%s alone is asked once, on one read', async (method) => {
    const { store, send, close } = await held();
    expect((await send(method, 'ann'))[0]).toBe(204);
    expect([asked, store.calls().filter((call) => call === 'get')]).toEqual([['ann'], ['get']]);
    close();
  });

  test('the same Idempotency-Key, sent by somebody who may not: 403, not 409', async () => {
    const { store, send, close } = await held();
    const release = store.hold();
    const headers = { 'Idempotency-Key': '"1"' };
    const first = send('PATCH', 'ann', headers);
    while (store.calls().length === 0) await new Promise(setImmediate);
    expect(await send('PATCH', 'eve', headers)).toEqual([403, 'forbidden']);
    release();
    expect((await first)[0]).toBe(204);
    close();
  });
});

describe.each([
  { option: 'may', options: { may: () => undefined as never } },
  { option: 'authorize', options: { authorize: () => null as never } },
])('$option that does not return a boolean', ({ option, options }) => {
  test('refuses, and is told once', async () => {
    const warning = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { patch } = await notes(options);
    for (let times = 0; times < 3; times++) await patch('1').expect(403);
    expect(warning.mock.calls).toEqual([
      [
        `The option ${option} of patchHandler() returned ${option === 'may' ? 'undefined' : 'null'}, ` +
          'so the request was refused. Return true or false.',
        { code: 'PATCH_OPTIONS_DECISION' },
      ],
    ]);
    warning.mockRestore();
  });
});

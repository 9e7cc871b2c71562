import express from 'express';
import request from 'supertest';
import { jsonPatch } from '../../../lib/formats/json-patch';
import { mergePatch } from '../../../lib/formats/merge-patch';
import type { PatchHandlerOptions } from '../../../lib/patch/options/handler-options';
import { patchHandler } from '../../../lib/patch/patch-handler';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';

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
      '{"status":403,"title":"Forbidden","detail":"You are not allowed to PATCH this resource. Ask its owner for access.","code":"forbidden"}',
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

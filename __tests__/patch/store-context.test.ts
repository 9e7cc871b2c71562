/** Each call of a store is told for which request it is made, and a store that wraps another hands it on. */
import express from 'express';
import request from 'supertest';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { resource } from '../../lib/patch/resource/resource';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { StoreContext } from '../../lib/stores/contract/resource-store';

class Recording extends MemoryStore {
  readonly calls: string[] = [];

  #record(method: string, context?: StoreContext): void {
    this.calls.push(`${method} ${context?.request?.method} ${context?.request?.get('X-User')}`);
  }

  override get(...[key, context]: Parameters<MemoryStore['get']>) {
    this.#record('get', context);
    return super.get(key, { ...context });
  }

  override replace(...[key, expected, next, context]: Parameters<MemoryStore['replace']>) {
    this.#record('replace', context);
    return super.replace(key, expected, next, { ...context });
  }

  override delete(...[key, expected, context]: Parameters<MemoryStore['delete']>) {
    this.#record('delete', context);
    return super.delete(key, expected, { ...context });
  }
}

test('get, replace and delete', async () => {
  const store = new Recording();
  const note = resource(store, [mergePatch()], { key: (req) => req.params.id, create: true });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const server = request(app);
  await server.put('/notes/1').set('X-User', 'ann').send({ title: 'a' }).expect(201);
  await server.get('/notes/1').set('X-User', 'bob').expect(200);
  const type = 'application/merge-patch+json';
  await server.patch('/notes/1').set('X-User', 'eve').type(type).send('{"title":"b"}').expect(204);
  await server.delete('/notes/1').set('X-User', 'dan').expect(204);
  expect(store.calls).toEqual([
    ...['get PUT ann', 'replace PUT ann'],
    'get GET bob',
    ...['get PATCH eve', 'replace PATCH eve'],
    ...['get DELETE dan', 'delete DELETE dan'],
  ]);
});

test('a deletion that was aborted before is not made', async () => {
  const store = new MemoryStore();
  await store.replace('1', null, 1);
  const reason = new Error('the client disconnected');
  const context = { signal: AbortSignal.abort(reason) };
  await expect(store.delete('1', undefined, context)).rejects.toBe(reason);
  expect((await store.get('1'))?.value).toBe(1);
});

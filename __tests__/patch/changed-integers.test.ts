/** An integer that JavaScript would change is refused, over a real socket, and what GET sends can be sent back. */
import express from 'express';
import request from 'supertest';
import { jsonPatch, MemoryStore, mergePatch, resource } from '../../lib';

const [json, merge] = ['application/json-patch+json', 'application/merge-patch+json'];

async function open() {
  const store = new MemoryStore();
  await store.replace('a', null, { id: 9007199254740992, big: 2 ** 64 });
  const note = resource(store, [jsonPatch(), mergePatch()], { key: () => 'a' });
  const app = express();
  app.route('/').get(note.get).put(note.put).patch(note.patch);
  return app;
}

test.each([
  {
    what: 'a test operation, which would pass',
    method: 'patch' as const,
    type: json,
    body: '[{"op":"test","path":"/id","value":9007199254740993},{"op":"remove","path":"/id"}]',
    pointer: '/0/value',
  },
  {
    what: 'a merge patch',
    method: 'patch' as const,
    type: merge,
    body: '{"id":12345678901234567890}',
    pointer: '/id',
  },
  {
    what: 'a PUT',
    method: 'put' as const,
    type: 'application/json',
    body: '{"a":[-9007199254740993]}',
    pointer: '/a/0',
  },
])('$what gets 400 with the pointer, and nothing is written', async ({ method, type, body, pointer }) => {
  const app = await open();
  const before = await request(app).get('/');
  const refused = await request(app)[method]('/').set('Content-Type', type).send(body);
  expect([refused.status, (refused.body as { pointer?: unknown }).pointer]).toEqual([400, pointer]);
  expect((await request(app).get('/')).headers['etag']).toBe(before.headers['etag']);
});

test('what GET sends can be sent back, and a test of the integer itself passes', async () => {
  const app = await open();
  const { text } = await request(app).get('/');
  expect(text).toContain('18446744073709552000');
  expect((await request(app).put('/').set('Content-Type', 'application/json').send(text)).status).toBe(204);
  const tested = '[{"op":"test","path":"/id","value":9007199254740992}]';
  expect((await request(app).patch('/').set('Content-Type', json).send(tested)).status).toBe(204);
  expect((await request(app).get('/')).text).toBe(text);
});

/** The table of "When both changes are kept" in docs/patch.md: Ada and Ben read one record, and both save a change. */
import express from 'express';
import request from 'supertest';
import { MemoryStore, mergePatch, resource } from '../../lib';
import { createMergePatch } from '../../lib/json';
import { resourceClient } from '../../lib/client';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { serving } from '../support/serving';

const loaded = { name: 'Ann', voice: 'alto' };
const adas = { ...loaded, name: 'Anna' };
const bens = { different: { ...loaded, voice: 'tenor' }, same: { ...loaded, name: 'Anne' } };

function app() {
  const members = new MemoryStore({ '1': loaded });
  const { get, patch } = resource(members, [mergePatch({ json: true }), jsonPatch()], { key: 'id' });
  const service = express();
  service.route('/:id').get(get).patch(patch);
  return service;
}

test.each([
  {
    what: 'only what it has changed',
    send: (edited: object) => createMergePatch(loaded, edited),
    different: { status: 204, stored: { name: 'Anna', voice: 'tenor' } },
    same: { status: 204, stored: { name: 'Anne', voice: 'alto' } },
  },
  {
    what: 'If-Match',
    send: (edited: object) => edited,
    hasTag: true,
    different: { status: 412, stored: adas },
    same: { status: 412, stored: adas },
  },
  {
    what: 'the whole record, without If-Match',
    send: (edited: object) => edited,
    different: { status: 204, stored: { name: 'Ann', voice: 'tenor' } },
    same: { status: 204, stored: { name: 'Anne', voice: 'alto' } },
  },
])('each sends $what', async ({ send, hasTag = false, ...rows }) => {
  for (const members of ['different', 'same'] as const) {
    const service = app();
    const tag = (await request(service).get('/1')).get('ETag') ?? '';
    const save = (edited: object) => {
      const patching = request(service)
        .patch('/1')
        .send(send(edited) as object);
      return hasTag ? patching.set('If-Match', tag) : patching;
    };
    expect((await save(adas)).status).toBe(204);
    const { status } = await save(bens[members]);
    expect({ status, stored: (await request(service).get('/1')).body as unknown }).toEqual(rows[members]);
  }
});

test('the client merges after the 412, or asks', async () => {
  await serving(app(), async (_server, port) => {
    const [ada, ben] = [1, 2].map(() => resourceClient(`http://127.0.0.1:${port}`));
    const { value: base } = (await ben?.get('/1')) ?? {};
    await ada?.save('/1', base, adas);
    expect((await ben?.save('/1', base, bens.different))?.value).toEqual({ name: 'Anna', voice: 'tenor' });
    await expect(ben?.save('/1', base, bens.same)).rejects.toMatchObject({ paths: ['/name'] });
  });
});

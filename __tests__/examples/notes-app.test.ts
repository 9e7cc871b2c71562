import supertest from 'supertest';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { Note } from '../../examples/note';
import { notesApp } from '../../examples/notes-app';

function client() {
  const notes = new MemoryStore<Note>();
  const list = (): Note[] => [...notes.entries()].map(([, { value }]) => value);
  return supertest(notesApp({ notes, list, origin: 'https://app.example' }));
}

async function withNote() {
  const api = client();
  const created = await api.post('/notes').send({ title: 'Buy milk' }).expect(201);
  return { api, path: created.get('Location') ?? '', tag: created.get('ETag') ?? '' };
}

describe('The notes API', () => {
  test('POST creates: 201, Location, ETag and the note', async () => {
    const { api, path, tag } = await withNote();
    const note = await api.get(path).expect(200).expect('ETag', tag);
    expect(note.body).toEqual({ id: path.split('/').at(-1), title: 'Buy milk' });
    expect((await api.get('/notes')).body).toEqual([note.body]);
  });

  test.each([
    { body: {} },
    { body: { title: '' } },
    { body: { title: 'x', tags: 'y' } },
    { body: { title: 'x', colour: 'red' } },
    { body: [1] },
    { body: { title: 1 } },
  ])('POST $body is no note: 422', async ({ body }) => {
    await client().post('/notes').send(body).expect(422);
  });

  test('what is no member of a note is named by a JSON Pointer', async () => {
    const errors = [{ detail: 'A note has no such member.', pointer: '/a~1b~0c~01' }];
    await client().post('/notes').send({ title: 'x', 'a/b~c~1': 1 }).expect(422, { errors });
  });

  test('POST that is no JSON: 400', async () => {
    await client().post('/notes').type('json').send('{').expect(400);
  });

  test('GET with If-None-Match: 304', async () => {
    const { api, path, tag } = await withNote();
    await api.get(path).set('If-None-Match', tag).expect(304);
  });

  test('PUT replaces under If-Match, and refuses a stale one with the present ETag', async () => {
    const { api, path, tag } = await withNote();
    const put = await api.put(path).set('If-Match', tag).send({ title: 'Buy bread' }).expect(204);
    await api
      .put(path)
      .set('If-Match', tag)
      .send({ title: 'x' })
      .expect(412)
      .expect('ETag', (await api.get(path)).get('ETag') ?? '');
    expect(put.get('ETag')).toBeUndefined(); // GET shows the id, too
    await api.put('/notes/new').set('If-None-Match', '*').send({ title: 'x' }).expect(201);
  });

  test('PATCH follows PUT’s tag, and PUT follows PATCH’s', async () => {
    const { api, path, tag } = await withNote();
    const patch = await api
      .patch(path)
      .type('application/merge-patch+json')
      .set('If-Match', tag)
      .send('{"tags":["home"]}')
      .expect(204);
    await api
      .put(path)
      .set('If-Match', patch.get('ETag') ?? '')
      .send({ title: 'Buy bread' })
      .expect(204);
  });

  test('PATCH cannot make what is no note, nor change the id: 422', async () => {
    const { api, path } = await withNote();
    for (const body of ['{"title":null}', '{"id":"x"}', '{"colour":"red"}', '[]', 'null']) {
      await api.patch(path).type('application/merge-patch+json').send(body).expect(422);
    }
    expect((await api.get(path)).body).toMatchObject({ title: 'Buy milk' });
  });

  test('PUT cannot make what is no note, nor another id: 422', async () => {
    const { api, path } = await withNote();
    for (const body of [{}, { title: 'x', id: 'x' }, { title: 'x', colour: 'red' }, [], null]) {
      await api.put(path).type('json').send(JSON.stringify(body)).expect(422);
    }
    expect((await api.get(path)).body).toMatchObject({ title: 'Buy milk' });
  });

  test('PUT at a key that no store holds: 404, and the server lives on', async () => {
    const api = client();
    await api.put('/notes/%00').send({ title: 'x' }).expect(404);
    await api.get('/notes').expect(200);
  });

  test('DELETE under If-Match: 204, then 404', async () => {
    const { api, path, tag } = await withNote();
    await api.delete(path).set('If-Match', '"x"').expect(412);
    await api.delete(path).set('If-Match', tag).expect(204);
    await api.delete(path).expect(404);
    await api.get(path).expect(404);
  });

  test('a method without a route: 405 with Allow', async () => {
    await client().put('/notes').expect(405).expect('Allow', 'GET, HEAD, OPTIONS, POST');
  });
});

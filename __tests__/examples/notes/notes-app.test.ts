import supertest from 'supertest';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import { resourceClient } from '../../../lib/client';
import { serving } from '../../support/serving';
import type { Note } from '../../../examples/notes/note';
import { notesApp } from '../../../examples/notes/notes-app';

function client(page?: string) {
  const notes = new MemoryStore<Note>();
  const list = (): Note[] => [...notes.entries()].map(([, { value }]) => value);
  return supertest(notesApp({ notes, list, origin: 'https://app.example', page: () => page }));
}

async function withNote() {
  const api = client();
  const created = await api.post('/notes').send({ title: 'Buy milk' }).expect(201);
  return { api, path: created.get('Location') ?? '', tag: created.get('ETag') ?? '' };
}

describe('GET / says what this is', () => {
  const html = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test.each([
    { accept: html, type: /^text\/html/, text: /<a href="http:\/\/127\.0\.0\.1:3001">its page<\/a>/ },
    { accept: '*/*', type: /^application\/json/, text: /"page":"http:\/\/127\.0\.0\.1:3001"/ },
    { accept: 'application/json', type: /^application\/json/, text: /"notes":"\/notes"/ },
    { accept: 'image/png', type: /^application\/json/, text: /"title":"The notes API/ },
  ])('Accept: $accept', async ({ accept, type, text }) => {
    const answer = await client('http://127.0.0.1:3001').get('/').set('Accept', accept).expect(200);
    expect(answer.type).toMatch(type);
    expect(answer.text).toMatch(text);
    expect(answer.get('Vary')).toContain('Accept');
  });

  test('without a page it names none', async () => {
    expect((await client().get('/')).body).not.toHaveProperty('page');
    expect((await client().get('/').set('Accept', html)).text).not.toContain('its page');
  });

  test('OPTIONS lists it', async () => {
    await client().options('/').expect(200).expect('Allow', 'GET, HEAD, OPTIONS');
  });
});

describe('tags by their identity', () => {
  const keyed = 'application/vnd.patch-options.keyed-merge+json';

  test('two clients who change different tags without If-Match both win', async () => {
    const { api, path } = await withNote();
    const send = (tags: unknown) => api.patch(path).type(keyed).send(JSON.stringify({ tags })).expect(204);
    await Promise.all([send({ home: true }), send({ shop: true, none: null })]);
    await send({ home: null, work: true });
    expect((await api.get(path)).body).toMatchObject({ tags: ['shop', 'work'] });
  });

  test('two forms that add different tags both win, too, and neither doubles one', async () => {
    const notes = new MemoryStore<Note>();
    await notes.replace('1', null, { id: '1', title: 'Buy milk', tags: ['home'] });
    const app = notesApp({ notes, list: () => [], origin: 'https://app.example' });
    await serving(app, async (_server, port) => {
      const [ann, bob] = [1, 2].map(() => resourceClient<Note>(`http://127.0.0.1:${port}`));
      const base = await ann?.get('/notes/1');
      await bob?.get('/notes/1');
      if (base === undefined) throw new Error('There is no note');
      await ann?.save('/notes/1', base.value, { ...base.value, tags: ['home', 'shop'] });
      const saved = await bob?.save('/notes/1', base.value, {
        ...base.value,
        tags: ['work', 'home', 'shop'],
      });
      expect(saved?.value.tags).toEqual(['work', 'home', 'shop']);
    });
  });
});

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
    { body: { title: ' \n' } },
    { body: { title: 'x', tags: ['a', 1] } },
    { body: { title: 'x', tags: 'y' } },
    { body: { title: 'x', colour: 'red' } },
    { body: [1] },
    { body: { title: 1 } },
  ])('POST $body is no note: 422', async ({ body }) => {
    await client().post('/notes').send(body).expect(422);
  });

  test.each([
    { body: {}, detail: 'Title cannot be blank.', pointer: '/title' },
    { body: { title: 7 }, detail: 'Title must be a string.', pointer: '/title' },
    { body: { title: 'x', body: 7 }, detail: 'Body must be a string.', pointer: '/body' },
    { body: { title: 'x', tags: [7] }, detail: 'Tags must be an array of strings.', pointer: '/tags' },
    {
      body: { title: 'x', tags: ['a', 'b', 'a'] },
      detail: 'Each tag can be listed only once.',
      pointer: '/tags/2',
    },
  ])('POST $body: $detail', async ({ body, detail, pointer }) => {
    await client()
      .post('/notes')
      .send(body)
      .expect(422, { errors: [{ detail, pointer }] });
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

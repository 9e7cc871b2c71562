import { storeConformance, type TextCarrier } from 'patch-options/testing';
import supertest from 'supertest';
import { articleStore } from '../../examples/existing-app/article-store';
import { migrated } from '../../examples/existing-app/articles';
import { testSomeCases } from '../support/test-cases';
import { runExample, type RunningExample } from './running-example';

interface Article {
  readonly title: string;
  readonly body: string;
}

describe('articleStore keeps the contract of ResourceStore', () => {
  const carrier: TextCarrier<Article> = {
    wrap: (text) => ({ title: 'An article', body: text }),
    unwrap: ({ body }) => body,
  };
  const factory = () => ({
    open: async () => {
      await migrated;
      return articleStore;
    },
  });
  const members = { fixed: { id: 777, slug: 'stolen' } };
  const options = { carrier, members, versions: false, outcomes: false } as const;
  testSomeCases(storeConformance(factory, options), 2);
});

describe('The app', () => {
  let example: RunningExample<unknown>;
  beforeAll(async () => {
    example = await runExample(() => import('../../examples/existing-app'));
  });
  afterAll(() => example.close());

  const editor = { Authorization: 'Bearer editor' };
  const merge = { ...editor, 'Content-Type': 'application/merge-patch+json' };
  const withArticle = async (slug: string) => {
    const api = supertest(example.address);
    const path = `/articles/${slug}`;
    await api.put(path).set(editor).send({ title: 'Tea', body: 'Green.' }).expect(201);
    const read = await api.get(path).expect(200, { title: 'Tea', body: 'Green.' });
    return { api, path, tag: read.get('ETag') ?? '' };
  };

  test('the routes that it had are in Allow, with PATCH, and a preflight needs no login', async () => {
    const { api, path } = await withArticle('routes');
    await api
      .options(path)
      .expect(200)
      .expect('Allow', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT')
      .expect('Accept-Patch', 'application/json-patch+json, application/merge-patch+json');
    await api
      .options(path)
      .set({ Origin: 'https://cms.example', 'Access-Control-Request-Method': 'PATCH' })
      .expect('Access-Control-Allow-Methods', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
    await api.options('/articles').expect('Allow', 'GET, HEAD, OPTIONS');
  });

  test('PATCH under the tag that GET sent; the app’s own PUT and DELETE make it another', async () => {
    const { api, path, tag } = await withArticle('tags');
    await api.patch(path).send('{}').type('application/merge-patch+json').expect(401);
    const patched = await api
      .patch(path)
      .set({ ...merge, 'If-Match': tag })
      .send('{"body":"Black."}')
      .expect(204);
    await api
      .get(path)
      .expect('ETag', patched.get('ETag') ?? '')
      .expect({ title: 'Tea', body: 'Black.' });
    await api
      .patch(path)
      .set({ ...merge, 'If-Match': tag })
      .send('{"body":"White."}')
      .expect(412);

    const present = { ...merge, 'If-Match': patched.get('ETag') ?? '' };
    await api.put(path).set(editor).send({ title: 'Tea', body: 'Oolong.' }).expect(204);
    await api.patch(path).set(present).send('{"body":"White."}').expect(412);
    await api.delete(path).set(editor).expect(204);
    await api.patch(path).set(merge).send('{"body":"White."}').expect(404);
  });

  test('PUT of a copy that was read before somebody else wrote is refused, and undoes nothing', async () => {
    const { api, path, tag } = await withArticle('put');
    const patched = await api.patch(path).set(merge).send('{"body":"Black."}').expect(204);
    const mine = { title: 'Teas', body: 'Green.' };
    const refused = await api
      .put(path)
      .set({ ...editor, 'If-Match': tag })
      .send(mine)
      .expect(412);
    expect(refused.get('ETag')).toBe(patched.get('ETag'));
    await api.get(path).expect({ title: 'Tea', body: 'Black.' });
    await api
      .put(path)
      .set({ ...editor, 'If-Match': patched.get('ETag') ?? '' })
      .send(mine)
      .expect(204);
    const after = await api.get(path).expect(mine);
    expect(after.get('ETag')).not.toBe(patched.get('ETag'));
  });

  test('what is no article is refused by PATCH and PUT alike', async () => {
    const { api, path } = await withArticle('invalid');
    for (const body of ['{"title":""}', '{"body":null}', '{"colour":"red"}', '"text"']) {
      await api.patch(path).set(merge).send(body).expect(422);
    }
    await api.put(path).set(editor).send({ title: '' }).expect(422);
    await api.get(path).expect({ title: 'Tea', body: 'Green.' });
  });

  test('of many who write at once none is lost', async () => {
    const { api, path } = await withArticle('race');
    const append = async (name: string): Promise<void> => {
      const { body, headers } = await api.get(path);
      const { body: text } = body as Article;
      const patch = await api
        .patch(path)
        .set({ ...merge, 'If-Match': String(headers['etag']) })
        .send(JSON.stringify({ body: `${text} ${name}` }));
      if (patch.status === 412) await append(name);
      else expect(patch.status).toBe(204);
    };
    const retitle = api.patch(path).set(merge).send('{"title":"Teas"}').expect(204);
    await Promise.all([retitle, ...['a', 'b', 'c', 'd', 'e'].map(append)]);
    const { body } = await api.get(path);
    expect((body as Article).title).toBe('Teas');
    expect((body as Article).body.split(' ').sort()).toEqual(['Green.', 'a', 'b', 'c', 'd', 'e']);
    const list = await api.get('/articles').expect(200);
    expect(list.body).toContainEqual(expect.objectContaining({ slug: 'race', title: 'Teas' }));
  });
});

/** docs/whole-records.md: what it says of pages that send whole records, over PostgreSQL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Express } from 'express';
import supertest from 'supertest';
import * as library from '../../lib';
import * as rows from '../../lib/rows';
import { times } from '../support/deep-scale';
import { blocksOf } from '../support/doc-blocks';
import { PageModules } from '../support/page-modules';
import { openPostgresPool } from '../support/engines';
import express from 'express';
import type { Pool } from 'pg';

const page = readFileSync(join(__dirname, '../../docs/whole-records.md'), 'utf8');
const [appText = '', storeText = ''] = blocksOf(page, 'ts');

let pool: Pool;
let close: () => Promise<void>;
let app: Express;

const load = (name: string): unknown =>
  ({ express, 'patch-options': library, 'patch-options/rows': rows, './pool': { pool } })[name];

beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
  await pool.query(
    'CREATE TABLE articles (slug text PRIMARY KEY, title text NOT NULL, body text, hits int DEFAULT 0, updated_at timestamptz(3) NOT NULL DEFAULT now())',
  );
  app = new PageModules(new Map([['app', appText]]), load).load('app')['app'] as Express;
});
beforeEach(async () => {
  await pool.query(
    "INSERT INTO articles (slug, title) VALUES ('a', 'Milk') ON CONFLICT (slug) DO UPDATE SET title = 'Milk', body = NULL",
  );
});
afterAll(() => close());

interface Article {
  readonly title: string;
  readonly updatedAt: string;
}
const get = async () =>
  ((await supertest(app).get('/articles/a').expect(200)).body as { article: Article }).article;

test.each(['put', 'patch'] as const)('%s: two pages that send whole records, each time', async (method) => {
  for (let i = 0; i < times(5, 30); i++) {
    const seen = await get();
    const send = (change: object) => {
      const article = { ...seen, ...change, selected: true, slug: 'b' };
      return supertest(app)[method]('/articles/a').send({ article });
    };
    const [first, second] = await Promise.all([send({ title: `title ${i}` }), send({ body: `body ${i}` })]);
    const won = first.status === 200 ? first : second;
    const lost = won === first ? second : first;
    // With the bodies, which say why.
    expect([won.status, lost.status, won.body]).toEqual([
      200,
      409,
      { article: expect.anything() as unknown },
    ]);
    expect((won.body as { article: Article }).article).toEqual(await get());
    expect(lost.body).toEqual({
      success: false,
      error: expect.stringContaining('"/updatedAt"') as unknown,
    });
    // The page takes over what the answer shows, and its next save is not refused.
    const again = { ...(await get()), title: `again ${i}` };
    await supertest(app)[method]('/articles/a').send({ article: again }).expect(200);
  }
});

test('errors of every method have the form of the app', async () => {
  const server = supertest(app);
  const answers = [
    await server.get('/articles/none').expect(404),
    await server
      .patch('/articles/a')
      .send({ article: { title: null } })
      .expect(422),
    await server
      .put('/articles/a')
      .send({ article: { title: 7 } })
      .expect(422),
    await server.patch('/articles/a').type('text/plain').send('x').expect(415),
  ];
  for (const { body } of answers)
    expect(body).toEqual({ success: false, error: expect.any(String) as unknown });
});

test.each([
  {
    what: 'a form',
    send: (path: string) => supertest(app).patch(path).type('form').send({ title: 'x' }),
    status: 415,
  },
  { what: 'nothing', send: (path: string) => supertest(app).patch(path), status: 415 },
  {
    what: 'no envelope',
    send: (path: string) => supertest(app).patch(path).send({ title: 'x' }),
    status: 200,
  },
])('$what: $status, and nothing is changed', async ({ send, status }) => {
  const before = await get();
  await send('/articles/a').expect(status);
  expect(await get()).toEqual(before);
});

test('a store of JSON, with a version that moves', async () => {
  const texts = new Map([['store', `${storeText}\nexport { note, notes };`]]);
  const { note, notes } = new PageModules(texts, load).load('store') as unknown as {
    note: library.ResourceHandlers;
    notes: library.ResourceStore<object>;
  };
  await notes.replace('1', null, { title: 'Milk' });
  const jsonApp = express();
  jsonApp.route('/notes/:id').get(note.get).patch(note.patch);
  const server = supertest(jsonApp);
  const seen = (await server.get('/notes/1')).body as object;
  expect(seen).toEqual({ title: 'Milk', version: 1 });
  await server
    .patch('/notes/1')
    .send({ ...seen, title: 'Bread' })
    .expect(204);
  await server
    .patch('/notes/1')
    .send({ ...seen, title: 'Eggs' })
    .expect(409);
  expect((await server.get('/notes/1')).body).toEqual({ title: 'Bread', version: 2 });
});

/** docs/lists-and-post.md, run as it stands there. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import type { Pool } from 'pg';
import request from 'supertest';
import * as patchOptions from '../../lib';
import * as rows from '../../lib/rows';
import { type RunningExample, runExample } from '../examples/running-example';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { comparable, exchangesOf, printedBy } from '../support/exchanges';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/lists-and-post.md'), 'utf8');
const exchanges = exchangesOf(page);
const [whole = '', post = '', ownQuery = ''] = blocksOf(page, 'ts');
const requireHere = createRequire(__filename);

let example: RunningExample<unknown>;
let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
  await pool.query(
    'CREATE TABLE notes (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, title text NOT NULL, body text)',
  );
  // `new` gives the object that the function returns.
  const own: Readonly<Record<string, unknown>> = {
    pg: { Pool: jest.fn(() => pool) },
    'patch-options': patchOptions,
    'patch-options/rows': rows,
  };
  example = await runExample(() => {
    evaluate(whole, {}, (name) => own[name] ?? requireHere(name));
    return Promise.resolve();
  });
});
afterAll(async () => {
  await example.close();
  await close();
});

const server = () => request(example.address);

test('what curl prints', async () => {
  const printed = await printedBy(exchanges, example.address);
  expect(exchanges.length).toBeGreaterThan(1);
  expect(printed.map((text) => withoutTag(comparable(text)))).toEqual(
    exchanges.map(({ answer }) => withoutTag(comparable(answer))),
  );
});

/** Tags are new each time. */
function withoutTag(text: string): string {
  return text.replaceAll(/\\"[\w-]+-[\w+/]+\\"/g, 'a tag');
}

test('what POST has created is changed by the tag of its answer, once', async () => {
  const created = await server().post('/notes').send({ title: 'New' }).expect(201);
  const patch = () =>
    server()
      .patch(created.get('Location') ?? '')
      .type('application/merge-patch+json')
      .set('If-Match', created.get('ETag') ?? '')
      .send({ title: 'Changed' });
  await patch().expect(204);
  await patch().expect(412);
});

test('POST of what the schema does not allow', async () => {
  const answer = await server().post('/notes').send({ title: '', more: 1 }).expect(422);
  expect(answer.body).toMatchObject({ code: 'invalid-note' });
});

test('an element of the list is changed by its tag', async () => {
  const { body } = await server().get('/notes').expect(200);
  const [{ id, etag }] = body as [{ id: number; etag: string }];
  expect((await server().get(`/notes/${id}`)).get('ETag')).toBe(etag);
  const change = server().patch(`/notes/${id}`).type('application/merge-patch+json').set('If-Match', etag);
  await change.send({ title: 'From the list' }).expect(204);
});

test('the list is 304 under its tag, until an element has changed', async () => {
  const tag = (await server().get('/notes')).get('ETag') ?? '';
  await server().get('/notes').set('If-None-Match', tag).expect(304);
  await pool.query(`INSERT INTO notes (title) SELECT 'many' FROM generate_series(1, 60)`);
  await server().get('/notes').set('If-None-Match', tag).expect(200);
});

test('each page names the next one, and the last none', async () => {
  const first = await server().get('/notes').expect(200);
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.get('Link') ?? '') ?? [];
  const second = await server().get(next).expect(200);
  const ids = [...(first.body as { id: number }[]), ...(second.body as { id: number }[])].map(({ id }) => id);
  const { rows: all } = await pool.query<{ id: number }>('SELECT id FROM notes ORDER BY id');
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(second.get('Link')).toBeUndefined();
  await server().get('/notes?after=x').expect(400);
});

test('POST under a key that the app makes', async () => {
  const app = express();
  const notes = new patchOptions.MemoryStore();
  const note = patchOptions.resource(notes, [patchOptions.mergePatch()]);
  const keys = ['1', '1', '2'];
  const around = { ...patchOptions, app, notes, note, express };
  evaluate(post, around, () => ({ randomUUID: () => keys.shift() }));
  const created = await request(app).post('/notes').send({ title: 'a' }).expect(201, { title: 'a' });
  expect(created.get('ETag')).toBe(patchOptions.entityTag((await notes.get('1')) ?? { version: '' }));
  await request(app).post('/notes').send({ title: 'b' }).expect(409);
  await request(app).post('/notes').send({ title: 'b' }).expect(201).expect('Location', '/notes/2');
});

test('a GET with a query of the app sends the tag that PATCH compares, and 304', async () => {
  const app = express();
  const notes = rows.tableStore(pool, {
    table: 'notes',
    columns: { title: 'string', body: 'string?' },
    key: (key) => ({ id: Number(key) }),
  });
  const note = patchOptions.resource(notes, [patchOptions.mergePatch()], { key: 'id' });
  evaluate(ownQuery, { ...patchOptions, app, notes, note, pool }, () => patchOptions);
  await request(app).get('/notes/x').expect(404);
  const { body: created, headers } = await server().post('/notes').send({ title: 'Own', body: 'four' });
  const path = headers['location'] as string;
  const answer = await request(app)
    .get(path)
    .expect(200, { ...created, length: 4 });
  const tag = answer.get('ETag') ?? '';
  await request(app).get(path).set('If-None-Match', tag).expect(304);
  const patch = server().patch(path).type('application/merge-patch+json').set('If-Match', tag);
  await patch.send({ body: null }).expect(204);
  await request(app)
    .get(path)
    .set('If-None-Match', tag)
    .expect(200, { title: 'Own', body: null, length: null });
});

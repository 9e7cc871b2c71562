/** PATCH over rows, as clients meet it. */
import express from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { jsonPatch, mergePatch, resource, type ResourceOptions } from '../../lib';
import { tableStore } from '../../lib/rows';
import type { Dialect } from '../../lib/rows/rows';
import { isDeep } from '../support/deep-scale';
import { describeOver, type TestDatabase, testEngines } from './databases';

const serial = {
  postgres: 'integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY',
  sqlite: 'INTEGER PRIMARY KEY',
  mysql: 'integer PRIMARY KEY AUTO_INCREMENT',
};

const notes = (dialect: Dialect) => `
  DROP TABLE IF EXISTS patched;
  CREATE TABLE patched (
    id ${serial[dialect]},
    slug varchar(100) NOT NULL UNIQUE, title varchar(20) NOT NULL, email varchar(100) UNIQUE,
    age smallint CHECK (age < 200), owner varchar(20) DEFAULT 'ada', outcomes text);
  INSERT INTO patched (slug, title, email, age) VALUES ('milk', 'Buy milk', 'a@b.example', 7);
  INSERT INTO patched (slug, title, email) VALUES ('bread', 'Buy bread', 'b@b.example');`;

const columns = {
  slug: { kind: 'string', readOnly: true },
  title: 'string',
  email: 'string?',
  age: 'integer?',
} as const;

type Note = { slug: string; title: string; email: string | null; age: number | null };

// better-sqlite3 runs the same engine.
const engines = testEngines.filter(
  ({ engine }) => engine !== 'better-sqlite3' && (isDeep() || engine !== 'MariaDB'),
);

describeOver(engines, 'PATCH', ({ dialect, open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(() => database.sql(notes(dialect)));

  const serve = (options: ResourceOptions<Note> = {}) => {
    const store = tableStore(database.db, {
      ...{ table: 'patched', columns, key: 'slug', outcomes: 'outcomes' },
    });
    const note = resource(store, [mergePatch({ allowRootReplacement: true }), jsonPatch()], {
      key: (req) => String(req.params['slug']),
      ...options,
    });
    const app = express();
    app.route('/notes/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    return app;
  };
  const patch = (app: express.Express, body: object | string, fields: Record<string, string> = {}) =>
    supertest(app)
      .patch('/notes/milk')
      .set({ 'Content-Type': 'application/merge-patch+json', ...fields })
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  const row = () =>
    database.sql(`SELECT id, slug, title, email, age, owner FROM patched WHERE slug = 'milk'`);

  test.each([
    { body: { id: 777 }, status: 422, pointer: '/id' },
    { body: { slug: 'stolen' }, status: 422, pointer: '/slug' },
    { body: { slug: null }, status: 422, pointer: '/slug' },
    { body: { outcomes: 'x' }, status: 422, pointer: '/outcomes' },
    { body: { owner: 'eve' }, status: 422, pointer: '/owner' },
    { body: { extra: 1 }, status: 422, pointer: '/extra' },
    { body: '{"__proto__":{"title":"x"}}', status: 422, pointer: '/__proto__' },
    { body: { title: null }, status: 422, pointer: '/title' },
    { body: { title: 'a\0' }, status: 422, pointer: '/title' },
    { body: '{"title":"\\ud800"}', status: 422, pointer: '/title' },
    { body: { title: { a: 1 } }, status: 422, pointer: '/title' },
    { body: { age: '7' }, status: 422, pointer: '/age' },
    { body: { age: 200 }, status: 422, pointer: '/age' },
    { body: '{"age":1e400}', status: 400, pointer: undefined },
    { body: { email: 'b@b.example' }, status: 409, pointer: undefined },
    { body: '[]', status: 422, pointer: '' },
    { body: '"text"', status: 422, pointer: '' },
  ])('$body is $status, and nothing is written', async ({ body, status, pointer }) => {
    const before = await row();
    const answer = await patch(serve(), body);
    expect(answer.status).toBe(status);
    const { errors } = answer.body as { errors?: readonly { pointer: string }[] };
    expect(errors?.map((error) => error.pointer)).toEqual(pointer === undefined ? undefined : [pointer]);
    expect(await row()).toEqual(before);
  });

  test.each([
    { body: { title: 'x' }, status: 204, made: { title: 'x', email: null, age: null } },
    { body: { slug: 'milk', title: 'x', age: 8 }, status: 204, made: { title: 'x', email: null, age: 8 } },
    { body: { slug: 'stolen', title: 'x' }, status: 422, pointer: '/slug' },
    { body: { email: 'x' }, status: 422, pointer: '/title' },
    { body: { title: 'x', id: 777 }, status: 422, pointer: '/id' },
    { body: { title: 'x', owner: 'eve' }, status: 422, pointer: '/owner' },
    { body: [], status: 422, pointer: '' },
  ])(
    'PUT $body: $status, and what is read-only or no member stays',
    async ({ body, status, made, pointer }) => {
      const [before] = await row();
      const answer = await supertest(serve()).put('/notes/milk').send(body);
      expect(answer.status).toBe(status);
      expect((answer.body as { errors?: unknown[] }).errors?.[0]).toEqual(
        pointer === undefined ? undefined : expect.objectContaining({ pointer }),
      );
      expect(await row()).toEqual([{ ...before, ...made }]);
    },
  );

  test('PUT creates under the key of the target, with the defaults of the table', async () => {
    const app = serve({ create: ({ method }) => (method === 'PUT' ? ({} as Note) : undefined) });
    await supertest(app).put('/notes/tea').set('If-None-Match', '*').send({ title: 'Tea' }).expect(201);
    await supertest(app).get('/notes/tea').expect(200, { slug: 'tea', title: 'Tea', email: null, age: null });
    const [made] = await database.sql(`SELECT owner FROM patched WHERE slug = 'tea'`);
    expect(made).toEqual({ owner: 'ada' });
    await supertest(app).delete('/notes/tea').expect(204);
    await supertest(app).get('/notes/tea').expect(404);
  });

  test.each([
    { body: { age: null }, made: { age: null } },
    { body: { age: null, email: null, title: '' }, made: { age: null, email: null, title: '' } },
    { body: { title: 'é\u{1f600}"\\' }, made: { title: 'é\u{1f600}"\\' } },
    { body: {}, made: {}, isSame: true },
  ])('$body: the body is that of GET under the same entity tag', async ({ body, made, isSame = false }) => {
    const app = serve();
    const first = await supertest(app).get('/notes/milk');
    const answer = await patch(app, body, {
      'If-Match': String(first.headers['etag']),
      Prefer: 'return=representation',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ slug: 'milk', title: 'Buy milk', email: 'a@b.example', age: 7, ...made });
    expect(answer.headers['etag'] === first.headers['etag']).toBe(isSame);
    const second = await supertest(app).get('/notes/milk');
    expect([second.headers['etag'], second.text]).toEqual([answer.headers['etag'], answer.text]);
    const again = await patch(app, body, { 'If-Match': String(first.headers['etag']) });
    expect(again.status).toBe(isSame ? 204 : 412);
  });

  test('what a merge patch has cleared is null to a schema that says nullable', async () => {
    const Note = z.strictObject({
      slug: z.string(),
      title: z.string(),
      email: z.string().nullable(),
      age: z.number().nullable(),
    });
    expect((await patch(serve({ validate: Note }), { age: null })).status).toBe(204);
    expect(await row()).toMatchObject([{ age: null, owner: 'ada' }]);
  });

  test('a hidden column stays, and one that is not writable', async () => {
    const app = serve({ hidden: ['/email'], writable: ['/title'] });
    expect((await patch(app, { title: 'x' }, { Prefer: 'return=representation' })).body).toEqual({
      slug: 'milk',
      title: 'x',
      age: 7,
    });
    expect((await patch(app, { email: null })).body).toMatchObject({ code: 'hidden-member' });
    expect((await patch(app, { age: null })).body).toMatchObject({ code: 'read-only' });
    expect(await row()).toMatchObject([{ title: 'x', email: 'a@b.example', age: 7 }]);
  });

  test('a JSON Patch may not remove what is no NULL, and is applied once under its Idempotency-Key', async () => {
    const app = serve({ idempotency: 'optional' });
    const fields = { 'Content-Type': 'application/json-patch+json' };
    expect((await patch(app, [{ op: 'remove', path: '/title' }], fields)).status).toBe(422);
    const once = { ...fields, 'Idempotency-Key': '"1"' };
    const operations = [
      { op: 'test', path: '/age', value: 7 },
      { op: 'replace', path: '/age', value: 8 },
    ];
    const [first, second] = await Promise.all([patch(app, operations, once), patch(app, operations, once)]);
    expect([first.status, second.status]).toEqual([204, 204]);
    expect([first, second].map(({ headers }) => 'etag' in headers).sort()).toEqual([false, true]);
    expect(await row()).toMatchObject([{ age: 8 }]);
  });

  test('as many answers are kept of a scope as keep says, and no more', async () => {
    const app = serve({ idempotency: 'optional', idempotencyLimits: { keep: 20 } });
    for (let i = 0; i < 20; i++)
      expect((await patch(app, {}, { 'Idempotency-Key': `"${i}"` })).status).toBe(204);
    const full = await patch(app, {}, { 'Idempotency-Key': '"50"' });
    expect([full.status, full.body]).toMatchObject([503, { code: 'outcomes-full' }]);
    expect(Number(full.headers['retry-after'])).toBeLessThanOrEqual(300);
  });
});

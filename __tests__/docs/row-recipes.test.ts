/** docs/row-recipes.md, run as it stands there over PostgreSQL. The one over Knex is in orms/your-data.deep.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { Pool } from 'pg';
import request from 'supertest';
import { jsonPatch, mergePatch, resource, type ResourceStore } from '../../lib';
import * as rows from '../../lib/rows';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/row-recipes.md'), 'utf8');
const recipe = (heading: string): string =>
  blocksOf(page.split(`\n## ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '', 'ts').at(-1) ?? '';

type Store = ResourceStore<object> & Required<Pick<ResourceStore, 'delete'>>;

/** Runs a recipe with these names around it, over this pool. */
function run(heading: string, result: string, around: object, pool?: Pool): Store {
  const modules: Readonly<Record<string, unknown>> = {
    pg: { Pool: jest.fn(() => pool) },
    'patch-options/rows': rows,
  };
  return evaluate(
    `${recipe(heading)}\nexport { ${result} as result };`,
    around as Readonly<Record<string, unknown>>,
    (name) => modules[name],
  )['result'] as Store;
}

function serverOf(store: Store, create = false) {
  const app = express();
  const note = resource(store, [jsonPatch(), mergePatch()], { key: 'slug', ...(create && { create }) });
  app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const errors: string[] = [];
  const answerFaults: express.ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent) next(error);
    errors.push(String(error));
    res.sendStatus(500);
  };
  app.use(answerFaults);
  return { server: request(app), errors };
}

let pool: Pool;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
});
afterAll(() => close());

test('Soft deletes: a deleted row is not found, stays in the table, and its key can be taken again', async () => {
  const [index = ''] = page.match(/CREATE UNIQUE INDEX [^`]+/) ?? [];
  await pool.query(`
    CREATE TABLE notes (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, slug text NOT NULL, title text NOT NULL,
      body text, deleted_at timestamptz);
    ${index};
    INSERT INTO notes (slug, title) VALUES ('a', 'first')`);
  const { server, errors } = serverOf(run('Soft deletes', 'notes', { pool }), true);
  const patch = () => server.patch('/a').type('application/merge-patch+json').send({ title: 'changed' });
  await patch().expect(204);
  await server.delete('/a').expect(204);
  await server.get('/a').expect(404);
  await patch().set('If-Match', '*').expect(412);
  await server.delete('/a').expect(404);
  await server.put('/a').send({ title: 'second', body: null }).expect(201);
  const { rows: kept } = await pool.query(
    'SELECT title, deleted_at IS NULL AS "isThere" FROM notes ORDER BY id',
  );
  expect(kept).toEqual([
    { title: 'changed', isThere: false },
    { title: 'second', isThere: true },
  ]);
  expect(errors).toEqual([]);
  await pool.query('DROP TABLE notes');
});

describe('Row-level security', () => {
  let limited: Pool;
  let role: string;
  beforeAll(async () => {
    role = `reader_${process.pid}`;
    await pool.query(`
      CREATE TABLE notes (slug text PRIMARY KEY, title text NOT NULL, body text, owner text NOT NULL DEFAULT current_setting('app.user', true));
      CREATE ROLE ${role};
      GRANT ALL ON notes TO ${role};
      ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
      CREATE POLICY seen ON notes FOR SELECT USING (owner IN (current_setting('app.user', true), 'all'));
      CREATE POLICY made ON notes FOR INSERT WITH CHECK (owner = current_setting('app.user', true));
      CREATE POLICY changed ON notes FOR UPDATE USING (owner = current_setting('app.user', true));
      CREATE POLICY removed ON notes FOR DELETE USING (owner = current_setting('app.user', true));
      INSERT INTO notes VALUES ('hers', 'a', NULL, 'ann'), ('shared', 'a', NULL, 'all')`);
    const { connectionString, ...options } = pool.options as { connectionString?: string };
    limited = new Pool({ connectionString, ...options, options: `-c role=${role}`, max: 2 });
  });
  afterAll(async () => {
    await limited.end();
    await pool.query(`DROP TABLE notes; DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  test.each([
    { what: 'her own', user: 'ann', slug: 'hers', get: 200, patch: 204 },
    { what: 'one that she only sees', user: 'ann', slug: 'shared', get: 200, patch: 500 },
    { what: 'that of somebody else', user: 'bob', slug: 'hers', get: 404, patch: 404 },
    { what: 'one without a user', user: undefined, slug: 'hers', get: 404, patch: 404 },
  ])('$what: GET $get, PATCH $patch', async ({ user, slug, get, patch }) => {
    const { server, errors } = serverOf(run('Row-level security', 'notes', {}, limited));
    const fields = user === undefined ? {} : { 'X-User': user };
    await server.get(`/${slug}`).set(fields).expect(get);
    const change = server.patch(`/${slug}`).type('application/merge-patch+json').set(fields);
    await change.send({ title: `by ${user}` }).expect(patch);
    expect(errors.filter((error) => !error.includes('is found, but cannot be locked'))).toEqual([]);
    expect(errors).toHaveLength(patch === 500 ? 1 : 0);
    const { rows: found } = await pool.query<{ title: string }>('SELECT title FROM notes WHERE slug = $1', [
      slug,
    ]);
    const title = patch === 204 ? `by ${user}` : slug === 'hers' ? 'by ann' : 'a';
    expect(found).toEqual([{ title }]);
  });

  test('a new row is of the user who makes it, and only that one deletes it', async () => {
    const { server } = serverOf(run('Row-level security', 'notes', {}, limited), true);
    const put = server.put('/new').set('X-User', 'bob');
    await put.send({ title: 'b', body: null }).expect(201);
    await server.delete('/new').set('X-User', 'ann').expect(404);
    await server.delete('/new').set('X-User', 'bob').expect(204);
  });

  test('nothing of a user is left on the connection', async () => {
    const { server } = serverOf(run('Row-level security', 'notes', {}, limited));
    await server.get('/hers').set('X-User', 'ann').expect(200);
    const seen = await limited.query('SELECT slug FROM notes');
    expect(seen.rows.map(({ slug }: { slug: string }) => slug)).toEqual(['shared']);
  });
});

describe('Read replicas', () => {
  let replica: Pool;
  beforeAll(async () => {
    await pool.query(`
      CREATE SCHEMA behind;
      CREATE TABLE public.notes (slug text PRIMARY KEY, title text NOT NULL, body text);
      CREATE TABLE behind.notes (LIKE public.notes INCLUDING ALL);
      INSERT INTO public.notes VALUES ('a', 'new', 'x'), ('b', 'b', NULL);
      INSERT INTO behind.notes VALUES ('a', 'old', 'x')`);
    const { connectionString, ...options } = pool.options as { connectionString?: string };
    replica = new Pool({ connectionString, ...options, options: '-c search_path=behind', max: 2 });
  });
  afterAll(async () => {
    await replica.end();
    await pool.query('DROP SCHEMA behind CASCADE; DROP TABLE public.notes');
  });

  test('a change of a state that the replica does not show yet is made on the primary, and loses nothing', async () => {
    const { server, errors } = serverOf(run('Read replicas', 'store', { primary: pool, replica }));
    const seen = await server.get('/a').expect(200);
    expect(seen.body).toEqual({ title: 'old', body: 'x' });
    const patch = () => server.patch('/a').type('application/merge-patch+json');
    await patch()
      .set('If-Match', seen.get('ETag') ?? '')
      .send({ body: 'y' })
      .expect(412);
    await patch().send({ body: 'y' }).expect(204);
    const { rows: found } = await pool.query("SELECT title, body FROM public.notes WHERE slug = 'a'");
    expect(found).toEqual([{ title: 'new', body: 'y' }]);
    expect(errors).toEqual([]);
  });

  test('a row that is not there yet is not overwritten', async () => {
    const { server } = serverOf(run('Read replicas', 'store', { primary: pool, replica }), true);
    await server.get('/b').expect(404);
    await server.put('/b').send({ title: 'c', body: null }).expect(409);
    const { rows: found } = await pool.query("SELECT title FROM public.notes WHERE slug = 'b'");
    expect(found).toEqual([{ title: 'b' }]);
  });
});

test('A connection for each request: its own rows, and those of no other', async () => {
  await pool.query(`
    CREATE SCHEMA one; CREATE SCHEMA two;
    CREATE TABLE one.tasks (slug text PRIMARY KEY, title text NOT NULL, body text);
    CREATE TABLE two.tasks (LIKE one.tasks INCLUDING ALL);
    INSERT INTO one.tasks VALUES ('a', 'of one', NULL); INSERT INTO two.tasks VALUES ('a', 'of two', NULL)`);
  const { connectionString, ...options } = pool.options as { connectionString?: string };
  const poolsByTenant = new Map(
    ['one', 'two'].map((name) => [
      name,
      new Pool({ connectionString, ...options, options: `-c search_path=${name}`, max: 2 }),
    ]),
  );
  const poolOf = (req: express.Request) => poolsByTenant.get(req.get('X-Tenant') ?? '');
  const store = run('A connection for each request', 'tasks', { poolOf, knexOf: () => undefined });
  const { server } = serverOf(store);
  for (const tenant of poolsByTenant.keys()) {
    await server
      .get('/a')
      .set('X-Tenant', tenant)
      .expect({ title: `of ${tenant}`, body: null });
  }
  const patch = server.patch('/a').set('X-Tenant', 'two').type('application/merge-patch+json');
  await patch.send({ body: 'changed' }).expect(204);
  const { rows: found } = await pool.query('SELECT body FROM one.tasks UNION ALL SELECT body FROM two.tasks');
  expect(found).toEqual([{ body: null }, { body: 'changed' }]);
  for (const tenantPool of poolsByTenant.values()) await tenantPool.end();
  await pool.query('DROP SCHEMA one CASCADE; DROP SCHEMA two CASCADE');
});

/**
 * `unwritable: 'ignore'`: a page sends the whole record back, with members that it cannot write, and the handler leaves
 * them out, as the allow-lists of apps do.
 */
import express from 'express';
import { fc } from '../../support/properties';
import request from 'supertest';
import {
  jsonPatch,
  keyedMergePatch,
  MemoryStore,
  mergePatch,
  patchHandler,
  resource,
  type ResourceOptions,
  type ResourceStore,
} from '../../../lib';
import { tableStore } from '../../../lib/rows';
import { DatabaseSync } from '../../support/sqlite';

type Options = Omit<ResourceOptions<never>, 'unwritable'>;

const document = () => ({
  ...{ title: 'Milk', body: '', id: 7, owner: 'me', secret: 'hidden' },
  meta: { tags: ['a'], by: 'me', key: 'hidden' },
  items: [{ id: 1, text: 'one' }],
});

async function opened(options: Options, store: ResourceStore<never> = new MemoryStore<never>()) {
  await store.replace('1', null, document() as never);
  const note = resource(
    store,
    [jsonPatch(), keyedMergePatch({ '/items': 'id' }), mergePatch({ json: true })],
    { key: 'id', stateMembers: [], unwritable: 'ignore', create: () => ({}) as never, ...options },
  );
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch);
  const server = request(app);
  return {
    server,
    stored: async () => (await store.get('1'))?.value as unknown as ReturnType<typeof document>,
  };
}

const closed: { readonly by: string; readonly options: Options }[] = [
  {
    by: 'readOnly and hidden',
    options: { readOnly: ['/id', '/owner', '/meta/by'], hidden: ['/secret', '/meta/key'] },
  },
  {
    by: 'writable and hidden',
    options: { writable: ['/title', '/body', '/meta/tags', '/items'], hidden: ['/secret', '/meta/key'] },
  },
];

describe.each(closed)('by $by', ({ options }) => {
  test.each(['patch', 'put'] as const)('%s leaves out what the client cannot write', async (method) => {
    const { server, stored } = await opened(options);
    const sent = {
      ...document(),
      title: 'x',
      id: 8,
      owner: 'you',
      secret: 'guess',
      meta: { tags: ['b'], by: 'you', key: 1 },
    };
    const answer = await server[method]('/notes/1').send(sent);
    expect(answer.status).toBe(204);
    expect(await stored()).toEqual({
      ...document(),
      ...{ title: 'x', meta: { tags: ['b'], by: 'me', key: 'hidden' } },
    });
  });

  test.each([
    { document: { id: 8 } },
    { document: { owner: null } },
    { document: { meta: { by: 'you' } } },
    { document: { secret: 1, meta: { key: 2 } } },
  ])('if nothing else is sent, it is 422: $document', async ({ document: sent }) => {
    const { server, stored } = await opened(options);
    const answer = await server.patch('/notes/1').send(sent);
    expect([answer.status, (answer.body as { code: unknown }).code]).toEqual([422, 'read-only']);
    expect(await stored()).toEqual(document());
  });

  test.each([
    { type: 'application/merge-patch+json', sent: { title: 'x', id: 8 } as object },
    { type: 'application/vnd.patch-options.keyed-merge+json', sent: { title: 'x', owner: 'you' } },
    { type: 'application/json-patch+json', sent: [{ op: 'replace', path: '/id', value: 8 }] },
  ])('RFC 5789 2: $type is carried out as a whole, or not', async ({ type, sent }) => {
    const { server, stored } = await opened(options);
    await server.patch('/notes/1').type(type).send(sent).expect(422);
    expect(await stored()).toEqual(document());
  });

  test('a record that is sent back as it is changes nothing, and is no mistake', async () => {
    const { server, stored } = await opened(options);
    const seen = (await server.get('/notes/1')).body as object;
    await server.patch('/notes/1').send(seen).expect(204);
    await server.put('/notes/1').send(seen).expect(204);
    expect(await stored()).toEqual(document());
  });

  test('so is one that shows more than the handler does: an author, a count', async () => {
    const { server, stored } = await opened(options);
    const seen = {
      ...document(),
      id: { shown: 7 },
      owner: { name: 'me' },
      secret: undefined,
      meta: undefined,
    };
    await server.patch('/notes/1').send(seen).expect(204);
    expect(await stored()).toEqual(document());
  });

  test('what has hidden members is not replaced by something else', async () => {
    const { server, stored } = await opened(options);
    for (const meta of [null, 'text', []]) {
      await server.patch('/notes/1').send({ title: 'x', meta }).expect(422);
      await server.put('/notes/1').send({ title: 'x', meta }).expect(422);
    }
    expect(await stored()).toEqual(document());
  });
});

test('members of elements of lists are refused as ever', async () => {
  const { server, stored } = await opened({ readOnly: ['/items/0/id'] });
  await server
    .patch('/notes/1')
    .send({ title: 'x', items: [{ id: 2, text: 'one' }] })
    .expect(422);
  expect(await stored()).toEqual(document());
});

test('a right is not left out: a writable function refuses with 403', async () => {
  const { server, stored } = await opened({ writable: () => ['/title'] });
  await server.patch('/notes/1').send({ title: 'x', body: 'y' }).expect(403);
  expect(await stored()).toEqual(document());
});

test('a PUT that has left something out has no entity tag, one that has stored all has one', async () => {
  const { server } = await opened({ readOnly: ['/id'] });
  const all = document();
  const whole = await server.put('/notes/1').send({ ...all, title: 'x' });
  expect(whole.get('ETag')).toBeDefined();
  const part = await server.put('/notes/1').send({ ...all, id: 9, title: 'y' });
  expect([part.status, part.get('ETag')]).toEqual([204, undefined]);
});

test('a new resource is made of what can be written', async () => {
  const { server } = await opened({ readOnly: ['/id'], hidden: ['/secret'] });
  await server.put('/notes/2').send({ id: 3, title: 'new', secret: 'x' }).expect(201);
  expect((await server.get('/notes/2')).body).toEqual({ title: 'new' });
});

test('patchHandler with method PUT does the same', async () => {
  const store = new MemoryStore<object>();
  await store.replace('1', null, document());
  const app = express();
  app.put(
    '/notes/:id',
    patchHandler(store, [mergePatch({ json: true })], {
      ...{ key: 'id', method: 'PUT', readOnly: ['/id'], stateMembers: [], unwritable: 'ignore' },
    }),
  );
  await request(app).put('/notes/1').send({ id: 8, title: 'x' }).expect(204);
  expect((await store.get('1'))?.value).toEqual({ ...document(), title: 'x' });
});

describe('over rows, members that the table has no column for, or that are read-only', () => {
  function openRows() {
    const db = new DatabaseSync(':memory:');
    db.exec(
      "CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT NOT NULL, rank INTEGER, moved TEXT DEFAULT '2026-11-22T10:00:00.123Z')",
    );
    db.exec("INSERT INTO notes (slug, title, rank) VALUES ('a', 'Milk', 1)");
    const store = tableStore(db, {
      table: 'notes',
      columns: {
        slug: { kind: 'string', readOnly: true },
        title: 'string',
        rank: 'integer?',
        moved: { kind: 'string', readOnly: true },
      },
      key: 'slug',
    });
    const note = resource(store, [jsonPatch(), mergePatch({ json: true })], {
      ...{ key: 'slug', stateMembers: ['/moved'], unwritable: 'ignore', create: () => ({}) as never },
    });
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch);
    return { server: request(app), row: () => ({ ...db.prepare('SELECT * FROM notes').get() }) };
  }
  const row = { slug: 'a', title: 'Milk', rank: 1, moved: '2026-11-22T10:00:00.123Z' };

  test.each(['patch', 'put'] as const)('%s', async (method) => {
    const { server, row: rowNow } = openRows();
    const sent = { ...row, title: 'x', slug: 'b', __v: 3, selected: true };
    await server[method]('/a').send(sent).expect(204);
    expect(rowNow()).toEqual({ ...row, title: 'x' });
    await server[method]('/a')
      .send({ ...row, title: 'x', selected: false })
      .expect(204);
  });

  test('if nothing else is sent, it is 422', async () => {
    const { server } = openRows();
    const only = await server.patch('/a').send({ selected: false, slug: 'b' });
    expect([only.status, (only.body as { pointer?: string }).pointer]).toEqual([422, '/slug']);
  });

  test('a stale record is refused before anything is left out', async () => {
    const { server, row: rowNow } = openRows();
    await server
      .patch('/a')
      .send({ ...row, title: 'x', moved: '2026-11-22T09:00:00.123Z', more: 1 })
      .expect(409);
    expect(rowNow()).toEqual(row);
  });

  test('a value that its column cannot have is still 422', async () => {
    const { server, row: rowNow } = openRows();
    const answer = await server.patch('/a').send({ title: 'x', rank: 'first', more: 1 });
    expect(answer.status).toBe(422);
    expect((answer.body as { errors: object[] }).errors).toEqual([
      { pointer: '/rank', detail: 'must be a whole number' },
    ]);
    expect(rowNow()).toEqual(row);
  });

  test('in a JSON Patch, unknown members are refused', async () => {
    const { server } = openRows();
    const patch = [{ op: 'add', path: '/more', value: 1 }];
    await server.patch('/a').type('application/json-patch+json').send(patch).expect(422);
  });
});

test('property: what cannot be written is never changed, and what can is what was sent', async () => {
  const names = ['title', 'body', 'id', 'owner', 'secret', 'more'];
  const part = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
  );
  await fc.assert(
    fc.asyncProperty(
      part,
      fc.dictionary(fc.constantFrom('tags', 'by', 'key'), fc.string()),
      async (top, meta) => {
        const { server, stored } = await opened({
          ...{ writable: ['/title', '/body', '/meta/tags'], hidden: ['/secret', '/meta/key'] },
        });
        const answer = await server.patch('/notes/1').send({ ...top, meta });
        const before = document();
        const pick = (name: 'title' | 'body') => {
          if (!Object.hasOwn(top, name)) return { [name]: before[name] };
          return top[name] === null ? {} : { [name]: top[name] };
        };
        const expected = {
          ...{ id: 7, owner: 'me', secret: 'hidden', items: before.items },
          ...{ ...pick('title'), ...pick('body') },
          meta: { tags: meta['tags'] ?? ['a'], by: 'me', key: 'hidden' },
        };
        expect([204, 422]).toContain(answer.status);
        expect(await stored()).toEqual(answer.status === 204 ? expected : before);
      },
    ),
    { numRuns: 100 },
  );
});

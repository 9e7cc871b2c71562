/**
 * `stateMembers`: a page that sends the whole record back says by a member that moves with each write which state it has
 * seen. RFC 5789 2.2: a request that is made from another state conflicts with the resource, so it is 409.
 */
import express from 'express';
import request from 'supertest';
import {
  ConfigurationError,
  jsonPatch,
  keyedMergePatch,
  MemoryStore,
  mergePatch,
  patchHandler,
  resource,
  type ResourceOptions,
  type ResourceStore,
} from '../../../lib';
import { rowStore, tableStore } from '../../../lib/rows';
import { times } from '../../support/deep-scale';
import { memoryTable } from '../../support/memory-table';
import { DatabaseSync } from '../../support/sqlite';

interface Note {
  title: string;
  body: string;
  meta: { revision: number };
}

/** As an app wraps a store of JSON: it moves a member with each write. */
function counted(store: ResourceStore<Note>): ResourceStore<Note> {
  return {
    ...store,
    get: (key, context) => store.get(key, context),
    replace: (key, expected, next, context) =>
      store.replace(key, expected, { ...next, meta: { revision: (next.meta?.revision ?? 0) + 1 } }, context),
    readOnly: ['/meta/revision'],
  };
}

function serve(store: ResourceStore<Note>, options: ResourceOptions<Note> = {}) {
  const note = resource(
    store,
    [jsonPatch(), keyedMergePatch({ '/items': 'id' }), mergePatch({ json: true })],
    {
      ...{
        key: 'id',
        stateMembers: ['/meta/revision'],
        conflict: 'representation',
        create: () => ({}) as Note,
      },
      ...options,
    },
  );
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch);
  return request(app);
}

async function opened(options?: ResourceOptions<Note>) {
  const store = counted(new MemoryStore<Note>());
  await store.replace('1', null, { title: 'Milk', body: '', meta: { revision: 0 } });
  return { store, server: serve(store, options) };
}

const types = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  keyed: 'application/vnd.patch-options.keyed-merge+json',
  patch: 'application/json-patch+json',
};

describe('a member of another state is 409, in each format', () => {
  test.each<{
    readonly what: string;
    readonly type: string;
    readonly method?: 'put' | 'patch';
    readonly document: object;
  }>([
    { what: 'a whole record', type: types.json, document: { title: 'x', body: '', meta: { revision: 0 } } },
    { what: 'a merge patch', type: types.merge, document: { title: 'x', meta: { revision: 7 } } },
    { what: 'a keyed patch', type: types.keyed, document: { title: 'x', meta: { revision: 7 } } },
    { what: 'its removal', type: types.merge, document: { title: 'x', meta: { revision: null } } },
    { what: 'the removal of the object above it', type: types.merge, document: { title: 'x', meta: null } },
    { what: 'another type', type: types.json, document: { title: 'x', meta: { revision: '1' } } },
    {
      what: 'a JSON Patch',
      type: types.patch,
      document: [
        { op: 'replace', path: '/title', value: 'x' },
        { op: 'replace', path: '/meta/revision', value: 2 },
      ],
    },
    {
      what: 'a PUT',
      type: types.json,
      method: 'put',
      document: { title: 'x', body: '', meta: { revision: 0 } },
    },
    { what: 'other read-only members, too', type: types.json, document: { title: 1, meta: { revision: 0 } } },
  ])('$what', async ({ type, method = 'patch', document }) => {
    const { server } = await opened({ readOnly: ['/title'] });
    const answer = await server[method]('/notes/1').type(type).send(document);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      ...{ code: 'stale-state', pointer: '/meta/revision' },
      current: { title: 'Milk', meta: { revision: 1 } },
    });
    expect(answer.get('ETag')).toBe((await server.get('/notes/1')).get('ETag'));
    expect((await server.get('/notes/1')).body).toEqual({ title: 'Milk', body: '', meta: { revision: 1 } });
  });
});

describe('a member of the current state, or none, is no conflict', () => {
  test.each<{
    readonly what: string;
    readonly type: string;
    readonly method?: 'put' | 'patch';
    readonly document: object;
  }>([
    { what: 'a whole record', type: types.json, document: { title: 'x', body: '', meta: { revision: 1 } } },
    { what: 'a keyed patch', type: types.keyed, document: { title: 'x', meta: { revision: 1 } } },
    { what: 'without it', type: types.json, document: { title: 'x' } },
    {
      what: 'a PUT',
      type: types.json,
      method: 'put',
      document: { title: 'x', body: '', meta: { revision: 1 } },
    },
    {
      what: 'a PUT without it',
      type: types.json,
      method: 'put',
      document: { title: 'x', body: '', meta: {} },
    },
    { what: 'a JSON Patch', type: types.patch, document: [{ op: 'replace', path: '/title', value: 'x' }] },
  ])('$what', async ({ type, method = 'patch', document }) => {
    const { server } = await opened();
    await server[method]('/notes/1').type(type).send(document).expect(204);
    expect((await server.get('/notes/1')).body).toMatchObject({ title: 'x', meta: { revision: 2 } });
  });
});

test('the preconditions of RFC 9110 come first', async () => {
  const { server } = await opened();
  const stale = { title: 'x', meta: { revision: 0 } };
  await server.patch('/notes/1').set('If-Match', '"other"').type(types.json).send(stale).expect(412);
  const tag = (await server.get('/notes/1')).get('ETag') ?? '';
  await server.patch('/notes/1').set('If-Match', tag).type(types.json).send(stale).expect(409);
});

test('a record of a resource that was deleted does not create it again', async () => {
  const { server } = await opened();
  const seen = { title: 'x', body: '', meta: { revision: 1 } };
  for (const method of ['put', 'patch'] as const) {
    const answer = await server[method]('/notes/gone').type(types.json).send(seen).expect(409);
    expect(answer.body).toMatchObject({ code: 'stale-state', pointer: '/meta/revision' });
    expect(answer.body).not.toHaveProperty('current');
  }
  await server.put('/notes/new').type(types.json).send({ title: 'x', body: '' }).expect(201);
});

test('without conflict, the answer does not show the state', async () => {
  const { server } = await opened({ conflict: 'minimal' });
  const answer = await server
    .patch('/notes/1')
    .type(types.json)
    .send({ meta: { revision: 0 } });
  expect(answer.body).not.toHaveProperty('current');
});

const rows = [
  {
    over: 'a date with milliseconds',
    start: '2026-11-22T10:00:00.123Z',
    // Never one whose fraction is 0, which counts only once its second is over.
    next: (old: unknown) => {
      const time = Math.max(Date.now(), Date.parse(String(old)) + 1);
      return new Date(time % 1_000 === 0 ? time + 1 : time).toISOString();
    },
  },
  { over: 'a counter', start: 1, next: (old: unknown) => Number(old) + 1 },
];

describe.each(rows)(
  'Two pages that send whole records without If-Match, over rows with $over',
  ({ start, next }) => {
    const kind = typeof start === 'number' ? 'integer' : 'string';
    function openPages() {
      const db = new DatabaseSync(':memory:');
      db.exec('CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT, body TEXT, moved)');
      db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?)').run('a', '', '', start);
      // As a trigger of the database does.
      (db as unknown as { function: (name: string, act: (old: unknown) => unknown) => void }).function(
        'next',
        next as never,
      );
      db.exec(
        'CREATE TRIGGER moves AFTER UPDATE OF title, body ON notes BEGIN UPDATE notes SET moved = next(OLD.moved) WHERE slug = OLD.slug; END',
      );
      const store = tableStore(db, {
        table: 'notes',
        columns: { title: 'string', body: 'string', moved: { kind, readOnly: true } },
        key: 'slug',
      });
      const note = resource(store, [mergePatch({ json: true })], { key: 'slug', stateMembers: ['/moved'] });
      const app = express();
      app.route('/:slug').get(note.get).put(note.put).patch(note.patch);
      return request(app);
    }

    test.each(['put', 'patch'] as const)(
      'by %s: each time nothing is lost, one after the other',
      async (method) => {
        const server = openPages();
        for (let i = 0; i < times(5, 30); i++) {
          const [first, second] = [
            (await server.get('/a')).body as object,
            (await server.get('/a')).body as object,
          ];
          await server[method]('/a')
            .send({ ...first, title: `title ${i}` })
            .expect(204);
          await server[method]('/a')
            .send({ ...second, body: `body ${i}` })
            .expect(409);
          const again = (await server.get('/a')).body as object;
          await server[method]('/a')
            .send({ ...again, body: `body ${i}` })
            .expect(204);
          expect((await server.get('/a')).body).toMatchObject({ title: `title ${i}`, body: `body ${i}` });
        }
      },
    );

    test.each(['put', 'patch'] as const)('by %s: each time nothing is lost, at once', async (method) => {
      const server = openPages();
      for (let i = 0; i < times(5, 30); i++) {
        const seen = (await server.get('/a')).body as object;
        const answers = await Promise.all([
          server[method]('/a').send({ ...seen, title: `title ${i}` }),
          server[method]('/a').send({ ...seen, body: `body ${i}` }),
        ]);
        expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      }
    });
  },
);

describe('a date without fractions counts once its second is over', () => {
  // The clock stands still: on a loaded machine a request can take a second.
  const now = () => Date.UTC(2026, 10, 29, 12, 0, 0);
  let clock: jest.SpyInstance;
  beforeEach(() => {
    clock = jest.spyOn(Date, 'now').mockReturnValue(now() + 300);
  });
  afterEach(() => {
    clock.mockRestore();
  });
  const inSeconds = { read: (time: number) => time / 1_000, kind: 'integer' } as const;
  const asText = {
    read: (time: number) => new Date(time).toISOString().replace('.000Z', 'Z'),
    kind: 'string',
  } as const;
  const withZeros = { read: (time: number) => new Date(time).toISOString(), kind: 'string' } as const;

  test.each([
    { what: 'text', form: asText },
    { what: 'text with zeros', form: withZeros },
    { what: 'seconds since the epoch', form: inSeconds },
  ])('as $what', async ({ form: { read, kind } }) => {
    const table = memoryTable([{ slug: 'a', title: 'Milk', moved: read(now()) }]);
    const store = rowStore({
      ...table.orm,
      columns: { title: 'string', moved: { kind, readOnly: true } },
      key: 'slug',
    });
    const note = resource(store, [jsonPatch(), mergePatch({ json: true })], {
      ...{ key: 'slug', stateMembers: ['/moved'] },
    });
    const app = express();
    app.route('/:slug').put(note.put).patch(note.patch);
    const server = request(app);
    const row = () => table.rows[0] as { moved: unknown };
    row().moved = read(now());
    const fresh = await server.patch('/a').send({ title: 'x', moved: row().moved });
    expect([fresh.status, (fresh.body as { code: unknown }).code]).toEqual([409, 'stale-state']);
    expect((fresh.body as { detail: string }).detail).toMatch(/this second/);
    row().moved = read(now());
    await server.put('/a').send({ title: 'x', moved: row().moved }).expect(409);
    row().moved = read(now());
    const test = [
      { op: 'test', path: '/moved', value: row().moved },
      { op: 'replace', path: '/title', value: 'x' },
    ];
    await server.patch('/a').type(types.patch).send(test).expect(409);
    // A request that does not name it is none of its concern.
    row().moved = read(now());
    await server.patch('/a').send({ title: 'named alone' }).expect(204);
    row().moved = read(now());
    await server.put('/a').send({ title: 'whole, but for that' }).expect(204);
    row().moved = read(now() - 2_000);
    await server.patch('/a').send({ title: 'later', moved: row().moved }).expect(204);
  });
});

describe('what cannot work is a mistake when the handlers are made', () => {
  const store = counted(new MemoryStore<Note>());
  test.each<{ readonly what: string; readonly make: () => unknown; readonly reason: string }>([
    {
      what: 'a member that clients write',
      make: () => resource(store, [mergePatch()], { stateMembers: ['/title'] }),
      reason: 'is not a member that only the store writes',
    },
    {
      what: 'a store that moves nothing',
      make: () => resource(new MemoryStore<Note>(), [mergePatch()], { stateMembers: ['/meta/revision'] }),
      reason: 'is not a member that only the store writes',
    },
    {
      what: 'a hidden member',
      make: () => resource(store, [mergePatch()], { stateMembers: ['/meta/revision'], hidden: ['/meta'] }),
      reason: 'has members that clients cannot see',
    },
    {
      what: 'no JSON Pointer',
      make: () => resource(store, [mergePatch()], { stateMembers: ['updatedAt'] }),
      reason: 'is not a JSON Pointer',
    },
    {
      what: "unwritable: 'ignore' alone",
      make: () => resource(store, [mergePatch()], { unwritable: 'ignore' }),
      reason: 'needs stateMembers',
    },
    {
      what: "unwritable: 'ignore' of a PATCH that no parser reads as JSON",
      make: () => patchHandler(store, [mergePatch()], { unwritable: 'ignore', stateMembers: [] }),
      reason: 'has no effect',
    },
  ])('$what', ({ make, reason }) => {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(reason);
  });
});

describe('a member that a write has left as it was is told once, by a process warning', () => {
  const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
  beforeEach(() => {
    warned.mockClear();
  });
  const now = () => new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();

  test.each([
    { of: 'a member that never moves', revision: 0, move: (value: unknown) => value, told: 1 },
    {
      of: 'a date that never moves',
      revision: '2020-11-22T10:00:00.123Z',
      move: (value: unknown) => value,
      told: 1,
    },
    { of: 'a counter', revision: 0, move: (value: unknown) => Number(value) + 1, told: 0 },
    {
      of: 'a date of this second, which can be that of both writes',
      revision: '2020-11-22T10:00:00Z',
      move: now,
      told: 0,
    },
  ])('$of', async ({ revision, move, told }) => {
    const memory = new MemoryStore<Note>();
    await memory.replace('1', null, { title: 'Milk', body: '', meta: { revision: revision as number } });
    const server = serve({
      get: (key, context) => memory.get(key, context),
      replace: (key, expected, next, context) =>
        memory.replace(
          key,
          expected,
          { ...next, meta: { revision: move(next.meta.revision) as number } },
          context,
        ),
      readOnly: ['/meta/revision'],
    });
    for (const title of ['x', 'y']) await server.patch('/notes/1').send({ title }).expect(204);
    expect(warned.mock.calls.map(([, about]) => about)).toEqual(
      Array.from({ length: told }, () => ({ code: 'PATCH_OPTIONS_STATE_MEMBER' })),
    );
    if (told > 0) {
      expect(warned.mock.calls[0]?.[0]).toContain(
        'but not the member "/meta/revision" of the option stateMembers',
      );
    }
  });

  test('a change that changes nothing moves nothing', async () => {
    const memory = new MemoryStore<Note>();
    await memory.replace('1', null, { title: 'Milk', body: '', meta: { revision: 0 } });
    const server = serve({
      get: memory.get.bind(memory),
      replace: memory.replace.bind(memory),
      readOnly: ['/meta/revision'],
    });
    await server.patch('/notes/1').send({ title: 'Milk' }).expect(204);
    expect(warned).not.toHaveBeenCalled();
  });
});

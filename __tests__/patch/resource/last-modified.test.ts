/** RFC 9110 8.8.2.2: two writes in one second are two states, though they have one date. Over sockets, by the clock. */
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import request from 'supertest';
import {
  checkPreconditions,
  MemoryStore,
  mergePatch,
  resource,
  type ResourceStore,
  sendProblem,
  type Stored,
} from '../../../lib';
import { tableStore } from '../../../lib/rows';
import { SqliteStore } from '../../../lib/stores/sqlite';
import { DatabaseSync } from '../../support/sqlite';

const toSecond = (time: number) => new Date(time).toUTCString();

function table(): ResourceStore {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT, modified TEXT)');
  return tableStore(db, {
    table: 'notes',
    key: 'id',
    modified: 'modified',
    columns: { title: 'string?' },
  });
}

async function sqlite(): Promise<ResourceStore> {
  const store = new SqliteStore(new DatabaseSync(':memory:'), { table: 'resources' });
  await store.setup();
  return store;
}

const stores: readonly {
  readonly name: string;
  readonly open: () => ResourceStore | Promise<ResourceStore>;
}[] = [
  { name: 'MemoryStore', open: () => new MemoryStore() },
  { name: 'SqliteStore', open: sqlite },
  { name: 'rows with a column for the time', open: table },
];

test('a state that was read within its second has no date, however long its answer takes', async () => {
  const store = new MemoryStore();
  let isSlow = false;
  const note = resource(store, [mergePatch({ json: true })], {
    key: 'id',
    create: true,
    represent: async (value) => {
      if (isSlow) await setTimeout(1_000);
      return value;
    },
  });
  const app = express();
  app.route('/:id').get(note.get).patch(note.patch);
  await setTimeout(1_000 - (Date.now() % 1_000));
  await request(app).patch('/1').send({ title: 'read by me' }).expect(201);
  isSlow = true;
  const reading = request(app)
    .get('/1')
    .then(({ headers }) => headers);
  await setTimeout(100);
  await request(app).patch('/1').send({ title: 'by somebody else' }).expect(204);
  expect(await reading).not.toHaveProperty('last-modified');
});

/** The note of a store, and beside it handlers by hand. */
async function service(open: (typeof stores)[number]['open']) {
  const store = await open();
  const note = resource(store, [mergePatch({ json: true })], { key: 'id', create: true });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  app.all('/by-hand/:id', (req, res, next) => {
    const answer = async () => {
      const stored = await store.get(req.params.id);
      const createTag = (state: Stored<unknown>) => note.entityTag(state, req);
      const problem = checkPreconditions(req, stored, { entityTag: createTag });
      if (problem === undefined) res.status(204).end();
      else sendProblem(res, problem);
    };
    answer().catch(next);
  });
  await store.replace('1', null, { title: 'old' });
  return { app, modifiedAt: async () => (await store.get('1'))?.modified?.getTime() ?? NaN };
}

test.each(stores)('$name: nothing is lost to a second write in the same second', async ({ open }) => {
  const { app, modifiedAt } = await service(open);
  // Early in a second, and the library's clock stands still: on a busy machine, the second would be over too soon.
  await setTimeout(1_000 - (Date.now() % 1_000));
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  await request(app).patch('/notes/1').send({ title: 'read by me' }).expect(204);
  const read = await request(app).get('/notes/1').expect(200);
  const second = toSecond(await modifiedAt());
  await request(app).patch('/notes/1').send({ title: 'by somebody else' }).expect(204);
  expect(toSecond(await modifiedAt())).toBe(second);

  expect(read.headers).not.toHaveProperty('last-modified');
  const since = { 'If-Unmodified-Since': second };
  const refused = await request(app).patch('/notes/1').set(since).send({ title: 'mine' });
  expect(refused.body).toMatchObject({
    ...{ status: 412, code: 'precondition-failed' },
    detail: expect.stringContaining('was modified in this second') as unknown,
  });
  await request(app).put('/notes/1').set(since).send({ title: 'mine' }).expect(412);
  await request(app).delete('/notes/1').set(since).expect(412);
  await request(app).put('/by-hand/1').set(since).expect(412);
  await request(app).get('/notes/1').set('If-Modified-Since', second).expect(200);
  await request(app).get('/by-hand/1').set('If-Modified-Since', second).expect(204);

  // The second is over: no other write can have its date.
  clock.mockRestore();
  await setTimeout(1_000 - (Date.now() % 1_000));
  const again = await request(app).get('/notes/1').expect(200);
  expect([again.headers['last-modified'], again.body]).toEqual([second, { title: 'by somebody else' }]);
  await request(app).get('/notes/1').set('If-Modified-Since', second).expect(304);
  await request(app).patch('/notes/1').set(since).send({ title: 'mine' }).expect(204);
  await request(app).patch('/notes/1').set(since).send({ title: 'too late' }).expect(412);
});

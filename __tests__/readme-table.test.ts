/** The table "By hand, and with patch-options" of README.md: each of its rows, both ways. */
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { z } from 'zod';
import {
  jsonPatch,
  MemoryStore,
  mergePatch,
  type ResourceOptions,
  patchOptions,
  resource,
  type ResourceStore,
} from '../lib';

const schema = z.strictObject({
  title: z.string(),
  body: z.string().default(''),
  version: z.number(),
  payments: z.array(z.number()),
});
type Note = z.infer<typeof schema>;

const loaded: Note = { title: 'Tea', body: 'Green', version: 1, payments: [] };

/** A read, `Object.assign` and a write; two requests at once have both read before either writes. */
function byHand(read: (body: unknown) => unknown = (body) => body) {
  let note: Note = loaded;
  const save: RequestHandler = async (req, res) => {
    const record = await Promise.resolve({ ...note });
    await new Promise((resolve) => setTimeout(resolve, 100));
    note = Object.assign(record, read(req.body));
    res.json(note);
  };
  const app = express().set('env', 'test');
  app.use(cors(), express.json());
  app.patch('/notes/:id', save);
  app.get('/notes', (_req, res) => void res.json([]));
  app.post('/notes/:id/payments', (req, res) => {
    note = { ...note, payments: [...note.payments, Number(req.body.amount)] };
    res.json(note);
  });
  return { app, stored: () => Promise.resolve(note) };
}

function withLibrary(options: ResourceOptions<Note> = {}) {
  const notes = new MemoryStore<Note>({ '1': loaded });
  const note = resource(notes, [mergePatch({ json: true }), jsonPatch()], {
    ...options,
    key: 'id',
    idempotency: 'optional',
  });
  const app = express();
  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.get('/notes', (_req, res) => void res.json([]));
  app.route('/notes/:id').get(note.get).patch(note.patch);
  return { app, stored: async () => (await notes.get('1'))?.value };
}

const patch = async (app: Express, body: object | string, headers: Record<string, string> = {}) =>
  request(app)
    .patch('/notes/1')
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body));
const tagOf = async (app: Express) => String((await request(app).get('/notes/1')).get('ETag'));

const rows: Readonly<Record<string, () => Promise<void>>> = {
  async 'Two people change different fields of one record, and each request names only what it changes'() {
    for (const { ways, expected } of [
      { ways: byHand(), expected: [{ title: 'A' }, { body: 'B' }] },
      { ways: withLibrary(), expected: [{ title: 'A', body: 'B' }] },
    ]) {
      await Promise.all([patch(ways.app, { title: 'A' }), patch(ways.app, { body: 'B' })]);
      // By hand, one of the two: whichever was written last.
      expect(expected.map((change) => ({ ...loaded, ...change }))).toContainEqual(await ways.stored());
    }
  },

  async 'Two people change the same field'() {
    const hand = byHand();
    expect((await patch(hand.app, { title: 'A' })).status).toBe(200);
    expect((await patch(hand.app, { title: 'B' })).status).toBe(200);
    const { app, stored } = withLibrary();
    const seen = { 'If-Match': await tagOf(app) };
    expect((await patch(app, { title: 'A' }, seen)).status).toBe(204);
    expect((await patch(app, { title: 'B' }, seen)).status).toBe(412);
    expect(await stored()).toMatchObject({ title: 'A' });
  },

  async 'A page sends the whole record'() {
    for (const { app, stored } of [byHand(), withLibrary()]) {
      await patch(app, { ...loaded, title: 'A' });
      await patch(app, { ...loaded, body: 'B' });
      expect(await stored()).toEqual({ ...loaded, body: 'B' });
    }
    const tagged = withLibrary();
    const seen = { 'If-Match': await tagOf(tagged.app) };
    await patch(tagged.app, { ...loaded, title: 'A' }, seen);
    expect((await patch(tagged.app, { ...loaded, body: 'B' }, seen)).status).toBe(412);
    const memory = new MemoryStore<Note>({ '1': { ...loaded, title: 'A', version: 2 } });
    const notes: ResourceStore<Note> = {
      get: (key) => memory.get(key),
      replace: (key, expected, next) => memory.replace(key, expected, next),
      readOnly: ['/version'],
    };
    const formats = [mergePatch({ json: true })];
    const { patch: handler } = resource(notes, formats, { key: 'id', stateMembers: ['/version'] });
    const app = express().patch('/notes/:id', handler);
    expect((await patch(app, { ...loaded, body: 'B' })).status).toBe(409);
  },

  async 'A request sends the title alone, and the zod 4 schema has defaults'() {
    const hand = byHand((body) => schema.partial().parse(body));
    await patch(hand.app, { title: 'A' });
    expect(await hand.stored()).toMatchObject({ title: 'A', body: '' });
    const { app, stored } = withLibrary({ validate: schema });
    await patch(app, { title: 'A' });
    expect(await stored()).toMatchObject({ title: 'A', body: 'Green' });
  },

  async 'A request sends `{"isAdmin": true}`'() {
    const hand = byHand();
    await patch(hand.app, { isAdmin: true });
    expect(await hand.stored()).toMatchObject({ isAdmin: true });
    for (const options of [{ readOnly: ['/isAdmin'] }, { writable: ['/title'] }, { validate: schema }]) {
      expect((await patch(withLibrary(options).app, { isAdmin: true })).status).toBe(422);
    }
  },

  async 'A response is lost, and the client repeats "add 20"'() {
    const hand = byHand();
    for (const attempt of [1, 2]) {
      await request(hand.app).post('/notes/1/payments').send({ amount: 20, attempt });
    }
    expect((await hand.stored()).payments).toEqual([20, 20]);
    const { app, stored } = withLibrary();
    const headers = { 'Content-Type': 'application/json-patch+json', 'Idempotency-Key': '"1"' };
    const add = '[{"op":"add","path":"/payments/-","value":20}]';
    expect((await patch(app, add, headers)).status).toBe(204);
    expect((await patch(app, add, headers)).status).toBe(204);
    expect((await stored())?.payments).toEqual([20]);
  },

  async 'A page sends PATCH to a path without a PATCH route'() {
    const ask = async (app: Express) => {
      const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PATCH' };
      return (await request(app).options('/notes').set(headers)).get('Access-Control-Allow-Methods');
    };
    expect(await ask(byHand().app)).toContain('PATCH');
    expect((await request(byHand().app).patch('/notes').send({})).status).toBe(404);
    expect(await ask(withLibrary().app)).toBe('GET, HEAD, OPTIONS');
  },

  async 'The body is not valid JSON'() {
    const hand = await patch(byHand().app, '{"title":');
    expect([hand.status, hand.type]).toEqual([400, 'text/html']);
    const { status, type, body } = await patch(withLibrary().app, '{"title":');
    expect([status, type]).toEqual([400, 'application/problem+json']);
    expect(body).toMatchObject({ code: 'patch-malformed' });
  },
};

const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
const [, table = ''] = /^\| \| by hand.*?\n\| ---.*?\n(.*?)\n\n/ms.exec(readme) ?? [];

test('every row of the table is tried here, and no other', () => {
  expect(table.split('\n').map((row) => row.split(' | ')[0]?.slice(2))).toEqual(Object.keys(rows));
});

test.each(Object.entries(rows).map(([row, tried]) => ({ row, tried })))('$row', async ({ tried }) => {
  await tried();
});

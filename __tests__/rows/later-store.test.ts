/** Stores whose connection comes later than the handlers, or is replaced. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { jsonPatch, mergePatch, patchHandler, resource } from '../../lib';
import { rowStore, tableRows, tableStore } from '../../lib/rows';
import { type ConformanceOptions, storeConformance } from '../../lib/testing';
import type { Members } from '../../lib/testing/members';
import { mistakesOf } from '../support/mistakes-of';
import { DatabaseSync } from '../support/sqlite';
import { testSomeCases } from '../support/test-cases';
import { change, replaceAt } from '../support/written';

function openNotes(title: string) {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT, due INTEGER, kind TEXT, outcomes TEXT)`);
  db.prepare("INSERT INTO notes VALUES ('milk', ?, 0, 'a', NULL)").run(title);
  return db;
}

const declared = {
  columns: { title: 'string?', kind: { kind: 'string?', readOnly: true } },
  ...{ key: 'slug', outcomes: 'outcomes' },
} as const;

/** How an app hands in the connection: called at each use. */
const ways = [
  {
    way: 'tableStore(() => db)',
    open: (connect: () => DatabaseSync, more: object = {}) =>
      tableStore(connect, { table: 'notes', ...declared, ...more }),
  },
  {
    way: 'rowStore({ rows: () => … })',
    open: (connect: () => DatabaseSync, more: object = {}) =>
      rowStore({ rows: () => tableRows(connect(), { table: 'notes' }), ...declared, ...more }),
  },
];

function appOver(store: ReturnType<(typeof ways)[0]['open']>) {
  const note = resource(store, [jsonPatch(), mergePatch()], {
    key: 'slug',
    create: true,
    idempotency: 'optional',
  });
  const failed: ErrorRequestHandler = (error: Error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(500).send(error.message);
  };
  const app = express().get('/:slug', note.get).patch('/:slug', note.patch).put('/:slug', note.put);
  return app.delete('/:slug', note.delete).use(failed);
}

describe.each(ways)('$way', ({ open }) => {
  const merge = 'application/merge-patch+json';

  test('handlers are made before there is a connection', async () => {
    const present: { db?: DatabaseSync } = {};
    const store = open(() => present.db as DatabaseSync);
    const app = appOver(store);
    const early = await request(app).get('/milk');
    expect([early.status, early.text]).toEqual([
      500,
      expect.stringContaining('db: undefined is neither a Pool of pg'),
    ]);
    present.db = openNotes('Milk');
    expect((await request(app).get('/milk')).body).toEqual({ title: 'Milk', kind: 'a' });
    expect((await request(app).patch('/milk').type(merge).send('{"title":"Tea"}')).status).toBe(204);
    expect((await request(app).patch('/milk').type(merge).send('{"kind":"b"}')).body).toMatchObject({
      status: 422,
    });
    expect((await request(app).put('/bread').send({ title: 'Bread' })).status).toBe(201);
    for (let i = 0; i < 2; i++) {
      const once = request(app).patch('/bread').set('Idempotency-Key', '"k"').type(merge);
      expect((await once.send('{"title":"Rye"}')).status).toBe(204);
    }
    expect((await request(app).delete('/bread')).status).toBe(204);
    expect(await store.get('milk')).toMatchObject({ value: { title: 'Tea', kind: 'a' } });
  });

  test('what does not depend on the connection is a mistake at once', () => {
    const make = () => open(() => openNotes('Milk'), { columns: { title: 'text' } });
    expect(mistakesOf(make)).toMatchObject([{ option: 'columns.title' }]);
  });

  test('the rest is the error of each request', async () => {
    const columns = { title: 'string?', kind: 'string?', due: 'date' };
    const store = open(() => openNotes('Milk'), { columns });
    for (let i = 0; i < 2; i++) {
      const answer = await request(appOver(store)).get('/milk');
      expect([answer.status, answer.text]).toEqual([500, expect.stringMatching(/columns\.due.*as/s)]);
    }
  });

  const db = openNotes('Milk');
  const options: ConformanceOptions<Members> = {
    versions: false,
    carrier: { wrap: (title) => ({ title }), unwrap: ({ title }) => String(title) },
  };
  const cases = storeConformance(() => ({ open: () => open(() => db) as never }), options);
  testSomeCases(cases, 2);
});

describe('tableStore(() => db): another database in place of the first', () => {
  test('works on, and a write under way stays in its own', async () => {
    let db = openNotes('Milk');
    const store = tableStore(() => db, { table: 'notes', ...declared });
    const app = express().patch('/:slug', patchHandler(store, [mergePatch({ json: true })], { key: 'slug' }));
    expect((await request(app).patch('/milk').send({ title: 'Tea' })).status).toBe(204);
    const first = db;
    db = openNotes('Restored');
    first.close();
    expect((await store.get('milk'))?.value.title).toBe('Restored');
    expect((await request(app).patch('/milk').send({ title: 'Rye' })).status).toBe(204);
    expect((await store.get('milk'))?.value.title).toBe('Rye');
  });

  test('a state of the first is one of the second only if the content is the same', async () => {
    let db = openNotes('Milk');
    const store = tableStore(() => db, { table: 'notes', ...declared });
    const before = await change(store, 'milk', { title: 'Tea', kind: 'a' });
    db = openNotes('Restored');
    expect(await replaceAt(store, 'milk', before, { title: 'Lost', kind: 'a' })).toMatchObject({
      current: { value: { title: 'Restored' } },
    });
    db = openNotes('Tea');
    expect(await replaceAt(store, 'milk', before, { title: 'Rye', kind: 'a' })).toMatchObject({
      value: { title: 'Rye' },
    });
  });
});

test('rowStore: rows must be a function', () => {
  const make = () =>
    rowStore({ rows: tableRows(openNotes('Milk'), { table: 'notes' }), ...declared } as never);
  expect(mistakesOf(make)).toMatchObject([{ option: 'rows', code: 'option-type' }]);
});

/** `show` of a store: a row that a query of the app has read, as GET of the item shows it. */
import express from 'express';
import request from 'supertest';
import { checkPreconditions, mergePatch, resource, sendProblem } from '../../lib';
import { ColumnValueError, tableStore } from '../../lib/rows';
import { describeOver, type TestDatabase, testEngines } from './databases';

const types = {
  sqlite: { date: 'text', json: 'text', boolean: 'integer' },
  postgres: { date: 'timestamptz', json: 'jsonb', boolean: 'boolean' },
  mysql: { date: 'datetime(3)', json: 'json', boolean: 'boolean' },
} as const;
const times = {
  sqlite: '2026-11-22T10:00:00.000Z',
  postgres: '2026-11-22T10:00:00Z',
  mysql: '2026-11-22 10:00:00',
} as const;

describeOver(testEngines, 'a list, and a GET with a query of its own', ({ dialect, open }) => {
  const { date, json, boolean } = types[dialect];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await database.sql(`CREATE TABLE shown_notes (slug varchar(20) PRIMARY KEY, title text, is_done ${boolean}, tags ${json},
      created_at ${date}, price decimal(8, 2), secret text NOT NULL, revision integer NOT NULL);
      INSERT INTO shown_notes VALUES ('milk', NULL, TRUE, '["a"]', '${times[dialect]}', 12.5, 'hash', 7)`);
  });
  afterAll(() => database.close());

  const createStore = () =>
    tableStore(database.db, {
      table: 'shown_notes',
      columns: {
        title: 'string?',
        done: { kind: 'boolean', column: 'is_done' },
        tags: 'json',
        createdAt: { kind: 'date', column: 'created_at', ...(dialect === 'sqlite' && { storedAs: 'iso' }) },
        price: 'decimal',
        password: { kind: 'string', column: 'secret', writeOnly: true },
      },
      key: 'slug',
      counter: 'revision',
    });
  const select = `SELECT slug, title, is_done, tags, created_at, price, 'x' AS joined FROM shown_notes`;

  test('the value and the tag are those of GET, without the secret', async () => {
    const store = createStore();
    const note = resource(store, [mergePatch()], { key: 'slug' });
    const app = express().get('/:slug', note.get);
    app.get('/', async (req, res) => {
      const states = (await database.sql(select)).map(store.show);
      res.json(states.map((state) => ({ tag: note.entityTag(state, req), value: state.value })));
    });
    const item = await request(app).get('/milk').expect(200);
    expect(item.get('ETag')).toMatch(/^"/);
    const list = await request(app).get('/').expect(200);
    expect(list.body).toEqual([{ tag: item.get('ETag'), value: item.body as unknown }]);
    expect(item.body).toMatchObject({
      title: null,
      done: true,
      price: dialect === 'sqlite' ? '12.5' : '12.50',
    });
    expect(list.text).not.toMatch(/hash|password|joined|revision/);
  });

  test('304 by the state of the row, as far as clients see it', async () => {
    const store = createStore();
    const note = resource(store, [mergePatch()], { key: 'slug' });
    const app = express().get('/milk', async (req, res) => {
      const [row = {}] = await database.sql(select);
      const state = store.show(row);
      const tag = note.entityTag(state, req);
      const problem = checkPreconditions(req, state, { entityTag: () => tag });
      if (problem !== undefined) return sendProblem(res, problem);
      res.set('ETag', tag).json({ ...state.value, joined: row['joined'] });
    });
    const first = await request(app).get('/milk').expect(200);
    const tag = first.get('ETag') ?? '';
    await request(app).get('/milk').set('If-None-Match', tag).expect(304).expect('ETag', tag);
    await database.sql(`UPDATE shown_notes SET revision = revision + 1, secret = 'other'`);
    await request(app).get('/milk').set('If-None-Match', tag).expect(304);
    await database.sql(`UPDATE shown_notes SET title = 'x'`);
    await request(app).get('/milk').set('If-None-Match', tag).expect(200);
    await database.sql(`UPDATE shown_notes SET title = NULL`);
  });

  test('a column that the query left out is an error, and not NULL', async () => {
    const store = createStore();
    const [row = {}] = await database.sql('SELECT slug, is_done, created_at, price FROM shown_notes');
    expect(() => store.show(row)).toThrow(/does not have the columns title, tags/);
  });

  test('a value that its kind cannot represent is an error, as on GET', async () => {
    const store = createStore();
    const [row = {}] = await database.sql(select);
    expect(() => store.show({ ...row, is_done: 'perhaps' })).toThrow(ColumnValueError);
  });
});

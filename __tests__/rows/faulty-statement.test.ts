/** A fault in a statement is the app's or the library's: it goes to Express, whatever the client has sent. */
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { mergePatch, resource } from '../../lib';
import { type Rows, rowStore, tableRows } from '../../lib/rows';
import { describeOver, type TestDatabase, testEngines } from './databases';

/** Statements that no value of a client makes right. */
const statements = [
  { fault: 'a syntax error', sql: `UPDATE faulty SET title WHERE slug = 'milk'` },
  { fault: 'an unknown function', sql: `UPDATE faulty SET title = no_such_function(1) WHERE slug = 'milk'` },
  { fault: 'an unknown column', sql: `UPDATE faulty SET titel = 'a' WHERE slug = 'milk'` },
  { fault: 'an unknown table', sql: `UPDATE no_such_table SET title = 'a'` },
  { fault: 'a parameter that is missing', sql: `UPDATE faulty SET title = $9 WHERE slug = 'milk'` },
];

describeOver(testEngines, 'a fault in a statement', ({ engine, open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
    await database.sql(`CREATE TABLE faulty (slug varchar(20) PRIMARY KEY, title varchar(20));
      INSERT INTO faulty VALUES ('milk', 'Buy milk')`);
  });
  afterAll(() => database.close());

  // SQLite takes a parameter that is not bound for NULL.
  const refusedHere = statements.filter(({ sql }) => !(engine.includes('sqlite') && sql.includes('$9')));
  test.each(refusedHere)('$fault', async ({ sql }) => {
    const faulty = async () => {
      await database.sql(sql);
      return 1;
    };
    const { find, dialect } = tableRows(database.db, { table: 'faulty' });
    const rows: Rows = { find, dialect, lock: () => 1, update: faulty, insert: faulty };
    const store = rowStore({
      ...rows,
      transaction: (run: (inside: Rows, tx: unknown) => Promise<void>) => run(rows, undefined),
      ...{ columns: { title: 'string?' }, key: 'slug' },
    });
    const note = resource(store, [mergePatch({ json: true })], { key: 'slug', create: true });
    const errors: unknown[] = [];
    const handle: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error);
      if (res.headersSent) next(error);
      else res.status(500).end();
    };
    const app = express().patch('/:slug', note.patch).put('/:slug', note.put).use(handle);
    await request(app).patch('/milk').send({ title: 'Wine' }).expect(500);
    await request(app).put('/new').send({ title: 'Bread' }).expect(500);
    expect(errors).toHaveLength(2);
  });
});

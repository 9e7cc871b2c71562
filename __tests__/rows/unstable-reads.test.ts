/** A member that has another value with each reading, such as a clock in a view, is an error that names it, and no race. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { describeOver, type TestDatabase, testEngines } from './databases';

const random = {
  sqlite: 'abs(random() % 1000000000)',
  postgres: 'floor(random() * 1e9)',
  mysql: 'floor(rand() * 1e9)',
};

describeOver(testEngines, 'a column of a view that differs between two reads', ({ dialect, open }) => {
  let database: TestDatabase;
  let view: string;
  let judged = 0;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const table = `base_${randomUUID().slice(0, 8)}`;
    view = `${table}_view`;
    await database.sql(`CREATE TABLE ${table} (slug varchar(20) PRIMARY KEY, title varchar(20))`);
    await database.sql(`INSERT INTO ${table} VALUES ('a', 'x')`);
    await database.sql(`CREATE VIEW ${view} AS SELECT slug, title, ${random[dialect]} AS age FROM ${table}`);
    if (dialect === 'sqlite')
      await database.sql(`CREATE TRIGGER ${view}_update INSTEAD OF UPDATE ON ${view} BEGIN
        UPDATE ${table} SET title = NEW.title WHERE slug = NEW.slug; END`);
  });

  const serve = (listed: boolean) => {
    const store = tableStore(database.db, {
      table: view,
      columns: { title: 'string', ...(listed && { age: { kind: 'number', readOnly: true } as const }) },
      key: 'slug',
    });
    const note = resource(store as never, [mergePatch({ json: true }), jsonPatch()], {
      key: 'slug',
      authorize: () => {
        judged += 1;
        return true;
      },
    });

    const errors: unknown[] = [];
    const keepError: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error);
      if (res.headersSent) next(error);
      else res.status(500).end();
    };
    const app = express().get('/:slug', note.get).patch('/:slug', note.patch).delete('/:slug', note.delete);
    return { store, errors, server: supertest(app.use(keepError)) };
  };

  test.each(['patch', 'delete'] as const)('is named, at the first attempt: %s', async (method) => {
    const { server, errors } = serve(true);
    await server.get('/a').expect(200);
    judged = 0;
    await server[method]('/a').send({ title: 'y' }).expect(500);
    expect(errors).toEqual([
      expect.objectContaining({
        name: 'TypeError',
        message:
          'The column age has another value each time the row is read, so no write can be made on the condition that it ' +
          'has not changed. Leave it out of columns, and add it in represent.',
      }),
    ]);
    expect(judged).toBe(1);
    expect(await database.sql(`SELECT title FROM ${view}`)).toMatchObject([{ title: 'x' }]);
  });

  // MariaDB refuses each UPDATE of such a view.
  if (dialect !== 'mysql')
    test('that is not listed is nothing to the store', async () => {
      const { server, errors } = serve(false);
      const answer = await server.patch('/a').send({ title: 'y' });
      expect([answer.status, errors]).toEqual([204, []]);
      expect(await database.sql(`SELECT title FROM ${view}`)).toMatchObject([{ title: 'y' }]);
    });
});

/** An UPDATE that the database drops without an error is no lost race: the row is as it was, and the app learns of it. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { change, create } from '../support/written';
import { describeOver, testEngines } from './databases';

/** A trigger that keeps the row as it is. */
const triggers = {
  sqlite: (table: string) =>
    `CREATE TRIGGER ${table}_kept BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(IGNORE); END`,
  postgres: (table: string) =>
    `CREATE FUNCTION ${table}_kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
     CREATE TRIGGER kept BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_kept()`,
};

describeOver(
  testEngines.filter(({ dialect }) => dialect !== 'mysql'),
  'a trigger that drops the UPDATE',
  ({ dialect, open }) => {
    test('is an error for the app, and the row stays', async () => {
      const { db, sql, close } = await open();
      const table = `dropped_${randomUUID().slice(0, 8)}`;
      await sql(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text)`);
      await sql(triggers[dialect === 'sqlite' ? 'sqlite' : 'postgres'](table));
      const columns = { title: 'string' } as const;
      const store = tableStore(db, { table, columns, key: 'slug' });
      const made = await create(store, 'milk', { title: 'a' });
      await expect(change(store, 'milk', { title: 'b' })).rejects.toThrow(
        'The UPDATE changed no row, although the row is locked.',
      );

      const app = express();
      app.patch('/:slug', resource(store, [mergePatch()], { key: (req) => req.params['slug'] }).patch);
      const errors: unknown[] = [];
      const answerFaults: ErrorRequestHandler = (error, _req, res, next) => {
        if (res.headersSent) next(error);
        errors.push(error);
        res.sendStatus(500);
      };
      app.use(answerFaults);
      const answer = await supertest(app)
        .patch('/milk')
        .set('Content-Type', 'application/merge-patch+json')
        .send('{"title":"b"}');
      expect(answer.status).toBe(500);
      expect(errors).toMatchObject([
        { message: expect.stringContaining('row-level security or a trigger') as unknown },
      ]);
      expect(await store.get('milk')).toEqual(made);
      await close();
    });
  },
);

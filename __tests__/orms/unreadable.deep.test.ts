/**
 * Dates declared as strings: PostgreSQL takes "infinity" for a date, and TypeORM and Sequelize give back a number. Such a row never comes to be.
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { DataTypes, Sequelize } from 'sequelize';
import supertest from 'supertest';
import { DataSource, EntitySchema } from 'typeorm';
import { mergePatch, resource } from '../../lib';
import { rowStore, type Rows, type RowStoreOptions, sequelizeRows, typeormRows } from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';

interface Day {
  slug: string;
  title: string;
  day: string | null;
}

const text = { type: 'text' } as const;
const DayEntity = new EntitySchema<Day>({
  name: 'Day',
  tableName: 'days',
  columns: {
    slug: { ...text, primary: true },
    title: text,
    day: { type: 'date', nullable: true },
  },
});

function dayModel(sequelize: Sequelize) {
  const key = { type: DataTypes.TEXT, primaryKey: true };
  const others = { title: DataTypes.TEXT, day: DataTypes.DATEONLY };
  return sequelize.define('Day', { slug: key, ...others }, { tableName: 'days', timestamps: false });
}

interface Orm {
  readonly rows: Rows & Required<Pick<Rows, 'delete'>>;
  readonly transaction: NonNullable<RowStoreOptions['transaction']>;
}

let database: TestDatabase;
const orms = new Map<string, Orm>();
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  const columns = 'slug text PRIMARY KEY, title text NOT NULL, day date';
  await database.sql(`CREATE TABLE days (${columns})`);
  const { url } = database;
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [DayEntity] }).initialize();
  const sequelize = new Sequelize(url, { logging: false });
  const Model = dayModel(sequelize);
  closing.push(
    () => dataSource.destroy(),
    () => sequelize.close(),
  );
  orms.set('TypeORM', {
    rows: typeormRows(dataSource.getRepository(DayEntity)),
    transaction: (run) => dataSource.transaction((em) => run(typeormRows(em.getRepository(DayEntity)), em)),
  });
  orms.set('Sequelize', {
    rows: sequelizeRows(Model),
    transaction: (run) =>
      sequelize.transaction((transaction) => run(sequelizeRows(Model, { transaction }), transaction)),
  });
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.close();
});

const declared = {
  columns: { title: 'string', day: 'string?' },
  key: 'slug',
} as const;
const sound = { title: 'a', day: '2026-11-22' };

describe.each(['TypeORM', 'Sequelize'])('%s', (name) => {
  const opened = async () => {
    const { rows, transaction } = orms.get(name) ?? {
      rows: undefined as never,
      transaction: undefined as never,
    };
    const store = rowStore({
      ...rows,
      ...declared,
      transaction,
    });
    const slug = randomUUID();
    await store.replace(slug, null, sound);
    const note = resource(store, [mergePatch()], { key: (req) => req.params['slug'] });
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    const path = `/${slug}`;
    return {
      get: () => supertest(app).get(path),
      delete: () => supertest(app).delete(path),
      put: (body: object) => supertest(app).put(path).send(body),
      patch: (body: object) =>
        supertest(app)
          .patch(path)
          .set('Content-Type', 'application/merge-patch+json')
          .send(JSON.stringify(body)),
    };
  };

  test.each(['infinity', '-infinity'])('%s is rolled back in a transaction', async (day) => {
    const { get, patch } = await opened();
    expect((await patch({ day })).body).toMatchObject({ status: 422, errors: [{ pointer: '/day' }] });
    expect((await get()).body).toEqual(sound);
  });
});

/** What models declare beside columns: rows deleted softly, transformers, setters, validators, hooks, counters of versions. */
import { EntitySchema as MikroormSchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { DataTypes, type Model, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import { mikroormRows, rowStore, type Rows, sequelizeRows, typeormRows } from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';
import { writeRow } from './support/write-row';
import { write } from './support/written';

interface Tagged {
  id: number;
  slug: string;
  title: string;
  body: unknown;
  email: string | null;
  code: string | null;
  secret: string;
  deletedAt: Date | null;
  revision: number;
}

const ownEmail = () => `${randomUUID()}@b.example`;
const nullable = { nullable: true } as const;

const TypeormNote = new EntitySchema<Tagged>({
  name: 'Note',
  tableName: 'notes',
  columns: {
    id: { type: 'integer', primary: true, generated: 'increment' },
    slug: { type: 'text' },
    title: { type: 'text', transformer: { to: (title: string) => title.trim(), from: String } },
    body: {
      type: 'text',
      ...nullable,
      transformer: {
        to: (body: unknown) => (body === null ? null : JSON.stringify(body)),
        from: (body: string | null) => (body === null ? null : (JSON.parse(body) as unknown)),
      },
    },
    email: { type: 'text', ...nullable },
    code: { type: 'varchar', ...nullable, update: false },
    secret: { type: 'text', ...nullable, select: false },
    deletedAt: { name: 'deleted_at', type: 'timestamptz', ...nullable, deleteDate: true },
    revision: { type: 'integer', version: true },
  },
});

const MikroormNote = new MikroormSchema<Tagged>({
  name: 'Note',
  tableName: 'notes',
  properties: {
    id: { type: 'integer', primary: true, autoincrement: true },
    slug: { type: 'text' },
    title: { type: 'text' },
    body: { type: 'json', ...nullable, columnType: 'text' },
    email: { type: 'text', ...nullable },
    code: { type: 'text', ...nullable },
    secret: { type: 'text', ...nullable },
    deletedAt: { type: 'datetime', ...nullable },
    revision: { type: 'integer', version: true },
  },
  filters: { present: { name: 'present', cond: { deletedAt: null }, default: true } },
});

function sequelizeNote(sequelize: Sequelize) {
  return sequelize.define(
    'Note',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      slug: DataTypes.TEXT,
      title: {
        type: DataTypes.TEXT,
        set(this: Model, title: string) {
          this.setDataValue('title', title.trim());
        },
      },
      body: {
        type: DataTypes.TEXT,
        get(this: Model): unknown {
          // Model.update calls it of what is set alone.
          const body = this.getDataValue('body') as string | null | undefined;
          return typeof body === 'string' ? JSON.parse(body) : body;
        },
        set(this: Model, body: unknown) {
          this.setDataValue('body', body === null ? null : JSON.stringify(body));
        },
      },
      email: { type: DataTypes.TEXT, validate: { isEmail: true } },
      code: DataTypes.STRING,
      secret: DataTypes.TEXT,
      revision: DataTypes.INTEGER,
    },
    {
      ...{ tableName: 'notes', underscored: true, paranoid: true, version: 'revision' },
      hooks: {
        beforeUpdate: (note) => {
          const code = note.getDataValue('code') as string | null;
          note.setDataValue('code', code?.toUpperCase() ?? null);
        },
      },
    },
  );
}

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];
type OrmRows = Rows & Required<Pick<Rows, 'insert' | 'delete'>>;
const rowsOf: Record<string, OrmRows> = {};
/** The app's own write, which counts the version of the model up. */
const ownWrite: Record<string, (slug: string) => Promise<unknown>> = {};
const softDelete: Record<string, (slug: string) => Promise<unknown>> = {};

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  const { url } = database;
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [TypeormNote] }).initialize();
  const repository = dataSource.getRepository(TypeormNote);
  const sequelize = new Sequelize(url, { logging: false });
  const Note = sequelizeNote(sequelize);
  const orm = await MikroORM.init({ clientUrl: url, entities: [MikroormNote] });
  closing.push(
    () => dataSource.destroy(),
    () => sequelize.close(),
    () => orm.close(),
  );
  Object.assign(rowsOf, {
    TypeORM: typeormRows(repository),
    Sequelize: sequelizeRows(Note),
    MikroORM: mikroormRows(orm.em, MikroormNote),
  } satisfies Record<string, OrmRows>);
  Object.assign(softDelete, {
    TypeORM: (slug: string) => repository.softDelete({ slug }),
    Sequelize: (slug: string) => Note.destroy({ where: { slug } }),
    MikroORM: (slug: string) => orm.em.fork().nativeUpdate(MikroormNote, { slug }, { deletedAt: new Date() }),
  });
  Object.assign(ownWrite, {
    TypeORM: async (slug: string) => {
      const note = await repository.findOneByOrFail({ slug });
      note.email = ownEmail();
      await repository.save(note);
    },
    Sequelize: async (slug: string) => {
      const note = await Note.findOne({ where: { slug }, rejectOnEmpty: true });
      await note.update({ email: ownEmail() });
    },
    MikroORM: async (slug: string) => {
      const em = orm.em.fork();
      const note = await em.findOneOrFail(MikroormNote, { slug });
      note.email = ownEmail();
      await em.flush();
    },
  });
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.close();
});

const columns = { title: 'string', body: 'json?', email: 'string?' } as const;

describe.each(['TypeORM', 'Sequelize', 'MikroORM'])('%s', (orm) => {
  const storeOf = () => rowStore({ ...(rowsOf[orm] as OrmRows), columns, key: 'slug' });
  const rowOf = async (slug: string) => (await database.sql(`SELECT * FROM notes WHERE slug = '${slug}'`))[0];
  const created = async () => {
    const slug = randomUUID();
    const made = await write(storeOf(), slug, null, { title: 'a', body: { a: 1 }, email: null });
    return { slug, made };
  };

  test('a row that was deleted softly is not there, also for who has read it before', async () => {
    const { slug, made } = await created();
    const store = storeOf();
    await softDelete[orm]?.(slug);
    expect(await store.get(slug)).toBeUndefined();
    const next = { ...made.value, title: 'b' };
    expect(await store.replace(slug, '', next, { current: made })).toEqual({ current: undefined });
    expect(await store.delete(slug)).toBe(false);
    expect(await rowOf(slug)).toMatchObject({ title: 'a', deleted_at: expect.any(Date) as Date });
    await expect(store.replace(slug, null, next)).rejects.toMatchObject({ status: 409 });
  });

  test(`delete ${orm === 'MikroORM' ? 'deletes for good' : 'deletes softly'}`, async () => {
    const { slug } = await created();
    expect(await storeOf().delete(slug)).toBe(true);
    expect(await storeOf().get(slug)).toBeUndefined();
    const row = await rowOf(slug);
    expect(orm === 'MikroORM' ? row : row?.['deleted_at'] instanceof Date).toBe(
      orm === 'MikroORM' ? undefined : true,
    );
  });

  test('a transformer, or a setter with its getter, is applied once either way', async () => {
    const { slug, made } = await created();
    expect(made.value.body).toEqual({ a: 1 });
    const changed = await write(storeOf(), slug, made, { ...made.value, body: ['"', { b: null }] });
    expect(changed.value.body).toEqual(['"', { b: null }]);
    expect((await storeOf().get(slug))?.value).toEqual(changed.value);
    expect(JSON.parse(String((await rowOf(slug))?.['body']))).toEqual(['"', { b: null }]);
  });

  test('the writes of the app itself, which count a version, are seen in the content', async () => {
    const { slug, made } = await created();
    const store = storeOf();
    await ownWrite[orm]?.(slug);
    const next = { ...made.value, title: 'b' };
    const found = await store.replace(slug, '', next, { current: made });
    expect(found).toEqual({ current: await store.get(slug) });
    const seen = await store.get(slug);
    expect(seen?.value.email).toMatch(/@b\.example$/);
    const changed = await write(store, slug, seen, { ...next, email: seen?.value.email ?? null });
    expect((await store.get(slug))?.value).toEqual(changed.value);
  });

  test('what the model calls otherwise, or does not have, is an error that names it', async () => {
    const misspelt = {
      columns: { title: 'string', deleted_at: 'date' },
      key: 'slug',
      counter: 'revisio',
    } as const;
    const opening = () => rowStore({ ...(rowsOf[orm] as OrmRows), ...misspelt });
    expect(opening).toThrow(/columns\.deleted_at: 'deleted_at' is not a column.* Did you mean 'deletedAt'\?/);
    expect(opening).toThrow(/counter: 'revisio' is not a column.* Did you mean 'revision'\?/);
    // The rows of a transaction can be those of another model.
    const rows = rowsOf[orm] as Rows;
    const { slug } = await created();
    await expect(Promise.resolve().then(() => writeRow(rows, { slug }, { revisio: 'x' }))).rejects.toThrow(
      /"revisio".* Name it as/,
    );
  });
});

test('TypeORM: a setter of whitespace, and a column that TypeORM would not write', async () => {
  const slug = randomUUID();
  const store = rowStore({
    ...(rowsOf['TypeORM'] as OrmRows),
    ...({ columns: { title: 'string', code: 'string?' }, key: 'slug' } as const),
  });
  const made = await write(store, slug, null, { title: ' a ', code: 'x' });
  expect(made.value).toEqual({ title: 'a', code: 'x' });
  await expect(write(store, slug, made, { title: 'a', code: 'y' })).rejects.toThrow('has update: false');
});

test('TypeORM: a store that is made before the data source is initialized', async () => {
  const entities = [TypeormNote];
  const dataSource = new DataSource({ type: 'postgres', url: database.url, entities });
  const rows = typeormRows(dataSource.getRepository(TypeormNote));
  const options = { ...rows, key: 'slug' };
  const store = rowStore({ ...options, columns: { title: 'string' } });
  const misspelt = rowStore({ ...options, columns: { titel: 'string' } });
  await dataSource.initialize();
  closing.push(() => dataSource.destroy());
  expect((await write(store, randomUUID(), null, { title: 'a' })).value).toEqual({ title: 'a' });
  await expect(misspelt.get('a')).rejects.toThrow('"titel". Name it as');
});

test('Sequelize: a setter, a hook and a validator', async () => {
  const slug = randomUUID();
  const store = rowStore({
    ...(rowsOf['Sequelize'] as OrmRows),
    columns: { title: 'string', code: 'string?', email: 'string?' },
    key: 'slug',
  });
  const made = await write(store, slug, null, { title: ' a ', code: null, email: null });
  const changed = await write(store, slug, made, { title: ' b ', code: 'x', email: null });
  expect(changed.value).toEqual({ title: 'b', code: 'X', email: null });
  const seen = await store.get(slug);
  expect(seen?.value).toEqual(changed.value);
  const refused = write(store, slug, seen, { title: 'b', code: 'X', email: 'none' });
  await expect(refused).rejects.toMatchObject({ status: 422 });
  expect(await store.get(slug)).toEqual(seen);
});

/** What models declare beside columns: rows deleted softly, transformers, setters, validators, hooks, counters of versions. */
import { EntitySchema as MikroormSchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { DataTypes, type Model, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import {
  mikroormRows,
  rowStore,
  type RowStoreOptions,
  type Rows,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';

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
  version: string;
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
    version: { type: 'text' },
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
    version: { type: 'text' },
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
      version: DataTypes.TEXT,
    },
    {
      ...{ tableName: 'notes', underscored: true, paranoid: true, version: 'revision' },
      hooks: {
        beforeBulkUpdate: (options) => {
          const { attributes } = options as { attributes?: { code?: string } };
          if (attributes?.code !== undefined) attributes.code = attributes.code.toUpperCase();
        },
      },
    },
  );
}

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];
type TransactedRows = Rows & Pick<RowStoreOptions, 'transaction'>;
const rowsOf: Record<string, TransactedRows> = {};
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
    TypeORM: {
      ...typeormRows(repository),
      transaction: (run) =>
        dataSource.transaction((em) => run(typeormRows(em.getRepository(TypeormNote)), em)),
    },
    Sequelize: {
      ...sequelizeRows(Note),
      transaction: (run) =>
        sequelize.transaction((transaction) => run(sequelizeRows(Note, { transaction }), transaction)),
    },
    MikroORM: {
      ...mikroormRows(orm.em, MikroormNote),
      transaction: (run) => orm.em.fork().transactional((em) => run(mikroormRows(em, MikroormNote), em)),
    },
  } satisfies Record<string, TransactedRows>);
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
  const storeOf = () =>
    rowStore({
      ...(rowsOf[orm] as Required<Omit<TransactedRows, 'columnNames'>>),
      columns,
      key: 'slug',
    });
  const rowOf = async (slug: string) => (await database.sql(`SELECT * FROM notes WHERE slug = '${slug}'`))[0];
  const created = async () => {
    const slug = randomUUID();
    const made = await storeOf().replace(slug, null, { title: 'a', body: { a: 1 }, email: null });
    if (made === undefined) throw new Error('It was not made.');
    return { slug, made };
  };

  test('a row that was deleted softly is not there, also for who has read it before', async () => {
    const { slug, made } = await created();
    const store = storeOf();
    await softDelete[orm]?.(slug);
    expect(await store.get(slug)).toBeUndefined();
    const next = { ...made.value, title: 'b' };
    expect(await store.replace(slug, made.version, next, { current: made })).toBeUndefined();
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
    const written = await storeOf().replace(slug, made.version, { ...made.value, body: ['"', { b: null }] });
    expect(written?.value.body).toEqual(['"', { b: null }]);
    expect(await storeOf().get(slug)).toEqual(written);
    expect(JSON.parse(String((await rowOf(slug))?.['body']))).toEqual(['"', { b: null }]);
  });

  test('the counter that the own writes of the app count up is a version', async () => {
    const { slug } = await created();
    const store = rowStore({
      ...(rowsOf[orm] as TransactedRows),
      ...{ columns, key: 'slug', version: { counter: 'revision', id: 'id' }, insert: undefined },
    } as never) as unknown as ReturnType<typeof storeOf>;
    const seen = await store.get(slug);
    if (seen === undefined) throw new Error('It is gone.');
    await ownWrite[orm]?.(slug);
    const next = { ...seen.value, title: 'b' };
    expect(await store.replace(slug, seen.version, next, { current: seen })).toBeUndefined();
    const fresh = await store.get(slug);
    const written = await store.replace(slug, fresh?.version ?? '', next);
    expect(written?.version).not.toBe(fresh?.version);
    expect(await store.get(slug)).toEqual(written);
  });

  test('what the model calls otherwise, or does not have, is an error that names it', async () => {
    const misspelt = {
      columns: { title: 'string', deleted_at: 'date' },
      key: 'slug',
      version: 'versio',
    } as const;
    const opening = () => rowStore({ ...(rowsOf[orm] as TransactedRows), ...misspelt });
    expect(opening).toThrow(/columns\.deleted_at: 'deleted_at' is not a column.* Did you mean 'deletedAt'\?/);
    expect(opening).toThrow(/version: 'versio' is not a column.* Did you mean 'version'\?/);
    // The rows of a transaction can be those of another model.
    const rows = rowsOf[orm] as Rows;
    const { slug } = await created();
    await expect(Promise.resolve().then(() => rows.update({ slug }, { versio: 'x' }, []))).rejects.toThrow(
      /"versio".* Name it as/,
    );
  });
});

test('TypeORM: a setter of whitespace, and a column that TypeORM would not write', async () => {
  const slug = randomUUID();
  const store = rowStore({
    ...(rowsOf['TypeORM'] as TransactedRows),
    ...({ columns: { title: 'string', code: 'string?' }, key: 'slug' } as const),
  });
  const made = await store.replace(slug, null, { title: ' a ', code: 'x' });
  expect(made?.value).toEqual({ title: 'a', code: 'x' });
  await expect(store.replace(slug, made?.version ?? '', { title: 'a', code: 'y' })).rejects.toThrow(
    'has update: false',
  );
});

test('TypeORM: a store that is made before the data source is initialized', async () => {
  const entities = [TypeormNote];
  const dataSource = new DataSource({ type: 'postgres', url: database.url, entities });
  const rows = typeormRows(dataSource.getRepository(TypeormNote));
  const options = {
    ...{ ...rows, key: 'slug' },
    transaction: (run) => dataSource.transaction((em) => run(typeormRows(em.getRepository(TypeormNote)), em)),
  } satisfies Partial<RowStoreOptions>;
  const store = rowStore({ ...options, columns: { title: 'string' } });
  const misspelt = rowStore({ ...options, columns: { titel: 'string' } });
  await dataSource.initialize();
  closing.push(() => dataSource.destroy());
  expect((await store.replace(randomUUID(), null, { title: 'a' }))?.value).toEqual({ title: 'a' });
  await expect(misspelt.get('a')).rejects.toThrow('"titel". Name it as');
});

test('Sequelize: a setter, a hook and a validator', async () => {
  const slug = randomUUID();
  const store = rowStore({
    ...(rowsOf['Sequelize'] as Rows),
    columns: { title: 'string', code: 'string?', email: 'string?' },
    key: 'slug',
  });
  const made = await store.replace(slug, null, { title: ' a ', code: null, email: null });
  const written = await store.replace(slug, made?.version ?? '', { title: ' b ', code: 'x', email: null });
  expect(written?.value).toEqual({ title: 'b', code: 'X', email: null });
  expect(await store.get(slug)).toEqual(written);
  const refused = store.replace(slug, written?.version ?? '', { title: 'b', code: 'X', email: 'none' });
  await expect(refused).rejects.toMatchObject({ status: 422 });
  expect(await store.get(slug)).toEqual(written);
});

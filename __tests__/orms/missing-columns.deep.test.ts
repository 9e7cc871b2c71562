/** A column that was asked for and is not in the row is an error that names it, and what to do: it is never shown, or written, as NULL. */
import { EntitySchema as MikroormSchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import { drizzle } from 'drizzle-orm/node-postgres';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';
import createKnex from 'knex';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { DataTypes, type Model, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import {
  type Columns,
  drizzleRows,
  knexRows,
  kyselyRows,
  mikroormRows,
  prismaRows,
  rowStore,
  type Rows,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';
import { openPostgresClient } from './support/prisma';

type OrmRows = Rows & Required<Pick<Rows, 'insert' | 'delete'>>;

let database: TestDatabase;
const closing: (() => Promise<unknown>)[] = [];
const open: Record<string, () => OrmRows | Promise<OrmRows>> = {};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const renamed = (result: unknown): unknown => {
  if (Array.isArray(result)) return result.map(renamed);
  if (typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [camel(name), value as unknown]));
};

interface Account {
  slug: string;
  accountNo: string;
  displayName: string | null;
  planNote: string | null;
}

/** As an app writes it that has no null in its types: NULL is undefined, and so is one value. */
const withoutNull = (value: string | null) => (value === null || value === 'lost' ? undefined : value);

const TypeormAccount = new EntitySchema<Account>({
  name: 'Account',
  tableName: 'accounts',
  columns: {
    slug: { type: 'text', primary: true },
    accountNo: { type: 'text', name: 'account_no', select: false },
    displayName: { type: 'text', name: 'display_name', nullable: true },
    planNote: {
      type: 'text',
      name: 'plan_note',
      nullable: true,
      transformer: { to: (value: unknown) => value, from: withoutNull },
    },
  },
});

function sequelizeAccount(sequelize: Sequelize) {
  return sequelize.define(
    'Account',
    {
      slug: { type: DataTypes.TEXT, primaryKey: true },
      ...{ accountNo: DataTypes.TEXT, displayName: DataTypes.TEXT },
      planNote: {
        type: DataTypes.TEXT,
        get(this: Model) {
          return withoutNull(this.getDataValue('planNote') as string | null);
        },
      },
      nothing: DataTypes.VIRTUAL,
    },
    { tableName: 'accounts', underscored: true, timestamps: false },
  );
}

const Plan = new MikroormSchema<{ label: string | null }>({
  name: 'Plan',
  embeddable: true,
  properties: { label: { type: 'text', nullable: true } },
});

const MikroormAccount = new MikroormSchema<Account & { plan: { label: string | null }; nothing: string }>({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    slug: { type: 'text', primary: true },
    accountNo: { type: 'text' },
    displayName: { type: 'text', nullable: true },
    planNote: { type: 'text', nullable: true, lazy: true },
    plan: { kind: 'embedded', entity: () => 'Plan' },
    nothing: { type: 'text', persist: false },
  },
});

const lossyText = customType<{ data: string | undefined; driverData: string }>({
  dataType: () => 'text',
  fromDriver: withoutNull,
});

const drizzleAccounts = pgTable('accounts', {
  slug: text().primaryKey(),
  accountNo: text('account_no'),
  displayName: text('display_name'),
  planNote: lossyText('plan_note'),
});

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  await database.sql(
    'CREATE TABLE accounts (slug text PRIMARY KEY, account_no text UNIQUE, display_name text, plan_note text, plan_label text)',
  );
  const { url } = database;
  const pool = new Pool({ connectionString: url, max: 4 });
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  // As knexSnakeCaseMappers() of objection has it.
  const knex = createKnex({
    client: 'pg',
    connection: url,
    wrapIdentifier: (name, quote) => (name === '*' ? name : quote(snake(name))),
    postProcessResponse: renamed,
  });
  const dataSource = new DataSource({ type: 'postgres', url, entities: [TypeormAccount] });
  await dataSource.initialize();
  const sequelize = new Sequelize(url, { logging: false });
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [MikroormAccount, Plan],
    forceUndefined: true,
  });
  const prisma = openPostgresClient(url);
  const extended = prisma.$extends({
    query: {
      note: {
        findFirst: async ({ args, query }) => {
          const note = await query(args);
          if (note?.title === 'hidden') delete note.body;
          return note;
        },
      },
    },
  });
  closing.push(
    () => db.destroy(),
    () => knex.destroy(),
    () => dataSource.destroy(),
    () => sequelize.close(),
    () => orm.close(),
    () => prisma.$disconnect(),
  );
  Object.assign(open, {
    'Kysely with CamelCasePlugin': () => kyselyRows(db, 'accounts'),
    'Knex with mappers': () => knexRows(knex, 'accounts'),
    Drizzle: () => drizzleRows(drizzle(pool), drizzleAccounts),
    TypeORM: () => typeormRows(dataSource.getRepository(TypeormAccount)),
    Sequelize: () => sequelizeRows(sequelizeAccount(sequelize)),
    MikroORM: () => mikroormRows(orm.em, MikroormAccount),
    Prisma: () => prismaRows(extended, 'note'),
  } satisfies typeof open);
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.close();
});

const stored = { slug: 'a', account_no: 'no-1', display_name: 'Ada', plan_note: null, plan_label: null };
beforeEach(() =>
  database.sql(`DELETE FROM accounts; INSERT INTO accounts VALUES ('a', 'no-1', 'Ada', NULL)`),
);

describe.each([
  { orm: 'Kysely with CamelCasePlugin', remedy: /CamelCasePlugin/ },
  { orm: 'Knex with mappers', remedy: /knexSnakeCaseMappers/ },
])('$orm', ({ orm, remedy }) => {
  const columns = { displayName: 'string?', planNote: 'string?' } as const;
  const renamedColumns = {
    displayName: { kind: 'string?', column: 'display_name' },
    planNote: { kind: 'string?', column: 'plan_note' },
  } as const;

  test.each<{ what: string; options: object; key?: string; named: string }>([
    {
      what: 'a column',
      options: { columns: renamedColumns, key: 'slug' },
      named: 'display_name (it has displayName), plan_note (it has planNote)',
    },
    {
      what: 'a column beside xmin',
      options: { columns: renamedColumns, key: 'slug', version: 'xmin' },
      named: 'display_name (it has displayName)',
    },
    {
      what: 'the key',
      options: { columns, key: 'account_no' },
      key: 'no-1',
      named: 'account_no (it has accountNo)',
    },
    {
      what: 'a key of a function',
      options: { columns, key: (account_no: string) => ({ account_no }) },
      key: 'no-1',
      named: 'account_no (it has accountNo)',
    },
    {
      what: 'the counter',
      options: { columns, key: 'slug', counter: 'account_no' },
      named: 'account_no (it has accountNo)',
    },
    {
      what: 'the time of the last write',
      options: { columns, key: 'slug', modified: 'plan_note' },
      named: 'plan_note (it has planNote)',
    },
    {
      what: 'the outcomes',
      options: { columns, key: 'slug', outcomes: 'plan_note' },
      named: 'plan_note (it has planNote)',
    },
  ])('$what is named, and nothing is written', async ({ options, key = 'a', named }) => {
    const store = rowStore({ ...(await open[orm]?.()), ...options } as never) as ReturnType<typeof rowStore>;
    const error = { name: 'MissingColumnError', message: expect.stringContaining(named) as string };
    await expect(store.get(key)).rejects.toMatchObject(error);
    await expect(store.get(key)).rejects.toThrow(remedy);
    const current = { value: {}, handle: {} };
    await expect(
      store.replace(key, '', { displayName: 'Bob', planNote: 'x' } as never, { current }),
    ).rejects.toMatchObject(error);
    await expect(store.delete?.(key)).rejects.toMatchObject(error);
    expect(await database.sql('SELECT * FROM accounts')).toEqual([stored]);
  });
});

describe.each([
  { orm: 'Drizzle', remedy: /customType must not return undefined/ },
  { orm: 'TypeORM', remedy: /transformer of a column must not return undefined/ },
  { orm: 'Sequelize', remedy: /getter does not return undefined/ },
])('$orm: what an app makes undefined', ({ orm, remedy }) => {
  const openStore = async () =>
    rowStore({
      ...((await open[orm]?.()) as OrmRows),
      columns: { accountNo: 'string', displayName: 'string?', planNote: 'string?' },
      ...{ key: 'slug' },
    });

  test('of NULL is null', async () => {
    const value = { accountNo: 'no-1', displayName: 'Ada', planNote: null };
    expect((await (await openStore()).get('a'))?.value).toEqual(value);
  });

  test('of a value is an error that names the column', async () => {
    await database.sql("UPDATE accounts SET plan_note = 'lost'");
    const store = await openStore();
    await expect(store.get('a')).rejects.toThrow(
      'The row that find() returned does not have the column planNote.',
    );
    await expect(store.get('a')).rejects.toThrow(remedy);
  });
});

test('Prisma: a field that an extension removes', async () => {
  await database.sql("INSERT INTO notes (slug, title) VALUES ('a', 'shown'), ('b', 'hidden')");
  const columns = { title: 'string', body: 'string?' } as const;
  const store = rowStore({
    ...((await open['Prisma']?.()) as OrmRows),
    columns,
    key: 'slug',
  });
  expect((await store.get('a'))?.value).toEqual({ title: 'shown', body: null });
  await expect(store.get('b')).rejects.toThrow(
    /find\(\) returned does not have the column body\. .*extension/,
  );
});

describe('MikroORM', () => {
  const openStore = async (columns: Columns) =>
    rowStore({
      ...((await open['MikroORM']?.()) as OrmRows),
      columns,
      key: 'slug',
    });

  test('NULL is null with forceUndefined, too', async () => {
    const store = await openStore({ displayName: 'string?', planNote: 'string?' });
    expect((await store.get('a'))?.value).toEqual({ displayName: 'Ada', planNote: null });
  });

  test.each(['plan_label', 'nothing'])('%s is no column of the entity', async (column) => {
    const opened = openStore({ x: { kind: 'string?', column } });
    await expect(opened).rejects.toMatchObject({
      mistakes: [{ option: 'columns.x.column', code: 'column-unknown' }],
    });
  });
});

test('Sequelize: an attribute without a column', async () => {
  const rows = (await open['Sequelize']?.()) as OrmRows;
  const store = rowStore({ ...rows, columns: { nothing: 'string?' }, key: 'slug' });
  await expect(store.get('a')).rejects.toThrow('does not have the column nothing');
});

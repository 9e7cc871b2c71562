/** No secret is said of what ORMs and their drivers give, whichever adapter or store it is passed to. */
import { said } from '../support/said';
import { createClient } from '@libsql/client';
import { MikroORM } from '@mikro-orm/postgresql';
import { drizzle } from 'drizzle-orm/node-postgres';
import createKnex from 'knex';
import { Kysely, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { Sequelize } from 'sequelize';
import { DataSource } from 'typeorm';
import { patchHandler } from '../../lib';
import * as rows from '../../lib/rows';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisStore } from '../../lib/stores/redis';
import { SqliteStore } from '../../lib/stores/sqlite';
import { Note as MikroormNote } from './support/mikroorm';
import { openPostgresClient } from './support/prisma';
import { Note as TypeormNote } from './support/typeorm';

const secret = 's3cr3t';
const url = `postgres://app:${secret}@127.0.0.1:1/app`;
const pool = new Pool({ connectionString: url });
const mysqlPool = createPool({ host: '127.0.0.1', password: secret });
const knex = createKnex({ client: 'pg', connection: { host: '127.0.0.1', user: 'app', password: secret } });
const kysely = new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
const sequelize = new Sequelize(url, { logging: false });
const dataSource = new DataSource({ type: 'postgres', url, entities: [TypeormNote] });
const prisma = openPostgresClient(url);
const libsql = createClient({ url: 'file::memory:', authToken: secret });
let orm: MikroORM;

beforeAll(async () => {
  orm = await MikroORM.init({ clientUrl: url, entities: [MikroormNote], connect: false });
});
afterAll(async () => {
  await Promise.all([
    knex.destroy(),
    pool.end(),
    mysqlPool.end(),
    sequelize.close(),
    orm.close(),
    prisma.$disconnect(),
  ]);
  libsql.close();
});

const values: Readonly<Record<string, () => unknown>> = {
  'the config of Knex': () => ({ client: 'pg', connection: url }),
  Knex: () => knex,
  'the client of Knex': () => knex.client as unknown,
  'a query of Knex': () => knex('notes'),
  Kysely: () => kysely,
  Sequelize: () => sequelize,
  'the connection manager of Sequelize': () => sequelize.connectionManager,
  DataSource: () => dataSource,
  'the manager of a DataSource': () => dataSource.manager,
  MikroORM: () => orm,
  'the EntityManager of MikroORM': () => orm.em,
  'the config of MikroORM': () => orm.config,
  PrismaClient: () => prisma,
  Drizzle: () => drizzle(pool),
  '@libsql/client': () => libsql,
  'a Pool of pg': () => pool,
  'a pool of mysql2': () => mysqlPool,
};

const declared = { columns: { title: 'string' }, key: 'slug' };
const takes: Readonly<Record<string, (value: never) => unknown>> = {
  prismaRows: (value) => rows.prismaRows(value, value),
  drizzleRows: (value) => rows.drizzleRows(value, value),
  knexRows: (value) => rows.knexRows(value, value),
  kyselyRows: (value) => rows.kyselyRows(value, value),
  typeormRows: (value) => rows.typeormRows(value),
  sequelizeRows: (value) => rows.sequelizeRows(value, value),
  mikroormRows: (value) => rows.mikroormRows(value, value),
  tableRows: (value) => rows.tableRows(value, { table: 'notes' }),
  tableStore: (value) =>
    rows.tableStore(value, { table: 'notes', ...declared, columns: { tags: 'string[]' } } as never),
  rowStore: (value) => rows.rowStore(value),
  'rowStore with more': (value) => rows.rowStore({ ...(value as object), ...declared } as never),
  SqliteStore: (value) => new SqliteStore(value, value),
  PostgresStore: (value) => new PostgresStore(value, value),
  RedisStore: (value) => new RedisStore(value, value),
  patchHandler: (value) => patchHandler(value, value, value),
};

describe.each(Object.entries(values))('%s', (_what, give) => {
  test.each(Object.entries(takes))('%s', async (_adapter, take) => {
    expect(await said(() => take(give() as never))).not.toContain(secret);
  });
});

/** The lock of a write: one row, by its key, under the names that the ORM maps, and not the rows that refer to it. */
import { randomUUID } from 'node:crypto';
import { EntitySchema as MikroormSchema, type EntitySchemaMetadata } from '@mikro-orm/core';
import { MikroORM as MariadbMikroOrm } from '@mikro-orm/mariadb';
import { MikroORM as PostgresMikroOrm } from '@mikro-orm/postgresql';
import { drizzle as overMariadb } from 'drizzle-orm/mysql2';
import * as mysql from 'drizzle-orm/mysql-core';
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import * as pg from 'drizzle-orm/pg-core';
import createKnex from 'knex';
import { CamelCasePlugin, Kysely, MysqlDialect, PostgresDialect } from 'kysely';
import { createPool } from 'mysql2';
import { createPool as createPromisePool } from 'mysql2/promise';
import { Pool } from 'pg';
import { DataTypes, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import {
  drizzleRows,
  knexRows,
  kyselyRows,
  mikroormRows,
  prismaRows,
  type Row,
  rowStore,
  type Rows,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import { describeOver, openDatabase, type TestDatabase } from './support/databases';
import { describeEachOrm } from './support/each-orm';
import { openMariadbClient, openPostgresClient } from './support/prisma';
import { write } from './support/written';

/** The rows that another connection can lock at this moment. */
const lockable = (sql: TestDatabase['sql'], from: string, strength = 'UPDATE') =>
  sql(`SELECT * FROM ${from} FOR ${strength} SKIP LOCKED`);

async function expectLock(
  rows: Rows,
  where: Row,
  { sql, from, other }: { readonly sql: TestDatabase['sql']; readonly from: string; readonly other: string },
  isPostgres: boolean,
): Promise<void> {
  let isOver = false;
  await rows.transaction?.(async (inside) => {
    expect([await inside.lock?.(where)].flat()).not.toEqual([]);
    expect(await lockable(sql, from)).toEqual([]);
    expect(await lockable(sql, other)).toHaveLength(1);
    // So an insert of a row that refers to it does not wait.
    if (isPostgres) expect(await lockable(sql, from, 'KEY SHARE')).toHaveLength(1);
    isOver = true;
  });
  expect(isOver).toBe(true);
  expect(await lockable(sql, from)).toHaveLength(1);
}

describeEachOrm(
  (opened, { database }) => {
    test('one row is locked, until the transaction is over', async () => {
      const { sql, rows } = opened();
      const [slug, other] = [randomUUID(), randomUUID()];
      await sql(`INSERT INTO notes (slug, title) VALUES ('${slug}', 'a'), ('${other}', 'b')`);
      const places = { sql, from: `notes WHERE slug = '${slug}'`, other: `notes WHERE slug = '${other}'` };
      await expectLock(rows, { slug }, places, database === 'PostgreSQL');
    });

    test('a row that is not there is not locked, and neither are its neighbours', async () => {
      const { sql, rows } = opened();
      await rows.transaction?.(async (inside) => {
        expect([[], 0]).toContainEqual(await inside.lock?.({ slug: 'zzz-none' }));
        await sql(`INSERT INTO notes (slug, title) VALUES ('zzz-${randomUUID()}', 'b')`);
      });
    });
  },
  ['PostgreSQL', 'MariaDB'],
);

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const renamed = (result: unknown): unknown => {
  if (Array.isArray(result)) return result.map(renamed);
  if (typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(Object.entries(result).map(([name, value]) => [camel(name), value as unknown]));
};
const mapper = {
  wrapIdentifier: (name: string, quote: (name: string) => string) =>
    name === '*' ? name : quote(snake(name)),
  postProcessResponse: renamed,
};

interface Line {
  tenantId: string;
  order: unknown;
  theDay: string;
  title: string;
}

const typeormLine = (schema: string | undefined) =>
  new EntitySchema<Line>({
    name: 'Line',
    tableName: 'order_lines',
    ...(schema !== undefined && { schema }),
    columns: {
      tenantId: { name: 'tenant_id', type: schema === undefined ? 'varchar' : 'uuid', primary: true },
      order: { type: 'bigint', primary: true },
      theDay: { name: 'the_day', type: 'date', primary: true },
      title: { type: 'text' },
    },
  });

function sequelizeLine(sequelize: Sequelize, schema: string | undefined) {
  return sequelize.define(
    'Line',
    {
      tenantId: { type: DataTypes.UUID, primaryKey: true },
      order: { type: DataTypes.BIGINT, primaryKey: true },
      theDay: { type: DataTypes.DATEONLY, primaryKey: true },
      title: DataTypes.TEXT,
    },
    {
      tableName: 'order_lines',
      underscored: true,
      timestamps: false,
      ...(schema !== undefined && { schema }),
    },
  );
}

const mikroormLine = (schema: string | undefined) =>
  new MikroormSchema<Line>({
    name: 'Line',
    tableName: 'order_lines',
    ...(schema !== undefined && { schema }),
    properties: {
      tenantId: { type: 'uuid', primary: true },
      order: { type: 'bigint', primary: true },
      theDay: { type: 'date', primary: true },
      title: { type: 'text' },
    } as NonNullable<EntitySchemaMetadata<Line>['properties']>,
  });

const drizzlePostgresLines = pg.pgSchema('sales').table('order_lines', {
  tenantId: pg.uuid('tenant_id').notNull(),
  order: pg.bigint({ mode: 'bigint' }).notNull(),
  theDay: pg.date('the_day').notNull(),
  title: pg.text().notNull(),
});
const drizzleMariadbLines = mysql.mysqlTable('order_lines', {
  tenantId: mysql.char('tenant_id', { length: 36 }).notNull(),
  order: mysql.bigint({ mode: 'bigint' }).notNull(),
  theDay: mysql.date('the_day', { mode: 'string' }).notNull(),
  title: mysql.text().notNull(),
});

interface OpenedRows {
  readonly rows: Rows;
  readonly close: () => unknown;
}

type Opening = (url: string) => OpenedRows | Promise<OpenedRows>;

const overEach: Readonly<Record<'PostgreSQL' | 'MariaDB', Readonly<Record<string, Opening>>>> = {
  PostgreSQL: {
    Prisma: (url) => {
      const prisma = openPostgresClient(url);
      return { rows: prismaRows(prisma, 'orderLine'), close: () => prisma.$disconnect() };
    },
    Drizzle: (url) => {
      const pool = new Pool({ connectionString: url });
      return { rows: drizzleRows(overPostgres(pool), drizzlePostgresLines), close: () => pool.end() };
    },
    Knex: (url) => {
      const knex = createKnex({ client: 'pg', connection: url, ...mapper });
      return { rows: knexRows(knex, 'sales.orderLines'), close: () => knex.destroy() };
    },
    Kysely: (url) => {
      const dialect = new PostgresDialect({ pool: new Pool({ connectionString: url }) });
      const db = new Kysely<never>({ dialect, plugins: [new CamelCasePlugin()] });
      return { rows: kyselyRows(db, 'sales.orderLines'), close: () => db.destroy() };
    },
    'Kysely withSchema': (url) => {
      const dialect = new PostgresDialect({ pool: new Pool({ connectionString: url }) });
      const db = new Kysely<never>({ dialect, plugins: [new CamelCasePlugin()] });
      return { rows: kyselyRows(db.withSchema('sales'), 'orderLines'), close: () => db.destroy() };
    },
    TypeORM: async (url) => {
      const entity = typeormLine('sales');
      const dataSource = await new DataSource({ type: 'postgres', url, entities: [entity] }).initialize();
      return { rows: typeormRows(dataSource.getRepository(entity)), close: () => dataSource.destroy() };
    },
    Sequelize: (url) => {
      const sequelize = new Sequelize(url, { logging: false });
      return { rows: sequelizeRows(sequelizeLine(sequelize, 'sales')), close: () => sequelize.close() };
    },
    MikroORM: async (url) => {
      const entity = mikroormLine('sales');
      const orm = await PostgresMikroOrm.init({ clientUrl: url, entities: [entity] });
      return { rows: mikroormRows(orm.em, entity), close: () => orm.close() };
    },
  },
  MariaDB: {
    Prisma: (url) => {
      const prisma = openMariadbClient(url);
      return { rows: prismaRows(prisma, 'orderLine'), close: () => prisma.$disconnect() };
    },
    Drizzle: (url) => {
      const pool = createPromisePool({ uri: url, supportBigNumbers: true });
      return { rows: drizzleRows(overMariadb(pool), drizzleMariadbLines), close: () => pool.end() };
    },
    Knex: (url) => {
      const knex = createKnex({ client: 'mysql2', connection: { uri: url, timezone: 'Z' }, ...mapper });
      return { rows: knexRows(knex, 'orderLines'), close: () => knex.destroy() };
    },
    Kysely: (url) => {
      const pool = createPool({ uri: url, timezone: 'Z', supportBigNumbers: true });
      const db = new Kysely<never>({ dialect: new MysqlDialect({ pool }), plugins: [new CamelCasePlugin()] });
      return { rows: kyselyRows(db, 'orderLines'), close: () => db.destroy() };
    },
    TypeORM: async (url) => {
      const entity = typeormLine(undefined);
      const options = { type: 'mariadb', url, timezone: 'Z', supportBigNumbers: true } as const;
      const dataSource = await new DataSource({ ...options, entities: [entity] }).initialize();
      return { rows: typeormRows(dataSource.getRepository(entity)), close: () => dataSource.destroy() };
    },
    Sequelize: (url) => {
      const dialectOptions = { bigNumberStrings: true };
      const sequelize = new Sequelize(url.replace(/^mysql:/, 'mariadb:'), { logging: false, dialectOptions });
      return { rows: sequelizeRows(sequelizeLine(sequelize, undefined)), close: () => sequelize.close() };
    },
    MikroORM: async (url) => {
      const entity = mikroormLine(undefined);
      const driverOptions = { connection: { bigNumberStrings: true } };
      const orm = await MariadbMikroOrm.init({
        clientUrl: url,
        entities: [entity],
        timezone: 'Z',
        driverOptions,
      });
      return { rows: mikroormRows(orm.em, entity), close: () => orm.close() };
    },
  },
};

const ddl = {
  PostgreSQL: `CREATE SCHEMA sales; CREATE TABLE sales.order_lines (
    tenant_id uuid, "order" bigint, the_day date, title text NOT NULL, PRIMARY KEY (tenant_id, "order", the_day))`,
  MariaDB: `CREATE TABLE order_lines (
    tenant_id char(36), \`order\` bigint, the_day date, title text NOT NULL, PRIMARY KEY (tenant_id, \`order\`, the_day))`,
};

for (const name of ['PostgreSQL', 'MariaDB'] as const) {
  describeOver[name](`names that are mapped, over ${name}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openDatabase(name);
      await database.sql(ddl[name]);
    });
    afterAll(() => database.close());

    test.each(Object.entries(overEach[name]))(
      '%s: a key of a UUID, a bigint and a day',
      async (orm, open) => {
        const { rows, close } = await open(database.url);
        const [tenantId, table] = [randomUUID(), name === 'PostgreSQL' ? 'sales.order_lines' : 'order_lines'];
        const lineNo = 9_007_199_254_740_993n;
        const values = (no: bigint) => `('${tenantId}', ${no}, '2026-11-29', 'a')`;
        await database.sql(`INSERT INTO ${table} VALUES ${values(lineNo)}, ${values(lineNo - 1n)}`);
        const isPrisma = orm === 'Prisma';
        const columns = {
          tenantId: { kind: 'uuid', readOnly: true },
          no: { kind: 'bigint', readOnly: true, column: isPrisma ? 'lineNo' : 'order' },
          day: { kind: 'day', readOnly: true, column: isPrisma ? 'day' : 'theDay' },
          title: 'string',
        } as const;
        const key = ['tenantId', columns.no.column, columns.day.column];
        const locked: Row[] = [];
        const store = rowStore({
          ...{ ...rows, columns, key },
          onWrite: async () => {
            const own = (await lockable(database.sql, `${table} WHERE tenant_id = '${tenantId}'`)) as Row[];
            locked.push(...own);
          },
        });
        const path = `${tenantId}/${lineNo}/2026-11-29`;
        const seen = await store.get(path);
        expect(seen?.value).toEqual({ tenantId, no: String(lineNo), day: '2026-11-29', title: 'a' });
        const changed = await write(store, path, seen, {
          ...(seen?.value as never as object),
          title: 'b',
        } as never);
        expect(changed.value.title).toBe('b');
        // The other row alone was free while this one was written.
        expect(locked.map((row) => String(row['order']))).toEqual([String(lineNo - 1n)]);
        const titles = await database.sql(
          `SELECT title FROM ${table} WHERE tenant_id = '${tenantId}' ORDER BY title`,
        );
        expect(titles).toEqual([{ title: 'a' }, { title: 'b' }]);
        expect(await store.delete?.(path)).toBe(true);
        await close();
      },
    );
  });
}

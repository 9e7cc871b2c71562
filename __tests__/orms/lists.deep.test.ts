/** Arrays of an enum and of citext, whose types node-postgres does not know: read as they are, or refused before anything is written. */
import { randomUUID } from 'node:crypto';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/postgresql';
import { drizzle } from 'drizzle-orm/node-postgres';
import { customType, pgEnum, pgTable, text as pgText } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { DataTypes, Sequelize } from 'sequelize';
import { DataSource, EntitySchema } from 'typeorm';
import {
  drizzleRows,
  mikroormRows,
  rowStore,
  type RowStoreOptions,
  type Rows,
  sequelizeRows,
  tableRows,
  typeormRows,
} from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';

const states = ['paid', 'a,b', 'a"b', 'a\\b', ' ', '\u00a0', 'NULL'];

interface Orm {
  readonly rows: Rows;
  readonly transaction: NonNullable<RowStoreOptions['transaction']>;
}

let database: TestDatabase;
const orms = new Map<string, Orm>();
const closing: (() => Promise<unknown>)[] = [];

function openTypeorm(dataSource: DataSource, entity: EntitySchema<object>): Orm {
  return {
    rows: typeormRows(dataSource.getRepository(entity)),
    transaction: (run) => dataSource.transaction((em) => run(typeormRows(em.getRepository(entity)), em)),
  };
}

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  const { url } = database;
  const labels = states.map((state) => `'${state}'`).join(', ');
  await database.sql(`CREATE EXTENSION IF NOT EXISTS citext; CREATE TYPE a_state AS ENUM (${labels});
    CREATE TABLE lists (slug text PRIMARY KEY, states a_state[], tags citext[], version text)`);

  const text = { type: 'text' } as const;
  const entity = new EntitySchema<object>({
    name: 'List',
    tableName: 'lists',
    columns: {
      slug: { ...text, primary: true },
      states: { type: 'enum', enum: states, enumName: 'a_state', array: true, nullable: true },
      tags: { type: 'citext', array: true, nullable: true },
      version: text,
    } as never,
  });
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [entity] }).initialize();
  orms.set('TypeORM', openTypeorm(dataSource, entity));

  const sequelize = new Sequelize(url, { logging: false });
  const Model = sequelize.define(
    'List',
    {
      slug: { type: DataTypes.TEXT, primaryKey: true },
      states: DataTypes.ARRAY(DataTypes.TEXT),
      tags: DataTypes.ARRAY(DataTypes.CITEXT),
      version: DataTypes.TEXT,
    },
    { tableName: 'lists', timestamps: false },
  );
  orms.set('Sequelize', {
    rows: sequelizeRows(Model),
    transaction: (run) =>
      sequelize.transaction((transaction) => run(sequelizeRows(Model, { transaction }), transaction)),
  });

  const List = new MikroSchema<object>({
    name: 'List',
    tableName: 'lists',
    properties: {
      slug: { type: 'text', primary: true },
      states: {
        type: 'string[]',
        enum: true,
        items: states,
        array: true,
        nullable: true,
        nativeEnumName: 'a_state',
      },
      tags: { type: 'string[]', columnType: 'citext[]', nullable: true },
      version: { type: 'text' },
    } as never,
  });
  const mikro = await MikroORM.init({ clientUrl: url, entities: [List], allowGlobalContext: true });
  orms.set('MikroORM', {
    rows: mikroormRows(mikro.em, List),
    transaction: (run) => mikro.em.transactional((em) => run(mikroormRows(em, List), em)),
  });

  const pool = new Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const citext = customType<{ data: string }>({ dataType: () => 'citext' });
  const lists = pgTable('lists', {
    slug: pgText().primaryKey(),
    states: pgEnum('a_state', states as [string])().array(),
    tags: citext().array(),
    version: pgText(),
  });
  const db = drizzle(pool);
  orms.set('Drizzle', {
    rows: drizzleRows(db, lists),
    transaction: (run) => db.transaction((tx) => run(drizzleRows(tx, lists), tx)),
  });
  orms.set('SQL', {
    rows: tableRows(pool, { table: 'lists' }),
    transaction: async (run) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await run(tableRows(client, { table: 'lists' }), client);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  });
  closing.push(
    () => dataSource.destroy(),
    () => sequelize.close(),
    () => mikro.close(),
    () => pool.end(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
  await database.close();
});

/** Those that return the text of the driver, which is not split here. */
const unread = ['Drizzle'];

describe.each(['SQL', 'TypeORM', 'Drizzle', 'Sequelize', 'MikroORM'])('%s', (name) => {
  test.each(['states', 'tags'] as const)('%s', async (column) => {
    const orm = orms.get(name);
    if (orm === undefined) throw new Error(`${name} is not open.`);
    const store = rowStore({
      ...{ ...orm.rows, transaction: orm.transaction, key: 'slug' },
      columns: { list: { kind: 'string?[]?', column } },
    });
    // MikroORM throws for NULL in an array of an enum, which it makes of 'NULL', too.
    const hasNulls = name !== 'MikroORM' || column !== 'states';
    const texts = states.filter((one) => hasNulls || one !== 'NULL');
    for (const present of [...texts.map((one) => [one]), texts, ...(hasNulls ? [[null, 'paid']] : []), []]) {
      const slug = randomUUID();
      const inTable = async () => {
        const rows = await database.sql(`SELECT ${column}::text[] AS list FROM lists WHERE slug = '${slug}'`);
        return rows[0]?.['list'];
      };
      const literal = present.map((one) => (one === null ? 'NULL' : `"${one.replace(/["\\]/g, '\\$&')}"`));
      await database.sql(
        `INSERT INTO lists (slug, version, ${column}) VALUES ('${slug}', 'v', '{${literal.join()}}')`,
      );
      const stored = await store.get(slug);
      expect(stored?.value).toEqual(unread.includes(name) ? {} : { list: present });
      expect(stored?.unreadable?.map(({ pointer }) => pointer)).toEqual(
        unread.includes(name) ? ['/list'] : undefined,
      );
      const list = [...present, 'paid'];
      const writing = store.replace(slug, 'v', { list } as never);
      const isRefused = await writing.then(
        (written) => (expect(written?.value).toEqual({ list }), false),
        (error: unknown) => (expect(error).toMatchObject({ status: 422 }), true),
      );
      expect(await inTable()).toEqual(isRefused ? present : list);
      const isChanged =
        name === 'MikroORM' && present.some((one) => one !== null && /^\s*$|^NULL$/.test(one));
      expect([present, isRefused && !isChanged]).toEqual([present, unread.includes(name)]);
    }
  });
});

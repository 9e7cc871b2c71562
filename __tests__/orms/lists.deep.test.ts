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
  type Rows,
  sequelizeRows,
  tableRows,
  typeormRows,
} from '../../lib/rows';
import { openDatabase, type TestDatabase } from './support/databases';
import { write } from './support/written';

const states = ['paid', 'a,b', 'a"b', 'a\\b', ' ', '\u00a0', 'NULL'];

let database: TestDatabase;
const orms = new Map<string, Rows>();
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await openDatabase('PostgreSQL');
  const { url } = database;
  const labels = states.map((state) => `'${state}'`).join(', ');
  await database.sql(`CREATE EXTENSION IF NOT EXISTS citext; CREATE TYPE a_state AS ENUM (${labels});
    CREATE TABLE lists (slug text PRIMARY KEY, states a_state[], tags citext[])`);

  const text = { type: 'text' } as const;
  const entity = new EntitySchema<object>({
    name: 'List',
    tableName: 'lists',
    columns: {
      slug: { ...text, primary: true },
      states: { type: 'enum', enum: states, enumName: 'a_state', array: true, nullable: true },
      tags: { type: 'citext', array: true, nullable: true },
    } as never,
  });
  const dataSource = await new DataSource({ type: 'postgres', url, entities: [entity] }).initialize();
  orms.set('TypeORM', typeormRows(dataSource.getRepository(entity)));

  const sequelize = new Sequelize(url, { logging: false });
  const Model = sequelize.define(
    'List',
    {
      slug: { type: DataTypes.TEXT, primaryKey: true },
      states: DataTypes.ARRAY(DataTypes.TEXT),
      tags: DataTypes.ARRAY(DataTypes.CITEXT),
    },
    { tableName: 'lists', timestamps: false },
  );
  orms.set('Sequelize', sequelizeRows(Model));

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
    } as never,
  });
  const mikro = await MikroORM.init({ clientUrl: url, entities: [List] });
  orms.set('MikroORM', mikroormRows(mikro.em, List));

  const pool = new Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const citext = customType<{ data: string }>({ dataType: () => 'citext' });
  const lists = pgTable('lists', {
    slug: pgText().primaryKey(),
    states: pgEnum('a_state', states as [string])().array(),
    tags: citext().array(),
  });
  orms.set('Drizzle', drizzleRows(drizzle(pool), lists));
  orms.set('SQL', tableRows(pool, { table: 'lists' }));
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
    const rows = orms.get(name);
    if (rows === undefined) throw new Error(`${name} is not open.`);
    const store = rowStore({ ...rows, key: 'slug', columns: { list: { kind: 'string?[]?', column } } });
    const cannotBeShown = {
      code: 'PATCH_OPTIONS_COLUMN_VALUE',
      message: expect.stringContaining(`The column ${column}`) as unknown,
    };
    const inTable = async (slug: string) => {
      const found = await database.sql(`SELECT ${column}::text[] AS list FROM lists WHERE slug = '${slug}'`);
      return found[0]?.['list'];
    };
    // MikroORM throws for NULL in an array of an enum, which it makes of 'NULL', too.
    const hasNulls = name !== 'MikroORM' || column !== 'states';
    const texts = states.filter((one) => hasNulls || one !== 'NULL');
    for (const present of [...texts.map((one) => [one]), texts, ...(hasNulls ? [[null, 'paid']] : []), []]) {
      const slug = randomUUID();
      const literal = present.map((one) => (one === null ? 'NULL' : `"${one.replace(/["\\]/g, '\\$&')}"`));
      await database.sql(`INSERT INTO lists (slug, ${column}) VALUES ('${slug}', '{${literal.join()}}')`);
      const list = [...present, 'paid'];
      if (unread.includes(name)) {
        await expect(store.get(slug)).rejects.toMatchObject(cannotBeShown);
        continue;
      }
      const stored = await store.get(slug);
      expect(stored?.value).toEqual({ list: present });
      const writing = write(store, slug, stored, { list });
      const isRefused = await writing.then(
        (changed) => (expect(changed.value).toEqual({ list }), false),
        (error: unknown) => (expect(error).toMatchObject({ status: 422 }), true),
      );
      expect(await inTable(slug)).toEqual(isRefused ? present : list);
      const isChanged =
        name === 'MikroORM' && present.some((one) => one !== null && /^\s*$|^NULL$/.test(one));
      expect([present, isRefused && !isChanged]).toEqual([present, false]);
    }
  });
});

test.each([{ version: undefined }, { version: 'xmin' as const }])(
  'a list that cannot be shown is not written, with the version $version',
  async ({ version }) => {
    const rows = orms.get('Drizzle');
    if (rows === undefined) throw new Error('Drizzle is not open.');
    const columns = { list: { kind: 'string[]?', column: 'states' } } as const;
    const store = rowStore({ ...rows, key: 'slug', columns, ...(version !== undefined && { version }) });
    const slug = randomUUID();
    await database.sql(`INSERT INTO lists (slug) VALUES ('${slug}')`);
    const writing = write(store, slug, await store.get(slug), { list: ['paid'] });
    await expect(writing).rejects.toMatchObject({ status: 422, problem: { errors: [{ pointer: '/list' }] } });
    expect((await store.get(slug))?.value).toEqual({ list: null });
  },
);

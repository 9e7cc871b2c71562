/**
 * The kinds that columns have by the schema of each ORM: each type of the tables in docs/columns.md is read and written, and JSON
 * of the app's own differs where the tables say so.
 */
import 'reflect-metadata';
import Database from 'better-sqlite3';
import { getTableColumns, sql as drizzleSql, type Table } from 'drizzle-orm';
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as overMariadb } from 'drizzle-orm/mysql2';
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import { BigIntType, DecimalType, EntitySchema as MikroormSchema, Type } from '@mikro-orm/core';
import { MikroORM as MariadbOrm } from '@mikro-orm/mariadb';
import { MikroORM as PostgresOrm } from '@mikro-orm/postgresql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import { DataTypes, type ModelAttributes, Sequelize } from 'sequelize';
import { DataSource, EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import {
  type ColumnOptions,
  drizzleRows,
  mikroormRows,
  prismaRows,
  rowStore,
  sequelizeRows,
  typeormRows,
} from '../../lib/rows';
import type { Kind } from '../../lib/rows/columns/kind';
import { drizzleKinds } from '../../lib/rows/orms/drizzle';
import { prismaKinds } from '../../lib/rows/orms/prisma';
import { sequelizeKinds } from '../../lib/rows/orms/sequelize';
import { sqlKinds } from '../../lib/rows/orms/sql-types';
import { typeormKinds } from '../../lib/rows/orms/typeorm';
import type { OrmRows } from '../../lib/rows/rows';
import { mistakesOf } from '../support/mistakes-of';
import { change } from '../support/written';
import { type DatabaseName, describeOver, openDatabase, type TestDatabase } from './support/databases';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';
import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';

/** A column of the table `typed`. It can be NULL, unless it says otherwise. */
interface Typed {
  /** The type as docs/columns.md writes it. */
  readonly type: string;
  readonly kind: Kind;
  readonly isList?: boolean;
  readonly isRequired?: boolean;
  /** A value as a literal of SQL, and as clients see it; and one that they write. Default: those of the kind. */
  readonly stored?: string;
  readonly shown?: unknown;
  readonly next?: unknown;
  /** For an ORM that does not create the table. */
  readonly ddl?: string;
}

interface OpenOrm {
  readonly rows: Pick<OrmRows, 'find' | 'columnNames' | 'columnKinds'>;
  /** The row, as the app's own code reads it. */
  readonly read: () => PromiseLike<object | null | undefined>;
  readonly close: () => unknown;
}

interface Path {
  readonly orm: string;
  readonly database: DatabaseName;
  /** By the names of their columns. */
  readonly columns: Readonly<Record<string, Typed>>;
  /** Creates the table `typed`, with a row whose id is 1 and whose other columns are NULL. */
  readonly open: (database: TestDatabase) => Promise<OpenOrm>;
}

const values: Readonly<Record<Kind, { stored: string; shown: unknown; next: unknown }>> = {
  string: { stored: "'a'", shown: 'a', next: 'b' },
  number: { stored: '1.5', shown: 1.5, next: 2.5 },
  integer: { stored: '12', shown: 12, next: 13 },
  boolean: { stored: 'true', shown: true, next: false },
  date: {
    stored: "'2026-11-22 10:00:00'",
    shown: '2026-11-22T10:00:00.000Z',
    next: '2026-11-23T11:00:00.000Z',
  },
  day: { stored: "'2026-11-22'", shown: '2026-11-22', next: '2026-11-23' },
  time: { stored: "'10:00:00'", shown: '10:00:00', next: '11:00:00' },
  decimal: { stored: '12', shown: '12', next: '13' },
  bigint: { stored: '12', shown: '12', next: '9007199254740993' },
  uuid: {
    stored: "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'",
    shown: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    next: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf7',
  },
  json: { stored: `'{"a":1}'`, shown: { a: 1 }, next: { a: [2] } },
};

const inet = { stored: "'10.0.0.1'", shown: '10.0.0.1', next: '10.0.0.2' };
const cidr = { stored: "'10.0.0.0/8'", shown: '10.0.0.0/8', next: '11.0.0.0/8' };
const mac = { stored: "'08:00:2b:01:02:03'", shown: '08:00:2b:01:02:03', next: '08:00:2b:01:02:04' };
const mac8 = {
  stored: "'08:00:2b:01:02:03:04:05'",
  shown: '08:00:2b:01:02:03:04:05',
  next: '08:00:2b:01:02:03:04:06',
};
const state = { stored: "'draft'", shown: 'draft', next: 'paid' };
const year = { stored: '2026', shown: 2026, next: 2027 };
const list = (stored: string, shown: unknown, next: unknown) => ({ isList: true, stored, shown, next });
const texts = list("'{a,b}'", ['a', 'b'], ['c']);
const states = list("'{draft}'", ['draft'], ['paid', 'draft']);

/** By types that need other values than their kind. */
const valuesByType: Readonly<Record<string, Partial<Typed>>> = {
  ...{ inet, cidr, macaddr: mac, macaddr8: mac8, year, enum: state, 'simple-enum': state },
};

/** How the app's own JSON differs from what clients of the store see, and with which kind it does not. */
interface Difference {
  readonly orm: string;
  readonly types: readonly string[];
  readonly on?: readonly DatabaseName[];
  /** What `res.json(row)` sends; undefined where it throws. */
  readonly sent: unknown;
  readonly keep?: ColumnOptions;
}

const midnight = '2026-11-22T00:00:00.000Z';
const differences: readonly Difference[] = [
  { orm: 'Prisma', types: ['BigInt'], sent: undefined, keep: { kind: 'integer' } },
  { orm: 'Prisma', types: ['DateTime @db.Date'], sent: midnight, keep: { kind: 'date' } },
  {
    ...{ orm: 'Prisma', types: ['DateTime @db.Time'] },
    ...{ sent: '1970-01-01T10:00:00.000Z', keep: { kind: 'date' } },
  },
  {
    orm: 'Drizzle',
    types: [
      "bigint({ mode: 'bigint' })",
      "bigserial({ mode: 'bigint' })",
      "numeric({ mode: 'bigint' })",
      "decimal({ mode: 'bigint' })",
      "blob({ mode: 'bigint' })",
    ],
    ...{ sent: undefined, keep: { kind: 'integer' } },
  },
  {
    orm: 'Drizzle',
    types: ["timestamp({ mode: 'string' })", "datetime({ mode: 'string' })"],
    sent: '2026-11-22 10:00:00',
    keep: { kind: 'string' },
  },
  {
    ...{ orm: 'Drizzle', types: ["date({ mode: 'date' })"], sent: midnight },
    // Over MySQL, Drizzle is given a text otherwise.
    keep: { kind: 'date', storedAs: 'Date' },
  },
  { orm: 'MikroORM', types: ['bigint'], sent: undefined, keep: { kind: 'integer' } },
];

const prismaColumns: Readonly<Record<string, Typed>> = {
  a_string: { type: 'String', kind: 'string', ddl: 'text' },
  a_boolean: { type: 'Boolean', kind: 'boolean', ddl: 'boolean' },
  a_int: { type: 'Int', kind: 'integer', ddl: 'integer' },
  a_bigint: { type: 'BigInt', kind: 'bigint', ddl: 'bigint' },
  a_float: { type: 'Float', kind: 'number', ddl: 'double precision' },
  a_decimal: { type: 'Decimal', kind: 'decimal', ddl: 'decimal(20, 0)' },
  a_datetime: { type: 'DateTime', kind: 'date', ddl: 'timestamp(3)' },
  a_json: { type: 'Json', kind: 'json', ddl: 'json' },
};
const nativeColumns: Readonly<Record<string, Typed>> = {
  a_state: { type: 'an enum', kind: 'string', ddl: '"State"', ...state },
  a_date: { type: 'DateTime @db.Date', kind: 'day', ddl: 'date' },
  a_time: { type: 'DateTime @db.Time', kind: 'time', ddl: 'time(3)' },
};

async function createTable(
  { sql }: TestDatabase,
  columns: readonly (readonly [name: string, ddl: string])[],
): Promise<void> {
  const lines = columns.map(([name, ddl]) => `, ${name} ${ddl}`);
  await sql(`CREATE TABLE typed (id integer PRIMARY KEY${lines.join('')})`);
}

function openPrisma(prisma: object): OpenOrm {
  const client = prisma as ReturnType<typeof openPostgresClient>;
  return {
    rows: prismaRows(client, 'typed'),
    read: () => client.typed.findUnique({ where: { id: 1 } }),
    close: () => client.$disconnect(),
  };
}

const prismas: readonly Path[] = [
  {
    ...{ orm: 'Prisma', database: 'PostgreSQL', open: openPostgresClient },
    columns: {
      ...{ ...prismaColumns, ...nativeColumns },
      a_uuid: { type: 'String @db.Uuid', kind: 'uuid', ddl: 'uuid' } as const,
      a_strings: { type: 'String', kind: 'string', ddl: 'text[]', ...texts } as const,
      a_dates: {
        ...({ type: 'DateTime @db.Date', kind: 'day', ddl: 'date[]' } as const),
        ...list("'{2026-11-22}'", ['2026-11-22'], ['2026-11-23']),
      },
      a_states: { type: 'an enum', kind: 'string', ddl: '"State"[]', ...states } as const,
    },
  },
  {
    ...{ orm: 'Prisma', database: 'MariaDB', open: openMariadbClient },
    columns: {
      ...{ ...prismaColumns, ...nativeColumns },
      a_state: { type: 'an enum', kind: 'string', ddl: "enum('draft', 'paid')", ...state } as const,
    },
  },
  { ...{ orm: 'Prisma', database: 'SQLite', open: openSqliteClient }, columns: prismaColumns },
].map(({ open, columns, ...about }): Path => {
  const names = Object.entries(columns).map(([name, { ddl = '' }]) => [name, ddl] as const);
  const more = [
    ['a_required', "text DEFAULT 'a' NOT NULL"] as const,
    ['a_updated', 'timestamp(3) NULL'] as const,
  ];
  return {
    ...(about as Pick<Path, 'orm' | 'database'>),
    columns,
    async open(database) {
      await createTable(database, [...names, ...more, ['a_bytes', 'text'], ['a_timetz', 'text']]);
      return openPrisma(open(database.url));
    },
  };
});

/** The types of Drizzle, by what makes a column. */
const drizzleBuilders = {
  PostgreSQL: {
    'text()': [pg.text(), 'string'],
    'varchar()': [pg.varchar(), 'string'],
    'char()': [pg.char({ length: 1 }), 'string'],
    'an enum': [pg.pgEnum('State', ['draft', 'paid'])(), 'string', state],
    'an enum ': [pg.pgEnum('State', { Draft: 'draft', Paid: 'paid' })(), 'string', state],
    'inet()': [pg.inet(), 'string', inet],
    'cidr()': [pg.cidr(), 'string', cidr],
    'macaddr()': [pg.macaddr(), 'string', mac],
    'macaddr8()': [pg.macaddr8(), 'string', mac8],
    'integer()': [pg.integer(), 'integer'],
    'smallint()': [pg.smallint(), 'integer'],
    'serial()': [pg.serial(), 'integer', { isRequired: true }],
    'smallserial()': [pg.smallserial(), 'integer', { isRequired: true }],
    "bigserial({ mode: 'number' })": [pg.bigserial({ mode: 'number' }), 'integer', { isRequired: true }],
    "bigserial({ mode: 'bigint' })": [
      pg.bigserial({ mode: 'bigint' }).notNull(),
      'bigint',
      { isRequired: true },
    ],
    "bigint({ mode: 'number' })": [pg.bigint({ mode: 'number' }), 'integer'],
    "bigint({ mode: 'bigint' })": [pg.bigint({ mode: 'bigint' }), 'bigint'],
    'real()': [pg.real(), 'number'],
    'doublePrecision()': [pg.doublePrecision(), 'number'],
    'numeric()': [pg.numeric(), 'decimal'],
    "numeric({ mode: 'number' })": [pg.numeric({ mode: 'number' }), 'number'],
    "numeric({ mode: 'bigint' })": [pg.numeric({ mode: 'bigint' }), 'bigint'],
    'boolean()': [pg.boolean(), 'boolean'],
    'timestamp()': [pg.timestamp(), 'date'],
    "timestamp({ mode: 'string' })": [pg.timestamp({ mode: 'string' }), 'date'],
    "date({ mode: 'string' })": [pg.date(), 'day'],
    "date({ mode: 'date' })": [pg.date({ mode: 'date' }), 'day'],
    'time()': [pg.time(), 'time'],
    'uuid()': [pg.uuid(), 'uuid'],
    'json()': [pg.json(), 'json'],
    'jsonb()': [pg.jsonb(), 'json'],
    'text() ': [pg.text().array(), 'string', texts],
    'integer() ': [pg.integer().array(), 'integer', list("'{1,2}'", [1, 2], [3])],
    "date({ mode: 'string' }) ": [
      pg.date().array(),
      'day',
      list("'{2026-11-22}'", ['2026-11-22'], ['2026-11-23']),
    ],
  },
  MariaDB: {
    'text()': [mysql.text(), 'string'],
    'varchar()': [mysql.varchar({ length: 9 }), 'string'],
    'char()': [mysql.char({ length: 9 }), 'string'],
    'an enum': [mysql.mysqlEnum(['draft', 'paid']), 'string', state],
    'int()': [mysql.int(), 'integer'],
    'tinyint()': [mysql.tinyint(), 'integer'],
    'smallint()': [mysql.smallint(), 'integer'],
    'mediumint()': [mysql.mediumint(), 'integer'],
    'year()': [mysql.year(), 'integer', year],
    "bigint({ mode: 'number' })": [mysql.bigint({ mode: 'number' }), 'integer'],
    "bigint({ mode: 'bigint' })": [mysql.bigint({ mode: 'bigint' }), 'bigint'],
    'double()': [mysql.double(), 'number'],
    'float()': [mysql.float(), 'number'],
    'real()': [mysql.real(), 'number'],
    'decimal()': [mysql.decimal(), 'decimal'],
    "decimal({ mode: 'number' })": [mysql.decimal({ mode: 'number', precision: 9, scale: 2 }), 'number'],
    "decimal({ mode: 'bigint' })": [mysql.decimal({ mode: 'bigint', precision: 20 }), 'bigint'],
    'boolean()': [mysql.boolean(), 'boolean'],
    'timestamp()': [mysql.timestamp(), 'date'],
    "timestamp({ mode: 'string' })": [mysql.timestamp({ mode: 'string' }), 'date'],
    'datetime()': [mysql.datetime(), 'date'],
    "datetime({ mode: 'string' })": [mysql.datetime({ mode: 'string' }), 'date'],
    "date({ mode: 'string' })": [mysql.date({ mode: 'string' }), 'day'],
    "date({ mode: 'date' })": [mysql.date(), 'day'],
    'time()': [mysql.time(), 'time'],
    'json()': [mysql.json(), 'json'],
  },
  SQLite: {
    'text()': [sqlite.text(), 'string'],
    "text({ mode: 'json' })": [sqlite.text({ mode: 'json' }), 'json'],
    'integer()': [sqlite.integer(), 'integer'],
    "integer({ mode: 'boolean' })": [sqlite.integer({ mode: 'boolean' }), 'boolean'],
    "integer({ mode: 'timestamp' })": [
      sqlite.integer({ mode: 'timestamp' }),
      'date',
      { stored: '1795341600' },
    ],
    'real()': [sqlite.real(), 'number'],
    'numeric()': [sqlite.numeric(), 'decimal'],
    "numeric({ mode: 'number' })": [sqlite.numeric({ mode: 'number' }), 'number'],
    "numeric({ mode: 'bigint' })": [sqlite.numeric({ mode: 'bigint' }), 'bigint'],
    "blob({ mode: 'bigint' })": [sqlite.blob({ mode: 'bigint' }), 'bigint', { stored: "CAST('12' AS blob)" }],
    "blob({ mode: 'json' })": [sqlite.blob({ mode: 'json' }), 'json', { stored: `CAST('{"a":1}' AS blob)` }],
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<string, readonly [unknown, Kind, Partial<Typed>?]>>>
>;

const drizzles = (['PostgreSQL', 'MariaDB', 'SQLite'] as const).map((database): Path => {
  const builders: readonly [string, readonly [unknown, Kind, Partial<Typed>?]][] = Object.entries(
    drizzleBuilders[database],
  );
  const columns = builders.map(([type, [, kind, more]], index): [string, Typed] => [
    `c${index}`,
    { type: type.trim(), kind, ...more },
  ]);
  const schema = Object.fromEntries(builders.map(([, [builder]], index) => [`c${index}`, builder]));
  const tables: Readonly<Record<DatabaseName, () => Table>> = {
    PostgreSQL: () => pg.pgTable('typed', { id: pg.integer().primaryKey(), ...(schema as object) }),
    MariaDB: () => mysql.mysqlTable('typed', { id: mysql.int().primaryKey(), ...(schema as object) }),
    SQLite: () => sqlite.sqliteTable('typed', { id: sqlite.integer().primaryKey(), ...(schema as object) }),
  };
  return {
    ...{ orm: 'Drizzle', database },
    columns: Object.fromEntries(columns),
    async open(opened) {
      const table = tables[database]();
      const all = Object.entries(getTableColumns(table)).filter(([name]) => name !== 'id');
      // A NULL in place of the time of the row's creation.
      const nullable = database === 'MariaDB' ? ' NULL' : '';
      await createTable(
        opened,
        all.map(([name, column]) => [name, column.getSQLType().replace(/^State/, '"State"') + nullable]),
      );
      if (database === 'PostgreSQL') {
        const pool = new Pool({ connectionString: opened.url });
        const db = overPostgres(pool);
        const read = async () => (await db.select().from(table as pg.PgTable))[0];
        return { rows: drizzleRows(db, table), read, close: () => pool.end() };
      }
      if (database === 'MariaDB') {
        const pool = createPool({ uri: opened.url, supportBigNumbers: true, timezone: 'Z' });
        const db = overMariadb(pool);
        const read = async () => (await db.select().from(table as mysql.MySqlTable))[0];
        return { rows: drizzleRows(db, table), read, close: () => pool.end() };
      }
      const client = new Database(opened.url);
      const db = overSqlite(client);
      const read = async () => (await db.select().from(table as sqlite.SQLiteTable))[0];
      return { rows: drizzleRows(db, table), read, close: () => client.close() };
    },
  };
});

/** Each type that TypeORM and the database know. */
const typeorms = (['PostgreSQL', 'MariaDB'] as const).map((database): Path => {
  const dataSourceOf = (more: object) =>
    new DataSource(
      database === 'PostgreSQL'
        ? { type: 'postgres', ...more }
        : { type: 'mariadb', timezone: 'Z', supportBigNumbers: true, extra: { jsonStrings: true }, ...more },
    );
  const supported: readonly unknown[] = dataSourceOf({}).driver.supportedDataTypes;
  const types: readonly (readonly [string, Kind])[] = [
    ...[...sqlKinds].filter(([type]) => supported.includes(type)),
    ...typeormKinds,
  ];
  const constructors: Readonly<Record<string, EntitySchemaColumnOptions['type']>> = {
    String,
    Number,
    Boolean,
    Date,
  };
  const columns = types.map(([type, kind], index): [string, Typed] => [
    `c${index}`,
    { type, kind, ...valuesByType[type] },
  ]);
  const lists: [string, Typed][] = [
    ['l0', { type: 'simple-array', kind: 'string', ...texts, stored: "'a,b'" }],
    ...(database === 'MariaDB'
      ? [
          ['l1', { type: 'set', kind: 'string', ...list("'draft'", ['draft'], ['draft', 'paid']) }] as [
            string,
            Typed,
          ],
        ]
      : [['l1', { type: 'text', kind: 'string', ...texts }] as [string, Typed]]),
  ];
  const all = [...columns, ...lists];
  const options = all.map(([name, { type }]): [string, EntitySchemaColumnOptions] => [
    name,
    {
      type: constructors[type] ?? (type as EntitySchemaColumnOptions['type'] & string),
      nullable: true,
      ...(/enum|^set$/.test(type) && { enum: ['draft', 'paid'] }),
      ...(/^n?v?ar?char$|^n?char/.test(type) && database === 'MariaDB' && { length: 99 }),
      ...(name === 'l1' && type === 'text' && { array: true }),
    },
  ]);
  return {
    ...{ orm: 'TypeORM', database, columns: Object.fromEntries(all) },
    async open({ url }) {
      const entity = new EntitySchema<{ id: number }>({
        ...{ name: 'Typed', tableName: 'typed' },
        columns: { id: { type: Number, primary: true }, ...Object.fromEntries(options) },
      });
      const dataSource = await dataSourceOf({ url, entities: [entity], synchronize: true }).initialize();
      const repository = dataSource.getRepository(entity);
      return {
        rows: typeormRows(repository),
        read: () => repository.findOneBy({ id: 1 }),
        close: () => dataSource.destroy(),
      };
    },
  };
});

const sequelizeTypes: readonly (readonly [string, unknown, Kind, Partial<Typed>?, DatabaseName?])[] = [
  ['STRING', DataTypes.STRING, 'string'],
  ['CHAR', DataTypes.CHAR(9), 'string', { stored: "'123456789'", shown: '123456789', next: '234567890' }],
  ['TEXT', DataTypes.TEXT, 'string'],
  ['CITEXT', DataTypes.CITEXT, 'string', {}, 'PostgreSQL'],
  ['ENUM', DataTypes.ENUM('draft', 'paid'), 'string', state],
  ['INET', DataTypes.INET, 'string', inet, 'PostgreSQL'],
  ['CIDR', DataTypes.CIDR, 'string', cidr, 'PostgreSQL'],
  ['MACADDR', DataTypes.MACADDR, 'string', mac, 'PostgreSQL'],
  ['TINYINT', DataTypes.TINYINT, 'integer', {}, 'MariaDB'],
  ['SMALLINT', DataTypes.SMALLINT, 'integer'],
  ['MEDIUMINT', DataTypes.MEDIUMINT, 'integer', {}, 'MariaDB'],
  ['INTEGER', DataTypes.INTEGER, 'integer'],
  ['BIGINT', DataTypes.BIGINT, 'bigint'],
  ['FLOAT', DataTypes.FLOAT, 'number'],
  ['REAL', DataTypes.REAL, 'number'],
  ['DOUBLE', DataTypes.DOUBLE, 'number'],
  ['DECIMAL', DataTypes.DECIMAL, 'decimal'],
  ['BOOLEAN', DataTypes.BOOLEAN, 'boolean'],
  ['DATE', DataTypes.DATE, 'date'],
  ['DATEONLY', DataTypes.DATEONLY, 'day'],
  ['TIME', DataTypes.TIME, 'time'],
  ['UUID', DataTypes.UUID, 'uuid'],
  ['JSON', DataTypes.JSON, 'json'],
  ['JSONB', DataTypes.JSONB, 'json', {}, 'PostgreSQL'],
  ['TEXT', DataTypes.ARRAY(DataTypes.TEXT), 'string', texts, 'PostgreSQL'],
  ['INTEGER', DataTypes.ARRAY(DataTypes.INTEGER), 'integer', list("'{1,2}'", [1, 2], [3]), 'PostgreSQL'],
];

const sequelizes = (['PostgreSQL', 'MariaDB'] as const).map((database): Path => {
  const types = sequelizeTypes.filter(([, , , , only = database]) => only === database);
  const columns = types.map(([type, , kind, more], index): [string, Typed] => [
    `c${index}`,
    { type, kind, ...more },
  ]);
  return {
    ...{ orm: 'Sequelize', database, columns: Object.fromEntries(columns) },
    async open({ url, sql }) {
      if (database === 'PostgreSQL') await sql('CREATE EXTENSION IF NOT EXISTS citext');
      const sequelize = new Sequelize(url.replace(/^mysql:/, 'mariadb:'), {
        ...{ logging: false, dialectOptions: { bigNumberStrings: true } },
      });
      const attributes = Object.fromEntries(types.map(([, type], index) => [`c${index}`, type]));
      const model = sequelize.define('Typed', attributes as ModelAttributes, {
        tableName: 'typed',
        timestamps: false,
      });
      await model.sync();
      return { rows: sequelizeRows(model), read: () => model.findByPk(1), close: () => sequelize.close() };
    },
  };
});

/** The types of MikroORM, with options of the property beside it. */
const mikroormTypes: readonly (readonly [string, object, Kind, Partial<Typed>?, DatabaseName?])[] = [
  ['string', {}, 'string'],
  ['text', {}, 'string'],
  ['character', { length: 9 }, 'string', { stored: "'123456789'", shown: '123456789', next: '234567890' }],
  ['an enum', { type: 'string', enum: true, items: ['draft', 'paid'] }, 'string', state],
  ['integer', {}, 'integer'],
  ['smallint', {}, 'integer'],
  ['tinyint', {}, 'integer'],
  ['mediumint', {}, 'integer', {}, 'MariaDB'],
  ['bigint', {}, 'bigint'],
  ["new BigIntType('number')", { type: new BigIntType('number') }, 'integer'],
  ['double', {}, 'number'],
  ['float', {}, 'number'],
  ['decimal', {}, 'decimal'],
  ["new DecimalType('number')", { type: new DecimalType('number'), scale: 1 }, 'number'],
  ['boolean', {}, 'boolean'],
  ['datetime', {}, 'date'],
  ['date', {}, 'day'],
  ['time', {}, 'time'],
  ['uuid', {}, 'uuid'],
  ['json', {}, 'json'],
  ['text', { type: 'array' }, 'string', texts, 'PostgreSQL'],
  ['text', { type: 'array' }, 'string', { ...texts, stored: "'a,b'" }, 'MariaDB'],
  ['integer', { type: 'array', columnType: 'int[]' }, 'integer', list("'{1,2}'", [1, 2], [3]), 'PostgreSQL'],
];

const mikroorms = (['PostgreSQL', 'MariaDB'] as const).map((database): Path => {
  const types = mikroormTypes.filter(([, , , , only = database]) => only === database);
  const columns = types.map(([type, , kind, more], index): [string, Typed] => [
    `c${index}`,
    { type, kind, ...more },
  ]);
  return {
    ...{ orm: 'MikroORM', database, columns: Object.fromEntries(columns) },
    async open(opened) {
      const properties = types.map(([type, more], index) => [`c${index}`, { type, nullable: true, ...more }]);
      const entity = new MikroormSchema<{ id: number }>({
        ...{ name: 'Typed', tableName: 'typed' },
        properties: { id: { type: 'integer', primary: true }, ...Object.fromEntries(properties) },
      } as ConstructorParameters<typeof MikroormSchema<{ id: number }>>[0]);
      const options = { clientUrl: opened.url, entities: [entity] };
      const orm =
        database === 'PostgreSQL'
          ? await PostgresOrm.init(options)
          : await MariadbOrm.init({
              ...options,
              timezone: 'Z',
              driverOptions: { connection: { bigNumberStrings: true } },
            });
      await createTable(
        opened,
        Object.values(orm.getMetadata().get('Typed').properties)
          .filter(({ name }) => name !== 'id')
          .map(({ name, columnTypes: [ddl = ''] }) => [name, ddl]),
      );
      const em: PostgresOrm['em'] = orm.em;
      return {
        rows: mikroormRows(em, 'Typed'),
        read: () => em.fork().findOne(entity, { id: 1 }),
        close: () => orm.close(),
      };
    },
  };
});

const paths = [...prismas, ...drizzles, ...typeorms, ...sequelizes, ...mikroorms];

/** The tables of docs/columns.md, by the ORM that each heading names: the types of each row, its kind, and how its JSON differs. */
const tables = new Map(
  readFileSync(join(__dirname, '../../docs/columns.md'), 'utf8')
    .split(/^### /m)
    .map((section) => {
      const [, ...lines] = [...section.matchAll(/^\| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm)];
      const rows = lines.flatMap(([, types = '', kind = '', sent = '', keep = '']) =>
        [...types.matchAll(/`([^`]+)`|(an enum)/g)].map(
          ([, quoted, plain]) =>
            [quoted ?? plain ?? '', { kind: kind.replaceAll(/[`']/g, ''), sent, keep }] as const,
        ),
      );
      return [section.split('\n')[0] ?? '', new Map(rows)] as const;
    }),
);

for (const { orm, database, columns, open } of paths) {
  describeOver[database](`${orm} over ${database}`, () => {
    let opened: TestDatabase;
    let { rows, read, close }: Partial<OpenOrm> = {};
    const cases = Object.entries(columns).map(([column, typed]) => ({
      ...{ column, isList: false, isRequired: false },
      ...{ ...values[typed.kind], ...typed },
      differs: differences.find(
        (one) => one.orm === orm && one.types.includes(typed.type) && (one.on?.includes(database) ?? true),
      ),
    }));

    beforeAll(async () => {
      opened = await openDatabase(database);
      ({ rows, read, close } = await open(opened));
      const names = cases.map(({ column }) => column);
      await opened.sql(
        `INSERT INTO typed (id, ${names.join(', ')}) VALUES (1, ${cases.map(({ stored }) => stored).join(', ')})`,
      );
    });
    afterAll(async () => {
      await close?.();
      await opened.close();
    });

    const storeOf = (column: string, options: true | ColumnOptions = true) =>
      rowStore({
        ...(rows as OrmRows),
        columns: { [column]: options },
        key: (key) => ({ id: Number(key) }),
      });

    test.each(cases)(
      '$column, $type, is a $kind',
      async ({ column, kind, isList, isRequired, shown, next }) => {
        // A list of Prisma cannot be NULL.
        const isNullable = !isRequired && !(isList && orm === 'Prisma');
        const schemaKind = `${kind}${isList ? '[]' : ''}${isNullable ? '?' : ''}`;
        expect(rows?.columnKinds?.[column]?.kind).toBe(schemaKind);
        const store = storeOf(column);
        expect((await store.get('1'))?.value).toEqual({ [column]: shown });
        for (const value of [next, shown]) {
          await change(store, '1', { [column]: value });
          expect((await store.get('1'))?.value).toEqual({ [column]: value });
        }
      },
    );

    test.each(cases.filter(({ isList }) => !isList))(
      '$column, $type, in JSON of the app',
      async ({ column, shown, differs = { sent: shown } }) => {
        const row = (await read?.()) ?? {};
        const own: unknown = Reflect.get(row, column);
        if (differs.sent === undefined) expect(() => JSON.stringify(own)).toThrow('BigInt');
        else expect(JSON.parse(JSON.stringify(own))).toEqual(differs.sent);
        if (!('keep' in differs)) return;
        const kept = storeOf(column, { ...differs.keep, nullable: true });
        const value = (await kept.get('1'))?.value[column];
        expect(value).toEqual(differs.sent ?? Number(shown));
        expect(await change(kept, '1', { [column]: value })).toMatchObject({ value: { [column]: value } });
      },
    );
  });

  test.each(Object.values(columns))(
    `docs/columns.md has a row for $type of ${orm} over ${database}`,
    ({ type, kind }) => {
      const row = tables.get(orm)?.get(type);
      const differs = differences.find((one) => one.orm === orm && one.types.includes(type));
      expect(row?.kind).toBe(kind);
      expect(row?.sent === 'the same').toBe(differs === undefined);
      const keep = Object.entries(differs?.keep ?? {}).map(([name, value]) => `${name}: '${String(value)}'`);
      expect(row?.keep).toBe(keep.length === 0 ? '' : `\`{ ${keep.join(', ')} }\``);
    },
  );
}

test.each(['Prisma', 'Drizzle', 'TypeORM', 'Sequelize', 'MikroORM'])(
  'each type of %s in docs/columns.md is tested',
  (orm) => {
    const tested = paths.filter((path) => path.orm === orm).flatMap(({ columns }) => Object.values(columns));
    const untested = [...(tables.get(orm)?.keys() ?? [])].filter(
      (type) => !tested.some((one) => one.type === type),
    );
    expect(tables.get(orm)?.size).toBeGreaterThan(5);
    expect(untested).toEqual([]);
  },
);

const classOf = ({ constructor }: object) =>
  String(Reflect.get(constructor, Symbol.for('drizzle:entityKind'))).replace(
    /^(?:Pg|MySql|SQLite)|Builder$/g,
    '',
  );

test.each([
  {
    ...{ orm: 'Prisma', known: prismaKinds },
    tested: prismas.flatMap(({ columns }) => Object.values(columns).map(({ type }) => type)),
  },
  {
    ...{ orm: 'Drizzle', known: drizzleKinds },
    tested: Object.values(drizzleBuilders).flatMap((builders) =>
      Object.values<readonly [object, ...unknown[]]>(builders).map(([builder]) => classOf(builder)),
    ),
  },
  {
    ...{ orm: 'Sequelize', known: sequelizeKinds },
    tested: sequelizeTypes.map(([, type]) => String(Reflect.get(Object(type) as object, 'key'))),
  },
])('each type that has a kind by $orm is tested', ({ known, tested }) => {
  expect([...known.keys()].filter((type) => !tested.includes(type))).toEqual([]);
});

class Money extends Type<string, number> {
  override getColumnType(): string {
    return 'integer';
  }
}

/** What each ORM says of columns that it sets itself, and of those that only the app can know, over no database. */
const declared: readonly {
  readonly orm: string;
  readonly open: () => Promise<OpenOrm['rows']> | OpenOrm['rows'];
  readonly readOnly: readonly string[];
  readonly writable: readonly string[];
  /** Columns without a kind, with what the mistake says. */
  readonly unknown: Readonly<Record<string, string>>;
}[] = [
  {
    orm: 'Prisma',
    open: () => prismaRows(openPostgresClient('postgres://127.0.0.1:1/none'), 'typed'),
    readOnly: ['id', 'a_updated'],
    writable: ['a_required', 'a_string', 'a_datetime'],
    unknown: { a_bytes: 'is of the type Bytes', a_timetz: 'is of the type DateTime @db.Timetz' },
  },
  {
    orm: 'Prisma, a key of several columns',
    open: () => prismaRows(openPostgresClient('postgres://127.0.0.1:1/none'), 'orderLine'),
    readOnly: ['tenantId', 'lineNo', 'day'],
    writable: ['title'],
    unknown: { order: 'is not a column that the ORM knows' },
  },
  {
    orm: 'Drizzle over PostgreSQL',
    open: () => {
      const table = pg.pgTable('typed', {
        id: pg.uuid().primaryKey().defaultRandom(),
        identity: pg.integer().generatedByDefaultAsIdentity(),
        doubled: pg.integer().generatedAlwaysAs(drizzleSql`a * 2`),
        updated: pg.timestamp().$onUpdate(() => new Date()),
        created: pg.timestamp().defaultNow(),
        duration: pg.interval(),
        place: pg.point(),
        offset: pg.time({ withTimezone: true }),
        places: pg.point().array(),
        money: pg.customType<{ data: string }>({ dataType: () => 'integer' })(),
      });
      return drizzleRows(overPostgres('postgres://127.0.0.1:1/none'), table);
    },
    readOnly: ['id', 'identity', 'doubled', 'updated'],
    writable: ['created'],
    unknown: {
      duration: 'is of the type PgInterval',
      place: 'is of the type PgPointTuple',
      offset: 'is of the type PgTime with time zone',
      places: 'is of the type PgPointTuple[]',
      money: 'has a custom type',
    },
  },
  {
    orm: 'Drizzle over MySQL',
    open: () => {
      const table = mysql.mysqlTable('typed', {
        id: mysql.int().autoincrement(),
        updated: mysql.timestamp().onUpdateNow(),
        title: mysql.text(),
        bytes: mysql.binary(),
      });
      return drizzleRows(overMariadb('mysql://127.0.0.1:1/none'), table);
    },
    readOnly: ['id', 'updated'],
    writable: ['title'],
    unknown: { bytes: 'is of the type MySqlBinary' },
  },
  {
    orm: 'TypeORM',
    open: async () => {
      const { url, close } = await openDatabase('PostgreSQL');
      const other = new EntitySchema<{ id: number }>({
        name: 'Other',
        columns: { id: { type: Number, primary: true } },
      });
      const entity = new EntitySchema<Record<string, unknown>>({
        ...{ name: 'Typed', tableName: 'typed' },
        columns: {
          id: { type: Number, primary: true, generated: 'increment' },
          doubled: { type: 'int', asExpression: 'a * 2', generatedType: 'STORED' },
          fixed: { type: 'text', update: false },
          created: { type: 'timestamptz', createDate: true },
          updated: { type: 'timestamptz', updateDate: true },
          deleted: { type: 'timestamptz', deleteDate: true, nullable: true },
          counted: { type: Number, version: true },
          title: { type: 'text', default: 'a' },
          bytes: { type: 'bytea' },
          duration: { type: 'interval' },
          level: { type: 'enum', enum: [1, 2] },
          money: { type: 'int', transformer: { to: Number, from: String } },
        },
        relations: { other: { type: 'many-to-one', target: 'Other' } },
      });
      const source = await new DataSource({ type: 'postgres', url, entities: [entity, other] }).initialize();
      const rows = typeormRows(source.getRepository('Typed'));
      await source.destroy();
      await close();
      return rows;
    },
    readOnly: ['id', 'doubled', 'fixed', 'created', 'updated', 'counted'],
    writable: ['deleted', 'title'],
    unknown: {
      bytes: 'is of the type bytea',
      duration: 'is of the type interval',
      level: 'is of the type enum of numbers',
      money: 'has a transformer',
      other: 'is a relation, which has no column',
    },
  },
  {
    orm: 'Sequelize',
    open: () => {
      const sequelize = new Sequelize('postgres://127.0.0.1:1/none');
      const model = sequelize.define(
        'Typed',
        {
          id: { type: DataTypes.INTEGER, primaryKey: true },
          counter: { type: DataTypes.INTEGER, autoIncrement: true },
          title: DataTypes.TEXT,
          bytes: DataTypes.BLOB,
          short: DataTypes.STRING(5, true),
          places: DataTypes.ARRAY(DataTypes.GEOMETRY),
          virtual: DataTypes.VIRTUAL,
          money: {
            type: DataTypes.INTEGER,
            get: () => '1.00',
          },
        },
        { version: true, paranoid: true },
      );
      model.belongsTo(sequelize.define('Other', {}), { as: 'other' });
      return sequelizeRows(model);
    },
    readOnly: ['id', 'counter', 'createdAt', 'updatedAt', 'deletedAt', 'version'],
    writable: ['title', 'otherId'],
    unknown: {
      bytes: 'is of the type BLOB',
      short: 'is of the type STRING.BINARY',
      places: 'is of the type GEOMETRY[]',
      virtual: 'is of the type VIRTUAL',
      money: 'has a getter',
      other: 'is a relation, which has no column',
    },
  },
  {
    orm: 'MikroORM',
    open: async () => {
      const other = new MikroormSchema<{ id: number }>({
        name: 'Other',
        properties: { id: { type: 'integer', primary: true } },
      });
      const properties = {
        id: { type: 'integer', primary: true },
        doubled: { type: 'integer', generated: '(a * 2) stored' },
        computed: { type: 'integer', formula: 'a * 2' },
        counted: { type: 'integer', version: true },
        updated: { type: 'datetime', onUpdate: () => new Date() },
        title: { type: 'text' },
        numbers: { type: 'number[]' },
        bytes: { type: 'blob' },
        duration: { type: 'interval' },
        money: { type: Money },
        other: { kind: 'm:1', entity: 'Other' },
      };
      const entity = new MikroormSchema({ name: 'Typed', properties } as ConstructorParameters<
        typeof MikroormSchema
      >[0]);
      const orm = await PostgresOrm.init({ dbName: 'none', connect: false, entities: [entity, other] });
      return mikroormRows(orm.em, 'Typed');
    },
    readOnly: ['id', 'doubled', 'computed', 'counted', 'updated'],
    writable: ['title'],
    unknown: {
      numbers: 'is of the type text[]',
      bytes: 'is of the type bytea',
      duration: 'is of the type interval',
      money: 'has a custom type',
      other: 'is of the type m:1 Other',
    },
  },
];

describe.each(declared)('$orm', ({ open, readOnly, writable, unknown }) => {
  let rows: Partial<OpenOrm['rows']> = {};
  beforeAll(async () => {
    rows = await open();
  });
  const storeOf = (columns: Readonly<Record<string, true>>) =>
    rowStore({ ...(rows as OrmRows), columns, key: (key) => ({ id: Number(key) }) });

  test('what the database or the ORM sets is read-only, and nothing else', () => {
    const store = storeOf(Object.fromEntries([...readOnly, ...writable].map((name) => [name, true])));
    expect(store.readOnly).toEqual(readOnly.map((name) => `/${name}`));
  });

  test.each(Object.entries(unknown))('%s has no kind', (column, says) => {
    expect(mistakesOf(() => storeOf({ [column]: true }))).toMatchObject([{ option: `columns.${column}` }]);
    expect(() => storeOf({ [column]: true })).toThrow(says);
  });
});

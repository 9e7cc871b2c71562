/**
 * The page of each ORM, as it stands there, over a table that has rows: PATCH, and writes of the app by SQL. What a reader with another
 * database writes instead is a list of replacements.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/core';
import type { Express } from 'express';
import type { Knex } from 'knex';
import type { Kysely } from 'kysely';
import { Client } from 'pg';
import type { Sequelize } from 'sequelize';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import {
  describeOver,
  openDatabase,
  testsOwn,
  type DatabaseName,
  type TestDatabase,
} from './support/databases';
import type { PageModules } from '../support/page-modules';
import { findingsInModules, loadModules, modulesOfPage, pages } from './support/page';

type Replacements = readonly (readonly [string, string])[];

interface PageCase {
  readonly page: string;
  readonly database: DatabaseName;
  /** Throughout the modules of the page. */
  readonly instead?: Replacements;
  /** What the app does before its first request. */
  readonly open?: (loaded: PageModules) => unknown;
  readonly close: (loaded: PageModules) => unknown;
}

const engines = { PostgreSQL: 'postgres', SQLite: 'sqlite', MariaDB: 'mysql' } as const;
const url = 'process.env.DATABASE_URL';

/**
 * The modules of a page, and `app-refusing`, whose store has an `onWrite` that refuses; and where the page offers it, `app-by-xmin`.
 */
function modulesFor({ page, database, instead = [] }: PageCase): ReadonlyMap<string, string> {
  const modules = new Map(modulesOfPage(page));
  const app = modules.get('app') ?? '';
  const withOption = (option: string): string => {
    const [key] = / key: 'slug' \}\)/.exec(app) ?? [''];
    expect(key).not.toBe('');
    return app.replace(key, key.replace(' }', `, ${option} }`));
  };
  const refuse = `onWrite: () => { throw new ProblemError(403, 'refused', 'No.'); }`;
  modules.set('app-refusing', `import { ProblemError } from 'patch-options';\n${withOption(refuse)}`);
  if (database === 'PostgreSQL' && offersXmin(page))
    modules.set('app-by-xmin', withOption("version: 'xmin'"));
  for (const [from, to] of instead) {
    const found = [...modules].filter(([, text]) => from !== '' && text.includes(from));
    expect([from, found.length > 0]).toEqual([from, true]);
    for (const [name, text] of found) modules.set(name, text.replaceAll(from, to));
  }
  return modules;
}

const offersXmin = (page: string) => (pages.get(page) ?? '').includes("[`version: 'xmin'`]");

/** Only pools of pg have these listeners. */
const withoutListeners = (pool: string): Replacements => [
  [`${pool}.on('error', ({ message }) => console.error(message));\n`, ''],
  [`${pool}.on('connect', (client) => client.on('error', ({ message }) => console.error(message)));\n`, ''],
];

const closing =
  (name: string, member: string, close: string): PageCase['close'] =>
  (loaded) => {
    const closed = loaded.load(name)[member] as Record<string, (() => unknown) | undefined>;
    return closed[close]?.();
  };

const prismaCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/prisma', database, instead, close: closing('prisma', 'prisma', '$disconnect') },
});
const knexCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/knex', database, instead },
  close: (loaded) => (loaded.load('knex')['knex'] as Knex).destroy(),
});
const kyselyCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/kysely', database, instead },
  close: (loaded) => (loaded.load('db')['db'] as Kysely<unknown>).destroy(),
});
const dataSourceOf = (loaded: PageModules) => loaded.load('data-source')['dataSource'] as DataSource;
const typeormCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/typeorm', database, instead },
  open: (loaded) => dataSourceOf(loaded).initialize(),
  close: (loaded) => dataSourceOf(loaded).destroy(),
});
const sequelizeCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/sequelize', database, instead },
  close: (loaded) => (loaded.load('note')['sequelize'] as Sequelize).close(),
});
const mikroOrmCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/mikro-orm', database, instead },
  close: (loaded) => (loaded.load('orm')['orm'] as MikroORM).close(),
});
const sqlCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/sql', database, instead },
  close: closing('pool', 'pool', database === 'SQLite' ? 'close' : 'end'),
});

const silent = ['entities: [Note] }', 'entities: [Note], logger: () => undefined }'] as const;
const prismaPath = './generated/prisma/client';
/** SQLite has no type for dates. */
const dateOfSqlite: readonly [string, string] = [
  "createdAt: { kind: 'date', readOnly",
  "createdAt: { kind: 'date', storedAs: 'sql', readOnly",
];

const cases: readonly PageCase[] = [
  prismaCase('PostgreSQL', [[prismaPath, join(__dirname, 'generated/postgresql/client')]]),
  prismaCase('SQLite', [
    [prismaPath, join(__dirname, 'generated/sqlite/client')],
    [
      "{ PrismaPg } from '@prisma/adapter-pg'",
      "{ PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'",
    ],
    [`PrismaPg({ connectionString: ${url} })`, `PrismaBetterSqlite3({ url: 'file:' + ${url} })`],
  ]),
  prismaCase('MariaDB', [
    [prismaPath, join(__dirname, 'generated/mariadb/client')],
    ["{ PrismaPg } from '@prisma/adapter-pg'", "{ PrismaMariaDb } from '@prisma/adapter-mariadb'"],
    [`PrismaPg({ connectionString: ${url} })`, `PrismaMariaDb(${url}!.replace('mysql:', 'mariadb:'))`],
  ]),
  {
    ...{ page: 'orms/drizzle', database: 'PostgreSQL' },
    close: (loaded) => (loaded.load('db')['db'] as { $client: { end(): unknown } }).$client.end(),
  },
  {
    ...{ page: 'orms/drizzle', database: 'SQLite' },
    instead: [
      [
        "{ integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'",
        "{ integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'",
      ],
      ['pgTable(', 'sqliteTable('],
      ['integer().primaryKey().generatedAlwaysAsIdentity()', 'integer().primaryKey({ autoIncrement: true })'],
      [
        "timestamp('created_at', { withTimezone: true }).notNull().defaultNow()",
        "text('created_at').notNull().$defaultFn(() => new Date().toISOString())",
      ],
      ['drizzle-orm/node-postgres', 'drizzle-orm/better-sqlite3'],
      ...withoutListeners('db.$client'),
    ],
    close: (loaded) => (loaded.load('db')['db'] as { $client: { close(): unknown } }).$client.close(),
  },
  {
    ...{ page: 'orms/drizzle', database: 'MariaDB' },
    instead: [
      [
        "{ integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'",
        "{ datetime, int, mysqlTable, text, varchar } from 'drizzle-orm/mysql-core'",
      ],
      ['pgTable(', 'mysqlTable('],
      ['integer().primaryKey().generatedAlwaysAsIdentity()', 'int().primaryKey().autoincrement()'],
      ['slug: text()', 'slug: varchar({ length: 255 })'],
      [
        "timestamp('created_at', { withTimezone: true }).notNull().defaultNow()",
        "datetime('created_at', { fsp: 3 }).notNull().$defaultFn(() => new Date())",
      ],
      ['drizzle-orm/node-postgres', 'drizzle-orm/mysql2'],
      ...withoutListeners('db.$client'),
    ],
    close: (loaded) => (loaded.load('db')['db'] as { $client: { end(): unknown } }).$client.end(),
  },
  knexCase('PostgreSQL', []),
  knexCase('SQLite', [
    dateOfSqlite,
    [
      `client: 'pg', connection: ${url}!`,
      `client: 'better-sqlite3', connection: { filename: ${url}! }, useNullAsDefault: true`,
    ],
  ]),
  knexCase('MariaDB', [
    [`client: 'pg', connection: ${url}!`, `client: 'mysql2', connection: { uri: ${url}!, timezone: 'Z' }`],
  ]),
  kyselyCase('PostgreSQL', []),
  kyselyCase('SQLite', [
    ...withoutListeners('pool'),
    dateOfSqlite,
    ["{ Kysely, PostgresDialect } from 'kysely'", "{ Kysely, SqliteDialect } from 'kysely'"],
    ["import { Pool } from 'pg'", "import Database from 'better-sqlite3'"],
    [
      `const pool = new Pool({ connectionString: ${url} });`,
      `const database = new Database(${url}).defaultSafeIntegers();`,
    ],
    ['new PostgresDialect({ pool })', 'new SqliteDialect({ database })'],
  ]),
  kyselyCase('MariaDB', [
    ...withoutListeners('pool'),
    ["{ Kysely, PostgresDialect } from 'kysely'", "{ Kysely, MysqlDialect } from 'kysely'"],
    ["import { Pool } from 'pg'", "import { createPool } from 'mysql2'"],
    [
      `new Pool({ connectionString: ${url} })`,
      `createPool({ uri: ${url}!, jsonStrings: true, supportBigNumbers: true, timezone: 'Z' })`,
    ],
    ['new PostgresDialect({ pool })', 'new MysqlDialect({ pool })'],
  ]),
  typeormCase('PostgreSQL', []),
  typeormCase('MariaDB', [
    ["type: 'postgres'", "type: 'mariadb', timezone: 'Z', extra: { jsonStrings: true }"],
  ]),
  sequelizeCase('PostgreSQL', [[`new Sequelize(${url}!)`, `new Sequelize(${url}!, { logging: false })`]]),
  sequelizeCase('MariaDB', [
    [
      `new Sequelize(${url}!)`,
      `new Sequelize(${url}!.replace('mysql:', 'mariadb:'), { logging: false, dialectOptions: { bigNumberStrings: true } })`,
    ],
  ]),
  mikroOrmCase('PostgreSQL', [silent]),
  mikroOrmCase('MariaDB', [
    ['@mikro-orm/postgresql', '@mikro-orm/mariadb'],
    silent,
    ['logger: ', "timezone: 'Z', driverOptions: { connection: { bigNumberStrings: true } }, logger: "],
  ]),
  sqlCase('PostgreSQL', []),
  sqlCase('MariaDB', [
    ...withoutListeners('pool'),
    ["import { Pool } from 'pg'", "import { createPool } from 'mysql2/promise'"],
    [`new Pool({ connectionString: ${url} })`, `createPool({ uri: ${url}!, timezone: 'Z' })`],
  ]),
  sqlCase('SQLite', [
    dateOfSqlite,
    ...withoutListeners('pool'),
    ["import { Pool } from 'pg'", "import Database from 'better-sqlite3'"],
    [`new Pool({ connectionString: ${url} })`, `new Database(${url})`],
  ]),
  {
    ...{ page: 'orms/other', database: 'SQLite' },
    instead: [[`${url}!`, `'file:' + ${url}`]],
    close: () => undefined,
  },
];

test('what the pages show compiles, with what a reader with another database writes instead', () => {
  const modules = cases.flatMap((pageCase) => {
    const folder = `${pageCase.page.replace('/', '-')}-${engines[pageCase.database]}`;
    return [...modulesFor(pageCase)].map(([name, text]) => [`pages/${folder}/${name}`, text] as const);
  });
  expect(modules.length).toBeGreaterThan(60);
  expect(findingsInModules(new Map(modules))).toEqual([]);
});

describe.each(cases)('docs/$page.md on $database', (pageCase) => {
  const { page, database, open, close } = pageCase;
  describeOver[database]('a table that has rows', () => {
    let opened: TestDatabase;
    let loaded: PageModules;
    let app: Express;
    const read = (slug: string, from = app) => request(from).get(`/notes/${slug}`).expect(200);
    const tagOf = async (slug: string, from = app) => (await read(slug, from)).get('ETag') ?? '';
    const patch = (slug: string, ifMatch: string, body: object, to = app) =>
      request(to)
        .patch(`/notes/${slug}`)
        .set({ 'Content-Type': 'application/json', 'If-Match': ifMatch })
        .send(JSON.stringify(body));

    beforeAll(async () => {
      opened = await openDatabase(database);
      await opened.sql(
        `INSERT INTO notes (slug, title, body) VALUES ('first', 'One', 'a'), ('second', 'Two', NULL)`,
      );
      // DATABASE_URL itself names the server of the tests.
      process.env['PAGES_DATABASE_URL'] = opened.url;
      loaded = loadModules(
        new Map(
          [...modulesFor(pageCase)].map(([name, text]) => [
            name,
            text.replaceAll('env.DATABASE_URL', 'env.PAGES_DATABASE_URL'),
          ]),
        ),
      );
      await open?.(loaded);
      app = loaded.load('app')['app'] as Express;
    });
    afterAll(async () => {
      await close(loaded);
      await opened.close();
    });

    test('PATCH changes a row that was there, and refuses a stale tag', async () => {
      const { headers, body } = await read('first');
      expect(body).toMatchObject({ title: 'One', body: 'a' });
      const changed = await patch('first', headers['etag'] ?? '', { body: null }).expect(200);
      expect(changed.body).toMatchObject({ title: 'One', body: null });
      await patch('first', headers['etag'] ?? '', { title: 'stale' }).expect(412);
      expect((await read('first')).body).toMatchObject({ title: 'One', body: null });
    });

    test('a row that the app inserts', async () => {
      await opened.sql(`INSERT INTO notes (slug, title) VALUES ('raw', 'Raw')`);
      await patch('raw', await tagOf('raw'), { title: 'Patched' }).expect(200);
      expect((await read('raw')).body).toMatchObject({ title: 'Patched' });
    });

    test('an update of the app makes the tag stale, but for that of a column that is not listed', async () => {
      const tag = await tagOf('second');
      await opened.sql(`UPDATE notes SET age = 7 WHERE slug = 'second'`);
      expect(await tagOf('second')).toBe(tag);
      await opened.sql(`UPDATE notes SET title = 'changed by the app' WHERE slug = 'second'`);
      await patch('second', tag, { title: 'lost' }).expect(412);
      expect((await read('second')).body).toMatchObject({ title: 'changed by the app' });
    });

    (database === 'PostgreSQL' && offersXmin(page) ? test : test.skip)(
      'xmin is a version, too: of each write, also by SQL',
      async () => {
        const byXmin = loaded.load('app-by-xmin')['app'] as Express;
        const first = await tagOf('second', byXmin);
        await patch('second', first, { title: 'By xmin' }, byXmin).expect(200);
        await patch('second', first, { title: 'stale' }, byXmin).expect(412);
        const second = await tagOf('second', byXmin);
        await opened.sql(`UPDATE notes SET title = title WHERE slug = 'second'`);
        await patch('second', second, { title: 'lost' }, byXmin).expect(412);
      },
    );

    test('a write that onWrite refuses is rolled back', async () => {
      const refusing = loaded.load('app-refusing')['app'] as Express;
      const { headers, body } = await read('second');
      await patch('second', headers['etag'] ?? '', { title: 'refused' }, refusing).expect(403);
      const after = await read('second');
      expect([after.headers['etag'], after.body]).toEqual([headers['etag'], body]);
    });

    (database === 'PostgreSQL' ? test : test.skip)(
      'connections that the database ends, idle or in a write, do not end the process',
      async () => {
        const endConnections = () =>
          opened.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name <> '${testsOwn}'`,
          );
        const { headers } = await read('second');
        expect((await endConnections()).length).toBeGreaterThan(0);
        // A driver may learn of it only when it sends.
        await request(app).get('/notes/second');
        await read('second');

        const client = new Client({ connectionString: opened.url, application_name: testsOwn });
        await client.connect();
        await client.query(`BEGIN; UPDATE notes SET body = body WHERE slug = 'second'`);
        const cut = patch('second', headers['etag'] ?? '', { title: 'cut off' }).then(({ status }) => status);
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name <> '${testsOwn}'`;
        while ((await opened.sql(waiting)).length === 0) await setTimeout(10);
        await endConnections();
        await client.query('ROLLBACK');
        await client.end();
        expect(await cut).toBeGreaterThanOrEqual(500);
        await request(app).get('/notes/second');
        expect((await read('second')).body).not.toMatchObject({ title: 'cut off' });
      },
    );
  });
});

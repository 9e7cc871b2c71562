/**
 * The page of each ORM, as it stands there: its migration on a table that has rows, inserts of the app and by SQL, and PATCH. What a
 * reader with another database writes instead is a list of replacements.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/core';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { migrate as migrateSqlite } from 'drizzle-orm/better-sqlite3/migrator';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { MySql2Database } from 'drizzle-orm/mysql2';
import { migrate as migrateMariadb } from 'drizzle-orm/mysql2/migrator';
import type { Express } from 'express';
import type { Knex } from 'knex';
import { type Kysely, type Migration, Migrator } from 'kysely';
import { Client } from 'pg';
import type { QueryInterface, Sequelize } from 'sequelize';
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
import { blocksBelow, findingsInModules, loadModules, modulesOfPage, pages, runBlock } from './support/page';

type Replacements = readonly (readonly [string, string])[];

interface PageCase {
  readonly page: string;
  readonly database: DatabaseName;
  /** Throughout the modules of the page. */
  readonly instead?: Replacements;
  readonly migrate: (loaded: PageModules, database: TestDatabase) => unknown;
  /** The way back, where the page shows one: it is for PostgreSQL. */
  readonly undo?: (loaded: PageModules) => unknown;
  readonly close: (loaded: PageModules) => unknown;
}

const engines = { PostgreSQL: 'postgres', SQLite: 'sqlite', MariaDB: 'mysql' } as const;
const url = 'process.env.DATABASE_URL';

/**
 * The modules of a page, and `app-in-transaction`, whose store has the option `onWrite`. The option `transaction` that the page shows is
 * added where it is needed and missing.
 */
function modulesFor({ page, database, instead = [] }: PageCase): ReadonlyMap<string, string> {
  const modules = new Map(modulesOfPage(page));
  const [transaction] = blocksBelow(page, 'In a transaction', 'ts');
  if (database === 'PostgreSQL' && offersXmin(page))
    modules.set(
      'app-by-xmin',
      String(modules.get('app')).replace("version: 'version'", "version: { generated: 'xmin' }"),
    );
  if (transaction !== undefined) {
    const imports = `import { ProblemError } from 'patch-options';\n`;
    const onWrite = `onWrite: () => { throw new ProblemError(403, 'refused', 'No.'); },`;
    const app = modules.get('app') ?? '';
    const version = '';
    const transacted = app.includes('transaction:')
      ? app
      : app.replace(version, `${version}\n${transaction.trim()},`);
    modules.set('app-in-transaction', imports + transacted.replace(version, `${version}\n${onWrite}`));
    // PostgreSQL returns the row, and Drizzle over better-sqlite3 needs no transaction.
    const isNeeded = database === 'MariaDB' || (database === 'SQLite' && page !== 'orms/drizzle');
    if (isNeeded) modules.set('app', transacted);
  }
  for (const [from, to] of instead) {
    const found = [...modules].filter(([, text]) => from !== '' && text.includes(from));
    expect([from, found.length > 0]).toEqual([from, true]);
    for (const [name, text] of found) modules.set(name, text.replaceAll(from, to));
  }
  return modules;
}

/** Whether the page says that no column is needed. */
const offersXmin = (page: string) => (pages.get(page) ?? '').includes("{ generated: 'xmin' }");

/** Only pools of pg have these listeners. */
const withoutListeners = (pool: string): Replacements => [
  [`${pool}.on('error', ({ message }) => console.error(message));\n`, ''],
  [`${pool}.on('connect', (client) => client.on('error', ({ message }) => console.error(message)));\n`, ''],
];

/** What `node -p` prints: the code between the quotes of a shell block. */
function printedBy(shell: string, database: DatabaseName): string {
  const [, code = ''] = /node -p "(.*?)"/s.exec(shell) ?? [];
  const script = code.replace(/engine: '\w+'/, `engine: '${engines[database]}'`);
  return String(
    runBlock(
      `const printed = ${script.replaceAll("require('patch-options/rows')", 'rows')};`,
      {
        rows: { versionTrigger: (options: object) => runVersionTrigger(options) },
      },
      'printed',
    ),
  );
}

function runVersionTrigger(options: object): string {
  const block = `import { versionTrigger } from 'patch-options/rows';\nconst sql = versionTrigger(options);`;
  return String(runBlock(block, { options }, 'sql'));
}

/** The SQL of docs/your-data.md. */
async function migrateBySql(database: DatabaseName, { sql }: TestDatabase): Promise<void> {
  const [other = '', mariadb = ''] = blocksBelow('your-data', '1. A column for the version', 'sql');
  await sql(database === 'MariaDB' ? mariadb : other);
  const [block = ''] = blocksBelow('your-data', '1. A column for the version', 'ts');
  const printed: string[] = [];
  const console = { log: (text: string) => printed.push(text) };
  runBlock(block.replace("'postgres'", `'${engines[database]}'`), { console }, 'undefined');
  await sql(printed.join(''));
}

/** The statement of a page as tools write it for MySQL. */
const quotedFor = (database: DatabaseName, statement: string) =>
  database === 'MariaDB' ? statement.replaceAll('"', '`') : statement;

/** What Prisma's migrate runs: the line that it has written, and what is appended. */
const prismaCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/prisma', database, instead },
  migrate: async (_loaded, { sql }) => {
    const [column = ''] = blocksBelow('orms/prisma', 'The version column', 'sql');
    const [shell = ''] = blocksBelow('orms/prisma', 'The version column', 'sh');
    await sql(quotedFor(database, column) + printedBy(shell, database));
  },
  close: (loaded) => (loaded.load('prisma')['prisma'] as { $disconnect(): unknown }).$disconnect(),
});

/** A folder of migrations as drizzle-kit writes it. */
async function inDrizzleFolder(
  database: DatabaseName,
  use: (migrationsFolder: string) => unknown,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patch-options-drizzle-'));
  try {
    const [column = ''] = blocksBelow('orms/drizzle', 'The version column', 'sql');
    const [postgres = '', others = ''] = blocksBelow('orms/drizzle', 'The version column', 'sh');
    const appended = printedBy(database === 'PostgreSQL' ? postgres : others, database);
    writeFileSync(join(folder, '0000_note_version.sql'), quotedFor(database, column) + appended);
    const entry = {
      idx: 0,
      version: '7',
      when: 1_790_000_000_000,
      tag: '0000_note_version',
      breakpoints: true,
    };
    mkdirSync(join(folder, 'meta'));
    writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', entries: [entry] }));
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One without `down` is none to Knex. */
const knexMigrations = (loaded: PageModules) => ({
  migrationSource: {
    getMigrations: () => Promise.resolve(['note_version']),
    getMigrationName: (name: string) => name,
    getMigration: () =>
      Promise.resolve({ down: () => undefined, ...loaded.load('migration') } as unknown as Knex.Migration),
  },
});
const knexOf = (loaded: PageModules) => loaded.load('knex')['knex'] as Knex;
const knexCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/knex', database, instead },
  migrate: (loaded) => knexOf(loaded).migrate.latest(knexMigrations(loaded)),
  undo: (loaded) => knexOf(loaded).migrate.down(knexMigrations(loaded)),
  close: (loaded) => knexOf(loaded).destroy(),
});

const kyselyOf = (loaded: PageModules) => loaded.load('db')['db'] as Kysely<unknown>;
const kyselyMigrator = (loaded: PageModules) => {
  const note_version = loaded.load('migration') as unknown as Migration;
  return new Migrator({
    db: kyselyOf(loaded),
    provider: { getMigrations: () => Promise.resolve({ note_version }) },
  });
};
const kyselyCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/kysely', database, instead },
  migrate: async (loaded) =>
    expect(await kyselyMigrator(loaded).migrateToLatest()).not.toHaveProperty('error'),
  undo: async (loaded) => expect(await kyselyMigrator(loaded).migrateDown()).not.toHaveProperty('error'),
  close: (loaded) => kyselyOf(loaded).destroy(),
});

/** The trigger as a page shows it for drivers that run one statement at a time, in place of the one for PostgreSQL. */
function oneByOne(page: string): readonly [string, string] {
  const blocks = blocksBelow(page, 'The version column', 'ts');
  const migration = blocks.find((block) => block.startsWith('// migration.ts')) ?? '';
  const [call = ''] = /^ *(?:await )?[\w.]+\(\s*versionTrigger\([^;]*;\n/m.exec(migration) ?? [];
  return [call, blocks.find((block) => block.startsWith('const trigger')) ?? ''];
}

const dataSourceOf = (loaded: PageModules) => loaded.load('data-source')['dataSource'] as DataSource;
const typeormCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/typeorm', database, instead },
  migrate: async (loaded) => (await dataSourceOf(loaded).initialize()).runMigrations(),
  undo: (loaded) => dataSourceOf(loaded).undoLastMigration(),
  close: (loaded) => dataSourceOf(loaded).destroy(),
});

const sequelizeOf = (loaded: PageModules) => loaded.load('note')['sequelize'] as Sequelize;
/** As umzug calls it. */
const runOfSequelize = (loaded: PageModules, direction: 'up' | 'down') => {
  const run = loaded.load('migration')[direction] as (umzug: { context: QueryInterface }) => Promise<void>;
  return run({ context: sequelizeOf(loaded).getQueryInterface() });
};
const sequelizeCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/sequelize', database, instead },
  migrate: (loaded) => runOfSequelize(loaded, 'up'),
  undo: (loaded) => runOfSequelize(loaded, 'down'),
  close: (loaded) => sequelizeOf(loaded).close(),
});

const mikroOrmOf = (loaded: PageModules) => loaded.load('orm')['orm'] as MikroORM;
const mikroOrmCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/mikro-orm', database, instead },
  migrate: (loaded) => mikroOrmOf(loaded).getMigrator().up(),
  undo: (loaded) => mikroOrmOf(loaded).getMigrator().down(),
  close: (loaded) => mikroOrmOf(loaded).close(),
});

const sqlCase = (database: DatabaseName, instead: Replacements): PageCase => ({
  ...{ page: 'orms/sql', database, instead },
  migrate: (_loaded, opened) => migrateBySql(database, opened),
  close: (loaded) => {
    const pool = loaded.load('pool')['pool'] as { end?(): unknown; close?(): unknown };
    return pool.end === undefined ? pool.close?.() : pool.end();
  },
});

const silent = ['extensions: [Migrator]', 'extensions: [Migrator], logger: () => undefined'] as const;
const prismaPath = './generated/prisma/client';
/** SQLite has no type for dates. */
const dateOfSqlite: readonly [string, string] = [
  "createdAt: { kind: 'date', readOnly",
  "createdAt: { kind: 'date', as: 'sql', readOnly",
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
    migrate: async (loaded) => {
      const { db } = loaded.load('db') as { db: NodePgDatabase };
      await inDrizzleFolder('PostgreSQL', (migrationsFolder) => migratePostgres(db, { migrationsFolder }));
    },
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
    migrate: (loaded) => {
      const { db } = loaded.load('db') as { db: BetterSQLite3Database };
      return inDrizzleFolder('SQLite', (migrationsFolder) => {
        migrateSqlite(db, { migrationsFolder });
      });
    },
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
    migrate: (loaded) => {
      const { db } = loaded.load('db') as { db: MySql2Database };
      return inDrizzleFolder('MariaDB', (migrationsFolder) => migrateMariadb(db, { migrationsFolder }));
    },
    close: (loaded) => (loaded.load('db')['db'] as { $client: { end(): unknown } }).$client.end(),
  },
  knexCase('PostgreSQL', []),
  knexCase('SQLite', [
    dateOfSqlite,
    oneByOne('orms/knex'),
    ["engine: 'mysql'", "engine: 'sqlite'"],
    [
      `client: 'pg', connection: ${url}!`,
      `client: 'better-sqlite3', connection: { filename: ${url}! }, useNullAsDefault: true`,
    ],
  ]),
  knexCase('MariaDB', [
    oneByOne('orms/knex'),
    [`client: 'pg', connection: ${url}!`, `client: 'mysql2', connection: { uri: ${url}!, timezone: 'Z' }`],
  ]),
  kyselyCase('PostgreSQL', []),
  kyselyCase('SQLite', [
    ...withoutListeners('pool'),
    dateOfSqlite,
    oneByOne('orms/kysely'),
    ["engine: 'mysql'", "engine: 'sqlite'"],
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
    oneByOne('orms/kysely'),
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
    oneByOne('orms/typeorm'),
    ["type: 'postgres'", "type: 'mariadb', timezone: 'Z', extra: { jsonStrings: true }"],
  ]),
  sequelizeCase('PostgreSQL', [[`new Sequelize(${url}!)`, `new Sequelize(${url}!, { logging: false })`]]),
  sequelizeCase('MariaDB', [
    oneByOne('orms/sequelize'),
    [
      `new Sequelize(${url}!)`,
      `new Sequelize(${url}!.replace('mysql:', 'mariadb:'), { logging: false, dialectOptions: { bigNumberStrings: true } })`,
    ],
  ]),
  mikroOrmCase('PostgreSQL', [silent]),
  mikroOrmCase('MariaDB', [
    oneByOne('orms/mikro-orm'),
    ['@mikro-orm/postgresql', '@mikro-orm/mariadb'],
    silent,
    [
      'migrations: {',
      "timezone: 'Z', driverOptions: { connection: { bigNumberStrings: true } }, migrations: {",
    ],
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
    ['await pool.query(', 'pool.exec('],
  ]),
  {
    ...{ page: 'orms/other', database: 'SQLite' },
    instead: [[`${url}!`, `'file:' + ${url}`]],
    migrate: (_loaded, opened) => migrateBySql('SQLite', opened),
    close: () => undefined,
  },
];

test('what the pages show compiles, with what a reader with another database writes instead', () => {
  const modules = cases.flatMap((pageCase) => {
    const folder = `${pageCase.page.replace('/', '-')}-${engines[pageCase.database]}`;
    return [...modulesFor(pageCase)].map(([name, text]) => [`pages/${folder}/${name}`, text] as const);
  });
  expect(modules.length).toBeGreaterThan(70);
  expect(findingsInModules(new Map(modules))).toEqual([]);
});

const version = /^[\da-f-]{32,36}$/;

describe.each(cases)('docs/$page.md on $database', (pageCase) => {
  const { page, database, migrate, undo, close } = pageCase;
  describeOver[database]('a table that has rows', () => {
    let opened: TestDatabase;
    let loaded: PageModules;
    let app: Express;
    const versions = async (where: string) =>
      (await opened.sql(`SELECT version FROM notes WHERE ${where}`)).map((row) => row['version']);
    const read = (slug: string) => request(app).get(`/notes/${slug}`).expect(200);
    const patch = (slug: string, ifMatch: string, body: object, to = app) =>
      request(to)
        .patch(`/notes/${slug}`)
        .set({ 'Content-Type': 'application/json', 'If-Match': ifMatch })
        .send(JSON.stringify(body));

    beforeAll(async () => {
      opened = await openDatabase(database);
      await opened.sql('ALTER TABLE notes DROP COLUMN version');
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
      await migrate(loaded, opened);
      app = loaded.load('app')['app'] as Express;
    });
    afterAll(async () => {
      await close(loaded);
      await opened.close();
    });

    test('the migration gives each row a version of its own', async () => {
      const found = await versions('1 = 1');
      expect(found).toEqual([expect.stringMatching(version), expect.stringMatching(version)]);
      expect(new Set(found).size).toBe(2);
    });

    test('PATCH changes a row that was there, and refuses a stale tag', async () => {
      const { headers, body } = await read('first');
      expect(body).toMatchObject({ title: 'One', body: 'a' });
      const changed = await patch('first', headers['etag'] ?? '', { body: null }).expect(200);
      expect(changed.body).toMatchObject({ title: 'One', body: null });
      await patch('first', headers['etag'] ?? '', { title: 'stale' }).expect(412);
      expect((await read('first')).body).toMatchObject({ title: 'One', body: null });
    });

    // The page of other ORMs shows no insert.
    const testInsert = page === 'orms/other' ? test.skip : test;
    testInsert('an insert of the app, which names no version', async () => {
      await loaded.run('insert');
      expect(await versions(`slug = 'milk'`)).toEqual([expect.stringMatching(version)]);
      const { headers } = await read('milk');
      await patch('milk', headers['etag'] ?? '', { title: 'Buy oat milk' }).expect(200);
    });

    test('an insert by SQL, which names no version', async () => {
      await opened.sql(`INSERT INTO notes (slug, title) VALUES ('raw', 'Raw')`);
      const { headers } = await read('raw');
      await patch('raw', headers['etag'] ?? '', { title: 'Patched' }).expect(200);
      expect((await read('raw')).body).toMatchObject({ title: 'Patched' });
    });

    test('an update by SQL makes the tag stale', async () => {
      const { headers } = await read('second');
      await opened.sql(`UPDATE notes SET title = 'changed past the store' WHERE slug = 'second'`);
      await patch('second', headers['etag'] ?? '', { title: 'lost' }).expect(412);
      expect((await read('second')).body).toMatchObject({ title: 'changed past the store' });
    });

    (database === 'PostgreSQL' && offersXmin(page) ? test : test.skip)(
      'xmin is a version, too: of each write, also by SQL',
      async () => {
        const byXmin = loaded.load('app-by-xmin')['app'] as Express;
        const tag = async () => (await request(byXmin).get('/notes/second').expect(200)).get('ETag') ?? '';
        const first = await tag();
        await patch('second', first, { title: 'By xmin' }, byXmin).expect(200);
        await patch('second', first, { title: 'stale' }, byXmin).expect(412);
        const second = await tag();
        await opened.sql(`UPDATE notes SET title = title WHERE slug = 'second'`);
        await patch('second', second, { title: 'lost' }, byXmin).expect(412);
      },
    );

    // Transactions of better-sqlite3 are synchronous, which Drizzle does not hide: the page says so.
    const isShown = modulesFor(pageCase).has('app-in-transaction');
    const isSynchronous = page === 'orms/drizzle' && database === 'SQLite';
    (isShown && !isSynchronous ? test : test.skip)(
      'a write that onWrite refuses is rolled back',
      async () => {
        const inTransaction = loaded.load('app-in-transaction')['app'] as Express;
        const { headers, body } = await read('second');
        await patch('second', headers['etag'] ?? '', { title: 'refused' }, inTransaction).expect(403);
        const after = await read('second');
        expect([after.headers['etag'], after.body]).toEqual([headers['etag'], body]);
      },
    );

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

    (undo !== undefined && database === 'PostgreSQL' ? test : test.skip)('the way back', async () => {
      await undo?.(loaded);
      await opened.sql(`UPDATE notes SET title = 'without a version' WHERE slug = 'second'`);
      expect(Object.keys((await opened.sql('SELECT * FROM notes'))[0] ?? {})).not.toContain('version');
    });
  });
});

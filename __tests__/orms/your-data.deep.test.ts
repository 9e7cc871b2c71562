/** docs/your-data.md: what it shows compiles, runs, and does what it says. */
import Database from 'better-sqlite3';
import { drizzle as drizzleOverSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { RequestListener } from 'node:http';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createClient } from '@libsql/client';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { ColumnCodec, RowStore } from '../../lib/rows';
import { serving } from '../support/serving';
import { describeOver, openDatabase, type DatabaseName, type TestDatabase } from './support/databases';
import { openMariadbDrizzle } from './support/drizzle';
import { mariadbNotes, postgresNotes, sqliteNotes } from './support/drizzle-schema';
import { openMariadbKnex, openPostgresKnex, openSqliteKnex } from './support/knex';
import { openMariadbKysely, openPostgresKysely, openSqliteKysely } from './support/kysely';
import { openMariadbMikroOrm, openPostgresMikroOrm } from './support/mikroorm';
import { blocksOf, findingsInBlocks, headings, isModelIn, runBlock } from './support/page';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';
import { modelsOf, openMariadbSequelize, openPostgresSequelize } from './support/sequelize';
import { openMariadbDataSource, openPostgresDataSource } from './support/typeorm';

const run = promisify(execFile);

/** What the reader has around a block. */
const around = `
import type { Knex } from 'knex';
import type { PGlite as PGliteDatabase } from '@electric-sql/pglite';
import type { Client, InValue } from '@libsql/client';
import type { MikroORM } from '@mikro-orm/postgresql';
import Libsql from 'libsql';
import type { Generated, Kysely } from 'kysely';
import type { Model, ModelStatic } from 'sequelize';
import type { DataSource, EntitySchema } from 'typeorm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Prisma, PrismaClient } from '../generated/postgresql/client';
import { postgresNotes as notesTable } from './drizzle-schema';
import type { RowStore } from '../../../lib/rows';
declare const prisma: PrismaClient;
declare const knex: Knex;
declare const pool: Pool;
declare const orm: MikroORM;
declare const dataSource: DataSource;
declare const client: Client;
declare const PGlite: typeof PGliteDatabase;
interface Tables {
  notes: { id: Generated<number>; slug: string; title: string; body: string | null; version: Generated<string> };
}
`;
const declarations: Readonly<Record<string, string>> = {
  Drizzle: 'declare const db: NodePgDatabase;',
  Kysely: 'declare const db: Kysely<Tables>;',
  TypeORM: 'class Note { declare slug: string }',
  MikroORM: 'class Note { declare slug: string }',
  Sequelize: 'declare const Note: ModelStatic<Model>;',
  'The route': `declare const notes: RowStore<{ title: 'string'; body: 'string?' }, object>;`,
};

test('every block compiles, but for the recipe that is marked as not tested', () => {
  const tested = headings.filter((heading) => heading !== 'Mongoose');
  expect(tested.length).toBeGreaterThan(9);
  const texts = tested.flatMap((heading) =>
    blocksOf(heading, 'ts').map((block) => `${around}${declarations[heading] ?? ''}\n${block}`),
  );
  expect(findingsInBlocks(texts)).toEqual([]);
});

test('the model of Prisma is one of those here', () => {
  const [model = ''] = blocksOf('Prisma', 'prisma');
  expect(model).toContain('model Note');
  expect(isModelIn(model, 'postgresql.prisma') && isModelIn(model, 'sqlite.prisma')).toBe(true);
});

type Notes = RowStore<{ title: 'string'; body: 'string?' }, object>;

const engines: Readonly<Record<DatabaseName, 'postgres' | 'sqlite' | undefined>> = {
  PostgreSQL: 'postgres',
  SQLite: 'sqlite',
  MariaDB: undefined, // the table has a version from the start
};
for (const [name, engine] of Object.entries(engines)) {
  const database = name as DatabaseName;
  describeOver[database](database, () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await openDatabase(database);
      if (engine !== undefined) await opened.sql('ALTER TABLE notes DROP COLUMN version');
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('before', 'was there', 'a')`);
    }, 60_000);
    afterAll(() => opened.close());

    const testColumn = engine === undefined ? test.skip : test;
    testColumn('the column and what versionTrigger prints', async () => {
      const [postgres = '', sqlite = ''] = blocksOf('A column for the version', 'sql');
      await opened.sql(engine === 'postgres' ? postgres : sqlite);
      const [block = ''] = blocksOf('A column for the version', 'ts');
      const printed: string[] = [];
      const console = { log: (text: string) => printed.push(text) };
      runBlock(block.replace("'postgres'", `'${String(engine)}'`), { console }, 'undefined');
      await opened.sql(printed.join());
      const versionOf = async () =>
        (await opened.sql(`SELECT version FROM notes WHERE slug = 'before'`))[0]?.['version'];
      const first = await versionOf();
      expect(first).toEqual(expect.stringMatching(/./));
      await opened.sql(`UPDATE notes SET title = 'changed past the store' WHERE slug = 'before'`);
      expect(await versionOf()).not.toBe(first);
    });

    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });
    const closed = <T>(value: T, close: (value: T) => unknown): T => {
      closing.push(() => close(value));
      return value;
    };
    /** A resource of the reader's, opened over this database, and closed when the test is over. */
    const openedOver = <T>(
      opens: Partial<Record<DatabaseName, (url: string) => T | Promise<T>>>,
      close: (value: T) => unknown,
    ): Promise<T> => {
      const open = opens[database];
      if (open === undefined) throw new Error(`Nothing of the page is run over ${database} here.`);
      return Promise.resolve(open(opened.url)).then((value) => closed(value, close));
    };
    const poolOf = () =>
      openedOver<{ end(): unknown } | { close(): unknown }>(
        {
          PostgreSQL: (url) => new Pool({ connectionString: url }),
          MariaDB: (url) => createPool({ uri: url }),
          SQLite: (url) => new Database(url),
        },
        (pool) => ('end' in pool ? pool.end() : pool.close()),
      );
    const clientOf = () =>
      openedOver<{ $disconnect(): unknown }>(
        { PostgreSQL: openPostgresClient, MariaDB: openMariadbClient, SQLite: openSqliteClient },
        (prisma) => prisma.$disconnect(),
      );
    const drizzleOf = () =>
      openedOver<{ db: object; notesTable: object; close: () => unknown }>(
        {
          PostgreSQL: (url) => {
            const pool = new Pool({ connectionString: url });
            return { db: drizzle(pool), notesTable: postgresNotes, close: () => pool.end() };
          },
          MariaDB: (url) => {
            const { pool, db } = openMariadbDrizzle(url);
            return { db, notesTable: mariadbNotes, close: () => pool.end() };
          },
          SQLite: (url) => {
            const client = new Database(url);
            return { db: drizzleOverSqlite(client), notesTable: sqliteNotes, close: () => client.close() };
          },
        },
        ({ close }) => close(),
      );
    const sequelizeOf = () =>
      openedOver({ PostgreSQL: openPostgresSequelize, MariaDB: openMariadbSequelize }, (one) => one.close());

    const stores: readonly {
      heading: string;
      block: () => Promise<Record<string, unknown>>;
      on?: readonly DatabaseName[];
    }[] = [
      { heading: 'Prisma', block: async () => ({ prisma: await clientOf() }) },
      { heading: 'Drizzle', block: drizzleOf },
      {
        heading: 'Knex',
        block: async () => ({
          knex: await openedOver(
            { PostgreSQL: openPostgresKnex, MariaDB: openMariadbKnex, SQLite: openSqliteKnex },
            (knex) => knex.destroy(),
          ),
        }),
      },
      {
        heading: 'Kysely',
        block: async () => ({
          db: await openedOver(
            { PostgreSQL: openPostgresKysely, MariaDB: openMariadbKysely, SQLite: openSqliteKysely },
            (db) => db.destroy(),
          ),
        }),
      },
      {
        heading: 'TypeORM',
        block: async () => ({
          dataSource: await openedOver(
            { PostgreSQL: openPostgresDataSource, MariaDB: openMariadbDataSource },
            (dataSource) => dataSource.destroy(),
          ),
          Note: 'Note',
        }),
        on: ['PostgreSQL', 'MariaDB'],
      },
      {
        heading: 'Sequelize',
        block: async () => ({ Note: modelsOf(await sequelizeOf()).Note }),
        on: ['PostgreSQL', 'MariaDB'],
      },
      {
        heading: 'MikroORM',
        block: async () => ({
          orm: await openedOver<{ close(): unknown }>(
            { PostgreSQL: openPostgresMikroOrm, MariaDB: openMariadbMikroOrm },
            (orm) => orm.close(),
          ),
          Note: 'Note',
        }),
        on: ['PostgreSQL', 'MariaDB'],
      },
      { heading: 'SQL', block: async () => ({ pool: await poolOf() }) },
      { heading: 'Your own writes beside it', block: async () => ({ prisma: await clientOf() }) },
      {
        heading: 'Another ORM',
        block: () =>
          Promise.resolve({
            client: closed(createClient({ url: `file:${opened.url}`, intMode: 'bigint' }), (client) => {
              client.close();
            }),
          }),
        on: ['SQLite'],
      },
    ];
    const here = stores.filter(({ on }) => on?.includes(database) ?? true);

    test.each(here)('$heading: a store that reads and writes', async ({ heading, block }) => {
      const [code = ''] = blocksOf(heading, 'ts');
      const notes = runBlock(code, await block(), 'notes') as Notes;
      const seen = await notes.get('before');
      expect(seen?.value.body).toMatch(/./);
      const next = { ...seen?.value, title: heading, body: `${seen?.value.body ?? ''}b` } as never;
      const written = await notes.replace('before', seen?.version ?? '', next);
      expect(written?.value).toEqual(next);
      expect(await notes.get('before')).toMatchObject({ value: next, version: written?.version });
      expect(await notes.replace('before', seen?.version ?? '', next)).toBeUndefined();
    });

    test('the audit rows of the store that writes them', async () => {
      const audits = await opened.sql('SELECT * FROM audits');
      expect(audits).toHaveLength(1);
      expect(JSON.parse(String(audits[0]?.['after']))).toMatchObject({ title: 'Your own writes beside it' });
    });

    test('functions of the app hold in a transaction', async () => {
      const [, code = ''] = blocksOf('Your own writes beside it', 'ts');
      const open = { PostgreSQL: openPostgresKnex, MariaDB: openMariadbKnex, SQLite: openSqliteKnex };
      const knex = await openedOver(open, (one) => one.destroy());
      const notes = runBlock(code, { knex }, 'notes') as Notes & {
        delete: (key: string) => Promise<boolean>;
      };
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('gone', 'a', 'b')`);
      const seen = await notes.get('gone');
      expect(await notes.delete('gone')).toBe(true);
      expect(await notes.get('gone')).toBeUndefined();
      const next = { title: 'after', body: null };
      expect(await notes.replace('gone', seen?.version ?? '', next)).toBeUndefined();
      const [row] = await opened.sql(`SELECT title, deleted_at FROM notes WHERE slug = 'gone'`);
      expect(row).toEqual({ title: 'a', deleted_at: expect.anything() as unknown });
      const lossy = runBlock(
        code.replace('run(rows(trx), trx)', `run(knexRows(trx, 'notes'), trx)`),
        { knex },
        'notes',
      );
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('kept', 'a', 'b')`);
      await expect((lossy as typeof notes).delete('kept')).rejects.toThrow(
        'without find(), delete() of the store',
      );
      expect(await opened.sql(`SELECT title FROM notes WHERE slug = 'kept'`)).toEqual([{ title: 'a' }]);
    });

    test('the route, and what curl prints', async () => {
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('milk', 'Buy milk', 'two')`);
      const [prismaBlock = ''] = blocksOf('Prisma', 'ts');
      const notes = runBlock(prismaBlock, { prisma: await clientOf() }, 'notes');
      const app = runBlock(blocksOf('The route', 'ts').join(''), { notes }, 'app') as RequestListener;
      const exchanges = blocksOf('The route', 'console').flatMap((block) => block.split(/^\$ /m).slice(1));
      expect(exchanges.length).toBeGreaterThan(1);
      await serving(app, async (_server, port) => {
        for (const exchange of exchanges) {
          const [command = '', ...answer] = exchange.trimEnd().split('\n');
          const { stdout } = await run('bash', [
            '-c',
            command.replace('localhost:3000', `127.0.0.1:${port}`),
          ]);
          expect(comparable(stdout.replaceAll('\r', ''))).toBe(comparable(answer.join('\n')));
        }
      });
    });
  });
}

/** Without what is new in every run, and what every answer of Express has. */
function comparable(answer: string): string {
  return answer
    .replace(/^(?:curl|X-Powered-By|Date|Connection|Keep-Alive).*\n?/gm, '')
    .replace(/^ETag: .*$/m, 'ETag:')
    .trim();
}

test('a codec of one’s own, and functions for keys', () => {
  const amount = runBlock(blocksOf('Columns', 'ts').join(''), {}, 'amount') as ColumnCodec<string>;
  expect([amount.fault('12.50'), amount.fault('12.5')]).toEqual([
    undefined,
    expect.stringContaining('amount'),
  ]);
  for (const value of ['12.50', '0.07', '123456789.99']) {
    expect(amount.read(amount.write(value, null))).toBe(value);
  }
  const keyOf = (name: string) =>
    (runBlock(blocksOf('Keys', 'ts').join(''), {}, name) as { key: (key: string) => object | undefined }).key;
  expect(['7', '07', 'x', '7.0'].map(keyOf('bySerialId'))).toEqual([
    { id: 7 },
    undefined,
    undefined,
    undefined,
  ]);
  expect(keyOf('byTenant')('7/milk')).toEqual({ tenant: 7, slug: 'milk' });
});

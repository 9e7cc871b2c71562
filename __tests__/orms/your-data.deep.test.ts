/** docs/your-data.md: what it shows compiles, runs, and does what it says. */
import Database from 'better-sqlite3';
import { drizzle as drizzleOverSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { RequestListener } from 'node:http';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { ColumnCodec, RowStore } from '../../lib/stores/rows';
import { serving } from '../support/serving';
import { openDatabase, type DatabaseName, type TestDatabase } from './support/databases';
import { postgresNotes, sqliteNotes } from './support/drizzle-schema';
import { openPostgresKnex, openSqliteKnex } from './support/knex';
import { blocksOf, findingsIn, headings, isModelIn, runBlock } from './support/page';
import { openPostgresClient, openSqliteClient } from './support/prisma';

const run = promisify(execFile);

/** What the reader has around a block. */
const around = `
import type { Knex } from 'knex';
import type { Generated, Kysely } from 'kysely';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Prisma, PrismaClient } from '../generated/postgresql/client';
import { postgresNotes as notesTable } from './drizzle-schema';
import type { RowStore } from '../../../lib/stores/rows';
declare const prisma: PrismaClient;
declare const knex: Knex;
declare const pool: Pool;
interface Tables {
  notes: { id: Generated<number>; slug: string; title: string; body: string | null; version: Generated<string> };
}
`;
const declarations: Readonly<Record<string, string>> = {
  Drizzle: 'declare const db: NodePgDatabase;',
  'Another ORM': 'declare const db: Kysely<Tables>;',
  'The route': `declare const notes: RowStore<{ title: 'string'; body: 'string?' }, object>;`,
};

test('every block compiles, but for the recipe that is marked as not tested', () => {
  const tested = headings.filter((heading) => heading !== 'Mongoose');
  expect(tested.length).toBeGreaterThan(9);
  const texts = tested.flatMap((heading) =>
    blocksOf(heading, 'ts').map((block) => `${around}${declarations[heading] ?? ''}\n${block}`),
  );
  expect(findingsIn(texts)).toEqual([]);
});

test('the model of Prisma is one of those here', () => {
  const [model = ''] = blocksOf('Prisma', 'prisma');
  expect(model).toContain('model Note');
  expect(isModelIn(model, 'postgresql.prisma') && isModelIn(model, 'sqlite.prisma')).toBe(true);
});

type Notes = RowStore<{ title: 'string'; body: 'string?' }, object>;

describe.each<{ database: DatabaseName; engine: 'postgres' | 'sqlite' }>([
  { database: 'PostgreSQL', engine: 'postgres' },
  { database: 'SQLite', engine: 'sqlite' },
])('$database', ({ database, engine }) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openDatabase(database);
    await opened.sql('ALTER TABLE notes DROP COLUMN version');
    await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('before', 'was there', 'a')`);
  }, 60_000);
  afterAll(() => opened.close());

  test('the column and what versionTrigger prints', async () => {
    const [postgres = '', sqlite = ''] = blocksOf('A column for the version', 'sql');
    await opened.sql(database === 'PostgreSQL' ? postgres : sqlite);
    const [block = ''] = blocksOf('A column for the version', 'ts');
    const printed: string[] = [];
    const console = { log: (text: string) => printed.push(text) };
    runBlock(block.replace("'postgres'", `'${engine}'`), { console }, 'undefined');
    await opened.sql(printed.join());
    const versionOf = async () =>
      (await opened.sql(`SELECT version FROM notes WHERE slug = 'before'`))[0]?.['version'];
    const first = await versionOf();
    expect(first).toEqual(expect.stringMatching(/./));
    await opened.sql(`UPDATE notes SET title = 'changed past the store' WHERE slug = 'before'`);
    expect(await versionOf()).not.toBe(first);
  });

  const isPostgres = database === 'PostgreSQL';
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  const closed = <T>(value: T, close: (value: T) => unknown): T => {
    closing.push(() => close(value));
    return value;
  };
  const poolOf = () =>
    isPostgres
      ? closed(new Pool({ connectionString: opened.url }), (pool) => pool.end())
      : closed(new Database(opened.url), (db) => db.close());
  const clientOf = () =>
    isPostgres
      ? closed(openPostgresClient(opened.url), (prisma) => prisma.$disconnect())
      : closed(openSqliteClient(opened.url), (prisma) => prisma.$disconnect());
  const drizzleOf = () => {
    const connection = poolOf();
    return connection instanceof Pool
      ? { db: drizzle(connection), notesTable: postgresNotes }
      : { db: drizzleOverSqlite(connection), notesTable: sqliteNotes };
  };
  const kyselyOf = () => {
    const pool = new Pool({ connectionString: opened.url });
    return closed(new Kysely({ dialect: new PostgresDialect({ pool }) }), (db) => db.destroy());
  };

  const stores: readonly { heading: string; block: () => Record<string, unknown> }[] = [
    { heading: 'Prisma', block: () => ({ prisma: clientOf() }) },
    { heading: 'Drizzle', block: drizzleOf },
    {
      heading: 'Knex',
      block: () => ({
        knex: closed((isPostgres ? openPostgresKnex : openSqliteKnex)(opened.url), (knex) => knex.destroy()),
      }),
    },
    { heading: 'SQL', block: () => ({ pool: poolOf() }) },
    { heading: 'Your own writes beside it', block: () => ({ prisma: clientOf() }) },
    ...(isPostgres ? [{ heading: 'Another ORM', block: () => ({ db: kyselyOf() }) }] : []),
  ];

  test.each(stores)('$heading: a store that reads and writes', async ({ heading, block }) => {
    const [code = ''] = blocksOf(heading, 'ts');
    const notes = runBlock(code, block(), 'notes') as Notes;
    const seen = await notes.get('before');
    expect(seen?.value.body).toMatch(/./);
    const next = { ...seen?.value, title: heading, body: `${seen?.value.body ?? ''}b` } as never;
    const written = await notes.replace('before', seen?.version ?? '', next);
    expect(written?.value).toEqual(next);
    expect(await notes.get('before')).toMatchObject({ value: next, version: written?.version });
    expect(await notes.replace('before', seen?.version ?? '', next)).toBeUndefined();
  });

  test('the audit rows of the store that writes them', async () => {
    const audits = await opened.sql('SELECT before, after FROM audits');
    expect(audits).toHaveLength(1);
    expect(JSON.parse(String(audits[0]?.['after']))).toMatchObject({ title: 'Your own writes beside it' });
  });

  test('the route, and what curl prints', async () => {
    await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('milk', 'Buy milk', 'two')`);
    const [prismaBlock = ''] = blocksOf('Prisma', 'ts');
    const notes = runBlock(prismaBlock, { prisma: clientOf() }, 'notes');
    const app = runBlock(blocksOf('The route', 'ts').join(''), { notes }, 'app') as RequestListener;
    const exchanges = blocksOf('The route', 'console').flatMap((block) => block.split(/^\$ /m).slice(1));
    expect(exchanges.length).toBeGreaterThan(1);
    await serving(app, async (_server, port) => {
      for (const exchange of exchanges) {
        const [command = '', ...answer] = exchange.trimEnd().split('\n');
        const { stdout } = await run('bash', ['-c', command.replace('localhost:3000', `127.0.0.1:${port}`)]);
        expect(comparable(stdout.replaceAll('\r', ''))).toBe(comparable(answer.join('\n')));
      }
    });
  });
});

/** Without what is new in every run, and what every answer of Express has. */
function comparable(answer: string): string {
  return answer
    .replace(/^(?:curl|X-Powered-By|Date|Connection|Keep-Alive).*\n?/gm, '')
    .replace(/^ETag: .*$/m, 'ETag:')
    .trim();
}

test('a codec of one’s own, and functions for keys', () => {
  const day = runBlock(blocksOf('Columns', 'ts').join(''), {}, 'day') as ColumnCodec<string>;
  expect([day.fault('2026-11-22'), day.fault('tomorrow')]).toEqual([
    undefined,
    expect.stringContaining('date'),
  ]);
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

/**
 * docs/your-data.md, docs/rows.md, docs/columns.md and docs/row-recipes.md: what they show compiles, runs, and does what it says.
 * `pages.deep.test.ts` has the pages of the ORMs, docs/row-recipes.test.ts the recipes over pg.
 */
import type { RequestListener } from 'node:http';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import type { ColumnCodec, RowStore } from '../../lib/rows';
import { serving } from '../support/serving';
import { describeOver, openDatabase, type DatabaseName, type TestDatabase } from './support/databases';
import { openMariadbKnex, openPostgresKnex, openSqliteKnex } from './support/knex';
import { blocksBelow, findingsInModules, isModelIn, pages, runBlock } from './support/page';
import { openMariadbClient, openPostgresClient, openSqliteClient } from './support/prisma';

const run = promisify(execFile);

/** What the reader has around a block. */
const around = `
import express from 'express';
import type { Knex } from 'knex';
import type { Prisma, PrismaClient } from '../generated/postgresql/client';
import { jsonPatch, mergePatch, patchOptions, resource } from '../../../lib';
import { rowStore, tableStore, type RowStore, type TableConnection } from '../../../lib/rows';
declare const pool: import('pg').Pool;
declare const [primary, replica]: [import('pg').Pool, import('pg').Pool];
declare const prisma: PrismaClient;
declare const knex: Knex;
declare const knexOf: (req: unknown) => Knex;
declare const poolOf: (req: unknown) => import('pg').Pool;
declare const notes: RowStore<{ title: string; body: string | null }, 'delete'>;
`;

/** The blocks of a page that are no modules, and for its compiler's sake each in a function, but for its imports. */
function fragmentsOf(page: string): string[] {
  const blocks = [...(pages.get(page) ?? '').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  return blocks.map((code) => {
    const imports = (code.match(/^import .*$/gm) ?? []).filter((line) => !line.includes("'./pool'"));
    const body = code.replaceAll(/^import .*$/gm, '').replace('export const app', 'const app');
    const isImported = (line: string) =>
      (/\{ (.*) \}/.exec(line)?.[1] ?? '').split(', ').some((name) => imports.join().includes(name));
    const others = around.split('\n').map((line) => {
      const names = (/^import \{ (.*) \} from/.exec(line)?.[1] ?? '').split(', ');
      const missing = names.filter((name) => !imports.some((own) => own.includes(name.replace('type ', ''))));
      if (line.startsWith('import express') && imports.some((own) => own.startsWith('import express')))
        return '';
      return isImported(line) ? line.replace(/\{ .* \}/, `{ ${missing.join(', ')} }`) : line;
    });
    return `${imports.join('\n')}\n${others.join('\n')}\nexport function fragment() {\n${body}\n}`;
  });
}

test('every block compiles', () => {
  const modules = ['your-data', 'rows', 'columns', 'row-recipes', 'whole-records'].flatMap((page) =>
    fragmentsOf(page).map((text, i): [string, string] => [`${page}-${i + 1}`, text]),
  );
  const [pgliteAndLibsql = ''] = blocksBelow('orms/sql', 'PGlite and libSQL', 'ts');
  const [whatRuns = ''] = blocksBelow('orms/what-runs', 'What your ORM runs', 'ts');
  modules.push(['sql', pgliteAndLibsql], ['what-runs', whatRuns]);
  expect(modules.length).toBeGreaterThan(10);
  expect(findingsInModules(new Map(modules))).toEqual([]);
});

test('the model of Prisma is one of those here', () => {
  const [model = ''] = blocksBelow('orms/prisma', 'The rest of this example', 'prisma');
  expect(model).toContain('model Note');
  expect(isModelIn(model, 'postgresql.prisma') && isModelIn(model, 'sqlite.prisma')).toBe(true);
});

type Notes = RowStore<{ title: string; body: string | null }>;

for (const database of ['PostgreSQL', 'SQLite', 'MariaDB'] as const satisfies readonly DatabaseName[]) {
  describeOver[database](database, () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await openDatabase(database);
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('before', 'was there', 'a')`);
    });
    afterAll(() => opened.close());

    const closing: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });
    /** A resource of the reader's, opened over this database, and closed when the test is over. */
    const openedOver = <T>(
      opens: Record<DatabaseName, (url: string) => T>,
      close: (value: T) => unknown,
    ): T => {
      const value = opens[database](opened.url);
      closing.push(() => close(value));
      return value;
    };
    const poolOf = () =>
      openedOver<{ end(): unknown } | { close(): unknown }>(
        {
          PostgreSQL: (url) => new Pool({ connectionString: url }),
          MariaDB: (url) => createPool({ uri: url, timezone: 'Z' }),
          SQLite: (url) => new Database(url),
        },
        (pool) => ('end' in pool ? pool.end() : pool.close()),
      );
    const clientOf = () =>
      openedOver<{ $disconnect(): unknown }>(
        { PostgreSQL: openPostgresClient, MariaDB: openMariadbClient, SQLite: openSqliteClient },
        (prisma) => prisma.$disconnect(),
      );
    const knexOf = () =>
      openedOver({ PostgreSQL: openPostgresKnex, MariaDB: openMariadbKnex, SQLite: openSqliteKnex }, (knex) =>
        knex.destroy(),
      );

    const written = 'Your own writes in the same transaction';
    test('a store that writes audit rows', async () => {
      const [code = ''] = blocksBelow('rows', written, 'ts');
      const notes = runBlock(code, { prisma: clientOf() }, 'notes') as Notes;
      const current = await notes.get('before');
      if (current === undefined) throw new Error('The row is gone.');
      const next = { title: 'audited', body: 'b' };
      expect(await notes.replace('before', '', next, { current })).toMatchObject({ value: next });
      // In another state by now.
      expect(await notes.replace('before', '', next, { current })).toMatchObject({
        current: { value: next },
      });
      const audits = await opened.sql('SELECT * FROM audits');
      expect(audits.map(({ after }) => JSON.parse(String(after)) as unknown)).toEqual([next]);
    });

    test('soft deletes: functions of the app hold in the transaction', async () => {
      const [code = ''] = blocksBelow('row-recipes', 'Soft deletes', 'ts');
      // As the page says of SQLite.
      const own = database === 'SQLite' ? code.replace(", { isolationLevel: 'read committed' }", '') : code;
      const knex = knexOf();
      type Deleting = Notes & { delete: (key: string) => Promise<boolean> };
      const notes = runBlock(own, { knex }, 'notes') as Deleting;
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('gone', 'a', 'b')`);
      const current = await notes.get('gone');
      expect(await notes.delete('gone')).toBe(true);
      expect(await notes.get('gone')).toBeUndefined();
      expect(await notes.delete('gone')).toBe(false);
      const next = { title: 'after', body: null };
      expect(await notes.replace('gone', '', next, current && { current })).toEqual({ current: undefined });
      const [row] = await opened.sql(`SELECT title, deleted_at FROM notes WHERE slug = 'gone'`);
      expect(row).toEqual({ title: 'a', deleted_at: expect.anything() as unknown });
      const lossy = runBlock(
        own.replace('run(rows(trx), trx)', `run(knexRows(trx, 'notes'), trx)`),
        { knex },
        'notes',
      ) as Deleting;
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('kept', 'a', 'b')`);
      await expect(lossy.delete('kept')).rejects.toThrow('without delete() of the store');
      const without = own.replace(/^ {2}transaction: .*\n/m, '');
      expect(() => runBlock(without, { knex }, 'notes')).toThrow('without delete() of the store');
      expect(await opened.sql(`SELECT title FROM notes WHERE slug = 'kept'`)).toEqual([{ title: 'a' }]);
    });

    test('the route, and what curl prints', async () => {
      await opened.sql(`INSERT INTO notes (slug, title, body) VALUES ('milk', 'Buy milk', 'two')`);
      const [store = ''] = blocksBelow('your-data', '1. The store', 'ts');
      // As the page of SQL says of dates in SQLite.
      const own =
        database === 'SQLite' ? store.replace("kind: 'date'", "kind: 'date', storedAs: 'iso'") : store;
      const imports = `import express from 'express';
import { jsonPatch, mergePatch, patchOptions, resource } from 'patch-options';
import { tableStore } from 'patch-options/rows';\n`;
      const notes = runBlock(imports + own, { pool: poolOf() }, 'notes');
      const [route = ''] = blocksBelow('your-data', '2. The route', 'ts');
      const app = runBlock(imports + route, { notes }, 'app') as RequestListener;
      const exchanges = blocksBelow('your-data', '2. The route', 'console').flatMap((block) =>
        block.split(/^\$ /m).slice(1),
      );
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
  const amount = runBlock(
    blocksBelow('columns', 'A codec of your own', 'ts').join(''),
    {},
    'amount',
  ) as ColumnCodec<string>;
  expect([amount.fault('12.50'), amount.fault('12.5')]).toEqual([
    undefined,
    expect.stringContaining('amount'),
  ]);
  for (const value of ['12.50', '0.07', '123456789.99']) {
    expect(amount.read(amount.write(value))).toBe(value);
  }
  const keyOf = (name: string) =>
    (
      runBlock(blocksBelow('rows', 'Keys', 'ts').join(''), {}, name) as {
        key: (key: string) => object | undefined;
      }
    ).key;
  expect(['7', '07', 'x', '7.0'].map(keyOf('byHiddenId'))).toEqual([
    { id: 7 },
    undefined,
    undefined,
    undefined,
  ]);
  expect(keyOf('byTenant')('7/milk')).toEqual({ tenant: 7, slug: 'milk' });
});

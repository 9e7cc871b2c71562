/** Nothing is lost, whoever else writes: PATCHes beside the app's own UPDATEs, and requests that have judged the same state. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import supertest from 'supertest';
import { jsonPatch, mergePatch, resource, type ResourceStore } from '../../lib';
import { rowStore, tableStore } from '../../lib/rows';
import { times } from '../support/deep-scale';
import { memoryTable } from '../support/memory-table';
import { serving } from '../support/serving';
import { type AppConnection, describeOver, type TestDatabase, testEngines } from './databases';

const columns = { count: { kind: 'integer', column: 'n' }, title: 'string' } as const;

describeOver(testEngines, 'no update is lost', ({ dialect, open }) => {
  const text = dialect === 'mysql' ? 'varchar(40)' : 'text';
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `counted_${randomUUID().slice(0, 8)}`;
    await database.sql(
      `CREATE TABLE ${table} (slug ${text} PRIMARY KEY, n integer, title ${text}, visits integer)`,
    );
    await database.sql(`INSERT INTO ${table} VALUES ('a', 0, 'x', 0)`);
  });

  /** How the app's own code counts, of which none loses anything by hand. */
  const ways: readonly { way: string; write: (app: AppConnection) => Promise<unknown> }[] = [
    {
      way: 'its own column',
      write: ({ sql }) => sql(`UPDATE ${table} SET visits = visits + 1 WHERE slug = 'a'`),
    },
    { way: 'the same column', write: ({ sql }) => sql(`UPDATE ${table} SET n = n + 1 WHERE slug = 'a'`) },
    {
      way: 'whole rows, which it has locked',
      write: async ({ sql }) => {
        await sql(dialect === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN');
        const lock = dialect === 'sqlite' ? '' : 'FOR UPDATE';
        const [row] = await sql(`SELECT n, title, visits FROM ${table} WHERE slug = 'a' ${lock}`);
        const { n, title, visits } = row as { n: number; title: string; visits: number };
        await sql(
          `UPDATE ${table} SET n = ${n}, title = '${title}', visits = ${visits + 1} WHERE slug = 'a'`,
        );
        await sql('COMMIT');
      },
    },
  ];

  const versions = [{}, ...(dialect === 'postgres' ? [{ version: 'xmin' } as const] : [])];
  test.each(ways.flatMap((way) => versions.map((version) => ({ ...way, ...version }))))(
    'PATCHes beside writes of the app to $way, version: $version',
    async ({ way, write, version }) => {
      const store = tableStore(database.db, {
        ...{ table, columns, key: 'slug' },
        ...(version !== undefined && { version }),
      });
      // As two processes: each has a queue of its own.
      const other = tableStore(database.db, {
        ...{ table, columns, key: 'slug' },
        ...(version !== undefined && { version }),
      });
      const app = express();
      for (const [i, one] of [store, other].entries()) {
        app.route(`/${i}/:slug`).patch(resource(one as ResourceStore, [jsonPatch()], { key: 'slug' }).patch);
      }
      const own = await Promise.all([database.connect(), database.connect()]);
      const [patches, updates] = [times(8, 200), times(20, 500)];
      let conflicts = 0;
      await serving(app, async (_server, port) => {
        const patching = async (i: number): Promise<void> => {
          for (;;) {
            const seen = await database.sql(`SELECT n FROM ${table}`);
            const value = Number(seen[0]?.['n']) + 1;
            const { status } = await fetch(`http://127.0.0.1:${port}/${i % 2}/a`, {
              method: 'PATCH',
              headers: { 'Content-Type': 'application/json-patch+json' },
              body: JSON.stringify([
                { op: 'test', path: '/count', value: value - 1 },
                { op: 'replace', path: '/count', value },
              ]),
            });
            if (status === 204) return;
            expect(status).toBe(409);
            conflicts += 1;
          }
        };
        const writing = async (connection: AppConnection, writes: number) => {
          for (let i = 0; i < writes; i++) await write(connection);
        };
        await Promise.all([
          ...Array.from({ length: patches }, (_, i) => patching(i)),
          // SQLite in memory has one connection, so that one writer of the app can be in a transaction.
          ...(dialect === 'sqlite'
            ? [writing(own[0], updates)]
            : own.map((connection) => writing(connection, updates / 2))),
        ]);
      });
      const isSame = way === 'the same column';
      const [row] = await database.sql(`SELECT n, visits FROM ${table}`);
      expect({ ...row }).toEqual({ n: patches + (isSame ? updates : 0), visits: isSame ? 0 : updates });
      expect(conflicts).toBeGreaterThan(0);
      await Promise.all(own.map((connection) => connection.close()));
    },
  );
});

test('of two requests that have judged the same state, the second is judged on the one that it finds, without a further read', async () => {
  const { rows, orm, calls } = memoryTable([{ slug: 'a', n: 0, title: 'x' }]);
  let arrived = 0;
  let bothHaveRead: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (bothHaveRead = resolve));
  const judged: unknown[] = [];
  const app = express();
  for (const path of ['/0', '/1']) {
    const store = rowStore({ ...orm, columns, key: 'slug' });
    const note = resource(store, [mergePatch({ json: true })], {
      key: () => 'a',
      authorize: async (_req, { current }) => {
        judged.push({ ...(current as object) });
        if (++arrived === 2) bothHaveRead();
        await both;
        return true;
      },
    });
    app.patch(path, note.patch);
  }
  const answers = await Promise.all([
    supertest(app).patch('/0').send({ title: 'y' }),
    supertest(app).patch('/1').send({ count: 7 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  expect(rows).toEqual([{ slug: 'a', n: 7, title: 'y' }]);
  expect(judged).toHaveLength(3);
  expect(judged.slice(0, 2)).toEqual([
    { count: 0, title: 'x' },
    { count: 0, title: 'x' },
  ]);
  expect(judged[2]).not.toEqual(judged[0]);
  const write = ['lock', 'find', 'update', 'find'];
  const lost = ['lock', 'find', 'find'];
  expect(calls.map(({ call }) => call)).toEqual(['find', 'find', ...write, ...lost, ...write]);
});

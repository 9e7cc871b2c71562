/** Tables that `setup` has not made, that a migration has, or that lack a column, over each engine. */
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { mergePatch, patchHandler } from '../../../lib';
import type { OutcomeStore } from '../../../lib/stores/contract/outcome-store';

interface Opened {
  readonly store: OutcomeStore & Required<Pick<OutcomeStore, 'delete'>> & { setup(): Promise<void> };
  readonly table: string;
  /** With the quotes of the engine. */
  readonly quoted: (name: string) => string;
  readonly exec: (sql: string) => unknown;
  /** Makes each INSERT into the table write a row to another one. */
  readonly addTrigger: (table: string, into: string) => unknown;
}

interface Engine {
  /** The class of the store. */
  readonly name: string;
  /** What the engine says, in a pattern, of a table that is missing. */
  readonly fault: (table: string) => RegExp;
  /** What it says of a column that is missing. */
  readonly columnFault: (column: string) => string;
  readonly setupSql: (table: string) => string;
  /** Without the table. */
  readonly open: () => Opened;
}

const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };
const withOutcome = { outcome };

type Act = (store: Opened['store'], version: string) => Promise<unknown>;

const acts: readonly { readonly what: string; readonly act: Act }[] = [
  { what: 'get', act: (store) => store.get('key') },
  { what: 'get with an outcome', act: (store) => store.get('key', withOutcome) },
  { what: 'replace that creates', act: (store) => store.replace('new', null, 1) },
  {
    what: 'replace that creates, with an outcome',
    act: (store) => store.replace('new', null, 1, withOutcome),
  },
  { what: 'replace', act: (store, version) => store.replace('key', version, 1) },
  { what: 'replace with an outcome', act: (store, version) => store.replace('key', version, 1, withOutcome) },
  { what: 'delete', act: (store) => store.delete('key') },
  { what: 'delete of a version', act: (store, version) => store.delete('key', version) },
];

export function describeTables({ name, fault, columnFault, setupSql, open }: Engine): void {
  const error = (table: string) => ({
    name: 'MissingTableError',
    code: 'PATCH_OPTIONS_MISSING_TABLE',
    message: expect.stringMatching(
      new RegExp(
        `^${name} of the table "${table}": setup\\(\\) was not called for this database \\(.+\\)\\. ` +
          `Await store\\.setup\\(\\) once when your app starts, ` +
          `or run ${name}\\.setupSql\\(\\) as a migration\\.$`,
      ),
    ) as string,
    cause: expect.objectContaining({ message: expect.stringMatching(fault(table)) as string }) as object,
  });

  describe(`${name} without setup`, () => {
    test.each(acts)('$what', async ({ act }) => {
      const { store, table } = open();
      const acted = act(store, 'v');
      await expect(acted).rejects.toMatchObject(error(table));
    });

    test('all that is read and written in one turn', async () => {
      const { store, table } = open();
      const acted = ['a', 'b'].flatMap((key) => [store.get(key), store.replace(key, null, 1)]);
      const reason = error(table);
      expect(await Promise.allSettled(acted)).toMatchObject([{ reason }, { reason }, { reason }, { reason }]);
    });

    test.each([{}, { 'Idempotency-Key': '"1"' }])('PATCH with %j is a 500', async (headers) => {
      const { store, table } = open();
      const handed: unknown[] = [];
      const answer: ErrorRequestHandler = (error, _req, res, next) => {
        handed.push(error);
        next(error);
      };
      const options = { create: true, idempotency: 'optional' } as const;
      const app = express().set('env', 'test');
      app.patch('/:id', patchHandler(store, [mergePatch()], options)).use(answer);
      const sending = supertest(app).patch('/key').set(headers);
      await sending.type('application/merge-patch+json').send('{}').expect(500);
      expect(handed).toMatchObject([error(table)]);
    });
  });

  test(`${name}: a missing table that a trigger of your app uses is the engine's error`, async () => {
    const { store, table, addTrigger } = open();
    await store.setup();
    const other = `${table}_audit`;
    await addTrigger(table, other);
    const failed: unknown = await store.replace('key', null, 1).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: expect.stringMatching(fault(other)) as string });
    expect(failed).not.toHaveProperty('code', 'PATCH_OPTIONS_MISSING_TABLE');
  });

  /** better-sqlite3's errors are those of whichever test file of the process loaded it first, and so not Jest's `Error`. */
  const lacks = (column: string) => ({ message: expect.stringContaining(columnFault(column)) as string });

  describe(`${name}: its table`, () => {
    test('may be made by a migration that runs what setup runs', async () => {
      const { store, table, exec } = open();
      await exec(setupSql(table));
      expect(await store.replace('key', null, 1)).toBeDefined();
    });

    test('with other columns is told by setup', async () => {
      const { store, table, quoted, exec } = open();
      await exec(`CREATE TABLE ${quoted(table)} (key TEXT, value TEXT)`);
      await expect(store.setup()).rejects.toMatchObject(lacks('version'));
    });

    test('without the column of outcomes is told by setup and by requests with a key, and is read', async () => {
      const { store, table, quoted, exec } = open();
      await store.setup();
      await store.replace('key', null, 1);
      const { version = '' } = (await store.get('key')) ?? {};
      await exec(`ALTER TABLE ${quoted(table)} DROP COLUMN outcomes`);
      for (const act of [
        () => store.setup(),
        () => store.get('key', withOutcome),
        () => store.replace('key', version, 2, withOutcome),
      ])
        await expect(act()).rejects.toMatchObject(lacks('outcomes'));
      expect(await store.get('key')).toMatchObject({ value: 1, version });
      await exec(`ALTER TABLE ${quoted(table)} ADD COLUMN outcomes text`);
      await store.setup();
      expect(await store.replace('key', version, 2, withOutcome)).toBeDefined();
      expect(await store.get('key', withOutcome)).toMatchObject({ value: 2, outcome: 'the text' });
    });

    test('has outcomes in a column, which go with the row that your app renames or deletes', async () => {
      const { store, table, quoted, exec } = open();
      await store.setup();
      await store.replace('key', null, 1, withOutcome);
      await exec(`UPDATE ${quoted(table)} SET key = 'renamed'`);
      expect((await store.get('renamed', withOutcome))?.outcome).toBe('the text');
      await exec(`DELETE FROM ${quoted(table)}`);
      await store.replace('renamed', null, 2);
      expect((await store.get('renamed', withOutcome))?.outcome).toBeUndefined();
    });
  });
}

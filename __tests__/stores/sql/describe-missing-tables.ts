/** What a store says whose `setup` was not called, over each engine. */
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { mergePatch, patchHandler } from '../../../lib';
import type { OutcomeStore } from '../../../lib/stores/contract/outcome-store';

interface Missing {
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
  /** What the engine says, in a pattern, of a table. */
  readonly fault: (table: string) => RegExp;
  readonly open: () => Missing;
}

const outcome = { id: 'a', scope: 's', text: () => 'the text', keep: 10, total: 100, maxAge: 60 };
const withOutcome = { outcome };

type Act = (store: Missing['store'], version: string) => Promise<unknown>;

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

export function describeMissingTables({ name, fault, open }: Engine): void {
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
}

/**
 * A PATCH does what the app's own code does: after random sequences of both, the row, the calls of hooks and validators, and
 * what they say are the same as after the same changes made by hand.
 */
import express, { type ErrorRequestHandler } from 'express';
import { fc } from '../support/properties';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mergePatch, resource } from '../../lib';
import { rowStore } from '../../lib/rows';
import { readModelIssues } from '../../lib/rows/refusals';
import { scaled } from '../support/deep-scale';
import { describeOver, type Found, openDatabase, type TestDatabase } from './support/databases';
import { type Change, modelsWithRules, type ModelUnderTest } from './support/models-with-rules';
import request from 'supertest';

const columns = {
  title: 'string',
  body: 'string?',
  age: 'integer?',
  text: 'string?',
  code: { kind: 'string?', readOnly: true },
  secret: { kind: 'string', writeOnly: true },
} as const;

const texts = fc.constantFrom('', 'a', 'ab', ' ab ', 'Some text', 'é', 'other');
const change = fc.record(
  {
    title: texts,
    body: fc.option(texts, { nil: null }),
    age: fc.option(fc.constantFrom(-1, 0, 7), { nil: null }),
    text: fc.option(texts, { nil: null }),
    secret: fc.constantFrom('one', 'two'),
  },
  { requiredKeys: [] },
);
const steps = fc.array(fc.record({ by: fc.constantFrom('client', 'client', 'app'), change }), {
  ...{ minLength: 1, maxLength: 6 },
});

/** What becomes of a change: nothing is said, or what validators say. */
type Outcome = readonly { readonly pointer?: string; readonly detail: string }[];

describe.each(['PostgreSQL', 'MariaDB'] as const)('%s', (database) => {
  describeOver[database]('random sequences', () => {
    let testDatabase: TestDatabase;
    beforeAll(async () => {
      testDatabase = await openDatabase(database);
    });
    afterAll(() => testDatabase.close());

    describe.each(modelsWithRules)('$orm', ({ open }) => {
      let model: ModelUnderTest;
      let server: Server;
      let url: string;
      beforeAll(async () => {
        model = await open(testDatabase.url, database);
        const store = rowStore({ ...model.rows, columns, key: 'slug' });
        const app = express();
        app.route('/:slug').patch(resource(store, [mergePatch()], { key: 'slug' }).patch);
        const onError: ErrorRequestHandler = (error, _req, res, next) => {
          if (res.headersSent) return next(error);
          res.status(500).json({ detail: String(error) });
        };
        server = app.use(onError).listen(0, '127.0.0.1');
        await new Promise((resolve) => server.once('listening', resolve));
        url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
      });
      afterAll(async () => {
        await new Promise((resolve) => server.close(resolve));
        await model.close();
      });

      const rowOf = async (slug: string): Promise<Found> => {
        const [row] = await testDatabase.sql(
          `SELECT title, body, age, text, code, secret, revision, updated_at FROM notes WHERE slug = '${slug}'`,
        );
        if (row === undefined) throw new Error(`There is no row ${slug}.`);
        return row;
      };
      /** Whether the row was touched, in place of the time. */
      const compared = ({ updated_at: after, ...row }: Found, { updated_at: before }: Found) => {
        return { ...row, wasTouched: String(Number(before)) !== String(Number(after)) };
      };

      async function byClient(slug: string, sent: object): Promise<Outcome> {
        const answer = await request(url).patch(`/${slug}`).type('application/merge-patch+json').send(sent);
        if (answer.status === 204) return [];
        const { errors } = answer.body as { errors?: Outcome };
        if (answer.status === 422 && errors !== undefined) return errors;
        throw new Error(`${String(answer.status)} ${JSON.stringify(answer.body)}`);
      }

      /** Sets what differs, and saves it, if anything does. */
      async function byHand(slug: string, sent: object): Promise<Outcome> {
        const before = await rowOf(slug);
        const differing = Object.fromEntries(
          Object.entries(sent).filter(([name, value]) => before[name] !== value),
        );
        if (Object.keys(differing).length === 0) return [];
        try {
          await model.save(slug, differing as Change);
          return [];
        } catch (error) {
          const faults = readModelIssues(error);
          if (faults === undefined) throw error;
          return faults.map(({ path: [name = ''], message }) => ({
            detail: message,
            ...(name in columns && { pointer: `/${name}` }),
          }));
        }
      }

      /** What happens, without the calls of reading, of which there are others. */
      async function observed(act: () => Promise<Outcome>) {
        model.calls.length = 0;
        const outcome = await act();
        return { outcome, calls: model.calls.filter((call) => !/load/i.test(call)) };
      }

      const sequences = scaled(125);
      test(`${String(sequences)} of them have the same effects as by hand`, async () => {
        await fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const [patched, written] = [randomUUID(), randomUUID()];
            for (const slug of [patched, written])
              await testDatabase.sql(
                `INSERT INTO notes (slug, title, secret, updated_at) VALUES ('${slug}', 'first', '#zero', '2020-01-01 00:00:00')`,
              );
            for (const { by, change: sent } of sequence) {
              // TypeORM writes whole seconds over MariaDB, in which a second write would not show.
              await testDatabase.sql(
                `UPDATE notes SET updated_at = '2020-01-01 00:00:00' WHERE slug IN ('${patched}', '${written}')`,
              );
              const before = [await rowOf(patched), await rowOf(written)];
              const one = await observed(() => (by === 'client' ? byClient : byHand)(patched, sent));
              const other = await observed(() => byHand(written, sent));
              expect(one).toEqual(other);
              expect(compared(await rowOf(patched), before[0] ?? {})).toEqual(
                compared(await rowOf(written), before[1] ?? {}),
              );
            }
          }),
          { numRuns: sequences },
        );
      });
    });
  });
});

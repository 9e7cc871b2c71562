/** Writes of the app in the transaction of the store: both are made, or neither. */
import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { mergePatch, ProblemError, resource } from '../../lib';
import { type RowWrite, tableStore } from '../../lib/rows';
import { describeOver, type TestDatabase, testEngines } from './databases';

type OnWrite = (tx: never, write: RowWrite<unknown>) => unknown;

describeOver(testEngines, 'onWrite', ({ dialect, open }) => {
  const text = dialect === 'mysql' ? 'varchar(40)' : 'text';
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `audited_${randomUUID().slice(0, 8)}`;
    await database.sql(`CREATE TABLE ${table} (slug ${text} PRIMARY KEY, title ${text}, n integer)`);
    await database.sql(`CREATE TABLE ${table}_log (slug ${text}, title ${text} UNIQUE)`);
    await database.sql(`INSERT INTO ${table} VALUES ('a', 'x', 1)`);
  });

  /** Sends SQL through what `onWrite` receives. */
  const sendBy = (tx: never, sql: string): unknown => {
    const { exec, query } = tx as { exec?: (sql: string) => unknown; query?: (sql: string) => unknown };
    return exec === undefined ? query?.call(tx, sql) : exec.call(tx, sql);
  };
  /** A function that waits where the driver does. */
  const steps = (...acts: ((tx: never, write: RowWrite<unknown>) => unknown)[]): OnWrite => {
    if (dialect === 'sqlite')
      return (tx, write) => acts.reduce<unknown>((_, act) => act(tx, write), undefined);
    return async (tx, write) => {
      for (const act of acts) await act(tx, write);
    };
  };
  const log = (tx: never, { key, after }: RowWrite<unknown>) =>
    sendBy(
      tx,
      `INSERT INTO ${table}_log VALUES ('${key}', '${(after as { title: string } | undefined)?.title ?? 'gone'}')`,
    );

  const serve = (onWrite: OnWrite) => {
    const store = tableStore(database.db, {
      ...{ table, columns: { title: 'string', n: 'integer?' }, key: 'slug', onWrite },
    } as const);
    const note = resource(store, [mergePatch({ json: true })], {
      ...{ key: 'slug', respond: 'representation', create: () => ({ n: null }) as never },
    });
    const errors: unknown[] = [];
    const keepError: ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error);
      if (res.headersSent) next(error);
      else res.status(500).end();
    };
    const app = express();
    app.route('/:slug').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
    return { errors, server: supertest(app.use(keepError)) };
  };
  const writes = [
    { method: 'patch', path: '/a', body: { title: 'y' } },
    { method: 'put', path: '/a', body: { title: 'y', n: 2 } },
    { method: 'put', path: '/new', body: { title: 'y', n: 2 } },
    { method: 'delete', path: '/a', body: undefined },
  ] as const;
  const bytes = async () => [
    await database.sql(`SELECT * FROM ${table} ORDER BY slug`),
    await database.sql(`SELECT * FROM ${table}_log ORDER BY slug`),
  ];

  test.each(writes)('writes beside $method $path', async ({ method, path, body }) => {
    const { server, errors } = serve(steps(log));
    const answer = await server[method](path).send(body);
    expect([answer.ok, errors]).toEqual([true, []]);
    const [, logged] = await bytes();
    expect(logged).toMatchObject([{ slug: path.slice(1), title: method === 'delete' ? 'gone' : 'y' }]);
  });

  const failure = new Error('no audit');
  const refusals: { what: string; error: () => unknown; status: number }[] = [
    { what: 'an error of its own', error: () => failure, status: 500 },
    { what: 'a ProblemError', error: () => new ProblemError(409, 'app-busy', 'Later.'), status: 409 },
  ];
  test.each(writes.flatMap((write) => refusals.map((refusal) => ({ ...write, ...refusal }))))(
    'that throws $what after its own write rolls both back: $method $path',
    async ({ method, path, body, error, status }) => {
      const fail = () => {
        throw error() as Error;
      };
      const { server, errors } = serve(steps(log, fail));
      const before = await bytes();
      const answer = await server[method](path).send(body);
      expect([answer.status, await bytes()]).toEqual([status, before]);
      expect(errors).toEqual(status === 500 ? [failure] : []);
    },
  );

  test.each(writes)(
    'whose own statement the database refuses is no refusal of the client: $method $path',
    async (write) => {
      await database.sql(`INSERT INTO ${table}_log VALUES ('other', 'y'), ('other', 'gone')`);
      const { server, errors } = serve(steps(log));
      const before = await bytes();
      const answer = await server[write.method](write.path).send(write.body);
      expect([answer.status, await bytes()]).toEqual([500, before]);
      expect(errors).toHaveLength(1);
      expect(errors[0]).not.toBeInstanceOf(ProblemError);
    },
  );

  test.each(writes.filter(({ method }) => method !== 'delete'))(
    'that writes to the row itself: the answer is what GET gives, $method $path',
    async ({ method, path, body }) => {
      const { server } = serve(
        steps((tx, { key }) => sendBy(tx, `UPDATE ${table} SET n = 77 WHERE slug = '${key}'`)),
      );
      const answer = await server[method](path).send(body);
      const read = await server.get(path).expect(200);
      expect(answer.body).toEqual({ title: 'y', n: 77 });
      expect(answer.text).toBe(read.text);
      // RFC 9110 9.3.4: a PUT that is not stored as it was sent has no tag.
      expect(answer.headers['etag']).toBe(method === 'put' ? undefined : read.headers['etag']);
    },
  );

  test.each([
    { method: 'patch', path: '/a', status: 204 },
    { method: 'put', path: '/a', status: 204 },
    { method: 'put', path: '/new', status: 201 },
  ] as const)(
    'that hides the row: the answer shows no state that GET does not, $method $path',
    async ({ method, path, status }) => {
      const store = tableStore(database.db, {
        ...{ table, columns: { title: 'string' }, key: (slug: string) => ({ slug, n: 1 }) },
        onWrite: (tx: never, { key }: { key: string }) =>
          sendBy(tx, `UPDATE ${table} SET n = 0 WHERE slug = '${key}'`),
      } as const);
      const note = resource(store, [mergePatch({ json: true })], {
        ...{ key: 'slug', create: true, respond: 'representation' },
      });
      const server = supertest(
        express().get('/:slug', note.get).put('/:slug', note.put).patch('/:slug', note.patch),
      );
      const answer = await server[method](path).send({ title: 'y' });
      expect([answer.status, answer.headers['etag'], answer.text]).toEqual([status, undefined, '']);
      await server.get(path).expect(404);
    },
  );

  if (dialect === 'postgres')
    test.each(writes)(
      'that catches an error of PostgreSQL: the COMMIT would roll back, so it is no success: $method $path',
      async (write) => {
        const { server, errors } = serve(async (tx) => {
          await Promise.resolve(sendBy(tx, 'SELECT 1 / 0')).catch(() => undefined);
        });
        const before = await bytes();
        const answer = await server[write.method](write.path).send(write.body);
        expect([answer.status, await bytes()]).toEqual([500, before]);
        expect(errors).toMatchObject([{ code: '25P02' }]);
      },
    );

  if (dialect === 'sqlite')
    describe('that returns a promise, over a synchronous driver', () => {
      const unhandled = jest.fn();
      beforeEach(() => void process.on('unhandledRejection', unhandled));
      afterEach(() => void process.off('unhandledRejection', unhandled));
      const says =
        'onWrite returned a promise, but a write over this driver of SQLite is a synchronous transaction.';

      test.each(
        writes.flatMap((write) =>
          [
            { what: 'resolves', onWrite: () => Promise.resolve() },
            { what: 'rejects', onWrite: () => Promise.reject(new Error('no audit')) },
          ].map((one) => ({ ...write, ...one })),
        ),
      )(
        'is an error, and rolled back: one that $what, $method $path',
        async ({ method, path, body, onWrite }) => {
          const { server, errors } = serve(onWrite);
          const before = await bytes();
          const answer = await server[method](path).send(body);
          await new Promise(setImmediate);
          expect([answer.status, await bytes()]).toEqual([500, before]);
          expect(errors).toMatchObject([
            { name: 'TypeError', message: expect.stringContaining(says) as unknown },
          ]);
          expect(unhandled).not.toHaveBeenCalled();
        },
      );
    });
});

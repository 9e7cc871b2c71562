/** A connection that is lost during a write: the answer says that nobody knows, and how to find out. */
import express from 'express';
import { createPool } from 'mysql2/promise';
import { Pool } from 'pg';
import request from 'supertest';
import { jsonPatch, mergePatch, resource, type ResourceStore } from '../../lib';
import { resourceClient } from '../../lib/client';
import { type Row, type Rows, rowStore } from '../../lib/rows';
import { OvertakenError } from '../../lib/rows/refusals';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { MysqlStore } from '../../lib/stores/mysql';
import { PostgresStore } from '../../lib/stores/postgres';
import { RedisTimeoutError } from '../../lib/stores/redis/client';
import { describeMariadb, type SharedEngine, sharedMariadb, sharedPostgres } from '../support/engines';
import { serving } from '../support/serving';

const coded = (code: string | number, message = 'lost') => Object.assign(new Error(message), { code });

let warnings: jest.SpyInstance;
beforeEach(() => {
  warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  warnings.mockRestore();
});

const answerFaults: express.ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(500).json({});
};

/** Whose next write is carried out, or not, and then fails so. */
async function appOver(error: unknown, isCarriedOut: boolean) {
  const memory = new MemoryStore<unknown>();
  await memory.replace('1', null, { n: 1 });
  let hasFailed = false;
  const failing = async <R>(write: () => Promise<R>): Promise<R> => {
    if (hasFailed) return write();
    hasFailed = true;
    if (isCarriedOut) await write();
    throw error;
  };
  const store: ResourceStore = {
    ...({ keepsOutcomes: true } as object),
    get: (...args) => memory.get(...args),
    replace: (...args) => failing(() => memory.replace(...args)),
    delete: (...args) => failing(() => memory.delete(...args)),
  };
  const note = resource(store, [mergePatch(), jsonPatch()], {
    key: (req) => String(req.params['id']),
    idempotency: 'optional',
  });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  app.use(answerFaults);
  const send = (method: string, headers: Record<string, string> = {}) => {
    const test = request(app)[method.toLowerCase() as 'patch']('/notes/1').set(headers);
    if (method === 'DELETE') return test;
    const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
    return test.set('Content-Type', type).send('{"n":2}');
  };
  return { app, send };
}

describe('errors that leave open whether the write was made', () => {
  test.each<{ readonly what: string; readonly error: unknown }>([
    { what: 'pg, whose connection ended', error: new Error('Connection terminated unexpectedly') },
    { what: 'pg, where an operator ended it', error: coded('57P01') },
    { what: 'pg, after its query_timeout', error: new Error('Query read timeout') },
    { what: 'mysql2', error: coded('PROTOCOL_CONNECTION_LOST') },
    { what: 'MariaDB, that killed it', error: Object.assign(new Error('killed'), { errno: 1927 }) },
    { what: 'a socket', error: coded('ECONNRESET') },
    { what: 'Prisma', error: coded('P1017') },
    { what: 'an ORM that wraps it', error: new Error('query failed', { cause: coded('EPIPE') }) },
    { what: 'ioredis', error: new Error('Connection is closed.') },
    { what: 'redis', error: new Error('Socket closed unexpectedly') },
    { what: 'RedisStore', error: new RedisTimeoutError(5) },
  ])('$what: 503 write-uncertain', async ({ error }) => {
    const { send } = await appOver(error, true);
    const answer = await send('PATCH');
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([503, 'write-uncertain']);
  });

  test.each<{ readonly what: string; readonly error: unknown }>([
    { what: 'a connection that was never made', error: { ...coded('ECONNREFUSED'), syscall: 'connect' } },
    {
      what: 'one that could not be made in time',
      error: Object.assign(coded('ETIMEDOUT'), { syscall: 'connect' }),
    },
    { what: 'a mistake in the SQL', error: coded('42601') },
    { what: 'an error of the app', error: new Error('The connection of ideas terminated') },
    { what: 'what was written, but not read back', error: new OvertakenError({ cause: coded('EPIPE') }) },
  ])('$what is not such an error', async ({ error }) => {
    const { send } = await appOver(error, false);
    expect((await send('PATCH')).status).toBe(500);
  });
});

describe('Retry-After is sent only where a repeat cannot make the change twice', () => {
  const key = { 'Idempotency-Key': '"1"' };

  test('not with a tag that the app makes: a part of the value can be the same after the change', async () => {
    const store = new MemoryStore();
    await store.replace('1', null, { title: 'a', log: [] });
    const app = express();
    const note = resource(
      Object.assign(store, { replace: () => Promise.reject(coded('ECONNRESET')) }),
      [mergePatch()],
      { key: 'id', entityTag: ({ value }) => `"${String((value as { title: string }).title)}"` },
    );
    app.patch('/notes/:id', note.patch);
    const answer = await request(app)
      .patch('/notes/1')
      .set({ 'Content-Type': 'application/merge-patch+json', 'If-Match': '"a"' })
      .send('{"log":[1]}');
    expect([answer.status, answer.get('Retry-After')]).toEqual([503, undefined]);
  });

  test.each([
    { method: 'PATCH', headers: {}, retry: undefined, advice: /GET the resource before you repeat/ },
    { method: 'PUT', headers: {}, retry: undefined, advice: /GET the resource before you repeat/ },
    { method: 'DELETE', headers: {}, retry: undefined, advice: /GET the resource before you repeat/ },
    { method: 'PATCH', headers: key, retry: '1', advice: /with the same Idempotency-Key/ },
    { method: 'PUT', headers: key, retry: '1', advice: /with the same Idempotency-Key/ },
    // DELETE does not honour it.
    { method: 'DELETE', headers: key, retry: undefined, advice: /GET the resource before you repeat/ },
    { method: 'PATCH', headers: { 'If-Match': '*' }, retry: undefined, advice: /GET the resource/ },
    {
      method: 'PATCH',
      headers: { 'If-Match': 'tag' },
      retry: '1',
      advice: /same If-Match: a 412, or the 404 of a DELETE, can mean/,
    },
    {
      method: 'DELETE',
      headers: { 'If-Match': 'tag' },
      retry: '1',
      advice: /same If-Match: a 412, or the 404 of a DELETE, can mean/,
    },
  ])('$method with $headers: $retry', async ({ method, headers, retry, advice }) => {
    const { app, send } = await appOver(coded('ECONNRESET'), true);
    const { etag = '' } = (await request(app).get('/notes/1')).headers as { etag?: string };
    const isByTag = 'If-Match' in headers && headers['If-Match'] === 'tag';
    const sent = isByTag ? { 'If-Match': etag } : headers;
    const answer = await send(method, sent);
    expect([answer.status, answer.get('Retry-After')]).toEqual([503, retry]);
    expect((answer.body as { detail: string }).detail).toMatch(advice);
    // As the advice says: it was carried out once.
    const again = await send(method, sent);
    if ('Idempotency-Key' in headers && method !== 'DELETE') expect(again.status).toBe(204);
    if (isByTag) expect(again.status).toBe(method === 'DELETE' ? 404 : 412);
  });

  test('whoever runs the app is told why, once', async () => {
    const { send } = await appOver(coded('ECONNRESET', 'read ECONNRESET'), true);
    await send('PATCH');
    expect(warnings.mock.calls).toEqual([
      [
        expect.stringMatching(/lost during a write of resource\(\), which failed: read ECONNRESET\./),
        { code: 'PATCH_OPTIONS_STORE_LOST' },
      ],
    ]);
  });
});

describe('the client', () => {
  test.each([true, false])('resolves it under its Idempotency-Key, carried out: %p', async (isCarriedOut) => {
    const { app } = await appOver(coded('ECONNRESET'), isCarriedOut);
    await serving(app, async (_server, port) => {
      const client = resourceClient<{ n: number }>(`http://127.0.0.1:${port}`, { idempotency: true });
      const { value } = await client.change('/notes/1', (note) => ({ n: note.n + 1 }));
      expect(value).toEqual({ n: 2 });
    });
  });
});

type RunInTransaction = (run: (rows: Rows, tx: unknown) => Promise<void>) => Promise<void>;

/** A table in memory, with transactions. */
function notesTable(row: Row = { slug: '1', n: 1, version: 'v1' }) {
  const rows = [{ ...row }];
  const met = (where: Row) =>
    rows.filter((one) => Object.entries(where).every(([name, value]) => one[name] === value));
  const functions: Required<Pick<Rows, 'find' | 'update' | 'insert' | 'delete'>> = {
    find: (where) => met(where).map((one) => ({ ...one }))[0],
    update: (where, set) => met(where).map((one) => Object.assign(one, set)).length,
    insert: (one) => ({ rowCount: rows.push({ ...one }) && 1 }),
    delete: (where) => {
      const found = met(where);
      for (const one of found) rows.splice(rows.indexOf(one), 1);
      return found.length;
    },
  };
  const within: RunInTransaction = async (run) => {
    const before = rows.map((one) => ({ ...one }));
    try {
      await run(functions, 'tx');
    } catch (error) {
      rows.splice(0, rows.length, ...before);
      throw error;
    }
  };
  return { rows, functions, within };
}

const noteColumns = { columns: { n: 'number' }, key: 'slug', version: 'version' } as const;

function appOverRows(store: ResourceStore) {
  const note = resource(store, [mergePatch()], { key: 'id', create: true });
  const errors: unknown[] = [];
  const app = express();
  app.route('/notes/:id').put(note.put).patch(note.patch).delete(note.delete);
  const keepError: express.ErrorRequestHandler = (error, req, res, next) => {
    errors.push(error);
    answerFaults(error, req, res, next);
  };
  app.use(keepError);
  const send = {
    PATCH: () => request(app).patch('/notes/1').type('application/merge-patch+json').send('{"n":2}'),
    PUT: () => request(app).put('/notes/2').send({ n: 2 }),
    DELETE: () => request(app).delete('/notes/1'),
  };
  return { errors, send };
}

describe.each(['PATCH', 'PUT', 'DELETE'] as const)('%s with onWrite', (method) => {
  const fault = coded('ECONNRESET', 'request to https://audit.example failed: read ECONNRESET');
  const failing = { ...noteColumns, onWrite: () => Promise.reject(fault) };

  test('what it throws is thrown as it is: the transaction was rolled back', async () => {
    const { rows, functions, within } = notesTable();
    const { send, errors } = appOverRows(rowStore({ ...functions, ...failing, transaction: within }));
    await send[method]().expect(500);
    expect(errors).toEqual([fault]);
    expect(errors[0]).toBe(fault);
    expect(rows).toEqual([{ slug: '1', n: 1, version: 'v1' }]);
    expect(warnings).not.toHaveBeenCalled();
  });

  test('so is an error that the app makes of it', async () => {
    const { functions, within } = notesTable();
    const transaction: RunInTransaction = (run) =>
      within(run).catch((cause: unknown) => {
        throw new Error('The transaction failed', { cause });
      });
    const { send, errors } = appOverRows(rowStore({ ...functions, ...failing, transaction }));
    await send[method]().expect(500);
    expect(errors).toEqual([expect.objectContaining({ message: 'The transaction failed', cause: fault })]);
  });

  test.each<{ readonly what: string; readonly end: () => void }>([
    {
      what: 'whose ROLLBACK fails',
      end: () => {
        throw new Error('ROLLBACK; - Connection terminated unexpectedly');
      },
    },
    { what: 'that does not hand its error on', end: () => undefined },
  ])('a transaction $what: write-uncertain', async ({ end }) => {
    const { functions } = notesTable();
    const transaction: RunInTransaction = (run) => run(functions, 'tx').catch(end);
    const { send } = appOverRows(rowStore({ ...functions, ...failing, transaction }));
    const answer = await send[method]();
    expect([answer.status, (answer.body as { code?: string }).code]).toEqual([503, 'write-uncertain']);
  });

  test('a transaction that cannot begin: nothing was written', async () => {
    const { functions } = notesTable();
    const transaction = () => Promise.reject(fault);
    const { send, errors } = appOverRows(rowStore({ ...functions, ...noteColumns, transaction }));
    await send[method]().expect(500);
    expect(errors).toEqual([fault]);
  });

  test('a COMMIT that fails: write-uncertain', async () => {
    const { functions, within } = notesTable();
    const transaction: RunInTransaction = async (run) => {
      await within(run);
      throw fault;
    };
    const onWrite = () => undefined;
    const { send } = appOverRows(rowStore({ ...functions, ...noteColumns, onWrite, transaction }));
    const answer = await send[method]();
    expect([answer.status, (answer.body as { code?: string }).code]).toEqual([503, 'write-uncertain']);
  });

  test('a COMMIT that is lost, where only the error of the ROLLBACK is thrown: write-uncertain', async () => {
    const { functions, within } = notesTable();
    const transaction: RunInTransaction = async (run) => {
      await within(run);
      throw new Error('Client has encountered a connection error and is not queryable');
    };
    const { send } = appOverRows(rowStore({ ...functions, ...noteColumns, transaction }));
    await send[method]().expect(503);
  });

  test('a COMMIT that fails at the second attempt with the same error: write-uncertain', async () => {
    const { functions, within } = notesTable();
    let attempts = 0;
    const onWrite = () => {
      if (attempts++ === 0) throw fault;
    };
    const transaction: RunInTransaction = async (run) => {
      await within(run).catch(() => within(run));
      throw fault;
    };
    const { send } = appOverRows(rowStore({ ...functions, ...noteColumns, onWrite, transaction }));
    await send[method]().expect(503);
  });

  test('the same error of a write of another request: write-uncertain', async () => {
    const { functions, within } = notesTable();
    const { send } = appOverRows(rowStore({ ...functions, ...failing, transaction: within }));
    await send[method]().expect(500);
    const other = await appOver(fault, true);
    const answer = await other.send('PATCH');
    expect(answer.status).toBe(503);
  });
});

describe('a read of rowStore that loses its connection', () => {
  test.each<{ readonly what: string; readonly functions: Partial<Rows>; readonly reads: number }>([
    { what: 'before a DELETE', functions: {}, reads: 1 },
    { what: 'after a DELETE that matched no row', functions: { delete: () => 0 }, reads: 2 },
  ])('$what: nothing was written', async ({ functions: replaced, reads }) => {
    const { functions, rows } = notesTable();
    let left = reads;
    const find: Rows['find'] = (where, columns) => {
      if (left-- === 0) throw coded('ECONNRESET');
      return functions.find(where, columns);
    };
    const { send } = appOverRows(rowStore({ ...functions, ...replaced, find, ...noteColumns }));
    await send.DELETE().expect(500);
    expect(rows).toHaveLength(1);
  });

  test('after an UPDATE that matched no row: nothing was written', async () => {
    const { functions } = notesTable();
    let reads = 0;
    const find: Rows['find'] = (where, columns) => {
      if (reads++ > 0) throw coded('ECONNRESET');
      return functions.find(where, columns);
    };
    const { send } = appOverRows(rowStore({ ...functions, update: () => 0, find, ...noteColumns }));
    await send.PATCH().expect(500);
  });

  test('after an INSERT that another one forestalled: nothing was written', async () => {
    const { functions } = notesTable();
    let reads = 0;
    const find: Rows['find'] = (where, columns) => {
      if (reads++ > 0) throw coded('ECONNRESET');
      return functions.find(where, columns);
    };
    const insert = () => {
      throw coded('23505');
    };
    const { send } = appOverRows(rowStore({ ...functions, insert, find, ...noteColumns }));
    await send.PUT().expect(500);
  });
});

/** A PATCH whose statement is under way until its connection is killed, and the same once more. */
async function expectOnce(
  store: ResourceStore,
  { slow, kill, fast }: Readonly<Record<'slow' | 'kill' | 'fast', () => Promise<unknown>>>,
): Promise<void> {
  await store.replace('1', null, { n: 1 });
  await slow();
  const app = express().patch(
    '/:id',
    resource(store, [mergePatch()], { key: (req) => String(req.params['id']), idempotency: 'optional' })
      .patch,
  );
  const send = () =>
    request(app)
      .patch('/1')
      .set({ 'Content-Type': 'application/merge-patch+json', 'Idempotency-Key': '"1"' })
      .send('{"n":2}');
  const answering = send().then((answer) => answer);
  await kill();
  const answer = await answering;
  expect([answer.status, (answer.body as { code?: string }).code]).toEqual([503, 'write-uncertain']);
  await fast();
  await send().expect(204);
  expect((await store.get('1'))?.value).toEqual({ n: 2 });
}

/** Tries until it has an effect. */
async function until(act: () => Promise<boolean>): Promise<void> {
  while (!(await act())) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a connection that is killed while its statement runs', () => {
  test('of PostgreSQL', async () => {
    const engine = await sharedPostgres();
    const pool = new Pool({ connectionString: engine.urls[0] });
    pool.on('error', () => undefined);
    const store = new PostgresStore(pool, { table: 'notes' });
    try {
      await store.setup();
      await expectOnce(store, {
        slow: () =>
          pool.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_sleep(60); RETURN NEW; END';
            CREATE TRIGGER wait BEFORE UPDATE ON notes FOR EACH ROW EXECUTE FUNCTION wait()`),
        kill: () =>
          until(async () => {
            const { rowCount } = await pool.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event = 'PgSleep'`,
            );
            return rowCount === 1;
          }),
        fast: () => pool.query('DROP TRIGGER wait ON notes'),
      });
    } finally {
      await pool.end();
      await engine.close();
    }
  });
});

describeMariadb('a connection that is killed while its statement runs', () => {
  let engine: SharedEngine;
  beforeAll(async () => (engine = await sharedMariadb()));
  afterAll(() => engine.close());

  test('of MariaDB', async () => {
    const pool = createPool({ uri: engine.urls[0] });
    const store = new MysqlStore(pool, { table: 'notes' });
    try {
      await store.setup();
      await expectOnce(store, {
        slow: () => pool.query('CREATE TRIGGER wait BEFORE UPDATE ON notes FOR EACH ROW DO SLEEP(60)'),
        kill: () =>
          until(async () => {
            const [rows] = await pool.query(
              `SELECT ID AS id FROM information_schema.PROCESSLIST
              WHERE DB = DATABASE() AND STATE = 'User sleep'`,
            );
            const [process] = rows as { id: number }[];
            if (process !== undefined) await pool.query(`KILL ${process.id}`);
            return process !== undefined;
          }),
        fast: () => pool.query('DROP TRIGGER wait'),
      });
    } finally {
      await pool.end();
    }
  });
});

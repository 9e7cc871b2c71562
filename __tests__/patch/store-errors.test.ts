/** What becomes of an error of the store: a code of an engine is a refusal or a lost race, all else is for Express, each time. */
import express from 'express';
import request from 'supertest';
import { jsonPatch, mergePatch, ProblemError, resource, type ResourceStore } from '../../lib';
import { type Rows, rowStore } from '../../lib/rows';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { memoryTable } from '../support/memory-table';
import { change } from '../support/written';

const coded = (code: string | number, message = 'failed') => Object.assign(new Error(message), { code });

/** The app over a store, with what its error handler has seen. */
function appOver(store: ResourceStore) {
  const note = resource(store, [mergePatch(), jsonPatch()], {
    key: (req) => String(req.params['id']),
    create: true,
  });
  const seen: unknown[] = [];
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put).patch(note.patch).delete(note.delete);
  const keepError: express.ErrorRequestHandler = (error, _req, res, next) => {
    if (res.headersSent) next(error);
    seen.push(error);
    res.status(503).json({ by: 'the app' });
  };
  app.use(keepError);
  const send = (method: string) => {
    const test = request(app)[method.toLowerCase() as 'patch'](`/notes/${method === 'PUT' ? '2' : '1'}`);
    if (method === 'DELETE') return test;
    const type = method === 'PUT' ? 'application/json' : 'application/merge-patch+json';
    return test.set('Content-Type', type).send('{"n":2}');
  };
  return { seen, send };
}

const methods = ['PATCH', 'PUT', 'DELETE'] as const;

describe.each(methods)('%s', (method) => {
  test.each<{ readonly what: string; readonly error: unknown }>([
    { what: 'a lost connection', error: coded('ECONNRESET') },
    { what: 'one that pg reports without a code', error: new Error('Connection terminated unexpectedly') },
    { what: 'one that was never made', error: Object.assign(coded('ECONNREFUSED'), { syscall: 'connect' }) },
    { what: 'a mistake in the SQL', error: coded('42601') },
    { what: 'a lock that was waited for', error: Object.assign(new Error(), { errno: 1205 }) },
    { what: 'an error around that of a connection', error: new Error('failed', { cause: coded('EPIPE') }) },
    {
      what: 'that of a connection, in one that an ORM calls a lost race',
      error: Object.assign(coded('P2034'), { cause: coded('ECONNRESET') }),
    },
  ])('$what goes to Express as it is, each time', async ({ error }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const memory = new MemoryStore<unknown>();
    await memory.replace('1', null, { n: 1 });
    const fail = () => Promise.reject(error as Error);
    const { seen, send } = appOver(Object.assign(memory, { replace: fail, delete: fail }) as ResourceStore);
    for (let times = 1; times <= 3; times++) {
      const answer = await send(method);
      expect([answer.status, answer.body]).toEqual([503, { by: 'the app' }]);
      expect(seen).toHaveLength(times);
      expect(seen.at(-1)).toBe(error);
    }
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  test('a ProblemError is the answer', async () => {
    const refuse = () => Promise.reject(new ProblemError(409, 'app-busy', 'Later.'));
    const memory = new MemoryStore<unknown>();
    await memory.replace('1', null, { n: 1 });
    const { seen, send } = appOver(
      Object.assign(memory, { replace: refuse, delete: refuse }) as ResourceStore,
    );
    expect((await send(method)).body).toMatchObject({ status: 409, code: 'app-busy' });
    expect(seen).toEqual([]);
  });
});

const notesTable = () => memoryTable([{ slug: '1', n: 1 }]);

const declared = { columns: { n: 'number' }, key: 'slug' } as const;
const untouched = [{ slug: '1', n: 1 }];

describe.each(methods)('%s with onWrite', (method) => {
  test.each<{ readonly what: string; readonly error: unknown }>([
    { what: 'NOT_FOUND of gRPC, whose number SQLite has too', error: coded(5) },
    { what: 'an error of MongoDB, with the number of SQLITE_MISMATCH', error: coded(20) },
    { what: 'a unique violation of its own', error: coded('23505') },
    { what: 'a value that its own table refuses', error: coded('22P02') },
    { what: 'a reference of its own', error: coded('23503') },
    { what: 'a lost connection to another server', error: coded('ECONNRESET') },
  ])('$what is thrown as it is, after one run, and nothing is written', async ({ error }) => {
    const { rows, orm } = notesTable();
    let runs = 0;
    const onWrite = () => {
      runs += 1;
      throw error as Error;
    };
    const { send, seen } = appOver(rowStore({ ...orm, ...declared, onWrite }));
    await send(method).expect(503);
    expect(seen).toEqual([error]);
    expect(seen[0]).toBe(error);
    expect([runs, rows]).toEqual([1, untouched]);
  });

  test.each<{ readonly what: string; readonly error: unknown }>([
    { what: 'PostgreSQL', error: coded('40P01') },
    { what: 'MySQL', error: Object.assign(new Error(), { errno: 1213, code: 'ER_LOCK_DEADLOCK' }) },
    { what: 'Prisma', error: coded('P2034') },
    { what: 'SQLite', error: coded('SQLITE_BUSY') },
    { what: 'an ORM that wraps it', error: new Error('failed', { cause: coded('40001') }) },
  ])('a lost race of $what in it is tried again, with its transaction', async ({ error }) => {
    const { orm } = notesTable();
    let runs = 0;
    const onWrite = () => {
      runs += 1;
      if (runs < 4) throw error as Error;
    };
    const { send, seen } = appOver(rowStore({ ...orm, ...declared, onWrite }));
    const answer = await send(method);
    expect([answer.status, runs, seen]).toEqual([method === 'PUT' ? 201 : 204, 4, []]);
  });

  test('one that is always lost is thrown as it is', async () => {
    const { rows, orm } = notesTable();
    const error = coded('40P01');
    let runs = 0;
    const onWrite = () => {
      runs += 1;
      throw error;
    };
    const { send, seen } = appOver(rowStore({ ...orm, ...declared, onWrite }));
    await send(method).expect(503);
    expect([seen, rows]).toEqual([[error], untouched]);
    expect(runs).toBeGreaterThan(9);
  });

  test('a COMMIT whose connection is lost goes to Express, though it was carried out', async () => {
    const { rows, orm } = notesTable();
    const error = coded('ECONNRESET');
    const transaction: typeof orm.transaction = async (run) => {
      await orm.transaction(run);
      throw error;
    };
    const { send, seen } = appOver(rowStore({ ...orm, ...declared, transaction }));
    await send(method).expect(503);
    expect(seen).toEqual([error]);
    expect(rows).not.toEqual(untouched);
  });
});

describe('a replica that lags', () => {
  test.each(['PATCH', 'DELETE'] as const)(
    '%s is made on the state that the transaction has found',
    async (method) => {
      const { rows, orm, calls } = notesTable();
      Object.assign(rows[0] ?? {}, { n: 5 });
      let reads = 0;
      const find: Rows['find'] = () => ((reads += 1), { slug: '1', n: 0 });
      const transaction: typeof orm.transaction = (run) => orm.transaction((inside, tx) => run(inside, tx));
      const { send, seen } = appOver(rowStore({ ...orm, ...declared, find, transaction }));
      await send(method).expect(204);
      expect([seen, reads]).toEqual([[], 1]);
      expect(rows).toEqual(method === 'DELETE' ? [] : [{ slug: '1', n: 2 }]);
      expect(calls.filter(({ call }) => call === 'lock')).toHaveLength(2);
    },
  );
});

describe('what the database says of a write', () => {
  const refusing = (code: string, members: object = {}) => {
    const table = memoryTable([{ slug: '1', n: 1, outcomes: null }]);
    const update: Rows['update'] = () => {
      throw Object.assign(coded(code), members);
    };
    const orm: typeof table.orm = {
      ...{ ...table.orm, update },
      transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
    };
    return { rows: table.rows, orm };
  };
  const kept = [{ slug: '1', n: 1, outcomes: null }];

  test('is a fault of the app if it names a column of the store', async () => {
    const constraint = { table: 'notes', constraint: 'notes_outcomes_check' };
    const { rows, orm } = refusing('23514', constraint);
    const store = rowStore({ ...orm, ...declared, outcomes: 'outcomes' });
    const outcome = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
    await expect(change(store, '1', { n: 2 }, { outcome })).rejects.toMatchObject(constraint);
    expect(rows).toEqual(kept);
  });

  test.each([
    { what: 'the only member that was changed', code: '22003', members: {}, pointer: '/n' },
    { what: 'a column', code: '23502', members: { column: 'n' }, pointer: '/n' },
    {
      what: 'a constraint of one column',
      code: '23514',
      members: { table: 'notes', constraint: 'notes_n_check' },
      pointer: '/n',
    },
    { what: 'an indexed text that is too long', code: '54000', members: {}, pointer: '/n' },
    { what: 'WITH CHECK OPTION of a view', code: '44000', members: {}, pointer: '/n' },
  ])('that refuses the member alone is 422 with its pointer: $what', async ({ code, members, pointer }) => {
    const { rows, orm } = refusing(code, members);
    const { send, seen } = appOver(rowStore({ ...orm, ...declared }));
    expect((await send('PATCH')).body).toMatchObject({ status: 422, errors: [{ pointer }] });
    expect([seen, rows]).toEqual([[], kept]);
  });
});

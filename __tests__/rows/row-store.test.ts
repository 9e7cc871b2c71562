/** What rowStore asks of an ORM, and what it makes of the answers, over a table in memory. */
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import request from 'supertest';
import { mergePatch, type ProblemError, resource } from '../../lib';
import { ConfigurationError } from '../../lib/config/options-check';
import { rowStore, type Row, type Rows } from '../../lib/rows';
import { libraryRows } from '../../lib/rows/library-rows';
import { memoryTable, type MemoryTable } from '../support/memory-table';
import { change, create, replaceAt, stateOf, written } from '../support/written';

/** An ORM that returns the row. */
const tableOf = (...rows: Record<string, unknown>[]): MemoryTable =>
  memoryTable(rows, { defaults: () => ({ id: rows.length + 1, body: null }) });

const milk = { id: 1, slug: 'milk', title: 'Buy milk', body: 'Two' };
const shown = { title: 'Buy milk', body: 'Two' };
const columns = { title: 'string', body: 'string?' } as const;
const declared = { columns, key: 'slug' } as const;

test('a PATCH is one read, and a transaction: lock, read, one UPDATE of what has changed, read', async () => {
  const table = tableOf({ ...milk });
  const store = rowStore({ ...table.orm, ...declared });
  const current = await stateOf(store, 'milk');
  expect(current).toEqual({ value: shown, handle: { ...milk } });
  const after = written(await replaceAt(store, 'milk', current, { title: 'Buy milk', body: null }));
  expect(after.value).toEqual({ title: 'Buy milk', body: null });
  const where = { slug: 'milk' };
  expect(table.calls).toEqual([
    ...[
      { call: 'find', where },
      { call: 'lock', where },
    ],
    ...[
      { call: 'find', where },
      { call: 'update', where, set: { body: null } },
      { call: 'find', where },
    ],
  ]);
});

test('a creation is one INSERT, and one read', async () => {
  const table = tableOf();
  const store = rowStore({ ...table.orm, ...declared });
  expect((await create(store, 'bread', { title: 'y', body: null })).value.title).toBe('y');
  expect(table.calls.map(({ call }) => call)).toEqual(['insert', 'find']);
});

test('a change that changes nothing writes nothing, and calls no onWrite', async () => {
  const table = tableOf({ ...milk, changed: null, count: 3 });
  const onWrite = jest.fn();
  const options = { modified: 'changed', counter: 'count', onWrite } as const;
  const store = rowStore({ ...table.orm, ...declared, ...options });
  const current = await stateOf(store, 'milk');
  expect(written(await replaceAt(store, 'milk', current, shown))).toEqual(current);
  expect(table.calls.map(({ call }) => call)).toEqual(['find', 'lock', 'find']);
  expect(table.rows).toEqual([{ ...milk, changed: null, count: 3 }]);
  expect(onWrite).not.toHaveBeenCalled();
});

test.each([
  { what: 'a promise', key: () => Promise.resolve({ slug: 'bread' }), shown: 'a promise' },
  { what: 'a promise that rejects', key: () => Promise.reject(new Error('down')), shown: 'a promise' },
  { what: 'a thenable', key: () => ({ then: () => undefined }), shown: 'a promise' },
  { what: 'no columns', key: () => ({}), shown: 'an object' },
  { what: 'null', key: () => null, shown: 'null' },
  { what: 'a text', key: () => 'bread', shown: 'a string' },
  {
    what: 'a column without a value',
    key: () => ({ id: 7, slug: undefined }),
    shown: 'slug: undefined',
  },
])('a key that gives $what is an error: with it an ORM would find every row', async ({ key, shown }) => {
  const table = tableOf({ ...milk });
  const store = rowStore({ ...table.orm, ...declared, key: key as never });
  const uses: readonly (() => Promise<unknown>)[] = [
    () => store.get('bread'),
    () =>
      replaceAt(
        store,
        'bread',
        { value: { title: '', body: null }, handle: milk },
        { title: 'x', body: null },
      ),
    () => store.replace('bread', null, { title: 'x', body: null }),
    () => store.delete('bread'),
  ];
  for (const use of uses) await expect(use()).rejects.toThrow(`The option key returned ${shown}. Return the`);
  expect([table.rows, table.calls]).toEqual([[milk], []]);
});

test('two members that clients can write on one column are a mistake, and one that they cannot is not', () => {
  const open = (readOnly: boolean) => () =>
    rowStore({
      ...tableOf({ ...milk }).orm,
      ...{ key: 'slug' },
      columns: { title: 'string', name: { kind: 'string', column: 'title', readOnly } },
    });
  expect(open(false)).toThrow(
    'names the column title, which columns.title writes. Make one of them read-only',
  );
  expect(open(true)).not.toThrow();
});

describe('the state that a write is conditional on', () => {
  test('is the one that the store has returned: another object says nothing', async () => {
    const table = tableOf({ ...milk });
    const store = rowStore({ ...table.orm, ...declared });
    const next = { title: 'x', body: null };
    for (const current of [{ value: shown }, { value: shown, handle: 'milk' }])
      expect(await replaceAt(store, 'milk', current, next)).toBeUndefined();
    expect(await store.replace('milk', '', next)).toBeUndefined();
    expect(await replaceAt(store, 'milk', { ...(await stateOf(store, 'milk')), version: 'v1' }, next)).toBe(
      undefined,
    );
    expect(await store.delete('milk', '')).toBe(false);
    expect(table.rows).toEqual([milk]);
  });

  test.each<{ what: string; other: Row; isAnother: boolean }>([
    { what: 'a listed column', other: { body: 'Three' }, isAnother: true },
    { what: 'NULL instead of a text', other: { body: null }, isAnother: true },
    { what: 'a column that is not listed', other: { id: 2 }, isAnother: false },
    { what: 'the same value in another form', other: { made: '2026-11-22T10:00:00Z' }, isAnother: false },
    { what: 'another date', other: { made: new Date('2026-11-22T10:00:00.001Z') }, isAnother: true },
    { what: 'the outcomes', other: { outcomes: 'x' }, isAnother: true },
    { what: 'no outcomes as an empty text', other: { outcomes: '' }, isAnother: false },
  ])('another write has changed $what: $isAnother', async ({ other, isAnother }) => {
    const table = tableOf({ ...milk, made: new Date('2026-11-22T10:00:00Z'), outcomes: null });
    const store = rowStore({
      ...{ ...table.orm, key: 'slug', outcomes: 'outcomes' },
      columns: { ...columns, made: { kind: 'date', readOnly: true } },
    } as const);
    const current = await stateOf(store, 'milk');
    Object.assign(table.rows[0] ?? {}, other);
    const result = await replaceAt(store, 'milk', current, { ...current.value, title: 'x' });
    const before = { ...current.value, ...('body' in other && { body: other['body'] as null }) };
    if (isAnother)
      expect(result).toMatchObject({ current: { value: { ...before, made: expect.anything() as string } } });
    else expect(written(result).value.title).toBe('x');
    expect(table.rows[0]).toMatchObject({ ...other, title: isAnother ? 'Buy milk' : 'x' });
  });

  test('another state is the result, with which the change is made without a further read', async () => {
    const table = tableOf({ ...milk });
    const store = rowStore({ ...table.orm, ...declared });
    const current = await stateOf(store, 'milk');
    await change(store, 'milk', { title: 'of another', body: 'Two' });
    const found = await replaceAt(store, 'milk', current, { title: 'x', body: null });
    if (found === undefined || !('current' in found) || found.current === undefined)
      throw new Error('written');
    expect(found).toMatchObject({ current: { value: { title: 'of another', body: 'Two' } } });
    table.calls.length = 0;
    const next = { ...found.current.value, body: null };
    expect(written(await replaceAt(store, 'milk', found.current, next)).value).toEqual(next);
    expect(table.calls.map(({ call }) => call)).toEqual(['lock', 'find', 'update', 'find']);
  });

  test('a row that is gone is no state', async () => {
    const table = tableOf({ ...milk });
    const store = rowStore({ ...table.orm, ...declared });
    const current = await stateOf(store, 'milk');
    table.rows.length = 0;
    expect(await replaceAt(store, 'milk', current, { title: 'x', body: null })).toEqual({
      current: undefined,
    });
    expect(await store.delete('milk', '', { current })).toEqual({ current: undefined });
    expect(await store.delete('milk')).toBe(false);
  });

  test('a column that has another value with each reading is an error that names it, and no race', async () => {
    const table = tableOf({ ...milk });
    let reads = 0;
    const find: typeof table.orm.find = async (...args) => ({
      ...((await table.orm.find(...args)) as Row),
      body: `read ${++reads}`,
    });
    const orm = { ...table.orm, find };
    const store = rowStore({ ...orm, ...declared, transaction: (run) => run(orm, undefined) });
    const said = 'The column body has another value each time the row is read';
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow(said);
    const current = await stateOf(store, 'milk');
    await expect(store.delete('milk', '', { current })).rejects.toThrow(said);
    expect(reads).toBeLessThan(10);
    expect(table.rows).toEqual([milk]);
  });
});

test('what a trigger makes of a write is what comes back', async () => {
  const table = memoryTable([{ ...milk }], { stores: (set) => ({ ...set, body: 'of a trigger' }) });
  const store = rowStore({ ...table.orm, ...declared });
  const after = await change(store, 'milk', { title: 'x', body: null });
  expect(after.value).toEqual({ title: 'x', body: 'of a trigger' });
  expect(await store.get('milk')).toEqual(after);
});

test.each([
  { what: 'nothing', result: undefined, shows: 'undefined' },
  { what: 'true', result: true, shows: 'true' },
  { what: 'the row', result: { ...milk }, shows: 'an object' },
  { what: 'a list of rows', result: [{ ...milk }], shows: 'an array' },
  { what: 'the result of a driver', result: { rowCount: 1 }, shows: 'an object' },
  { what: 'a text', result: 'UPDATE 1', shows: 'a string' },
])('an update or a delete that returns $what is an error, and rolled back', async ({ result, shows }) => {
  const table = tableOf({ ...milk });
  const orm: MemoryTable['orm'] = {
    ...table.orm,
    update: (where, set) => (void table.orm.update(where, set), result),
    delete: (where, row) => (void table.orm.delete(where, row), result),
    transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
  };
  const store = rowStore({ ...orm, ...declared });
  const says = (call: string) => `${call}() returned ${shows}. Return the number of rows that matched.`;
  await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow(says('update'));
  await expect(store.delete('milk')).rejects.toThrow(says('delete'));
  expect(table.rows).toEqual([milk]);
});

test('of a Date in a column for numbers, the error names the kinds for dates', async () => {
  const table = tableOf({ ...milk, made: new Date() });
  for (const kind of ['integer', 'number', 'bigint'] as const) {
    const store = rowStore({ ...table.orm, ...declared, columns: { made: kind } });
    await expect(store.get('milk')).rejects.toThrow(
      `The column made contains a Date, but is declared as ${kind}. Declare it as date (or day, time).`,
    );
  }
});

test('a function is enough for a rule, because the columns check the types', async () => {
  const table = tableOf({ ...milk, stock: 7 });
  const stocked = { title: 'string', body: 'string?', stock: 'integer' } as const;
  const store = rowStore({ ...table.orm, ...declared, columns: stocked });
  const note = resource(store, [mergePatch()], {
    key: 'slug',
    validate: (next) =>
      next.stock < 0 ? [{ pointer: '/stock', detail: 'must not be negative' }] : undefined,
  });
  const app = express();
  app.patch('/notes/:slug', note.patch);
  const send = (stock: unknown) =>
    request(app).patch('/notes/milk').type('application/merge-patch+json').send({ stock });
  expect((await send(-1).expect(422)).body).toMatchObject({
    errors: [{ pointer: '/stock', detail: 'must not be negative' }],
  });
  expect((await send('1').expect(422)).body).toMatchObject({
    errors: [{ pointer: '/stock', detail: 'must be a whole number' }],
  });
  await send(0).expect(204);
  expect(table.rows[0]).toMatchObject({ stock: 0 });
});

/** A table whose every UPDATE and INSERT the database refuses. */
function refusing(error: unknown, row: Row = milk): MemoryTable {
  const table = tableOf({ ...row });
  const refuse = () => Promise.reject(error as Error);
  const orm: MemoryTable['orm'] = {
    ...{ ...table.orm, update: refuse, insert: refuse },
    transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
  };
  return { ...table, orm };
}

test.each([
  {
    of: 'PostgreSQL',
    code: '23503',
    says: 'refers to something that does not exist, or other resources refer to it',
  },
  {
    of: 'MariaDB',
    code: 1452,
    says: 'refers to something that does not exist, or other resources refer to it',
  },
  { of: 'SQLite', code: 'SQLITE_CONSTRAINT_FOREIGNKEY', says: 'refers to something that does not exist' },
  { of: 'PostgreSQL', code: '22001', says: 'is too long' },
  { of: 'PostgreSQL', code: '54000', says: 'is too long' },
  { of: 'MariaDB', code: 1406, says: 'is too long' },
  { of: 'PostgreSQL', code: '22003', says: 'is out of range' },
  { of: 'MariaDB', code: 1264, says: 'is out of range' },
  { of: 'PostgreSQL', code: '23514', says: 'violates a rule of the table' },
  { of: 'PostgreSQL', code: '44000', says: 'violates a rule of the table' },
  { of: 'MySQL', code: 3819, says: 'violates a rule of the table' },
  { of: 'MySQL', code: 1369, says: 'violates a rule of the table' },
  { of: 'SQLite', code: 'SQLITE_CONSTRAINT_CHECK', says: 'violates a rule of the table' },
  { of: 'PostgreSQL', code: '22P02', says: 'is out of range, or violates a constraint' },
])('a refusal of $of, $code: $says', async ({ code, says }) => {
  const cause = Object.assign(new Error('refused'), { [typeof code === 'number' ? 'errno' : 'code']: code });
  const { orm } = refusing(new Error('wrapped', { cause }));
  const store = rowStore({ ...orm, ...declared });
  await expect(change(store, 'milk', { title: 'x', body: 'Two' })).rejects.toMatchObject({
    status: 422,
    problem: { errors: [{ pointer: '/title', detail: expect.stringContaining(says) as unknown }] },
  });
});

test('a time of the last write that cannot be read is an error with the name of its column', async () => {
  const table = tableOf({ ...milk, changed: 7n });
  const store = rowStore({ ...table.orm, ...declared, dialect: 'sqlite', modified: 'changed' });
  await expect(store.get('milk')).rejects.toThrow('The column changed contains a bigint');
});

test('a row whose key is spelled otherwise is another resource', async () => {
  const table = tableOf({ ...milk });
  const find = () => ({ ...table.rows[0] });
  const orm = { ...table.orm, find };
  const store = rowStore({ ...orm, ...declared, transaction: (run) => run(orm, undefined) });
  expect(await store.get('MILK')).toBeUndefined();
  const current = await stateOf(store, 'milk');
  expect(await replaceAt(store, 'MILK', current, { title: 'x', body: null })).toEqual({ current: undefined });
  expect(await store.delete('MILK')).toBe(false);
  expect(table.rows[0]).toEqual(milk);
});

test.each<{ readonly inside: unknown; readonly isFound: boolean }>([
  { inside: false, isFound: true },
  { inside: 0, isFound: true },
  { inside: 0n, isFound: true },
  { inside: Buffer.of(0), isFound: true },
  { inside: true, isFound: false },
  { inside: 1, isFound: false },
  { inside: Buffer.of(1), isFound: false },
  { inside: null, isFound: false },
  { inside: '', isFound: false },
  { inside: Buffer.alloc(0), isFound: false },
])('a key column that must be false is $inside in the row: $isFound', async ({ inside, isFound }) => {
  const table = tableOf({ ...milk });
  const find = () => ({ ...table.rows[0], archived: inside });
  const key = (slug: string) => ({ slug, archived: false });
  const store = rowStore({ ...table.orm, find, ...declared, key });
  expect((await store.get('milk')) !== undefined).toBe(isFound);
});

test('a second creation of a key at once gets the state that it has', async () => {
  const table = tableOf();
  const store = rowStore({ ...table.orm, ...declared });
  const [first, second] = await Promise.all(
    [1, 2].map((n) => store.replace('milk', null, { title: `${n}`, body: null })),
  );
  expect(first).toMatchObject({ value: { title: '1' } });
  expect(second).toMatchObject({ current: { value: { title: '1', body: null } } });
});

test('without insert and delete the store has neither', async () => {
  const { find, lock, update, transaction } = tableOf({ ...milk }).orm;
  const store = rowStore({ find, lock, update, transaction, ...declared });
  expect(await store.replace('bread', null, { title: 'x', body: null })).toBeUndefined();
  expect(store).toMatchObject({ creates: false });
  expect(store).not.toHaveProperty('delete');
});

describe('in a transaction', () => {
  const told: unknown[] = [];
  const transacted =
    ({ orm }: MemoryTable): MemoryTable['orm']['transaction'] =>
    async (run) => {
      try {
        await orm.transaction((_rows, tx) => run(orm, tx));
      } catch (error) {
        told.push('undone');
        throw error;
      }
      told.push('committed');
    };
  beforeEach(() => {
    told.length = 0;
  });

  test('the app writes beside the store, and the answer comes after the commit', async () => {
    const table = tableOf({ ...milk });
    const onWrite = (tx: string, write: object) => void told.push(tx, write);
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    await change(store, 'milk', { title: 'x', body: null });
    await create(store, 'bread', { title: 'new', body: null });
    expect(told).toEqual([
      ...[
        'tx',
        { key: 'milk', before: { title: 'Buy milk', body: 'Two' }, after: { title: 'x', body: null } },
        'committed',
      ],
      ...['tx', { key: 'bread', before: undefined, after: { title: 'new', body: null } }, 'committed'],
    ]);
  });

  test('of a deletion the app is told, too, in its transaction', async () => {
    const table = tableOf({ ...milk });
    const onWrite = (tx: string, write: object) => void told.push(tx, write);
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    const before = await stateOf(store, 'milk');
    Object.assign(table.rows[0] ?? {}, { title: 'y' });
    const current = await stateOf(store, 'milk');
    expect(await store.delete('milk', '', { current: before })).toMatchObject({ current });
    expect(told).toEqual(['committed']);
    told.length = 0;
    expect(await store.delete('milk', '', { current })).toBe(true);
    expect(told).toEqual([
      'tx',
      { key: 'milk', before: { title: 'y', body: 'Two' }, after: undefined },
      'committed',
    ]);
  });

  test('the app learns which request writes: who, what and from where', async () => {
    const table = tableOf({ ...milk });
    const audits: unknown[] = [];
    const store = rowStore({
      ...{ ...table.orm, ...declared, transaction: transacted(table) },
      onWrite: (tx, { key, before, after, req }) => {
        const [user, from] = [req?.get('X-User'), req?.ip?.replace('::ffff:', '')];
        audits.push([tx, key, req?.method, user, from, before?.title, after?.title]);
      },
    });
    const app = express();
    const note = resource(store, [mergePatch()], { key: (req) => req.params.id, create: true });
    app.route('/notes/:id').patch(note.patch).put(note.put).delete(note.delete);
    const server = request(app);
    await server
      .patch('/notes/milk')
      .type('application/merge-patch+json')
      .set('X-User', 'ann')
      .send('{"title":"x"}')
      .expect(204);
    await server.put('/notes/bread').set('X-User', 'bob').send({ title: 'y', body: null }).expect(201);
    await server.delete('/notes/milk').set('X-User', 'eve').expect(204);
    await store.replace('eggs', null, { title: 'z', body: null });
    expect(audits).toEqual([
      ['tx', 'milk', 'PATCH', 'ann', '127.0.0.1', 'Buy milk', 'x'],
      ['tx', 'bread', 'PUT', 'bob', '127.0.0.1', undefined, 'y'],
      ['tx', 'milk', 'DELETE', 'eve', '127.0.0.1', 'x', undefined],
      ['tx', 'eggs', undefined, undefined, undefined, undefined, 'z'],
    ]);
  });

  test('what the app throws about a deletion undoes it', async () => {
    const table = tableOf({ ...milk });
    const fault = new Error('no audit');
    const onWrite = () => Promise.reject(fault);
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    await expect(store.delete('milk')).rejects.toBe(fault);
    expect(table.rows).toEqual([milk]);
  });

  test('what the app throws undoes both', async () => {
    const table = tableOf({ ...milk });
    const fault = new Error('no audit');
    const store = rowStore({
      ...{ ...table.orm, ...declared, transaction: transacted(table) },
      onWrite: () => Promise.reject(fault),
    });
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toBe(fault);
    expect(table.rows).toEqual([milk]);
    expect(told).toEqual(['undone']);
  });

  test('what the database has undone because of another is run again', async () => {
    const table = tableOf({ ...milk });
    let times = 0;
    const onWrite = () => {
      if (++times < 3) throw Object.assign(new Error('undone'), { cause: { code: '40001' } });
    };
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    expect((await change(store, 'milk', { title: 'x', body: null })).value.title).toBe('x');
    expect(told).toEqual(['undone', 'undone', 'committed']);
  });

  test('an error of the COMMIT is converted for the last run alone, which may have written nothing', async () => {
    const table = tableOf({ ...milk });
    let runs = 0;
    const failure = Object.assign(new Error('a trigger of the app'), { code: '23505' });
    const store = rowStore({
      ...table.orm,
      ...declared,
      transaction: async (run) => {
        await run(table.orm, undefined);
        table.rows.splice(0, 1, { ...milk, title: 'of another' }); // as the transaction would undo it
        throw ++runs === 1 ? Object.assign(new Error('undone'), { code: '40001' }) : failure;
      },
    });
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toBe(failure);
    expect(runs).toBe(2);
  });

  test('a lost race writes nothing, and onWrite is not called', async () => {
    const table = tableOf({ ...milk });
    const onWrite = () => void told.push('onWrite');
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    const current = await stateOf(store, 'milk');
    Object.assign(table.rows[0] ?? {}, { title: 'of another' });
    const found = await replaceAt(store, 'milk', current, { title: 'x', body: null });
    expect(found).toMatchObject({ current: { value: { title: 'of another' } } });
    expect(told).toEqual(['committed']);
    expect(table.rows).toEqual([{ ...milk, title: 'of another' }]);
  });

  test.each([
    { what: 'never runs', transaction: () => Promise.resolve() },
    {
      what: 'does not wait',
      transaction: (run: () => Promise<void>) => {
        void run();
        return Promise.resolve();
      },
    },
  ])('one that $what is an error', async ({ transaction }) => {
    const table = tableOf({ ...milk });
    const store = rowStore({
      ...table.orm,
      ...declared,
      transaction: (run) => transaction(() => run(table.orm, undefined)),
    });
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow(
      'The option transaction resolved before',
    );
  });
});

describe('over a connection that all requests share (Prisma over SQLite), a write is one statement', () => {
  const dear = { ...milk, price: '1.00' };
  const value = { ...shown, price: '1.00' };

  /**
   * A store over an ORM whose UPDATE and DELETE have the whole row as their condition.
   *
   * @param busyAfter - the call after which the next read fails, once
   */
  function sharedStore(table: MemoryTable, busyAfter = 'nothing') {
    const rows: Rows & Required<Pick<Rows, 'delete'>> = libraryRows(
      { handle: undefined, sharesConnection: true, fixMissing: '' },
      {
        ...table.orm,
        find: (where: Row, names: readonly string[]) => {
          if (table.calls.at(-1)?.call !== busyAfter) return table.orm.find(where, names);
          table.calls.push({ call: 'busy' });
          throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
        },
        save: async (where: Row, set: Row, row: Row) =>
          (await table.orm.update({ ...row, ...where }, set)) === 1 ? {} : undefined,
        delete: (where: Row, row: Row) => table.orm.delete({ ...row, ...where }, row),
        transaction: (run: (inside: Rows, tx: unknown) => Promise<void>) => {
          table.calls.push({ call: 'transaction' });
          return table.orm.transaction((_, tx) => run(rows, tx));
        },
      },
    );
    return rowStore({ ...rows, columns: { ...columns, price: 'decimal?' }, key: 'slug' });
  }

  test.each<{
    write: string;
    act: (store: ReturnType<typeof sharedStore>) => Promise<unknown>;
    calls: string;
  }>([
    {
      write: 'a change',
      act: (store) => change(store, 'milk', { ...value, title: 'x' }),
      calls: 'find update find',
    },
    {
      write: 'a creation',
      act: (store) => create(store, 'bread', { title: 'Bread', body: null, price: null }),
      calls: 'insert find',
    },
    {
      write: 'a deletion of the state that was read',
      act: async (store) => store.delete('milk', '', { current: await stateOf(store, 'milk') }),
      calls: 'find delete',
    },
    { write: 'a deletion of any state', act: (store) => store.delete('milk'), calls: 'find delete' },
    // Not if there is nothing to write, or if the database may store another form of it, which must be rolled back.
    {
      write: 'a change of nothing',
      act: (store) => change(store, 'milk', value),
      calls: 'find transaction lock find',
    },
    {
      write: 'a change of a decimal',
      act: (store) => change(store, 'milk', { ...value, price: '2.50' }),
      calls: 'find transaction lock find update find',
    },
    {
      write: 'a creation with a decimal',
      act: (store) => create(store, 'bread', { ...value, title: 'Bread' }),
      calls: 'transaction insert find',
    },
  ])('$write: $calls', async ({ act, calls }) => {
    const table = tableOf({ ...dear });
    expect(await act(sharedStore(table))).not.toBe(false);
    expect(table.calls.map(({ call }) => call).join(' ')).toBe(calls);
  });

  test('a row that has changed since it was read is neither changed nor deleted, and its state is returned', async () => {
    const table = tableOf({ ...dear });
    const store = sharedStore(table);
    const current = await stateOf(store, 'milk');
    Object.assign(table.rows[0] ?? {}, { body: 'of another' });
    const found = { current: { value: { ...value, body: 'of another' } } };
    expect(await replaceAt(store, 'milk', current, { ...value, title: 'x' })).toMatchObject(found);
    expect(await store.delete('milk', '', { current })).toMatchObject(found);
    expect(table.rows).toEqual([{ ...dear, body: 'of another' }]);
  });

  test('a row that is not there is not deleted', async () => {
    expect(await sharedStore(tableOf()).delete('milk')).toBe(false);
  });

  test.each([
    { write: 'a change', act: 'update', key: 'milk', calls: 'find update busy find' },
    { write: 'a creation', act: 'insert', key: 'bread', calls: 'insert busy find' },
  ])('$write is not made again if only the read after it must be repeated', async ({ act, key, calls }) => {
    const table = tableOf({ ...dear, price: null });
    const store = sharedStore(table, act);
    const next = { ...value, title: 'x', price: null };
    const after = await (act === 'insert' ? create(store, key, next) : change(store, key, next));
    expect(after.value).toEqual(next);
    expect(table.calls.map(({ call }) => call).join(' ')).toBe(calls);
  });
});

test('what runs on when a synchronous transaction has thrown writes nothing', async () => {
  const table = tableOf({ ...milk });
  const store = rowStore({
    ...table.orm,
    ...declared,
    transaction: (run) => {
      void run(table.orm, undefined);
      throw new Error('Transaction function cannot return a promise');
    },
  });
  await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow('cannot return');
  await setImmediate();
  expect(table.rows).toEqual([milk]);
});

test('a transaction that the app runs again succeeds when the second run does', async () => {
  const table = tableOf({ ...milk });
  let runs = 0;
  const store = rowStore({
    ...table.orm,
    ...declared,
    transaction: async (run) => {
      await run(table.orm, undefined).catch(() => run(table.orm, undefined));
    },
    onWrite: () => {
      runs += 1;
      if (runs > 1) return;
      table.rows.splice(0, 1, { ...milk }); // as the transaction would undo it
      throw new Error('undone');
    },
  });
  expect((await change(store, 'milk', { title: 'x', body: null })).value.title).toBe('x');
  expect(runs).toBe(2);
});

describe('what the database drops without an error is an error that names row-level security and triggers', () => {
  const dropping = (dropped: Partial<MemoryTable['orm']>): MemoryTable => {
    const table = tableOf({ ...milk });
    const orm: MemoryTable['orm'] = {
      ...{ ...table.orm, ...dropped },
      transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
    };
    return { ...table, orm };
  };
  const who = 'Check whether row-level security or a trigger prevents the write.';

  test('a lock of a row that is found', async () => {
    const table = dropping({ lock: () => [] });
    const store = rowStore({ ...table.orm, ...declared });
    const says = `The row is found, but cannot be locked. ${who}`;
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow(says);
    await expect(store.delete('milk')).rejects.toThrow(says);
    expect(table.rows).toEqual([milk]);
  });

  test('an UPDATE, which leaves the row as it was', async () => {
    const table = dropping({ update: () => 0 });
    const store = rowStore({ ...table.orm, ...declared });
    const says = `The UPDATE changed no row, although the row is locked. ${who}`;
    await expect(change(store, 'milk', { title: 'x', body: null })).rejects.toThrow(says);
    expect(table.rows).toEqual([milk]);
  });

  test('a DELETE', async () => {
    const table = dropping({ delete: () => 0 });
    const store = rowStore({ ...table.orm, ...declared });
    const says = `The DELETE deleted no row, although the row is locked. ${who}`;
    await expect(store.delete('milk')).rejects.toThrow(says);
    const current = await stateOf(store, 'milk');
    await expect(store.delete('milk', '', { current })).rejects.toThrow(says);
    expect(table.rows).toEqual([milk]);
  });
});

test('a row that is created between the lock and the read is locked then', async () => {
  const table = tableOf({ ...milk });
  let locks = 0;
  const orm: MemoryTable['orm'] = {
    ...table.orm,
    lock: (where) => (++locks === 1 ? 0 : table.orm.lock(where)),
    transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
  };
  const store = rowStore({ ...orm, ...declared });
  expect((await change(store, 'milk', { title: 'x', body: null })).value.title).toBe('x');
  expect(locks).toBe(2);
});

describe('a key that the database stores in another spelling is refused, and the row is rolled back', () => {
  test.each<{ what: string; stored: (slug: string) => unknown }>([
    { what: 'a CHAR column, which cuts off spaces', stored: (slug) => slug.trimEnd() },
    { what: 'a column of numbers', stored: () => 8 },
  ])('$what', async ({ stored }) => {
    const table = tableOf();
    const orm: MemoryTable['orm'] = {
      ...table.orm,
      insert: (row) => table.orm.insert({ ...row, slug: stored(String(row['slug'])) }),
      find: (where, columns) => table.orm.find({ ...where, slug: stored(String(where['slug'])) }, columns),
      transaction: (run) => table.orm.transaction((_, tx) => run(orm, tx)),
    };
    const store = rowStore({ ...orm, ...declared });
    await expect(store.replace('a ', null, { title: 'x', body: null })).rejects.toMatchObject({
      ...{ status: 422, code: 'invalid-key', message: expect.stringContaining('"a "') as string },
    });
    expect(await store.get('a ')).toBeUndefined();
    expect(table.rows).toEqual([]);
  });
});

describe('what the database refuses is told to the client, if the client can avoid it', () => {
  const coded = (code: string | number, more: object = {}) =>
    Object.assign(new Error('refused'), { [typeof code === 'number' ? 'errno' : 'code']: code, ...more });
  const unlisted: Record<string, Error> = {
    PostgreSQL: coded('23502', { column: 'author_id' }),
    'node:sqlite': coded('ERR_SQLITE_ERROR', { errcode: 1299 }),
    'better-sqlite3': coded('SQLITE_CONSTRAINT_NOTNULL'),
    'MySQL, no default': coded(1364),
    'MySQL, NULL': coded(1048),
    Prisma: coded('P2011', { meta: { target: ['author_id'] } }),
  };
  const one = { title: 'x', body: 'Two' };
  const both = { title: 'x', body: 'y' };
  interface Refused {
    readonly what: string;
    readonly error: Error;
    readonly next?: typeof one;
    readonly isNew?: true;
    /** Undefined if the error of the engine is thrown. */
    readonly errors?: readonly object[];
  }
  const none = [{ detail: expect.any(String) as string }];
  const at = (pointer: string) => [{ detail: expect.any(String) as string, pointer }];

  test.each<Refused>([
    ...Object.entries(unlisted).flatMap(([engine, error]) => [
      { what: `an unlisted column without a value (${engine})`, error, isNew: true as const },
      { what: `the same, in a wrapper (${engine})`, error: new Error('failed', { cause: error }) },
    ]),
    { what: 'a named column of the store', error: coded('23514', { column: 'outcomes' }) },
    {
      what: 'a named member of two',
      error: coded('P2000', { meta: { target: ['title'] } }),
      next: both,
      errors: at('/title'),
    },
    {
      what: 'a named member of a new row',
      error: coded('23514', { constraint: 'notes_title_check', table: 'notes' }),
      isNew: true,
      errors: at('/title'),
    },
    {
      what: 'a listed column without a value',
      error: coded('23502', { column: 'bo_dy' }),
      isNew: true,
      errors: at('/body'),
    },
    { what: 'a constraint without a name, of one change', error: coded('23514'), errors: at('/title') },
    { what: 'the same of two changes', error: coded('23514'), next: both, errors: none },
    { what: 'the same of a new row', error: coded('22001'), isNew: true, errors: none },
    {
      what: 'NULL that is not named, of one change',
      error: coded(1048),
      next: { title: 'Buy milk', body: null as never },
      errors: at('/body'),
    },
  ])('$what', async ({ error, next = one, isNew = false, errors }) => {
    const { orm } = refusing(error, { ...milk, outcomes: null });
    const store = rowStore({ ...orm, ...declared, outcomes: 'outcomes' });
    const kept = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
    const writing = isNew
      ? create(store, 'new', { title: 'x' } as never, { outcome: kept })
      : change(store, 'milk', next, { outcome: kept });
    if (errors === undefined) await expect(writing).rejects.toBe(error);
    else await expect(writing).rejects.toMatchObject({ status: 422, cause: error, problem: { errors } });
  });
});

describe('the member is named whose column the database names, and no other', () => {
  const coded = (code: string | number, more: object = {}) =>
    Object.assign(new Error('email_address, title'), { code, ...more });
  const ofPrisma = (meta: object) => coded('P2002', { meta });
  const ofAdapter = (cause: object) =>
    ofPrisma({ driverAdapterError: { cause: { kind: 'UniqueConstraintViolation', ...cause } } });
  interface Naming {
    readonly what: string;
    readonly error: Error;
    readonly changes?: object;
    readonly isNew?: true;
    /** Undefined if no member is named. */
    readonly pointer?: string;
  }
  const two = { title: 'x', mail: 'a@b.example' };

  const rows: readonly Naming[] = [
    {
      what: 'a constraint of PostgreSQL over one column',
      error: coded('23505', { constraint: 'notes_email_address_key', table: 'notes' }),
      pointer: '/mail',
    },
    {
      what: 'one over several',
      error: coded('23505', { constraint: 'notes_tenant_email_address_key', table: 'notes' }),
    },
    {
      what: 'one over several, of one change',
      error: coded('23505', { constraint: 'notes_tenant_email_address_key', table: 'notes' }),
      changes: { title: 'x' },
      pointer: '/title',
    },
    { what: 'a name of the app', error: coded('23505', { constraint: 'one_title', table: 'notes' }) },
    { what: 'a message alone', error: coded('SQLITE_CONSTRAINT_UNIQUE') },
    { what: 'Prisma', error: ofPrisma({ modelName: 'Note', target: ['emailAddress'] }), pointer: '/mail' },
    { what: 'Prisma, several', error: ofPrisma({ target: ['tenantId', 'emailAddress'] }), pointer: '/mail' },
    { what: 'Prisma, both that were written', error: ofPrisma({ target: ['title', 'emailAddress'] }) },
    { what: 'Prisma, the name of an index', error: ofPrisma({ target: 'title' }) },
    { what: 'an adapter', error: ofAdapter({ constraint: { fields: ['email_address'] } }), pointer: '/mail' },
    {
      what: 'an adapter, the name of the constraint',
      error: ofAdapter({ constraint: { index: 'Note_emailAddress_key' }, table: 'Note' }),
      pointer: '/mail',
    },
    ...['cause', 'driverError', 'original', 'parent'].map((wrapper) => ({
      what: `in ${wrapper}`,
      error: Object.assign(new Error('Failed query'), {
        [wrapper]: coded('23505', { constraint: 'notes_email_address_key', table: 'notes' }),
      }),
      pointer: '/mail',
    })),
    {
      what: 'the key of a new row, in another spelling',
      error: coded('23505', { constraint: 'notes_slug_key', table: 'notes' }),
      isNew: true,
      pointer: '/slug',
    },
    {
      what: 'a member of a new row, beside its key',
      error: ofPrisma({ target: ['slug', 'title'] }),
      isNew: true,
      pointer: '/title',
    },
  ];

  const refused = async ({ error, changes = two, isNew }: Omit<Naming, 'what'>) => {
    const { orm } = refusing(error, { ...milk, email_address: null });
    const store = rowStore({
      ...{ ...orm, key: 'slug' },
      columns: {
        ...columns,
        mail: { kind: 'string?', column: 'email_address' },
        slug: { kind: 'string', readOnly: true },
      },
    } as const);
    const value = { title: 'Buy milk', body: 'Two', mail: null, slug: 'milk', ...changes };
    const writing: Promise<unknown> = isNew
      ? create(store, 'new', { title: 'x', mail: null } as never)
      : change(store, 'milk', value);
    return writing.then(
      () => Promise.reject(new Error('It was written.')),
      (refusal: unknown) => refusal,
    );
  };

  test.each(rows)('$what', async (row) => {
    const refusal = await refused(row);
    expect(refusal).toMatchObject({ status: 409, code: 'unique-violation', cause: row.error });
    const { problem } = refusal as ProblemError;
    expect(problem['pointer']).toBe(row.pointer);
    const told = [...Object.keys(problem)].filter((name) => name !== 'pointer');
    expect(told).toEqual(['status', 'title', 'detail', 'code']);
  });

  test('a column by its name in the database, where the ORM has another', async () => {
    const error = coded('23505', { constraint: 'notes_title_key', table: 'notes' });
    const store = rowStore({
      ...refusing(error, { ...milk, name: '' }).orm,
      ...{ ...declared, columns: { title: 'string', name: 'string' } },
      columnNames: { slug: 'slug', title: 'heading', name: 'title' },
    } as const);
    const writing = change(store, 'milk', { title: 'x', name: 'x' });
    await expect(writing).rejects.toMatchObject({ status: 409, problem: { pointer: '/name' } });
  });

  const checks: readonly Naming[] = [
    {
      what: 'a reference of PostgreSQL',
      error: coded('23503', { constraint: 'notes_email_address_fkey', table: 'notes' }),
      pointer: '/mail',
    },
    {
      what: 'a CHECK of PostgreSQL',
      error: coded('23514', { constraint: 'notes_email_address_check1', table: 'notes' }),
      pointer: '/mail',
    },
    { what: 'a CHECK of SQLite', error: coded('SQLITE_CONSTRAINT_CHECK') },
  ];

  test.each(checks)('$what: 422', async (row) => {
    const detail: unknown = expect.any(String);
    const errors = [row.pointer === undefined ? { detail } : { detail, pointer: row.pointer }];
    const refusal = await refused(row);
    expect(refusal).toMatchObject({ status: 422, code: 'invalid-result' });
    expect((refusal as ProblemError).problem['errors']).toEqual(errors);
  });
});

test('no lock over SQLite, whose transaction keeps other writers out, is no mistake', () => {
  const { lock, ...orm } = tableOf({ ...milk }).orm;
  expect(lock).toBeDefined();
  expect(() => rowStore({ ...orm, ...declared, dialect: 'sqlite' })).not.toThrow();
});

test.each<{ what: string; options: object; mistakes: readonly string[] }>([
  { what: 'nothing', options: {}, mistakes: ['find', 'key', 'columns', 'update'] },
  { what: 'a kind that is none', options: { columns: { title: 'text' } }, mistakes: ['columns.title'] },
  { what: 'a column that is none', options: { columns: { title: 7 } }, mistakes: ['columns.title'] },
  {
    what: 'a wrong flag',
    options: { columns: { title: { kind: 'string', readOnly: 'no' } } },
    mistakes: ['columns.title.readOnly'],
  },
  { what: 'no columns', options: { columns: {} }, mistakes: ['columns'] },
  { what: 'the key, to be written', options: { columns: { slug: 'string' } }, mistakes: ['columns.slug'] },
  {
    what: 'the counter, to be written',
    options: { columns: { count: 'integer' }, counter: 'count' },
    mistakes: ['columns.count'],
  },
  {
    what: 'the outcomes, to be written',
    options: { columns: { kept: 'string' }, outcomes: 'kept' },
    mistakes: ['columns.kept'],
  },
  {
    what: 'the time of the last write, to be written',
    options: { columns: { at: 'date' }, modified: 'at' },
    mistakes: ['columns.at'],
  },
  { what: 'a version of the app', options: { version: 'row_version' }, mistakes: ['version', 'version'] },
  { what: 'an empty counter', options: { counter: '' }, mistakes: ['counter'] },
  { what: 'no time limit', options: { timeout: 0 }, mistakes: ['timeout'] },
  { what: 'a time limit that no timer has', options: { timeout: 2 ** 31 }, mistakes: ['timeout'] },
  { what: 'no transaction', options: { transaction: undefined }, mistakes: ['transaction'] },
  { what: 'no lock', options: { lock: undefined }, mistakes: ['lock'] },
  { what: 'no lock over MySQL', options: { lock: undefined, dialect: 'mysql' }, mistakes: ['lock'] },
  {
    what: 'two transactions',
    options: { transactionSync: () => undefined },
    mistakes: ['transaction'],
  },
  {
    what: 'outcomes beside xmin',
    options: { version: 'xmin', outcomes: 'o', updateReturning: () => [] },
    mistakes: ['outcomes'],
  },
  { what: 'xmin without updateReturning', options: { version: 'xmin' }, mistakes: ['version'] },
  { what: 'a dialect that is none', options: { dialect: 'oracle' }, mistakes: ['dialect'] },
  {
    what: 'columns that the ORM does not know',
    options: {
      columns: { titel: 'string', made: { kind: 'date', column: 'created_at' }, title: 'string' },
      ...{ key: 'slog', counter: 'revision', modified: 'toString', outcomes: 'id' },
      ...{ insert: undefined, columnNames: { title: 'title', createdAt: 'created_at', id: 'id' } },
    },
    mistakes: ['columns.titel', 'columns.made.column', 'key', 'counter', 'modified'],
  },
  { what: 'names that are none', options: { columnNames: 7 }, mistakes: ['columnNames'] },
  { what: 'names that are no text', options: { columnNames: { title: 7 } }, mistakes: ['columnNames'] },
  { what: 'a wrong name', options: { colums: {} }, mistakes: ['colums'] },
  { what: 'an option that is gone', options: { returning: false }, mistakes: ['returning'] },
])('$what is a mistake', ({ what, options, mistakes }) => {
  const given = what === 'nothing' ? {} : { ...tableOf().orm, ...declared, ...options };
  let thrown: unknown;
  try {
    rowStore(given as never);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigurationError);
  expect((thrown as ConfigurationError).mistakes.map(({ option }) => option)).toEqual(mistakes);
});

/** What rowStore asks of an ORM, and what it makes of the answers, over a table in memory. */
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import request from 'supertest';
import { mergePatch, type ProblemError, resource } from '../../lib';
import { ConfigurationError } from '../../lib/config/options-check';
import type { ResourceStore, Stored } from '../../lib';
import { rowStore, type Row, type RowStoreOptions } from '../../lib/rows';
import { memoryTable, type MemoryTable } from '../support/memory-table';

/** An ORM that returns the row. */
const tableOf = (...rows: Record<string, unknown>[]): MemoryTable =>
  memoryTable(rows, { defaults: () => ({ id: rows.length + 1, body: null }) });

const milk = { id: 1, slug: 'milk', title: 'Buy milk', body: 'Two', version: 'v1' };
const columns = { title: 'string', body: 'string?' } as const;
const declared = { columns, key: 'slug' } as const;

async function seen<T>(store: ResourceStore<T>): Promise<Stored<T>> {
  const stored = await store.get('milk');
  if (stored === undefined) throw new Error('There is no milk');
  return stored;
}

test('a PATCH is one read, and one conditional write of what has changed, which returns the row', async () => {
  const table = tableOf({ ...milk });
  const store = rowStore({ ...table.orm, ...declared });
  const current = await seen(store);
  expect(current).toEqual({ value: { title: 'Buy milk', body: 'Two' }, version: 'v1' });
  const written = await store.replace('milk', 'v1', { title: 'Buy milk', body: null }, { current });
  expect(written?.value).toEqual({ title: 'Buy milk', body: null });
  expect(table.calls).toEqual([
    { call: 'find', where: { slug: 'milk' } },
    {
      call: 'update',
      where: { slug: 'milk', version: 'v1' },
      set: { body: null, version: written?.version },
    },
  ]);
});

test('where the write returns a count, the row is read again in its transaction', async () => {
  const table = tableOf({ ...milk });
  const counting = {
    ...table.orm,
    update: (where: Row, set: Row) => (table.orm.update(where, set, []) === 0 ? 0 : 1),
    insert: (row: Row) => void table.orm.insert(row, []),
    returning: false,
  };
  const store = rowStore({ ...counting, ...declared, transaction: (run) => run(counting, undefined) });
  const written = await store.replace('milk', 'v1', { title: 'x', body: null });
  expect(written?.value).toEqual({ title: 'x', body: null });
  expect((await store.replace('bread', null, { title: 'y', body: null }))?.value.title).toBe('y');
  expect(table.calls.map(({ call }) => call)).toEqual(['find', 'update', 'find', 'insert', 'find']);
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
    () => store.replace('bread', 'v1', { title: 'x', body: null }),
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

test('a row that the update gives back is not read again', async () => {
  const table = tableOf({ ...milk });
  const update = (where: Row, set: Row) => {
    void table.orm.update(where, set, []);
    return { ...table.rows[0], title: 'as it now reads' };
  };
  const store = rowStore({ ...table.orm, update, ...declared });
  const written = await store.replace(
    'milk',
    'v1',
    { title: 'x', body: null },
    { current: await seen(store) },
  );
  expect(written?.value.title).toBe('as it now reads');
  expect(table.calls.map(({ call }) => call)).toEqual(['find', 'update']);
});

test('a state that was read elsewhere is read again', async () => {
  const table = tableOf({ ...milk });
  const store = rowStore({ ...table.orm, ...declared });
  const current = { value: { title: 'forged', body: null }, version: 'v1' };
  await store.replace('milk', 'v1', { title: 'forged', body: null }, { current });
  expect(table.rows[0]).toMatchObject({ title: 'forged', body: null });
});

test('the version of the row that was returned counts: a trigger has changed it', async () => {
  const table = tableOf({ ...milk });
  const update = (where: Row, set: Row) => table.orm.update(where, { ...set, version: 'of a trigger' }, []);
  const store = rowStore({ ...table.orm, update, ...declared });
  const written = await store.replace('milk', 'v1', { title: 'x', body: null });
  expect(written?.version).toBe('of a trigger');
  expect(await store.get('milk')).toEqual(written);
  expect(await store.replace('milk', 'of a trigger', { title: 'y', body: null })).toBeDefined();
});

test('where an outcome is stored with the version that was written, such a trigger is an error, and undone', async () => {
  const table = tableOf({ ...milk, outcomes: null });
  const update = (where: Row, set: Row) =>
    table.orm.update(where, { ...set, version: `t${table.calls.length}` }, []);
  const store = rowStore({ ...table.orm, update, ...declared, outcomes: 'outcomes' });
  const outcome = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
  await expect(store.replace('milk', 'v1', { title: 'x', body: null }, { outcome })).rejects.toThrow(
    'The column version does not keep the version that was written',
  );
  expect(table.rows[0]).toMatchObject({ title: 'Buy milk', body: 'Two', outcomes: null });
});

test.each([
  { what: 'nothing', result: undefined },
  { what: 'true', result: true },
  { what: 'a list of rows', result: [{ ...milk }] },
  { what: 'a row without the version', result: { id: 1 } },
  { what: 'the result of a driver', result: { rowCount: 1 } },
])('an update that gives $what is an error, and no guess', async ({ result }) => {
  const store = rowStore({ ...tableOf({ ...milk }).orm, update: () => result, ...declared });
  await expect(store.replace('milk', 'v1', { title: 'x', body: null })).rejects.toThrow(
    'Return the number of rows that matched, or the row with its column version.',
  );
});

test('a row without a version is an error that says what to do', async () => {
  const store = rowStore({ ...tableOf({ ...milk, version: null }).orm, ...declared });
  await expect(store.get('milk')).rejects.toThrow('A row has no version in the column version');
});

test.each([
  { version: new Date(), says: 'contains a Date, but the version must be a text column. Add one' },
  { version: Buffer.of(1), says: 'contains a Buffer, but the version must be a text column. Add one' },
  { version: 7, says: "or { counter: 'version', id: 'id' } for a number" },
])('a version that is no text is an error that says so: $says', async ({ version, says }) => {
  const store = rowStore({ ...tableOf({ ...milk, version }).orm, ...declared });
  await expect(store.get('milk')).rejects.toThrow(says);
});

test('of a Date in a column for numbers, the error names the kinds for dates', async () => {
  const table = tableOf({ ...milk, made: new Date() });
  for (const kind of ['integer', 'number', 'bigint'] as const) {
    const store = rowStore({ ...table.orm, ...declared, columns: { made: kind } });
    const [{ reason } = {}] = (await store.get('milk'))?.unreadable ?? [];
    expect(String(reason)).toContain(
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

/** An update that refuses what clients write, and not the columns of the store alone. */
const refusing = (error: Error) => (_where: Row, set: Row) =>
  Object.keys(set).some((name) => !['version', 'outcomes'].includes(name)) ? Promise.reject(error) : 0;

test.each([
  { of: 'PostgreSQL', code: '23503', says: 'refers to something that does not exist, or others refer to it' },
  { of: 'MariaDB', code: 1452, says: 'refers to something that does not exist, or others refer to it' },
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
  const update = refusing(new Error('wrapped', { cause }));
  const store = rowStore({ ...tableOf({ ...milk }).orm, ...declared, update });
  await expect(store.replace('milk', 'v1', { title: 'x', body: 'Two' })).rejects.toMatchObject({
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
  const store = rowStore({ ...table.orm, find, ...declared });
  expect(await store.get('MILK')).toBeUndefined();
  expect(await store.replace('MILK', 'v1', { title: 'x', body: null })).toBeUndefined();
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

test('who comes second to a key that is to be made is told that it is there', async () => {
  const table = tableOf();
  const store = rowStore({ ...table.orm, ...declared });
  const made = await Promise.all(
    [1, 2].map((n) => store.replace('milk', null, { title: `${n}`, body: null })),
  );
  expect(made.map((stored) => stored?.value.title)).toEqual(['1', undefined]);
});

test('without insert and delete the store has neither', async () => {
  const { find, update } = tableOf({ ...milk }).orm;
  const store = rowStore({ find, update, ...declared, returning: true });
  expect(await store.replace('bread', null, { title: 'x', body: null })).toBeUndefined();
  expect(store).toMatchObject({ creates: false });
  expect(store).not.toHaveProperty('delete');
});

describe('a version that the database makes', () => {
  const generated = { columns, key: 'slug', version: { generated: 'xmin' } } as const;

  test('is read of the row that the update gives back', async () => {
    const table = tableOf({ ...milk, xmin: 7 });
    const update = (where: Row, set: Row) => table.orm.update(where, { ...set, xmin: 8 }, []);
    const store = rowStore({ ...table.orm, update, ...generated });
    const written = await store.replace('milk', '7', { title: 'x', body: null });
    expect(written).toEqual({ value: { title: 'x', body: null }, version: '8' });
    expect(await store.replace('milk', '7', { title: 'y', body: null })).toBeUndefined();
  });

  test.each<{ what: string; columns: RowStoreOptions['columns']; set: Row }>([
    {
      what: 'a writable column',
      columns: { slug: { kind: 'string', readOnly: true }, title: 'string' },
      set: { title: 'Buy milk' },
    },
    {
      what: 'the key where all are read-only',
      columns: { title: { kind: 'string', readOnly: true } },
      set: { slug: 'milk' },
    },
  ])('where nothing changes, $what is set to its present value', async ({ columns: some, set }) => {
    const table = tableOf({ ...milk, xmin: 7 });
    const update = (where: Row, changes: Row) => {
      table.orm.update(where, changes, []);
      return { ...table.rows[0], xmin: 8 };
    };
    const store = rowStore({ ...table.orm, update, ...generated, columns: some });
    const { value } = await seen(store);
    expect((await store.replace('milk', '7', value))?.version).toBe('8');
    expect(table.calls.filter(({ call }) => call === 'update').map((made) => made.set)).toEqual([set]);
  });

  test('can be one of MySQL, if an update of the app returns the row', () => {
    const { orm } = tableOf({ ...milk, xmin: 7 });
    expect(() => rowStore({ ...orm, ...generated, dialect: 'mysql', returning: true })).not.toThrow();
  });

  test('is an error where the update gives a count alone', async () => {
    const { orm } = tableOf({ ...milk, xmin: 7 });
    const store = rowStore({ ...orm, update: () => 1, ...generated });
    await expect(store.replace('milk', '7', { title: 'x', body: null })).rejects.toThrow(
      'update() did not return the row',
    );
  });

  test('is no date, which has lost what told two writes apart', async () => {
    const store = rowStore({ ...tableOf({ ...milk, xmin: new Date() }).orm, ...generated });
    await expect(store.get('milk')).rejects.toThrow('must be text or a whole number');
  });
});

describe('in a transaction', () => {
  const told: unknown[] = [];
  const transacted =
    ({ orm, transaction }: MemoryTable): MemoryTable['transaction'] =>
    async (run) => {
      await transaction((_rows, tx) => run(orm, tx)).catch((error: unknown) => {
        told.push('undone');
        throw error;
      });
      told.push('committed');
    };
  beforeEach(() => {
    told.length = 0;
  });

  test('the app writes beside the store, and the answer comes after the commit', async () => {
    const table = tableOf({ ...milk });
    const onWrite = (tx: string, write: object) => void told.push(tx, write);
    const store = rowStore({ ...table.orm, ...declared, transaction: transacted(table), onWrite });
    await store.replace('milk', 'v1', { title: 'x', body: null });
    await store.replace('bread', null, { title: 'new', body: null });
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
    expect(await store.delete('milk', 'v0')).toBe(false);
    expect(told).toEqual([]);
    expect(await store.delete('milk', 'v1')).toBe(true);
    expect(told).toEqual([
      'tx',
      { key: 'milk', before: { title: 'Buy milk', body: 'Two' }, after: undefined },
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
    await expect(store.replace('milk', 'v1', { title: 'x', body: null })).rejects.toBe(fault);
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
    expect((await store.replace('milk', 'v1', { title: 'x', body: null }))?.value.title).toBe('x');
    expect(told).toEqual(['undone', 'undone', 'committed']);
  });

  test('a lost race writes nothing, and onWrite is not called', async () => {
    const table = tableOf({ ...milk });
    const update = () => {
      Object.assign(table.rows[0] ?? {}, { version: 'v2' });
      return 0;
    };
    const orm = { ...table.orm, update };
    const onWrite = () => void told.push('onWrite');
    const store = rowStore({ ...orm, ...declared, transaction: transacted({ ...table, orm }), onWrite });
    expect(await store.replace('milk', 'v1', { title: 'x', body: null })).toBeUndefined();
    expect(told).toEqual(['committed']);
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
    await expect(store.replace('milk', 'v1', { title: 'x', body: null })).rejects.toThrow(
      'The option transaction resolved before',
    );
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
  await expect(store.replace('milk', 'v1', { title: 'x', body: null })).rejects.toThrow('cannot return');
  await setImmediate();
  expect((await store.get('milk'))?.version).toBe('v1');
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
  expect((await store.replace('milk', 'v1', { title: 'x', body: null }))?.value.title).toBe('x');
  expect(runs).toBe(2);
});

describe('a row that can be read but not deleted', () => {
  test('is an error that says so, and the loop ends', async () => {
    const table = tableOf({ ...milk });
    let deletes = 0;
    const store = rowStore({ ...table.orm, delete: () => (deletes++, 0), ...declared });
    await expect(store.delete('milk')).rejects.toThrow('DELETE matched no row');
    expect(deletes).toBe(20);
    expect(await store.delete('milk', 'v1')).toBe(false);
  });

  test('is one, too, if its version never stays the same', async () => {
    const table = tableOf({ ...milk });
    let reads = 0;
    const find = () => ({ ...milk, version: `v${reads++}` });
    const store = rowStore({ ...table.orm, find, delete: () => 0, ...declared });
    await expect(store.delete('milk')).rejects.toThrow('DELETE matched no row');
    expect(reads).toBe(20);
  });

  test('one that is overtaken once is deleted', async () => {
    const table = tableOf({ ...milk });
    let reads = 0;
    const find = (where: Row) => {
      const found = table.orm.find(where, []);
      if (reads++ === 0) Object.assign(table.rows[0] ?? {}, { version: 'v2' });
      return found;
    };
    const store = rowStore({ ...table.orm, find, ...declared });
    expect(await store.delete('milk')).toBe(true);
    expect(table.rows).toEqual([]);
  });
});

describe('a key that the database stores in another spelling is refused', () => {
  const cut = (table: MemoryTable): MemoryTable['orm'] => ({
    ...table.orm,
    insert: (row) => table.orm.insert({ ...row, slug: String(row['slug']).trimEnd() }, []),
    find: (where) => table.orm.find({ ...where, slug: String(where['slug']).trimEnd() }, []),
  });
  const refusal = { status: 422, code: 'invalid-key', message: expect.stringContaining('"a "') as string };

  test.each<{ what: string; rows: (table: MemoryTable) => MemoryTable['orm'] }>([
    { what: 'read back', rows: cut },
    {
      what: 'returned by insert',
      rows: (table) => ({
        ...cut(table),
        insert: (row) => {
          const stored = { body: null, ...row, slug: 'a' };
          table.rows.push(stored);
          return stored;
        },
      }),
    },
  ])('as it is $what', async ({ rows }) => {
    const table = tableOf();
    const store = rowStore({ ...rows(table), ...declared });
    await expect(store.replace('a ', null, { title: 'x', body: null })).rejects.toMatchObject(refusal);
    expect(await store.get('a ')).toBeUndefined();
  });

  test('in a transaction also where it cannot be found, and the row is rolled back', async () => {
    const table = tableOf();
    const insert = (row: Row) => table.orm.insert({ ...row, slug: 8 }, []);
    const store = rowStore({
      ...{ ...table.orm, ...declared },
      transaction: async (run) => {
        await run({ ...table.orm, insert }, undefined).catch((error: unknown) => {
          table.rows.length = 0;
          throw error;
        });
      },
    });
    await expect(store.replace('8.4', null, { title: 'x', body: null })).rejects.toMatchObject({
      status: 422,
      code: 'invalid-key',
    });
    expect(table.rows).toEqual([]);
  });

  test('a returned row without the key is an error that names it', async () => {
    const table = tableOf();
    const insert = (row: Row) => {
      const { slug, ...others } = row;
      return { body: null, ...others, id: slug };
    };
    const store = rowStore({ ...table.orm, insert, ...declared });
    await expect(store.replace('a', null, { title: 'x', body: null })).rejects.toThrow(
      'The row that insert() returned does not have the column slug.',
    );
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
  const change = { title: 'x', body: 'Two' };
  const both = { title: 'x', body: 'y' };
  interface Refused {
    readonly what: string;
    readonly error: Error;
    readonly next?: typeof change;
    readonly create?: true;
    /** Undefined if the error of the engine is thrown. */
    readonly errors?: readonly object[];
  }
  const none = [{ detail: expect.any(String) as string }];
  const at = (pointer: string) => [{ detail: expect.any(String) as string, pointer }];

  test.each<Refused>([
    ...Object.entries(unlisted).flatMap(([engine, error]) => [
      { what: `an unlisted column without a value (${engine})`, error, create: true as const },
      { what: `the same, in a wrapper (${engine})`, error: new Error('failed', { cause: error }) },
    ]),
    { what: 'a named column of the store', error: coded('23514', { column: 'version' }) },
    {
      what: 'a named member of two',
      error: coded('P2000', { meta: { target: ['title'] } }),
      next: both,
      errors: at('/title'),
    },
    {
      what: 'a named member of a new row',
      error: coded('23514', { constraint: 'notes_title_check', table: 'notes' }),
      create: true,
      errors: at('/title'),
    },
    {
      what: 'a listed column without a value',
      error: coded('23502', { column: 'bo_dy' }),
      create: true,
      errors: at('/body'),
    },
    { what: 'a constraint without a name, of one change', error: coded('23514'), errors: at('/title') },
    { what: 'the same of two changes', error: coded('23514'), next: both, errors: none },
    { what: 'the same of a new row', error: coded('22001'), create: true, errors: none },
    {
      what: 'NULL that is not named, of one change',
      error: coded(1048),
      next: { title: 'Buy milk', body: null as never },
      errors: at('/body'),
    },
  ])('$what', async ({ error, next = change, create = false, errors }) => {
    const table = tableOf({ ...milk });
    const store = rowStore({
      ...table.orm,
      update: refusing(error),
      insert: () => Promise.reject(error),
      ...declared,
      outcomes: 'outcomes',
    });
    const kept = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
    const value = create ? ({ title: 'x' } as never) : next;
    const writing = store.replace(create ? 'new' : 'milk', create ? null : 'v1', value, { outcome: kept });
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
    readonly change?: object;
    readonly create?: true;
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
      change: { title: 'x' },
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
      create: true,
      pointer: '/slug',
    },
    {
      what: 'a member of a new row, beside its key',
      error: ofPrisma({ target: ['slug', 'title'] }),
      create: true,
      pointer: '/title',
    },
  ];

  const refused = async ({ error, change = two, create }: Omit<Naming, 'what'>) => {
    const table = tableOf({ ...milk, email_address: null });
    const update = refusing(error);
    const store = rowStore({
      ...{ ...table.orm, update, insert: () => Promise.reject(error), key: 'slug' },
      columns: {
        ...columns,
        mail: { kind: 'string?', column: 'email_address' },
        slug: { kind: 'string', readOnly: true },
      },
    } as const);
    const value = { title: 'Buy milk', body: 'Two', mail: null, slug: 'milk', ...change };
    const writing = create
      ? store.replace('new', null, { title: 'x', mail: null } as never)
      : store.replace('milk', 'v1', value);
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
    const refuse = () => Promise.reject(coded('23505', { constraint: 'notes_title_key', table: 'notes' }));
    const store = rowStore({
      ...tableOf({ ...milk, name: '' }).orm,
      ...{ update: refuse, ...declared, columns: { title: 'string', name: 'string' } },
      columnNames: { slug: 'slug', title: 'heading', name: 'title' },
    } as const);
    const writing = store.replace('milk', 'v1', { title: 'x', name: 'x' });
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

test.each<{ what: string; options: object; mistakes: readonly string[] }>([
  { what: 'nothing', options: {}, mistakes: ['find', 'update', 'key', 'columns', 'version'] },
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
    what: 'the version, to be written',
    options: { columns: { version: 'string' } },
    mistakes: ['columns.version'],
  },
  { what: 'a counter without an id', options: { version: { counter: 'revision' } }, mistakes: ['version'] },
  { what: 'an empty version', options: { version: '' }, mistakes: ['version'] },
  { what: 'onWrite without a transaction', options: { onWrite: () => undefined }, mistakes: ['onWrite'] },
  {
    what: 'outcomes beside a generated version',
    options: { version: { generated: 'xmin' }, outcomes: 'o' },
    mistakes: ['outcomes'],
  },
  {
    what: 'outcomes of rows that are made under a counter',
    options: { version: { counter: 'r', id: 'id' }, outcomes: 'o' },
    mistakes: ['outcomes'],
  },
  { what: 'a dialect that is none', options: { dialect: 'oracle' }, mistakes: ['dialect'] },
  {
    what: 'a generated version where no rows are returned',
    options: { version: { generated: 'v' }, dialect: 'mysql', returning: false },
    mistakes: ['version', 'transaction'],
  },
  {
    what: 'the same, as the ORM says',
    options: { version: { generated: 'v' }, dialect: 'postgres', returning: false },
    mistakes: ['version', 'transaction'],
  },
  { what: 'returning as a text', options: { returning: 'false' }, mistakes: ['returning'] },
  {
    what: 'no transaction, where no rows are returned',
    options: { returning: false },
    mistakes: ['transaction'],
  },
  {
    what: 'none for a list of PostgreSQL',
    options: { dialect: 'postgres', columns: { tags: 'string[]' } },
    mistakes: ['transaction'],
  },
  {
    what: 'columns that the ORM does not know',
    options: {
      columns: { titel: 'string', made: { kind: 'date', column: 'created_at' }, title: 'string' },
      ...{ key: 'slog', version: { counter: 'revision', id: 'id' }, modified: 'toString', outcomes: 'id' },
      ...{ insert: undefined, columnNames: { title: 'title', createdAt: 'created_at', id: 'id' } },
    },
    mistakes: ['columns.titel', 'columns.made.column', 'key', 'version.counter', 'modified'],
  },
  { what: 'names that are none', options: { columnNames: 7 }, mistakes: ['columnNames'] },
  { what: 'names that are no text', options: { columnNames: { title: 7 } }, mistakes: ['columnNames'] },
  { what: 'a wrong name', options: { colums: {} }, mistakes: ['colums'] },
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

/** The columns that only the store writes, with the same UPDATE as the members: counter, modified and outcomes. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import supertest from 'supertest';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { rowStore, type RowStoreOptions, tableStore } from '../../lib/rows';
import { memoryTable } from '../support/memory-table';
import { change, create, replaceAt, stateOf } from '../support/written';
import { describeOver, type TestDatabase, testEngines } from './databases';

const columns = { title: 'string', n: 'integer?' } as const;

describeOver(testEngines, 'columns of the store', ({ dialect, open }) => {
  const types = {
    sqlite: { text: 'text', time: 'text' },
    postgres: { text: 'text', time: 'timestamptz(3)' },
    mysql: { text: 'varchar(40)', time: 'datetime(3)' },
  }[dialect];
  let database: TestDatabase;
  let table: string;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    table = `stored_${randomUUID().slice(0, 8)}`;
    await database.sql(`CREATE TABLE ${table} (slug ${types.text} PRIMARY KEY, title ${types.text} NOT NULL, n integer,
      lock_version integer DEFAULT 1, changed ${types.time}, outcomes ${dialect === 'mysql' ? 'longtext' : 'text'})`);
    await database.sql(`INSERT INTO ${table} (slug, title, n) VALUES ('a', 'x', 1)`);
  });
  const openStore = (more: Pick<RowStoreOptions, 'counter' | 'modified' | 'outcomes'>) =>
    tableStore(database.db, { table, columns, key: 'slug', ...more });
  const readRow = async (slug = 'a') => {
    const [row] = await database.sql(
      `SELECT title, n, lock_version, outcomes FROM ${table} WHERE slug = '${slug}'`,
    );
    return { ...row };
  };

  test('beside a write-only member, they are written by each change: else a right guess would be seen', async () => {
    const store = tableStore(database.db, {
      ...{ table, key: 'slug', counter: 'lock_version', modified: 'changed' },
      columns: { title: 'string', secret: { kind: 'integer?', column: 'n', writeOnly: true } },
    });
    for (const secret of [1, 2]) {
      const before = await readRow();
      await change(store, 'a', { title: 'x', secret });
      expect(await readRow()).toMatchObject({
        n: secret,
        lock_version: Number(before['lock_version']) + 1,
      });
    }
  });

  describe('counter', () => {
    test('is incremented by each write of the store, and is no state', async () => {
      const store = openStore({ counter: 'lock_version' });
      const before = await stateOf(store, 'a');
      expect((await change(store, 'a', { title: 'y', n: 1 })).value).toEqual({ title: 'y', n: 1 });
      expect(await readRow()).toMatchObject({ title: 'y', lock_version: 2 });
      // The app's own writers compare it.
      await database.sql(
        `UPDATE ${table} SET lock_version = lock_version + 1 WHERE slug = 'a' AND lock_version = 2`,
      );
      const current = await stateOf(store, 'a');
      await database.sql(`UPDATE ${table} SET lock_version = lock_version + 1`);
      expect(await replaceAt(store, 'a', current, { title: 'z', n: 1 })).toMatchObject({
        value: { title: 'z' },
      });
      expect(await readRow()).toMatchObject({ title: 'z', lock_version: 5 });
      expect(await replaceAt(store, 'a', before, { title: 'lost', n: 1 })).toMatchObject({
        current: { value: { title: 'z' } },
      });
      expect(await readRow()).toMatchObject({ title: 'z', lock_version: 5 });
    });

    test('stays where nothing changes, and has its default in a new row', async () => {
      const store = openStore({ counter: 'lock_version' });
      await change(store, 'a', { title: 'x', n: 1 });
      await create(store, 'new', { title: 'x', n: 1 });
      expect([await readRow(), await readRow('new')]).toMatchObject([
        { lock_version: 1 },
        { lock_version: 1 },
      ]);
    });

    test('without a number is an error that names it, and nothing is written', async () => {
      await database.sql(`UPDATE ${table} SET lock_version = NULL`);
      const store = openStore({ counter: 'lock_version' });
      await expect(change(store, 'a', { title: 'y', n: 1 })).rejects.toThrow(
        'A row has no whole number in the column lock_version, which the option counter names.',
      );
      expect(await readRow()).toMatchObject({ title: 'x', lock_version: null });
    });
  });

  describe('modified', () => {
    const appOver = (store: ReturnType<typeof openStore>) => {
      const note = resource(store, [mergePatch({ json: true })], {
        key: 'slug',
        create: () => ({ n: null }) as never,
      });
      return supertest(express().get('/:slug', note.get).patch('/:slug', note.patch).put('/:slug', note.put));
    };

    test('is Last-Modified, once its second is over, and moves with each change', async () => {
      const store = openStore({ modified: 'changed' });
      const server = appOver(store);
      expect((await server.get('/a').expect(200)).headers).not.toHaveProperty('last-modified');
      const start = Date.now();
      await server.patch('/a').send({ n: 2 }).expect(204);
      const { modified } = await stateOf(store, 'a');
      expect(modified?.getTime()).toBeGreaterThanOrEqual(start - 1);
      expect(modified?.getTime()).toBeLessThanOrEqual(Date.now() + 1);
      const past = { sqlite: '2026-01-02T03:04:05.000Z', postgres: '2026-01-02T03:04:05Z', mysql: '' }[
        dialect
      ];
      if (dialect === 'mysql') return; // a datetime is in the zone of the driver
      await database.sql(`UPDATE ${table} SET changed = '${past}'`);
      expect((await server.get('/a').expect(200)).headers['last-modified']).toBe(
        'Fri, 02 Jan 2026 03:04:05 GMT',
      );
      const unmodified = { 'If-Unmodified-Since': 'Fri, 02 Jan 2026 03:04:05 GMT' };
      await server.patch('/a').set(unmodified).send({ n: 3 }).expect(204);
      await server.patch('/a').set(unmodified).send({ n: 4 }).expect(412);
      expect(await readRow()).toMatchObject({ n: 3 });
    });

    test('stays where nothing changes, also under an Idempotency-Key', async () => {
      const store = openStore({ modified: 'changed', outcomes: 'outcomes', counter: 'lock_version' });
      const { modified } = await change(store, 'a', { title: 'x', n: 2 });
      const outcome = { id: 'i', scope: 's', text: () => 't', keep: 3, total: 5, maxAge: 60 };
      await change(store, 'a', { title: 'x', n: 2 });
      expect((await change(store, 'a', { title: 'x', n: 2 }, { outcome })).modified).toEqual(modified);
      expect(await readRow()).toMatchObject({
        lock_version: 2,
        outcomes: expect.stringContaining('t') as unknown,
      });
    });

    test('is set in a new row', async () => {
      const store = openStore({ modified: 'changed' });
      const start = Date.now();
      const { modified } = await create(store, 'new', { title: 'x', n: 1 });
      expect(modified?.getTime()).toBeGreaterThanOrEqual(start - 1);
    });
  });

  describe('outcomes', () => {
    const send = (title: string | number, key: string, method: 'patch' | 'put' = 'patch', path = '/a') => {
      const store = openStore({ outcomes: 'outcomes' });
      const note = resource(store, [mergePatch({ json: true }), jsonPatch()], {
        ...{
          key: 'slug',
          create: () => ({ n: null }) as never,
          idempotency: 'optional',
          respond: 'representation',
        },
      });
      const app = express().patch('/:slug', note.patch).put('/:slug', note.put);
      return supertest(app)[method](path).set('Idempotency-Key', `"${key}"`).send({ title, n: 1 });
    };

    test.each([
      { method: 'patch', path: '/a', status: 204, first: 200 },
      { method: 'put', path: '/a', status: 204, first: 200 },
      { method: 'put', path: '/new', status: 201, first: 201 },
    ] as const)(
      'a repeat of $method $path gets its status, without tag or body',
      async ({ method, path, status, first }) => {
        const answer = await send('y', 'k', method, path);
        expect([answer.status, answer.body]).toEqual([first, { title: 'y', n: 1 }]);
        expect(answer.headers).toHaveProperty('etag');
        await database.sql(`UPDATE ${table} SET n = 7`);
        const repeat = await send('y', 'k', method, path);
        expect([repeat.status, repeat.text]).toEqual([status, '']);
        expect(repeat.headers).not.toHaveProperty('etag');
        expect(await readRow(path.slice(1))).toMatchObject({ title: 'y', n: 7 });
      },
    );

    test('of two keys with the same content both are kept', async () => {
      const both = await Promise.all([send('y', 'k1'), send('y', 'k2')]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      await database.sql(`UPDATE ${table} SET n = 7`);
      const repeats = await Promise.all([send('y', 'k1'), send('y', 'k2')]);
      expect(repeats.map(({ status }) => status)).toEqual([204, 204]);
      expect(await readRow()).toMatchObject({ title: 'y', n: 7 });
    });

    test('A, B and A again: none is carried out twice', async () => {
      await send('A', 'k1').expect(200);
      await send('B', 'k2').expect(200);
      await send('A', 'k3').expect(200);
      for (const [title, key] of [
        ['A', 'k1'],
        ['B', 'k2'],
        ['A', 'k3'],
      ] as const)
        await send(title, key).expect(204);
      expect(await readRow()).toMatchObject({ title: 'A' });
    });

    test('the same key at once is carried out once', async () => {
      const store = openStore({ outcomes: 'outcomes' });
      const { value } = await stateOf(store, 'a');
      const outcome = { id: 'i', scope: 's', text: () => 't', keep: 9, total: 9, maxAge: 60 };
      const current = await stateOf(store, 'a');
      const writes = await Promise.all(
        Array.from({ length: 5 }, (_, n) => replaceAt(store, 'a', current, { ...value, n }, { outcome })),
      );
      expect(writes.filter((one) => one !== undefined && 'value' in one)).toHaveLength(1);
      expect(writes.filter((one) => one !== undefined && 'current' in one)).toEqual(
        Array.from({ length: 4 }, () => ({ current: expect.objectContaining({ outcome: 't' }) as unknown })),
      );
    });

    test('the tag does not show them, nor does a state without a key', async () => {
      const store = openStore({ outcomes: 'outcomes' });
      const note = resource(store, [mergePatch({ json: true })], { key: 'slug', idempotency: 'optional' });
      const server = supertest(express().get('/:slug', note.get).patch('/:slug', note.patch));
      const before = await server.get('/a');
      await server.patch('/a').set('Idempotency-Key', '"k"').send({}).expect(204);
      expect((await readRow())['outcomes']).not.toBeNull();
      const after = await server.get('/a');
      expect([after.headers['etag'], after.text]).toEqual([before.headers['etag'], before.text]);
    });
  });
});

test('modified moves with each write, within one millisecond, too, and always has a fraction', async () => {
  const table = memoryTable([{ slug: 'a', title: '', changed: new Date('2026-11-22T09:59:59.999Z') }]);
  const store = rowStore({ ...table.orm, columns: { title: 'string' }, key: 'slug', modified: 'changed' });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-22T10:00:00.000Z'));
  const times: unknown[] = [];
  for (const title of ['1', '2', '3'])
    times.push((await change(store, 'a', { title })).modified?.toISOString());
  // The clock of another process, and one that was wrong.
  clock.mockReturnValue(Date.parse('2026-11-22T09:59:30.500Z'));
  times.push((await change(store, 'a', { title: '4' })).modified?.toISOString());
  clock.mockReturnValue(Date.parse('2026-11-22T09:00:00.500Z'));
  times.push((await change(store, 'a', { title: '5' })).modified?.toISOString());
  clock.mockRestore();
  expect(times).toEqual([
    '2026-11-22T10:00:00.001Z',
    '2026-11-22T10:00:00.002Z',
    '2026-11-22T10:00:00.003Z',
    '2026-11-22T10:00:00.004Z',
    '2026-11-22T09:00:00.500Z',
  ]);
});

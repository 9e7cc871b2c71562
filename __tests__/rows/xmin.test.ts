/** PostgreSQL's own version of a row as the state: one conditional UPDATE, where each changed column is read back exactly. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import type { Client, Pool, PoolClient } from 'pg';
import supertest from 'supertest';
import { mergePatch, resource } from '../../lib';
import { type Row, type Rows, rowStore, tableRows, tableStore } from '../../lib/rows';
import { storeConformance } from '../../lib/testing';
import { openPostgresPool } from '../support/engines';
import { mistakesOf } from '../support/mistakes-of';
import { testCases } from '../support/test-cases';
import { change, create, replaceAt, stateOf } from '../support/written';

let pool: Pool;
let close: () => Promise<void>;
let table: string;
const sent: string[] = [];
beforeAll(async () => {
  ({ pool, close } = await openPostgresPool());
  const keep = (client: Pool | Client | PoolClient) => {
    const { query } = client;
    Object.assign(client, {
      query: (...call: unknown[]) => {
        sent.push(String(call[0]).replace(/^(\w+(?: 1)?).*?( FOR NO KEY UPDATE)?$/s, '$1$2'));
        return Reflect.apply(query, client, call) as unknown;
      },
    });
  };
  pool.on('connect', keep);
});
afterAll(() => close());
beforeEach(async () => {
  table = `versioned_${randomUUID().slice(0, 8)}`;
  await pool.query(`CREATE TABLE ${table} (slug text PRIMARY KEY, title text, n integer, done boolean, at timestamptz,
    price numeric, secret text, changed timestamptz, revision integer NOT NULL DEFAULT 1)`);
  await pool.query(`INSERT INTO ${table} (slug, title, n, done, at, price, secret) VALUES
    ('a', 'x', 1, false, '2026-11-22 10:00:00.123456+00', '1.50', 's')`);
});

const columns = {
  title: 'string?',
  n: 'integer?',
  done: 'boolean?',
  at: 'date?',
  price: 'decimal?',
} as const;
const xmin = { columns, key: 'slug', version: 'xmin' } as const;
const openStore = (more: object = {}) => tableStore(pool, { table, ...xmin, ...more });

describe('the contract, with versions', () => {
  const cases = storeConformance(
    () => ({
      open: () => tableStore(pool, { table, columns: { title: 'string?' }, key: 'slug', version: 'xmin' }),
    }),
    {
      outcomes: false,
      carrier: { wrap: (title: string) => ({ title }), unwrap: ({ title }) => String(title) },
    },
  );
  testCases(cases);
});

const whole = ['BEGIN', 'SELECT 1 FOR NO KEY UPDATE', 'SELECT', 'UPDATE', 'SELECT', 'COMMIT'];

test.each([
  { what: 'a string', change: { title: 'y' }, statements: ['UPDATE'] },
  { what: 'an integer and a boolean', change: { n: 2, done: true }, statements: ['UPDATE'] },
  { what: 'nothing', change: {}, statements: ['UPDATE'] },
  { what: 'a decimal', change: { price: '2.50' }, statements: whole },
  {
    what: 'a date beside a string',
    change: { at: '2026-11-23T10:00:00.000Z', title: 'y' },
    statements: whole,
  },
  {
    what: 'a string, with onWrite',
    change: { title: 'y' },
    onWrite: () => undefined,
    statements: [...whole],
  },
])('a change of $what: $statements', async ({ change: changes, onWrite, statements }) => {
  const store = openStore({ ...(onWrite && { onWrite }) });
  const current = await stateOf(store, 'a');
  sent.length = 0;
  const next = { ...current.value, ...changes };
  const after = await replaceAt(store, 'a', current, next);
  const read = onWrite === undefined ? statements : statements.toSpliced(-1, 0, 'SELECT');
  expect(sent).toEqual(read);
  expect(after).toMatchObject({ value: next });
  expect(await store.get('a')).toEqual(after);
  expect((after as { version?: string }).version).not.toBe(current.version);
  const { rows } = await pool.query(`SELECT secret, at = $1 AS kept FROM ${table}`, [
    '2026-11-22 10:00:00.123456+00',
  ]);
  expect(rows).toEqual([{ secret: 's', kept: !('at' in changes) }]);
});

test('a state that the store has not read is looked for under the lock', async () => {
  const store = openStore();
  const { version, value } = await stateOf(store, 'a');
  sent.length = 0;
  expect(await store.replace('a', version ?? '', { ...value, title: 'y' })).toMatchObject({
    value: { title: 'y' },
  });
  expect(sent).toEqual(whole);
  expect(await store.replace('a', version ?? '', value)).toMatchObject({
    current: { value: { title: 'y' } },
  });
  expect(await store.replace('a', 'another', value)).toMatchObject({ current: { value: { title: 'y' } } });
});

test('a write of the app is another state, of whichever column', async () => {
  const store = openStore();
  for (const set of [`title = 'of the app'`, `secret = 'other'`, 'n = n']) {
    const current = await stateOf(store, 'a');
    await pool.query(`UPDATE ${table} SET ${set}`);
    expect(await replaceAt(store, 'a', current, { ...current.value, n: 9 })).toBeUndefined();
    const found = await replaceAt(store, 'a', current, { ...current.value, price: '9' });
    expect(found).toEqual({ current: await store.get('a') });
    expect(await store.delete('a', current.version, { current })).toEqual(found);
  }
  const now = await stateOf(store, 'a');
  expect(now.value).toMatchObject({ title: 'of the app', n: 1 });
  expect(await store.delete('a', now.version, { current: now })).toBe(true);
});

test('the store writes its columns in the same UPDATE', async () => {
  const store = openStore({ counter: 'revision', modified: 'changed' });
  const current = await stateOf(store, 'a');
  sent.length = 0;
  const next = { ...current.value, title: 'y' };
  const after = await replaceAt(store, 'a', current, next);
  expect(sent).toEqual(['UPDATE']);
  const { rows } = await pool.query(`SELECT revision, changed FROM ${table}`);
  expect(rows).toEqual([{ revision: 2, changed: (after as { modified?: Date }).modified }]);
});

test('a new row has a version at once', async () => {
  const store = openStore();
  const made = await create(store, 'new', { title: 'n', n: null, done: null, at: null, price: null });
  expect(await store.get('new')).toEqual(made);
  expect((await change(store, 'new', { ...made.value, n: 1 })).value.n).toBe(1);
});

test('a write that hides its row from the app’s find, in a transaction, is carried out: 204, and GET is 404 from then on', async () => {
  const visible = (rows: Rows): Rows => ({
    ...rows,
    find: async (...call) => ((await rows.find(...call)) as Row[]).filter(({ done }) => done !== true),
  });
  const library = tableRows(pool, { table });
  const store = rowStore({
    ...{ ...library, ...visible(library), ...xmin },
    transaction: (run) => library.transaction?.((inside, tx) => run(visible(inside), tx)),
  });
  const note = resource(store, [mergePatch({ json: true })], { key: 'slug', respond: 'representation' });
  const server = express();
  server.get('/:slug', note.get).patch('/:slug', note.patch);
  const answer = await supertest(server).patch('/a').send({ done: true, price: '2.50' });
  expect([answer.status, answer.text]).toEqual([204, '']);
  await supertest(server).get('/a').expect(404);
  const { rows } = await pool.query(`SELECT done, price FROM ${table}`);
  expect(rows).toEqual([{ done: true, price: '2.50' }]);
});

test('what the database refuses of the one statement is refused likewise', async () => {
  await pool.query(`ALTER TABLE ${table} ADD CHECK (n < 10), ADD UNIQUE (title)`);
  const store = openStore();
  await create(store, 'b', { title: 'taken', n: null, done: null, at: null, price: null });
  const before = await stateOf(store, 'a');
  await expect(change(store, 'a', { ...before.value, n: 10 })).rejects.toMatchObject({
    ...{ status: 422, problem: { errors: [{ pointer: '/n' }] } },
  });
  await expect(change(store, 'a', { ...before.value, title: 'taken' })).rejects.toMatchObject({
    status: 409,
  });
  expect(await store.get('a')).toEqual(before);
});

test('outcomes beside it are a mistake, and so are rows without updateReturning', () => {
  expect(mistakesOf(() => openStore({ outcomes: 'secret' }))).toMatchObject([
    { option: 'outcomes', code: 'option-conflict', fix: 'Leave version out.' },
  ]);
  const { updateReturning, ...rows } = tableRows(pool, { table });
  expect(updateReturning).toBeDefined();
  expect(mistakesOf(() => rowStore({ ...rows, ...xmin }))).toMatchObject([
    { option: 'version', code: 'option-conflict' },
  ]);
});

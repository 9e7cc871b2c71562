/** The blocks of docs/resource.md about a resource made of several tables, run as they stand there. */
import express from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import * as zod from 'zod';
import * as patchOptions from '../../lib';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { evaluate } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/resource.md'), 'utf8');

let close: () => Promise<void>;
let server: ReturnType<typeof request>;
let sql: (text: string) => Promise<unknown>;
beforeAll(async () => {
  const database = await openPostgresPool();
  const { pool } = database;
  ({ close } = database);
  sql = (text) => pool.query(text);
  await sql(`
    CREATE TABLE invoices (id text PRIMARY KEY, customer text NOT NULL);
    CREATE TABLE lines (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, invoice_id text REFERENCES invoices, article text, amount integer);
    INSERT INTO invoices (id, customer) VALUES ('7', 'Ann'), ('8', 'Bob');
    INSERT INTO lines (invoice_id, article, amount) VALUES ('7', 'Milk', 2), ('7', 'Bread', 1)`);
  const app = express();
  const code = blocksOf(page, 'ts').find((block) => block.includes('json_build_object')) ?? '';
  // `new` gives the object that the function returns.
  const modules: Readonly<Record<string, unknown>> = { pg: { Pool: jest.fn(() => pool) }, zod };
  evaluate(code, { ...patchOptions, app }, (name) => modules[name]);
  server = request(app);
});
afterAll(() => close());

const type = 'application/merge-patch+json';
const tagOf = async (id = '7') => (await server.get(`/invoices/${id}`).expect(200)).get('ETag') ?? '';
const patch = (tag: string, fields: Record<string, string> = {}, customer = 'Eve') =>
  server
    .patch('/invoices/7')
    .set({ 'Content-Type': type, 'If-Match': tag, ...fields })
    .send(JSON.stringify({ customer }));

test('GET shows the whole, and 304 under its tag', async () => {
  const { body } = await server.get('/invoices/7').set('If-None-Match', '"other"').expect(200);
  const lines = [
    { article: 'Milk', amount: 2 },
    { article: 'Bread', amount: 1 },
  ];
  expect(body).toEqual({ customer: 'Ann', lines });
  await server
    .get('/invoices/7')
    .set('If-None-Match', await tagOf())
    .expect(304);
  await server.get('/invoices/none').expect(404);
});

test.each([
  { change: "INSERT INTO lines (invoice_id, article, amount) VALUES ('7', 'Eggs', 6)" },
  { change: "UPDATE lines SET amount = 3 WHERE article = 'Milk'" },
  { change: "DELETE FROM lines WHERE article = 'Bread'" },
  { change: "UPDATE lines SET invoice_id = '8' WHERE article = 'Eggs'" },
  { change: "UPDATE invoices SET customer = 'Dan' WHERE id = '7'" },
])('$change makes the tag stale: 412, and PATCH with the new one is made', async ({ change }) => {
  const old = await tagOf();
  await sql(change);
  await server.get('/invoices/7').set('If-None-Match', old).expect(200);
  await patch(old).expect(412);
  const answer = await patch(await tagOf()).expect(204);
  // The tag of the answer is that of the next GET.
  expect(answer.get('ETag')).toBe(await tagOf());
});

test('a line that moves to another invoice changes both', async () => {
  const [ofSeven, ofEight] = [await tagOf('7'), await tagOf('8')];
  await sql("UPDATE lines SET invoice_id = '8' WHERE article = 'Milk'");
  expect(await tagOf('7')).not.toBe(ofSeven);
  expect(await tagOf('8')).not.toBe(ofEight);
});

test('a PATCH shows what GET shows', async () => {
  const answer = await patch(await tagOf(), { Prefer: 'return=representation' }).expect(200);
  const next = await server.get('/invoices/7');
  expect([answer.body, answer.get('ETag')]).toEqual([next.body, next.get('ETag')]);
});

test('lines are patched, one by one and all together, and what is none is refused', async () => {
  const before = (await server.get('/invoices/8').expect(200)).body as { lines: object[] };
  const send = (operations: object[]) =>
    server.patch('/invoices/8').type('application/json-patch+json').send(JSON.stringify(operations));
  const line = { article: 'Tea', amount: 1 };
  await send([{ op: 'add', path: '/lines/-', value: line }]).expect(204);
  expect((await server.get('/invoices/8')).body).toEqual({ ...before, lines: [...before.lines, line] });
  await send([{ op: 'add', path: '/lines/-', value: { article: 'Tea', amount: 'many' } }]).expect(422);
  await send([{ op: 'replace', path: '/lines', value: [] }]).expect(204);
  expect((await server.get('/invoices/8')).body).toEqual({ ...before, lines: [] });
});

test('of PATCHes and writes of the app at once, none is lost', async () => {
  const { body } = await server.get('/invoices/8').expect(200);
  const lines = (body as { lines: object[] }).lines.length;
  const adding = { op: 'add', path: '/lines/-', value: { article: 'Salt', amount: 1 } };
  const writes = Array.from({ length: 8 }, () => [
    server
      .patch('/invoices/8')
      .type('application/json-patch+json')
      .send(JSON.stringify([adding]))
      .expect(204),
    sql("INSERT INTO lines (invoice_id, article, amount) VALUES ('8', 'Rice', 1)"),
  ]);
  await Promise.all(writes.flat());
  const after = (await server.get('/invoices/8').expect(200)).body as { lines: object[] };
  expect(after.lines).toHaveLength(lines + 16);
});

test('of two PATCHes under one tag, one is made', async () => {
  const tag = await tagOf();
  const statuses = await Promise.all([
    patch(tag, {}, 'Fay').then(({ status }) => status),
    patch(tag, {}, 'Gil').then(({ status }) => status),
  ]);
  expect(statuses.sort()).toEqual([204, 412]);
});

/** The recipe of docs/json.md, run as it stands there: patch and undo give the same value back. */
import express from 'express';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import request from 'supertest';
import ts from 'typescript';
import * as patchOptions from '../../lib';
import { applyJsonPatch, createJsonPatch } from '../../lib/json';
import * as rows from '../../lib/rows';
import { isEqualJson } from '../../lib/json/value';
import { times } from '../support/deep-scale';
import { blocksOf } from '../support/doc-blocks';
import { openPostgresPool } from '../support/engines';
import { fc } from '../support/properties';

const page = readFileSync(join(__dirname, '../../docs/json.md'), 'utf8');

let close: () => Promise<void>;
let server: ReturnType<typeof request>;
let sql: (text: string) => Promise<{ rows: Record<string, unknown>[] }>;
beforeAll(async () => {
  const database = await openPostgresPool();
  const { pool } = database;
  ({ close } = database);
  sql = (text) => pool.query(text);
  await sql(`
    CREATE TABLE cards (id text PRIMARY KEY, title text NOT NULL, items jsonb NOT NULL);
    CREATE TABLE undo (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, card text, patch jsonb NOT NULL);
    INSERT INTO cards VALUES ('7', 'a', '[]')`);
  const app = express();
  const code = blocksOf(page, 'ts').find((block) => block.includes('INSERT INTO undo')) ?? '';
  const { outputText } = ts.transpileModule(code.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const around = { ...patchOptions, ...rows, createJsonPatch, app, Pool: jest.fn(() => pool) };
  Reflect.apply(compileFunction(outputText, Object.keys(around)), undefined, Object.values(around));
  server = request(app);
});
afterAll(() => close());

const json = 'application/json-patch+json';
const get = () => server.get('/cards/7').expect(200);
const patch = (type: string, document: unknown, tag: string) =>
  server.patch('/cards/7').set({ 'Content-Type': type, 'If-Match': tag }).send(JSON.stringify(document));

const card = fc.record({
  title: fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !text.includes('\0')),
  items: fc.array(fc.record({ id: fc.nat(5), tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }) }), {
    maxLength: 4,
  }),
});

test('patch and undo give the same value back', async () => {
  const property = fc.asyncProperty(card, card, async (before, after) => {
    const first = await get();
    await patch('application/merge-patch+json', before, first.get('ETag') ?? '').expect(204);
    const begun = await get();
    const changed = await patch('application/merge-patch+json', after, begun.get('ETag') ?? '').expect(204);
    const undo = await server.get('/cards/7/undo').expect('Content-Type', /^application\/json-patch\+json/);
    await patch(json, JSON.parse(undo.text), changed.get('ETag') ?? '').expect(204);
    expect((await get()).body).toEqual(begun.body);
  });
  await fc.assert(property, { numRuns: 20 });
});

test('undo of what somebody else has changed since is refused: 412', async () => {
  const changed = await patch(
    'application/merge-patch+json',
    { title: 'mine' },
    (await get()).get('ETag') ?? '',
  );
  await patch('application/merge-patch+json', { title: 'theirs' }, changed.get('ETag') ?? '').expect(204);
  const undo = await server.get('/cards/7/undo');
  await patch(json, JSON.parse(undo.text), changed.get('ETag') ?? '').expect(412);
});

test('the inverse is written with the change, or neither is', async () => {
  const { rows: before } = await sql('SELECT count(*) FROM undo');
  await sql('ALTER TABLE undo ADD CONSTRAINT none CHECK (false) NOT VALID');
  await patch('application/merge-patch+json', { title: 'lost' }, (await get()).get('ETag') ?? '').expect(500);
  await sql('ALTER TABLE undo DROP CONSTRAINT none');
  expect((await get()).body).not.toMatchObject({ title: 'lost' });
  expect((await sql('SELECT count(*) FROM undo')).rows).toEqual(before);
});

test('over random pairs: the inverse of a change, applied to its result, gives what was before', () => {
  const name = fc.constantFrom('a', 'b', '0', '__proto__');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(0, 'x', null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3 }),
    ),
  }));
  const property = fc.property(value, value, (before, after) => {
    const undone = applyJsonPatch(after, createJsonPatch(after, before));
    expect(isEqualJson(undone, before)).toBe(true);
  });
  fc.assert(property, { numRuns: times(250, 100_000) });
});

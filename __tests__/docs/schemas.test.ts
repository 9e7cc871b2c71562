/** The blocks of docs/schemas.md as they stand there, and what the page says of them. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import { z as z3 } from 'zod/v3';
import { z } from 'zod';
import * as library from '../../lib';
import * as arktype from '../support/arktype';
import { blocksOf } from '../support/doc-blocks';
import { evaluate, PageModules } from '../support/page-modules';

const page = readFileSync(join(__dirname, '../../docs/schemas.md'), 'utf8');
const requireHere = createRequire(__filename);
const [app = '', partial = '', valibot = '', ark = ''] = blocksOf(page, 'ts');
const load = (name: string): unknown =>
  name === 'patch-options' ? library : name === 'arktype' ? arktype : requireHere(name);

const { app: notesApp } = evaluate(`${app}\nexport { app };`, {}, load) as { app: Express };

/** The rows of the page: a request, and what it says of the answer. */
const rows = [...page.matchAll(/^\| `(P\w+) (\{.*?\})`\s*\| (.*?)\s*\|$/gm)].map(
  ([, method = '', body = '', answer = '']) => ({ method, body, answer }),
);

test('the page has its rows', () => {
  expect(rows).toHaveLength(7);
});

test.each(rows)('$method $body: $answer', async ({ method, body, answer }) => {
  const [, status, shown, rest = ''] = /^(\d+)(?: `(.*?)`)?:?(.*)$/.exec(answer) ?? [];
  const sent = method === 'PUT' ? request(notesApp).put('/notes/1') : request(notesApp).patch('/notes/1');
  const received = await sent.set('Content-Type', 'application/json').send(body);
  expect(received.status).toBe(Number(status));
  if (status !== '422') expect(received.text).toBe(shown);
  else if (shown !== undefined) expect(received.body.errors).toMatchObject([{ pointer: shown }]);
  if (rest.includes('before the start')) expect(received.body.errors[0].detail).toBe('before the start');
});

test('by hand with .partial(), the tags are gone', async () => {
  const notes = new library.MemoryStore<unknown>();
  await notes.replace('1', null, { title: 'a', tags: ['sea'] });
  const byHand = express();
  await new PageModules(new Map([['block', partial]]), load, { app: byHand, express, notes }).run('block');
  const { body } = await request(byHand).patch('/by-hand/1').send({ title: 'New' });
  expect(body).toEqual({ title: 'New', tags: [] });
});

test('which libraries fill defaults in what is partial', async () => {
  const v = await import('valibot');
  const { type } = arktype;
  const filled = { title: 'New', tags: [] };
  const Zod = z.object({ title: z.string(), tags: z.array(z.string()).default([]) });
  expect(Zod.partial().parse({ title: 'New' })).toEqual(filled);
  const Zod3 = z3.object({ title: z3.string(), tags: z3.array(z3.string()).default([]) });
  expect(Zod3.partial().parse({ title: 'New' })).toEqual({ title: 'New' });
  const Ark = type({ title: 'string', tags: type('string[]').default(() => []) });
  expect(Ark.partial()({ title: 'New' })).toEqual(filled);
  const Valibot = v.object({ title: v.string(), tags: v.optional(v.array(v.string()), []) });
  expect(v.parse(v.partial(Valibot), { title: 'New' })).toEqual({ title: 'New' });
  expect(() => Zod.refine(() => true).partial()).toThrow('refinements');
});

describe.each([
  { name: 'valibot', block: valibot },
  { name: 'ArkType', block: ark },
])('$name', ({ block }) => {
  async function start() {
    const notes = new library.MemoryStore<unknown>();
    await notes.replace('1', null, { title: 'old', tags: ['sea'] });
    const MemoryStore = function () {
      return notes;
    };
    const { patchHandler, mergePatch } = library;
    const own = express();
    const around = { app: own, patchHandler, mergePatch, MemoryStore };
    await new PageModules(new Map([['block', block]]), load, around).run('block');
    return { own, notes };
  }

  test.each([
    { sent: { title: ' New ' }, stored: { title: 'New', tags: ['sea'] } },
    { sent: { tags: [' a '] }, stored: { title: 'old', tags: ['a'] } },
    { sent: { title: ' ' }, pointer: '/title' },
    { sent: { isAdmin: true }, pointer: '/isAdmin' },
    { sent: { title: null }, pointer: '/title' },
  ])('$sent', async ({ sent, stored, pointer }) => {
    const { own, notes } = await start();
    const answer = await request(own)
      .patch('/notes/1')
      .set('Content-Type', 'application/merge-patch+json')
      .send(JSON.stringify(sent));
    expect(answer.status).toBe(stored === undefined ? 422 : 204);
    if (pointer !== undefined) expect(answer.body.errors).toMatchObject([{ pointer }]);
    expect((await notes.get('1'))?.value).toEqual(stored ?? { title: 'old', tags: ['sea'] });
  });
});

/** A schema of the patch lets a title be removed, and a strict one refuses what it does not know. */
test('a schema that is made for the patch is the wrong one here', async () => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
  const notes = new library.MemoryStore<unknown>();
  await notes.replace('1', null, { title: 'a', id: 7 });
  const wrong = express();
  const { patchHandler, mergePatch } = library;
  const merge = [mergePatch({ json: true })];
  const schemas = {
    loose: z.looseObject({ title: z.string() }).partial(),
    strict: z.strictObject({ title: z.string() }).partial(),
  };
  for (const [name, validate] of Object.entries(schemas))
    wrong.patch(`/${name}/:id`, patchHandler(notes, merge, { key: 'id', validate }));
  await request(wrong).patch('/strict/1').send({ title: 'b' }).expect(422);
  expect(warned.mock.calls.map(([, about]) => about)).toEqual([{ code: 'PATCH_OPTIONS_VALIDATE' }]);
  await request(wrong).patch('/loose/1').send({ title: null }).expect(204);
  expect((await notes.get('1'))?.value).toEqual({ id: 7 });
  warned.mockRestore();
});

test('a schema that is not strict strips nothing in silence', async () => {
  const notes = new library.MemoryStore<unknown>();
  await notes.replace('1', null, { title: 'a' });
  const own = express();
  const validate = z.object({ title: z.string() });
  own.patch(
    '/:id',
    library.patchHandler(notes, [library.mergePatch({ json: true })], { key: 'id', validate }),
  );
  const { status, body } = await request(own).patch('/1').send({ isAdmin: true });
  expect([status, body.errors[0].pointer]).toEqual([422, '/isAdmin']);
});

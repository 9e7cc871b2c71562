/** What a schema makes of a member is stored in a row, too; but the columns are checked before the schema. */
import express from 'express';
import supertest from 'supertest';
import { z } from 'zod';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { DatabaseSync } from '../support/sqlite';

const schema = z.object({
  title: z.string().trim(),
  body: z.string().nullable(),
  count: z.coerce.number().default(3),
});
const merge = 'application/merge-patch+json';

function openNotes() {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT, body TEXT, count INTEGER, kind TEXT, version TEXT);
    INSERT INTO notes VALUES ('milk', ' as it was ', ' b ', 1, 'a', 'v1')`);
  const columns = { title: 'string', body: 'string?', count: 'integer', kind: 'string?' } as const;
  const store = tableStore(db, { table: 'notes', columns, key: 'slug', version: 'version' });
  // It names fewer members than the row has, which its type would tell.
  const note = resource(store, [jsonPatch(), mergePatch()], { key: 'slug', validate: schema as never });
  const app = express().patch('/notes/:slug', note.patch).put('/notes/:slug', note.put);
  return { app, read: async () => (await store.get('milk'))?.value };
}

test.each([
  {
    title: 'PATCH of one member: the others stay byte for byte',
    method: 'patch',
    body: { body: 'x' },
    status: 204,
    after: { title: ' as it was ', body: 'x', count: 1, kind: 'a' },
  },
  {
    title: 'PATCH: trimmed',
    method: 'patch',
    body: { title: ' Tea ' },
    status: 204,
    after: { title: 'Tea', body: ' b ', count: 1, kind: 'a' },
  },
  {
    title: 'PATCH of what the column does not take: 422, before the schema could coerce it',
    method: 'patch',
    body: { count: '7' },
    status: 422,
    pointer: '/count',
  },
  {
    title: 'PATCH of a column that the schema strips: 422',
    method: 'patch',
    body: { kind: 'b' },
    status: 422,
    pointer: '/kind',
  },
  {
    title: 'PUT without a column that must not be NULL: 422, before the schema could fill it in',
    method: 'put',
    body: { title: ' Tea ', body: null, kind: null },
    status: 422,
    pointer: '/count',
  },
] as const)('$title', async ({ method, body, status, ...row }) => {
  const { app, read } = openNotes();
  const before = await read();
  const type = method === 'put' ? 'application/json' : merge;
  const answer = await supertest(app)[method]('/notes/milk').type(type).send(JSON.stringify(body));
  expect(answer.status).toBe(status);
  if ('pointer' in row) expect(answer.body).toMatchObject({ errors: [{ pointer: row.pointer }] });
  expect(await read()).toEqual('after' in row ? row.after : before);
});

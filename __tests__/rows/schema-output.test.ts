/** What a schema makes of a member is stored in a row, too: the columns are checked after the schema. */
import express from 'express';
import supertest from 'supertest';
import * as v from 'valibot';
import { z } from 'zod';
import { jsonPatch, mergePatch, resource } from '../../lib';
import { tableStore } from '../../lib/rows';
import { type } from '../support/arktype';
import { DatabaseSync } from '../support/sqlite';

const schemas = {
  zod: z.object({
    title: z.string().trim(),
    body: z.string().nullable(),
    count: z.coerce.number().default(3),
  }),
  valibot: v.object({
    title: v.pipe(v.string(), v.trim()),
    body: v.nullable(v.string()),
    count: v.optional(
      v.pipe(
        v.union([v.string(), v.number()]),
        v.transform((count) => Number(count)),
        v.number(),
      ),
      3,
    ),
  }),
  ArkType: type({
    title: 'string.trim',
    body: 'string | null',
    count: type('string.numeric.parse | number').default(3),
    '+': 'delete',
  }),
} as const;
type Library = keyof typeof schemas;
const merge = 'application/merge-patch+json';

function openNotes(library: Library) {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE notes (slug TEXT PRIMARY KEY, title TEXT, body TEXT, count INTEGER, kind TEXT);
    INSERT INTO notes VALUES ('milk', ' as it was ', ' b ', 1, 'a')`);
  const columns = { title: 'string', body: 'string?', count: 'integer', kind: 'string?' } as const;
  const store = tableStore(db, { table: 'notes', columns, key: 'slug' });
  // It names fewer members than the row has, which its type would tell.
  const note = resource(store, [jsonPatch(), mergePatch()], {
    key: 'slug',
    validate: schemas[library] as never,
  });
  const app = express().patch('/notes/:slug', note.patch).put('/notes/:slug', note.put);
  return { app, read: async () => (await store.get('milk'))?.value };
}

const cases = [
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
    title: 'PATCH of what the column takes once the schema has coerced it',
    method: 'patch',
    body: { count: '7' },
    status: 204,
    after: { title: ' as it was ', body: ' b ', count: 7, kind: 'a' },
  },
  {
    title: 'PATCH of what neither takes: the schema says so',
    method: 'patch',
    body: { count: 'many' },
    status: 422,
    pointer: '/count',
  },
  {
    title: 'PATCH of what the schema takes and the column does not: 422',
    method: 'patch',
    body: { count: '1.5' },
    status: 422,
    pointer: '/count',
  },
  {
    title: 'PATCH that removes a member: the schema sees null, as the column will hold it',
    method: 'patch',
    body: { body: null },
    status: 204,
    after: { title: ' as it was ', body: null, count: 1, kind: 'a' },
  },
  {
    title: 'PATCH that removes a member with a default: it stays removed, which its column refuses',
    method: 'patch',
    body: { count: null },
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
    title: 'PUT without a column that the schema fills in',
    method: 'put',
    body: { title: ' Tea ', body: null },
    status: 204,
    after: { title: 'Tea', body: null, count: 3, kind: null },
  },
  {
    title: 'PUT without a nullable column: the schema sees null',
    method: 'put',
    body: { title: 'Tea' },
    status: 204,
    after: { title: 'Tea', body: null, count: 3, kind: null },
  },
  {
    title: 'PUT of a column that the schema strips: 422',
    method: 'put',
    body: { title: 'Tea', kind: 'b' },
    status: 422,
    pointer: '/kind',
  },
] as const;

test.each(
  Object.keys(schemas).flatMap((library) => cases.map((row) => ({ library: library as Library, ...row }))),
)('$library: $title', async ({ library, method, body, status, ...row }) => {
  const { app, read } = openNotes(library);
  const before = await read();
  const type = method === 'put' ? 'application/json' : merge;
  const answer = await supertest(app)[method]('/notes/milk').type(type).send(JSON.stringify(body));
  expect(answer.status).toBe(status);
  if ('pointer' in row) expect(answer.body).toMatchObject({ errors: [{ pointer: row.pointer }] });
  expect(await read()).toEqual('after' in row ? row.after : before);
});

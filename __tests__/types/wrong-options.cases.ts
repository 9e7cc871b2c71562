/**
 * What the compiler says of options that cannot be: the snapshot is to be read as who sees it in an editor would.
 */
import { findingsIn } from './compiler';

const around = `
import { cachedStore, checkPreconditions, corsPreflight, declareMethods, jsonPatch, MemoryStore, mergePatch, methodNotAllowed, optionsHandler, optionsListener, patchHandler, patchOptions } from 'patch-options';
import { resourceClient } from 'patch-options/client';
import { MysqlStore } from 'patch-options/mysql';
import { PostgresStore } from 'patch-options/postgres';
import { RedisStore } from 'patch-options/redis';
import { SqliteStore } from 'patch-options/sqlite';
const notes = new MemoryStore<{ title: string }>();
const formats = [jsonPatch(), mergePatch()];
const client = { eval: () => Promise.resolve(null), evalsha: () => Promise.resolve(null) };
const pool = { query: () => Promise.resolve({ rows: [] }) };
const db = { exec: () => undefined, prepare: () => ({ all: () => [] }) };
declare const req: import('node:http').IncomingMessage;
`;

const wrong = [
  "patchOptions({ origin: '*' });",
  'patchOptions({ cors: false });',
  "patchOptions({ cors: { orgin: '*' } });",
  "patchOptions({ resources: { '/notes/:id': { patch: patchHandler(notes, formats) } } });",
  "patchOptions({ resources: { '/notes/:id': { guard: 'nobody', patch: patchHandler(notes, formats) } } });",
  'optionsHandler({ status: 201 });',
  "optionsHandler({ body: 'text' });",
  "optionsListener('app');",
  "corsPreflight({ credentials: 'include' });",
  'corsPreflight({ origin: true });',
  "corsPreflight({ maxAge: '10m' });",
  'corsPreflight({ origin: (origin) => origin.length });',
  "methodNotAllowed({ errors: 'throw' });",
  "declareMethods('GET', () => undefined);",
  "patchHandler('notes', formats);",
  'patchHandler(notes, jsonPatch());',
  'patchHandler(notes, [jsonPatch]);',
  "patchHandler(notes, formats, { precondition: 'always' });",
  "patchHandler(notes, formats, { respond: 'full' });",
  'patchHandler(notes, formats, { idempotency: true });',
  'patchHandler(notes, formats, { key: (req) => req.params.id.toLowerCase() });',
  "patchHandler(notes, formats, { limits: { bytes: '1 MB' } });",
  "patchHandler(notes, formats, { create: () => ({ name: '' }) });",
  'patchHandler(notes, formats, { validate: (next) => next.title.length > 0 });',
  "patchHandler(notes, formats, { prefer: 'minimal' });",
  'mergePatch({ mediaType: 5 });',
  "checkPreconditions(req, undefined, { precondition: 'always' });",
  'new SqliteStore(db, {});',
  "new PostgresStore('postgres://127.0.0.1', { table: 'notes' });",
  "new PostgresStore(pool, { table: 'notes', prepared: false });",
  "new MysqlStore('mysql://127.0.0.1', { table: 'notes' });",
  'new RedisStore(client, {});',
  'cachedStore(notes, {});',
  "resourceClient('/api', { idempotency: 'optional' });",
  "resourceClient('/api', { retry: 3 });",
];

/** As it is: the snapshot is to be read. */
expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', serialize: String });

test('each is an error, with a message that names the option', () => {
  const findings = findingsIn(wrong.map((text) => `${around}${text}`));
  const compiled = wrong.filter((_text, i) => findings[i]?.length === 0);
  expect(compiled).toEqual([]);
  const said = wrong.map((text, i) => [
    text,
    ...(findings[i] ?? []).map((found) => found.replace(/^.*? … /s, '')),
  ]);
  expect(said.map((lines) => lines.join('\n')).join('\n\n')).toMatchSnapshot();
});

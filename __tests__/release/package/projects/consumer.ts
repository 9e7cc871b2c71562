/** What an app writes, each export once, for its compiler to read the published declarations by. */
import { createServer } from 'node:http';
import express from 'express';
import {
  checkPreconditions,
  ConfigurationError,
  corsPreflight,
  declareMethods,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  NotJsonError,
  optionsHandler,
  optionsListener,
  outcomesFull,
  PatchError,
  patchHandler,
  patchOptions,
  ProblemError,
  sendProblem,
  type CorsOptions,
  type PatchHandlerOptions,
  type PatchParser,
  type ResourceStore,
} from 'patch-options';
import { resourceClient, UncertainError, type ResourceClient } from 'patch-options/client';
import { createJsonPatch } from 'patch-options/json';
import { PostgresStore } from 'patch-options/postgres';
import { RedisStore } from 'patch-options/redis';
import { drizzleRows, rowStore, tableStore } from 'patch-options/rows';
import { SqliteStore } from 'patch-options/sqlite';
import { storeConformance, type ConformanceOptions, type StoreUnderTest } from 'patch-options/testing';

interface Note {
  title: string;
}

export const memory = new MemoryStore<Note>();
export const sqlite = new SqliteStore<Note>(
  { exec: () => undefined, prepare: () => ({ all: () => [] }) },
  { table: 'notes' },
);
export const postgres = new PostgresStore<Note>(
  { query: () => Promise.resolve({ rows: [] }) },
  { table: 'notes' },
);
export const redis = new RedisStore<Note>(
  { eval: () => Promise.resolve(null), evalsha: () => Promise.resolve(null) },
  { prefix: 'notes:' },
);
export const rows = rowStore({
  ...{ find: () => undefined, lock: () => 0, update: () => 0, transaction: () => undefined },
  columns: { title: 'string', createdAt: { kind: 'date', readOnly: true } },
  key: 'slug',
});
// A declaration file names the types of what is exported, so each must be exported by the package, too.
const columns = { title: 'string', day: { kind: 'date?', storedAs: 'milliseconds' } } as const;
const noteRows = { columns, key: 'slug', counter: 'revision' } as const;
export const adapted = rowStore({ ...drizzleRows({} as never, {}), ...noteRows });
export const table = tableStore(
  { query: () => Promise.resolve({ rows: [] }) },
  { table: 'notes', ...noteRows },
);
export const titleOfRow: Promise<string | undefined> = rows.get('a').then((found) => found?.value.title);
export const stores: ResourceStore<Note>[] = [memory, sqlite, postgres, redis];
const underTest = (): StoreUnderTest => ({ open: () => new MemoryStore() });
const inNotes: ConformanceOptions<Note> = {
  carrier: { wrap: (title) => ({ title }), unwrap: ({ title }) => title },
  outcomes: true,
};
export const skipped = storeConformance(underTest, inNotes).filter(({ skip }) => skip !== undefined).length;

const shout: PatchParser<Note> = {
  mediaType: 'text/x-shout',
  parse: (document) => (current) => {
    if (document.length === 0)
      throw new PatchError('patch-malformed', 'Nothing was sent: send the new title.');
    return { ...current, title: document.toString() };
  },
};
const cors: CorsOptions = {
  origin: ['https://app.example', (origin) => /^https:\/\/x\d\.example$/.test(origin)],
  credentials: true,
};
const options: PatchHandlerOptions<Note> = {
  key: (req) => req.params.id,
  validate: (next) => (next.title === '' ? [{ detail: 'A title is missing.', pointer: '/title' }] : []),
  onPatched: ({ after }) => entityTag(after),
};
const patch = patchHandler(memory, [jsonPatch(), mergePatch(), shout], options);

const app = express();
app.use(optionsHandler(), corsPreflight(cors));
app.use(patchOptions({ cors, resources: { '/notes/:id': { guard: 'none', patch } } }));
app.use('/files', declareMethods(['GET', 'HEAD'], express.static('files')));
app.patch('/notes/:id', patch);
app.put('/notes/:id', async (req, res) => {
  const problem = checkPreconditions(req, await memory.get(req.params.id));
  if (problem instanceof ProblemError) sendProblem(res, problem);
});
app.use(methodNotAllowed({ errors: 'next' }));
export const server = createServer(optionsListener(app, { cors }));

export const client: ResourceClient<Note> = resourceClient<Note>('https://api.example', {
  fetch,
  idempotency: true,
  onConflict: ({ mine, theirs }) => ({ ...theirs, title: `${mine.title}, ${theirs.title}` }),
});
export const renamed: Promise<string> = client
  .change('/notes/1', (note) => {
    note.title = 'a';
  })
  .then(({ value }) => value.title);
export const counted: Promise<number> = client
  .change<number>('/count', (n) => n + 1)
  .then(({ value }) => value);
export const differing: readonly string[] = createJsonPatch({}, { title: 'a' }).map(({ path }) => path);
export const isUncertain = (error: unknown): boolean => error instanceof UncertainError;

export const later: ProblemError = outcomesFull(60);
export const told = (error: unknown): string | undefined =>
  error instanceof ConfigurationError || error instanceof NotJsonError ? error.code : undefined;

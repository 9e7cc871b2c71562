/**
 * What users write, as the compiler sees it: `npm run types` compiles it with the types of Express 5, and a test of `release` with
 * those of Express 4.
 * A line that must not compile is marked; where it does compile, the mark is an error.
 */
import { createServer } from 'node:http';
import { createSecureServer, createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import express from 'express';
import { z } from 'zod';
import {
  checkPreconditions,
  corsPreflight,
  declareMethods,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  outcomesFull,
  patchHandler,
  patchOptions,
  sendProblem,
  type OutcomeStore,
  type PatchParser,
  type ReadContext,
  type ResourceStore,
  type Stored,
  type WriteContext,
} from 'patch-options';

interface Note {
  title: string;
  tags?: string[] | undefined;
}

declare const notes: ResourceStore<Note>;
const app = express();
const formats = [jsonPatch(), mergePatch()];

app.use(patchOptions());
app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
app.use(optionsHandler(), corsPreflight(), methodNotAllowed());
createServer(optionsListener(app, { cors: { origin: 'https://app.example' } }));
createServer(optionsListener((req, res) => void res.end(req.url), { root: express.Router() }));
const detach: () => void = optionsListener(app).attach(app.listen(0));
detach();
optionsListener(app).attach(createHttpsServer());
optionsListener(app).attach(createHttp2Server());
optionsListener(app).attach(createSecureServer());
// @ts-expect-error A port is no server.
optionsListener(app).attach(3000);
// @ts-expect-error A router needs a third argument.
createServer(optionsListener(express.Router()));

app.patch('/notes/:id', patchHandler(notes, formats, { key: (req) => req.params.id }));
app.patch(/notes/, patchHandler(notes, formats));
app.patch('/notes/:id', patchHandler<Note>(new MemoryStore(), formats));
express.Router().patch('/notes/:id', patchHandler(notes, formats));
app.get('/notes/:id', async (_req, res) => {
  const note = await notes.get('1');
  if (note) res.set('ETag', entityTag(note)).json(note.value);
});
app.put('/notes/:id', async (req, res) => {
  const problem = checkPreconditions(req, await notes.get('1'), { precondition: 'required' });
  if (problem) sendProblem(res, problem);
});

// The options agree with the store on what a resource is.
patchHandler(notes, formats, {
  represent: (note) => note.title,
  validate: (next, current) =>
    next.title === current?.title ? [{ detail: 'No change.', pointer: '/title' }] : [],
  authorize: (req, { next, changed }) => req.ip !== '' && next.title !== '' && changed.length > 0,
  onPatched: ({ after, before }) => [after.value.title, before?.value.title],
  create: () => ({ title: '' }),
  entityTag: (stored) => `"${stored.version}"`,
});
patchHandler(notes, formats, {
  validate: z.object({ title: z.string(), tags: z.array(z.string()).optional() }),
});
patchHandler(notes, formats, {
  validate: async (next) => Promise.resolve(next.title === '' ? [] : undefined),
  create: async (req) => Promise.resolve({ title: req.path }),
});

patchHandler(notes, formats, {
  idempotency: 'required',
  idempotencyLimits: { keep: 100, total: 5_000, maxAge: 3_600 },
  scope: (req) => req.get('X-User') ?? '',
});

// A store of the app's own that keeps outcomes.
class OwnStore implements OutcomeStore<Note> {
  readonly keepsOutcomes = true;

  get(key: string, { outcome }: ReadContext = {}): Promise<Stored<Note> | undefined> {
    const found = { value: { title: key }, version: '1' };
    return Promise.resolve(outcome === undefined ? found : { ...found, outcome: outcome.id });
  }

  replace(_key: string, expected: string | null, next: Note, { outcome }: WriteContext = {}) {
    if (outcome?.keep === 0) return Promise.reject(outcomesFull(outcome.maxAge));
    const version = outcome?.text('2') ?? '2';
    return Promise.resolve(expected === '1' ? { value: next, version } : undefined);
  }
}
patchHandler(new OwnStore(), formats, { idempotency: 'optional' });

// @ts-expect-error: another kind of value
patchHandler(notes, formats, { idempotency: true });
// @ts-expect-error: a scope is a string
patchHandler(notes, formats, { idempotency: 'optional', scope: () => 7 });
// @ts-expect-error: a note has no member `name`
patchHandler(notes, formats, { represent: (note) => String(note.name) });
// @ts-expect-error: what is created is a note
patchHandler(notes, formats, { create: () => ({ name: '' }) });
// @ts-expect-error: also where it comes later
patchHandler(notes, formats, { create: async () => Promise.resolve({ name: '' }) });
// @ts-expect-error: the schema is of something else
patchHandler(notes, formats, { validate: z.object({ name: z.string() }) });
// @ts-expect-error: another kind of value
patchHandler(notes, formats, { precondition: true });
// @ts-expect-error: no such option
patchHandler(notes, formats, { validator: () => [] });
// @ts-expect-error: req.params.id may be undefined, and a key of two parts must say what it does then
patchHandler(notes, formats, { key: (req) => req.params.id.toLowerCase() });
const textFormat: PatchParser<string> = { mediaType: 'text/plain', parse: () => (current) => current };
// @ts-expect-error: a parser of other values
patchHandler(notes, [textFormat]);

// Whoever lets PATCH be answered in front of the app's authentication says who may.
const patch = patchHandler(notes, formats);
app.use(patchOptions({ resources: { '/notes/:id': { guard: 'none', patch } } }));
app.use(
  patchOptions({
    resources: {
      '/notes/:id': {
        guard: (_req, _res, next) => {
          next();
        },
        patch,
      },
    },
  }),
);
// @ts-expect-error: no guard
app.use(patchOptions({ resources: { '/notes/:id': { patch } } }));

// A middleware that is written in place has a handler's parameters; one that there is keeps its own type.
const api = express.Router();
app.use(
  declareMethods(api, (req, res, next) => {
    if (req.hostname === 'api') api(req, res, next);
    else next();
  }),
);
const pong = declareMethods(['GET'], (_req, res) => res.json({}));
app.use('/ping', pong);
app.use('/files', declareMethods(['GET', 'HEAD'], express.static('files')));
declareMethods(['GET'], (context: { path: string }) => context.path)({ path: '/' }).toUpperCase();
// @ts-expect-error: a request has no such member
declareMethods(['GET'], (req) => String(req.prams));

/**
 * What hosts write, as the compiler sees it, compiled by `types.test.ts` with the types of Express 5 and of Express 4.
 * A line that must not compile is marked; where it does compile, the mark is an error.
 */
import { createServer } from 'node:http';
import express from 'express';
import { z } from 'zod';
import {
  checkPreconditions,
  corsPreflight,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  patchHandler,
  patchOptions,
  sendProblem,
  type PatchParser,
  type ResourceStore,
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
});

// @ts-expect-error: a note has no member `name`
patchHandler(notes, formats, { represent: (note) => String(note.name) });
// @ts-expect-error: what is created is a note
patchHandler(notes, formats, { create: () => ({ name: '' }) });
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

// Whoever lets PATCH be answered in front of the host's authentication says who may.
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

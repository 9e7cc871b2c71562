const express = require('express');
const {
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  patchHandler,
  patchOptions,
} = require('patch-options');

const notes = new MemoryStore();
void notes.replace('1', null, { title: 'Buy milk', done: false });

const app = express();
app.use(
  patchOptions({
    cors: { origin: 'https://app.example' },
    resources: {
      '/notes/:id': {
        guard: 'none',
        patch: patchHandler(notes, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }),
      },
    },
  }),
);
app.get('/notes/:id', async (req, res) => {
  const note = await notes.get(req.params.id);
  if (note) res.set('ETag', entityTag(note)).json(note.value);
  else res.sendStatus(404);
});
app.use(methodNotAllowed());
app.listen(3000, '127.0.0.1');

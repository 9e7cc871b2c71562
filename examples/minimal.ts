import express from 'express';
import {
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  patchHandler,
  patchOptions,
} from 'patch-options';

const notes = new MemoryStore();
void notes.replace('1', null, { title: 'Buy milk' });

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example' } })); // first: preflights carry no login
app.get('/notes/:id', async (req, res) => {
  const note = await notes.get(req.params.id);
  if (note) res.set('ETag', entityTag(note)).json(note.value);
  else res.sendStatus(404);
});
app.patch('/notes/:id', patchHandler(notes, [jsonPatch(), mergePatch()], { key: (req) => req.params.id }));
app.use(methodNotAllowed()); // last: 405 with the same computed Allow
app.listen(3000, '127.0.0.1');

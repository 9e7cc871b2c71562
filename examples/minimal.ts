import express from 'express';
import { jsonPatch, MemoryStore, mergePatch, methodNotAllowed, patchOptions, resource } from 'patch-options';

const notes = new MemoryStore({ '1': { title: 'Buy milk', done: false } });
const note = resource(notes, [jsonPatch(), mergePatch()], { key: 'id' });

const app = express();
app.use(patchOptions({ cors: { origin: 'https://app.example' } })); // first: preflights carry no credentials
app.get('/notes/:id', note.get);
app.patch('/notes/:id', note.patch);
app.use(methodNotAllowed()); // last: 405 with the same computed Allow
app.listen(3000, '127.0.0.1');

import express from 'express';
import { createServer } from 'node:http';
import { library } from '../harness/library.mjs';
import { expectsOther, fill } from './patch-routes.mjs';

const { entityTag, jsonPatch, MemoryStore, resource } = library();

export async function ours({ keys }) {
  const note = resource(await fill(new MemoryStore(), keys), [jsonPatch()], { key: (req) => req.params.id });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put);
  return createServer(app);
}

/** The same over the same store, as one writes it by hand, with the tag of the store. */
export async function byHand({ keys }) {
  const store = await fill(new MemoryStore(), keys);
  const app = express();
  app.get('/notes/:id', async (req, res) => {
    const stored = await store.get(req.params.id);
    if (stored === undefined) return res.sendStatus(404);
    res.set('ETag', entityTag(stored)).json(stored.value);
  });
  app.put('/notes/:id', express.json(), async (req, res) => {
    const stored = await store.get(req.params.id);
    if (stored === undefined) return res.sendStatus(404);
    if (expectsOther(req, entityTag(stored))) return res.sendStatus(412);
    const written = await store.replace(req.params.id, stored.version, req.body);
    if (written === undefined) return res.sendStatus(409);
    res.set('ETag', entityTag(written)).status(204).end();
  });
  return createServer(app);
}

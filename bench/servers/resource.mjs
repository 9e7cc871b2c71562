import express from 'express';
import { createServer } from 'node:http';
import { documents } from './documents.mjs';
import { library } from '../harness/library.mjs';
import { expectsOther } from './patch-routes.mjs';

const { entityTag, jsonPatch, MemoryStore, resource } = library();

async function storeOf(keys) {
  const store = new MemoryStore();
  for (let i = 0; i < keys; i++) await store.replace(String(i), null, documents['1 KB'](i));
  return store;
}

export async function ours({ keys }) {
  const note = resource(await storeOf(keys), [jsonPatch()], { key: (req) => req.params.id });
  const app = express();
  app.route('/notes/:id').get(note.get).put(note.put);
  return createServer(app);
}

/** The same over the same store, as one writes it by hand, with the tag of the store. */
export async function byHand({ keys }) {
  const store = await storeOf(keys);
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

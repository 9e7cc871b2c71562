import etag from 'etag';
import express from 'express';
import fastJsonPatch from 'fast-json-patch';
import { createServer } from 'node:http';
import { library } from '../library.mjs';
import { documents } from '../documents.mjs';

const { jsonPatch, MemoryStore, patchHandler } = library();
const mediaType = 'application/json-patch+json';

export async function ours({ document, keys }) {
  const store = new MemoryStore();
  for (let i = 0; i < keys; i++) await store.replace(String(i), null, documents[document](i));
  return serverOf(patchHandler(store, [jsonPatch()], { key: (req) => req.params.id }));
}

/** As one writes it by hand, with a check of If-Match, and a new entity tag. */
export function handWritten({ document, keys }) {
  const notes = new Map();
  for (let i = 0; i < keys; i++) {
    const value = documents[document](i);
    notes.set(String(i), { value, tag: etag(JSON.stringify(value)) });
  }
  return serverOf(express.json({ type: mediaType }), (req, res) => {
    const note = notes.get(req.params.id);
    if (note === undefined) return res.sendStatus(404);
    const expected = req.get('If-Match');
    if (expected !== undefined && expected !== note.tag) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(note.value, req.body, true, false);
    const tag = etag(JSON.stringify(newDocument));
    notes.set(req.params.id, { value: newDocument, tag });
    return res.set('ETag', tag).status(204).end();
  });
}

/** Reads the body, and does nothing with it. */
export const reader = () => serverOf(express.raw({ type: mediaType }), (_req, res) => res.status(204).end());

function serverOf(...handlers) {
  const app = express();
  app.patch('/notes/:id', ...handlers);
  return createServer(app);
}

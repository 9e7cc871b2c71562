import express from 'express';
import fastJsonPatch from 'fast-json-patch';
import { createServer } from 'node:http';
import { library } from '../harness/library.mjs';
import { documents } from './documents.mjs';

const { jsonPatch, patchHandler } = library();
const mediaType = 'application/json-patch+json';

/** One PATCH route behind nothing else. */
function serverOf(...handlers) {
  const app = express();
  app.patch('/notes/:id', ...handlers);
  return createServer(app);
}

export const patchOver = (store, options) =>
  serverOf(patchHandler(store, [jsonPatch()], { key: (req) => req.params.id, ...options }));

/** Fills a store with notes, by the numbers from 0 on. */
export async function fill(store, keys, document = '1 KB') {
  for (let i = 0; i < keys; i++) await store.replace(String(i), null, documents[document](i));
  return store;
}

/** A route as one writes it by hand; the patch is in `req.body`. */
export const handWrittenRoute = (handler) => serverOf(express.json({ type: mediaType }), handler);

/**
 * A route as one writes it by hand over notes that are JSON texts, with a number for a version.
 *
 * @param find - gives `{ value, version }` of a note
 * @param update - writes a text and its version where the version is still what it was, and gives whether it did
 */
export const handWrittenOver = (find, update) =>
  handWrittenRoute(async (req, res) => {
    const { id } = req.params;
    const note = await find(id);
    if (note === undefined) return res.sendStatus(404);
    if (expectsOther(req, `"${note.version}"`)) return res.sendStatus(412);
    const { newDocument } = fastJsonPatch.applyPatch(JSON.parse(note.value), req.body, true, true);
    const next = String(Number(note.version) + 1);
    const isWritten = await update(JSON.stringify(newDocument), next, id, note.version);
    return isWritten ? res.set('ETag', `"${next}"`).status(204).end() : res.sendStatus(409);
  });

/** Reads the body, and does nothing with it. */
export const readingRoute = () =>
  serverOf(express.raw({ type: mediaType }), (_req, res) => res.status(204).end());

/** Whether the client has said which state it means to change, and it is another. */
export function expectsOther(req, tag) {
  const expected = req.get('If-Match');
  return expected !== undefined && expected !== tag;
}

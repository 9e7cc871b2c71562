import express from 'express';
import { createServer } from 'node:http';
import { library } from '../harness/library.mjs';

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

/** A route as one writes it by hand; the patch is in `req.body`. */
export const handWrittenRoute = (handler) => serverOf(express.json({ type: mediaType }), handler);

/** Reads the body, and does nothing with it. */
export const readingRoute = () =>
  serverOf(express.raw({ type: mediaType }), (_req, res) => res.status(204).end());

/** Whether the client has said which state it means to change, and it is another. */
export function expectsOther(req, tag) {
  const expected = req.get('If-Match');
  return expected !== undefined && expected !== tag;
}

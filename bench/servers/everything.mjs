import express from 'express';
import { createServer } from 'node:http';
import { library } from '../harness/library.mjs';
import { origin } from './cors-policy.mjs';

const { jsonPatch, MemoryStore, mergePatch, methodNotAllowed, patchHandler, patchOptions } = library();

/** All of the library, in front of routes that match every path; what is patched is created. */
export function everything() {
  const app = express();
  app.use(patchOptions({ cors: { origin } }));
  app.patch('/notes/:id', patchHandler(new MemoryStore(), [jsonPatch(), mergePatch()], { create: true }));
  app.get('/:collection/:id', (_req, res) => res.end());
  app.use(methodNotAllowed());
  return createServer(app);
}

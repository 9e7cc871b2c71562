import express from 'express';
import { createServer } from 'node:http';
import { library } from '../harness/library.mjs';
import { origin } from './cors-policy.mjs';

const { corsPreflight, jsonPatch, MemoryStore, mergePatch, methodNotAllowed, ...rest } = library();
const { optionsHandler, optionsListener, patchHandler } = rest;

/**
 * All of the library, with routes that match every path; what is patched is created. Half of the requests come by the
 * listener, half by the app itself.
 */
export function everything() {
  const app = express();
  app.use(corsPreflight({ origin }), optionsHandler());
  app.patch('/notes/:id', patchHandler(new MemoryStore(), [jsonPatch(), mergePatch()], { create: true }));
  app.get('/:collection/:id', (_req, res) => res.end());
  app.use(methodNotAllowed());
  const listener = optionsListener(app, { cors: { origin } });
  return createServer((req, res) => (Math.random() < 0.5 ? app : listener)(req, res));
}

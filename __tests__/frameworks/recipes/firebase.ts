import { http, type HttpFunction } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import express from 'express';
import { onRequest } from 'firebase-functions/https';
import type { Server } from 'node:http';
import { methodNotAllowed, patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: Firebase
  const app = express();

  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.patch('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
  app.use(methodNotAllowed());

  const api = onRequest(app); // exported
  // end
  // As Cloud Functions call it.
  http('api', api as HttpFunction);
  return getTestServer('api').listen(port);
}

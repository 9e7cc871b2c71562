import cors from 'cors';
import express from 'express';
import { createServer } from 'node:http';
import { allowedHeaders, exposedHeaders, maxAge, methods, origin } from './cors-policy.mjs';
import { library } from '../harness/library.mjs';

const { corsPreflight, methodNotAllowed, optionsHandler, optionsListener } = library();

/** A middleware that ends 200. */
export const bare = ({ groups }) => appWith((_req, res) => res.end(), groups);

/** npm cors, which answers every path with the same list. */
export const recited = ({ groups }) =>
  appWith(cors({ origin, methods, allowedHeaders, exposedHeaders, maxAge }), groups);

export const preflight = ({ groups }) => appWith(corsPreflight({ origin }), groups);

/** Express by itself: it answers OPTIONS where nobody else does, and 404. */
export const builtIn = ({ groups }) => appWith(undefined, groups);

export const computed = ({ groups }) => appWith(optionsHandler(), groups);

export function refusing({ groups }) {
  const app = appOf(undefined, groups);
  app.use(methodNotAllowed());
  return createServer(app);
}

export const listener = ({ groups }) =>
  createServer(optionsListener(appOf(undefined, groups), { cors: { origin } }));

function appWith(middleware, groups) {
  return createServer(appOf(middleware, groups));
}

/** Route groups as hosts have them: a router each, with a collection and its items. */
function appOf(middleware, groups) {
  const app = express();
  if (middleware !== undefined) app.use(middleware);
  for (let i = 0; i < groups; i++) {
    const group = express.Router();
    group.route('/').get(sendNote).post(sendNote);
    group.get('/:id', sendNote).put('/:id', sendNote).patch('/:id', sendNote).delete('/:id', sendNote);
    app.use(`/group${i}`, group);
  }
  return app;
}

function sendNote(req, res) {
  res.json({ id: req.params.id, title: 'A note', body: 'Some text that a note might have.' });
}

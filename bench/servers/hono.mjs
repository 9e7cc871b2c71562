import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { allowedHeaders, exposedHeaders, maxAge, methods, origin } from './cors-policy.mjs';

export function recited({ groups }) {
  const app = new Hono();
  app.use(
    cors({
      origin,
      allowMethods: methods,
      allowHeaders: allowedHeaders,
      exposeHeaders: exposedHeaders,
      maxAge,
    }),
  );
  return serve(app, groups);
}

export function refusing({ groups }) {
  const app = new Hono();
  app.use(methodNotAllowed({ app }));
  return serve(app, groups);
}

function serve(app, groups) {
  for (let i = 0; i < groups; i++) app.route(`/group${i}`, group());
  return createAdaptorServer({ fetch: app.fetch });
}

function group() {
  const note = (context) => context.json({ title: 'A note' });
  const app = new Hono();
  app.get('/', note).post('/', note);
  return app.get('/:id', note).put('/:id', note).patch('/:id', note).delete('/:id', note);
}

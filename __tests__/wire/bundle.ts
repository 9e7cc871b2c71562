import type { RequestHandler } from 'express';
import { jsonPatch, mergePatch, methodNotAllowed, patchHandler, patchOptions } from 'patch-options';
import { mergePatchOf, ours, preflight, type WireApp } from './wire-app';

const authenticate: RequestHandler = (req, res, next) => {
  if (req.headers.authorization === 'Bearer 1') next();
  else res.status(401).set('WWW-Authenticate', 'Bearer').end();
};

/** PATCH in front of everything else, where nobody has been authenticated. */
export const bundle: WireApp = {
  stores: true,
  open: (express, store) => {
    const patch = patchHandler(store, [mergePatch(), jsonPatch()], { key: (req) => req.params.id });
    const app = express().disable('x-powered-by').disable('etag');
    const resources = {
      '/notes/:id': { guard: 'none', patch },
      '/guarded/:id': { guard: [authenticate], patch },
    } as const;
    app.use(patchOptions({ cors: { origin: ours }, resources }));
    app.use((_req, res, next) => {
      res.set('X-Passed', 'the bundle');
      next();
    });
    app.get('/notes/:id', async (req, res) => {
      res.json((await store.get(req.params.id))?.value);
    });
    app.use(methodNotAllowed());
    return app;
  },

  rows: {
    'a preflight': preflight('/notes/1'),
    'a preflight for what is guarded': preflight('/guarded/1'),
    'a preflight that is refused': preflight('/guarded/1', { Origin: 'null' }),
    OPTIONS: { line: 'OPTIONS /notes/1' },
    'OPTIONS of what is guarded': { line: 'OPTIONS /guarded/1', headers: { Origin: ours } },
    'OPTIONS *': { line: 'OPTIONS *' },
    'PATCH: 204': mergePatchOf('/notes/1', { title: 'Buy bread' }, { Origin: ours }),
    'PATCH, guarded: 401': mergePatchOf('/guarded/1', {}, { Origin: ours }),
    'PATCH, guarded: 204': mergePatchOf('/guarded/1', {}, { Authorization: 'Bearer 1' }),
    'PATCH: 404': mergePatchOf('/notes/2', {}, { Origin: ours }),
    'PATCH: 415': { line: 'PATCH /notes/1', headers: { Origin: ours }, body: '' },
    'PATCH: goes on where no resource is': mergePatchOf('/else/1'),
    'GET goes on': [mergePatchOf('/notes/1'), { line: 'GET /notes/1', headers: { Origin: ours } }],
    '405': { line: 'PUT /guarded/1', headers: { Origin: ours } },
    '404': { line: 'GET /nowhere', headers: { Origin: ours } },
  },
};

import type { Request, Response } from 'express';
import { checkPreconditions, entityTag, sendProblem } from 'patch-options';
import { note, type WireApp } from './wire-app';

const past = 'Sat, 01 Jan 2000 00:00:00 GMT';
const future = 'Fri, 01 Jan 2100 00:00:00 GMT';

const put = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  line: `PUT ${path}`,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: note,
});

/** Handlers of the app's own, over `entityTag`, `checkPreconditions` and `sendProblem`. */
export const handlers: WireApp = {
  stores: true,
  open: (express, store) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(express.json());

    const get = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
      const stored = await store.get(req.params.id);
      const problem = checkPreconditions(req, stored);
      if (problem !== undefined) sendProblem(res, problem);
      else if (stored === undefined) res.status(404).end();
      else res.set('ETag', entityTag(stored)).json(stored.value);
    };
    const replace = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
      const { id } = req.params;
      const before = await store.get(id);
      const problem = checkPreconditions(req, before, { precondition: 'required' });
      if (problem !== undefined) {
        sendProblem(res, problem);
        return;
      }
      const after = await store.replace(id, before?.version ?? null, req.body);
      if (after === undefined) res.status(409).end();
      else
        res
          .status(before === undefined ? 201 : 204)
          .set('ETag', entityTag(after))
          .end();
    };
    const remove = async (req: Request<{ id: string }>, res: Response): Promise<void> => {
      const problem = checkPreconditions(req, await store.get(req.params.id));
      if (problem !== undefined) sendProblem(res, problem);
      else res.status((await store.delete(req.params.id)) ? 204 : 404).end();
    };
    app.route('/notes/:id').get(get).put(replace).delete(remove);
    return app;
  },

  rows: {
    GET: { line: 'GET /notes/1' },
    HEAD: { line: 'HEAD /notes/1' },
    'GET: 404': { line: 'GET /notes/2' },
    'GET: If-None-Match, 304': { line: 'GET /notes/1', headers: { 'If-None-Match': '"tag 1"' } },
    'GET: If-None-Match, weak, 304': { line: 'GET /notes/1', headers: { 'If-None-Match': 'W/"tag 1"' } },
    'GET: If-None-Match, another': { line: 'GET /notes/1', headers: { 'If-None-Match': '"x", "y"' } },
    'HEAD: If-None-Match, 304': { line: 'HEAD /notes/1', headers: { 'If-None-Match': '*' } },
    'GET: If-Modified-Since, 304': { line: 'GET /notes/1', headers: { 'If-Modified-Since': future } },
    'GET: If-Modified-Since, changed': { line: 'GET /notes/1', headers: { 'If-Modified-Since': past } },
    'GET: If-Match, 412': { line: 'GET /notes/1', headers: { 'If-Match': '"x"' } },
    'PUT: 428': put('/notes/1'),
    'PUT: 428 where nothing is': put('/notes/2'),
    'PUT: 204': put('/notes/1', { 'If-Match': '"tag 1"' }),
    'PUT: 201': put('/notes/2', { 'If-None-Match': '*' }),
    'PUT: 412': put('/notes/1', { 'If-Match': '"x"' }),
    'PUT: 412, it exists': put('/notes/1', { 'If-None-Match': '*' }),
    'PUT: 400': put('/notes/1', { 'If-Match': 'x' }),
    'DELETE: If-Match, weak': { line: 'DELETE /notes/1', headers: { 'If-Match': 'W/"tag 1"' } },
    'DELETE: If-Unmodified-Since, 412': { line: 'DELETE /notes/1', headers: { 'If-Unmodified-Since': past } },
    'DELETE, and GET after it': [{ line: 'DELETE /notes/1' }, { line: 'GET /notes/1' }],
  },
};

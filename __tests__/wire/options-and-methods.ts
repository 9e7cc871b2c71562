import type { ErrorRequestHandler, RequestHandler } from 'express';
import {
  declareMethods,
  jsonPatch,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  patchHandler,
  ProblemError,
} from 'patch-options';
import { tellError, type WireApp } from './wire-app';

const answered: RequestHandler = (req, res) => {
  res.json({ answered: `${req.method} ${req.originalUrl}` });
};

const tellProblem: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof ProblemError) res.set(error.headers).status(error.status).json(error.problem);
  else next(error);
};

/** No CORS: OPTIONS and 405 over routes of every shape. */
export const optionsAndMethods: WireApp = {
  open: (express, store) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use('/described', optionsHandler({ body: (target) => target }));
    app.use('/promised', optionsHandler({ body: ({ path }) => Promise.resolve({ path }) }));
    app.use('/without-content', optionsHandler({ status: 204 }));
    app.use(optionsHandler());

    app.get('/described', answered);
    app.post('/promised', answered);
    app.put('/without-content', answered);
    app.route('/notes').get(answered).post(answered);
    app.get('/notes/:id', answered);
    app.patch('/notes/:id', patchHandler(store, [jsonPatch(), mergePatch()]));
    app.delete(['/notes/:id', '/trash/:id'], answered);
    app.patch('/plain-patch', answered);
    app.all('/everything', answered);
    app.get('/guarded', answered).all('/guarded', answered);
    app.options('/own', (_req, res) => void res.set('Allow', 'PURGE').status(299).end());
    app.get('/own', answered);
    app.options('/only-options', (_req, res) => void res.status(204).end());
    app.use(
      '/files',
      declareMethods(['GET', 'HEAD'], (req, res) => void res.end(req.url)),
    );
    app.use(/^\/(?:old|new)$/, (_req, _res, next) => {
      next();
    });
    app.get(/^\/item-(\d+)$/, answered);

    const tasks = express.Router({ mergeParams: true });
    tasks.get('/', answered).put('/:task', answered);
    const lists = express.Router();
    lists.post('/', answered).use('/:list/tasks', tasks);
    app.use(['/lists', '/archive'], lists);

    const admin = express().disable('x-powered-by');
    admin.delete('/users/:id', answered);
    app.use('/admin', admin);

    const strict = express.Router({ strict: true, caseSensitive: true });
    strict.get('/Exact', answered);
    app.use('/strict', strict);

    const handedOn = express.Router();
    handedOn.get('/', answered);
    handedOn.use(methodNotAllowed({ errors: 'next' }));
    handedOn.use(tellProblem);
    app.use('/handed-on', handedOn);

    app.use(methodNotAllowed(), tellError);
    return app;
  },

  rows: {
    'OPTIONS: two methods of one route': { line: 'OPTIONS /notes' },
    'OPTIONS: methods of several routes, Accept-Patch': { line: 'OPTIONS /notes/1' },
    'OPTIONS: a path in a list': { line: 'OPTIONS /trash/1' },
    'OPTIONS: a query': { line: 'OPTIONS /notes?page=2' },
    'OPTIONS: a slash at the end': { line: 'OPTIONS /notes/' },
    'OPTIONS: another letter case': { line: 'OPTIONS /NOTES/1' },
    'OPTIONS: percent-encoded': { line: 'OPTIONS /n%6Ftes/%31' },
    'OPTIONS: percent-encoded wrongly': { line: 'OPTIONS /notes/%zz' },
    'OPTIONS: two slashes': { line: 'OPTIONS //notes' },
    'OPTIONS: absolute form': { line: 'OPTIONS http://api.example/notes/1?a=b' },
    'OPTIONS *': { line: 'OPTIONS *' },
    'OPTIONS: PATCH that is none of ours': { line: 'OPTIONS /plain-patch' },
    'OPTIONS: all verbs': { line: 'OPTIONS /everything' },
    'OPTIONS: a verb and a guard for all': { line: 'OPTIONS /guarded' },
    'OPTIONS: a handler of the app': { line: 'OPTIONS /own' },
    'OPTIONS: nothing but a handler of the app': { line: 'OPTIONS /only-options' },
    'OPTIONS: declared methods': { line: 'OPTIONS /files/a.txt' },
    'OPTIONS: a route by RegExp': { line: 'OPTIONS /item-12' },
    'OPTIONS: nested routers': { line: 'OPTIONS /lists/1/tasks' },
    'OPTIONS: nested routers, a parameter at each': { line: 'OPTIONS /archive/1/tasks/2' },
    'OPTIONS: the root of a router': { line: 'OPTIONS /lists' },
    'OPTIONS: an app on an app': { line: 'OPTIONS /admin/users/1' },
    'OPTIONS: a strict router': { line: 'OPTIONS /strict/Exact' },
    'OPTIONS: a strict router, another letter case': { line: 'OPTIONS /strict/exact' },
    'OPTIONS: a strict router, a slash at the end': { line: 'OPTIONS /strict/Exact/' },
    'OPTIONS: no route': { line: 'OPTIONS /nowhere' },
    'OPTIONS: a middleware alone': { line: 'OPTIONS /old' },
    'OPTIONS: with content': { line: 'OPTIONS /notes', body: 'anything' },
    'OPTIONS: Max-Forwards is of no interest': { line: 'OPTIONS /notes', headers: { 'Max-Forwards': '0' } },
    'OPTIONS: Origin alone makes no preflight': { line: 'OPTIONS /notes', headers: { Origin: 'null' } },
    'option body': { line: 'OPTIONS /described?a=b' },
    'option body: a promise': { line: 'OPTIONS /promised' },
    'option status: 204': { line: 'OPTIONS /without-content' },

    'GET goes to the route': { line: 'GET /notes/1' },
    'HEAD goes to the route': { line: 'HEAD /notes/1' },
    '405: one route': { line: 'PUT /notes' },
    '405: Accept-Patch is not in it': { line: 'PUT /notes/1' },
    '405: a nested router': { line: 'PATCH /lists/1/tasks/2' },
    '405: an app on an app': { line: 'GET /admin/users/1' },
    '405: to HEAD': { line: 'HEAD /trash/1' },
    '405: errors: next': { line: 'POST /handed-on' },
    '405: with content': { line: 'POST /notes/1', body: { title: 'x' } },
    '405: a method that no route has': { line: 'PROPFIND /notes' },
    'no 405: all verbs': { line: 'PURGE /everything' },
    'no 405: no route': { line: 'GET /nowhere' },
    'no 405: nothing but OPTIONS': { line: 'GET /only-options' },
  },
};

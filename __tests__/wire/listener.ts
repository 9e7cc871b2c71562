import { jsonPatch, methodNotAllowed, optionsListener, patchHandler } from 'patch-options';
import { ours, preflight, tellError, type WireApp } from './wire-app';

/** What Express has seen has `X-Powered-By`. */
export const listener: WireApp = {
  open: (express, store) => {
    const app = express().disable('etag');
    app.get('/notes/:id', (req, res) => void res.json({ id: req.params.id }));
    app.patch('/notes/:id', patchHandler(store, [jsonPatch()]));
    app.options('/own', (_req, res) => void res.sendStatus(204));
    app.get('/fault', (_req, res) => void res.json({}));
    app.use(
      '/api',
      express.Router().post('/notes', (_req, res) => void res.sendStatus(201)),
    );
    app.use(methodNotAllowed(), tellError);
    const body = ({ path }: { path: string }): object | undefined => {
      if (path === '/api/notes') return { path };
      if (path === '/fault') throw new Error('a fault');
      return undefined;
    };
    return optionsListener(app, { cors: { origin: ours, credentials: true }, body });
  },

  rows: {
    'a preflight': preflight('/notes/1'),
    'a preflight on a router': preflight('/api/notes'),
    'a preflight that is refused': preflight('/notes/1', { Origin: 'https://evil.example' }),
    'a preflight without a route': preflight('/nowhere'),
    OPTIONS: { line: 'OPTIONS /notes/1' },
    'OPTIONS of a page': { line: 'OPTIONS /notes/1', headers: { Origin: ours } },
    'OPTIONS with content': { line: 'OPTIONS /api/notes' },
    'OPTIONS with a body that throws': { line: 'OPTIONS /fault' },
    'OPTIONS *': { line: 'OPTIONS *' },
    'OPTIONS: absolute form': { line: 'OPTIONS http://api.example/notes/1' },
    'OPTIONS of the app': { line: 'OPTIONS /own', headers: { Origin: ours } },
    'OPTIONS without a route': { line: 'OPTIONS /nowhere' },
    'OPTIONS: percent-encoded wrongly': { line: 'OPTIONS /notes/%zz' },
    GET: { line: 'GET /notes/1', headers: { Origin: ours } },
    'GET, not allowed': { line: 'GET /notes/1', headers: { Origin: 'null' } },
    '405': { line: 'PUT /notes/1', headers: { Origin: ours } },
    '404': { line: 'GET /nowhere', headers: { Origin: ours } },
  },
};

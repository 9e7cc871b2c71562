import type { ErrorRequestHandler } from 'express';
import { corsPreflight, methodNotAllowed, optionsHandler } from 'patch-options';
import { ours, preflight, type WireApp } from './wire-app';

const startAfresh: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) {
    next(error);
    return;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.status(500).type('text').send('It broke.');
};

const from = (origin: string | readonly string[]) => ({ Origin: origin });

/** Preflights for one policy, and the fields of every other response. */
export const cors: WireApp = {
  open: (express) => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(corsPreflight({ origin: [ours, 'https://*.example.org'] }), optionsHandler());
    app.get('/json', (_req, res) => void res.json({}));
    app.patch('/json', (_req, res) => void res.status(204).end());
    app.get('/vary', (_req, res) => void res.vary('Accept-Encoding').json({}));
    app.get('/vary-origin', (_req, res) => void res.vary('Accept').vary('ORIGIN').json({}));
    app.get('/vary-all', (_req, res) => void res.vary('*').json({}));
    app.get('/write-head', (_req, res) => void res.writeHead(200, { Vary: 'Accept', 'X-One': '1' }).end());
    app.get('/write-head-list', (_req, res) => void res.writeHead(203, 'Fine', ['Vary', 'Accept']).end());
    app.get('/own-fields', (_req, res) => {
      res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-One' }).json({});
    });
    app.get('/redirect', (_req, res) => {
      res.redirect(303, '/json');
    });
    app.get('/cookies', (_req, res) => void res.cookie('a', '1').cookie('b', '2').sendStatus(204));
    app.get('/stream', (_req, res) => {
      res.write('one, ');
      setImmediate(() => res.end('two'));
    });
    app.get('/fault', () => {
      throw new Error('a fault');
    });
    app.all('/everything', (_req, res) => void res.json({}));
    app.options('/own', (_req, res) => void res.set('X-Own', 'yes').sendStatus(204));
    app.use(methodNotAllowed(), startAfresh);
    return app;
  },

  rows: {
    'preflight: allowed': preflight('/json'),
    'preflight: another method gets the same': preflight('/json', {
      'Access-Control-Request-Method': 'DELETE',
    }),
    'preflight: other header fields get the same': preflight('/json', {
      'Access-Control-Request-Headers': 'x-secret',
    }),
    'preflight: for a private network gets the same': preflight('/json', {
      'Access-Control-Request-Private-Network': 'true',
    }),
    'preflight: a sub-domain': preflight('/json', from('https://deep.down.example.org')),
    'preflight: the domain of sub-domains': preflight('/json', from('https://example.org')),
    'preflight: all verbs': preflight('/everything'),
    'preflight: an OPTIONS handler of the app': preflight('/own'),
    'preflight: no route': preflight('/nowhere'),
    'preflight: refused': preflight('/json', from('https://evil.example')),
    'preflight: refused, no route': preflight('/nowhere', from('https://evil.example')),
    'preflight: null is refused': preflight('/json', from('null')),
    'preflight: a slash at the end is refused': preflight('/json', from(`${ours}/`)),
    'preflight: an origin in another letter case is refused': preflight('/json', from('HTTPS://app.example')),
    'preflight: two origins are refused': preflight('/json', from([ours, ours])),
    'preflight: an origin that is too long is refused': preflight(
      '/json',
      from(`https://${'x'.repeat(1100)}.example.org`),
    ),
    'preflight: an empty origin is refused': preflight('/json', from('')),
    'OPTIONS without Access-Control-Request-Method': { line: 'OPTIONS /json', headers: from(ours) },
    'OPTIONS without Origin': {
      line: 'OPTIONS /json',
      headers: { 'Access-Control-Request-Method': 'PATCH' },
    },
    'OPTIONS *, a preflight': preflight('*'),

    'GET: allowed': { line: 'GET /json', headers: from(ours) },
    'GET: no origin': { line: 'GET /json' },
    'GET: not allowed': { line: 'GET /json', headers: from('https://evil.example') },
    'GET: null': { line: 'GET /json', headers: from('null') },
    'GET: two origins': { line: 'GET /json', headers: from([ours, 'https://a.example.org']) },
    'HEAD: allowed': { line: 'HEAD /json', headers: from(ours) },
    'PATCH: 204': { line: 'PATCH /json', headers: from(ours) },
    'Vary is joined': { line: 'GET /vary', headers: from(ours) },
    'Vary is joined, no origin': { line: 'GET /vary' },
    'Vary has Origin already': { line: 'GET /vary-origin', headers: from(ours) },
    'Vary: *': { line: 'GET /vary-all', headers: from(ours) },
    'writeHead with fields': { line: 'GET /write-head', headers: from(ours) },
    'writeHead with a list of fields': { line: 'GET /write-head-list', headers: from(ours) },
    'fields of the app stay': { line: 'GET /own-fields', headers: from(ours) },
    'a redirection': { line: 'GET /redirect', headers: from(ours) },
    cookies: { line: 'GET /cookies', headers: from(ours) },
    'a stream': { line: 'GET /stream', headers: from(ours) },
    'an error handler that starts afresh': { line: 'GET /fault', headers: from(ours) },
    '404 of the app': { line: 'GET /nowhere', headers: from(ours) },
    '405': { line: 'PUT /json', headers: from(ours) },
  },
};

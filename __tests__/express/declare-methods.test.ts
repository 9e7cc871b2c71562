import type { ErrorRequestHandler, Handler } from 'express';
import { ConfigurationError } from '../../lib/config/options-check';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { declareMethods } from '../../lib/express/declare-methods';
import { allowOf } from '../support/allow-of';
import { frameworks } from '../support/frameworks';

const answer: Handler = (_req, res) => {
  res.setHeader('handler', 'own');
  res.end();
};
const pass: Handler = (_req, _res, next) => {
  next();
};
const onError: ErrorRequestHandler = (error, _req, _res, next) => {
  next(error);
};

describe.each(frameworks)('declareMethods on %s', (_name, express) => {
  it('what is declared is part of Allow and of the 405, under the mount', async () => {
    const app = express().use(optionsHandler());
    app.use('/files', declareMethods(['GET', 'HEAD', 'PROPFIND'], pass));
    app.put('/files/:name', answer).use(methodNotAllowed());
    expect(await allowOf(app, '/files/a')).toBe('200 GET, HEAD, OPTIONS, PROPFIND, PUT');
    expect(await allowOf(app, '/files/a/b')).toBe('200 GET, HEAD, OPTIONS, PROPFIND');
    expect(await allowOf(app, '/files/a/b', 'DELETE')).toBe('405 GET, HEAD, OPTIONS, PROPFIND');
    expect(await allowOf(app, '/other')).toBe('404');
  });

  it('what is declared is taken literally, and a HEAD that was answered already is no 405', async () => {
    const app = express().use(optionsHandler());
    app.use('/graphql', declareMethods(['GET', 'POST'], pass));
    app.get('/get', declareMethods(['GET'], answer)).get('/both', declareMethods(['GET', 'HEAD'], answer));
    app.get('/head', declareMethods(['HEAD'], answer)).use(methodNotAllowed());
    expect(await allowOf(app, '/graphql')).toBe('200 GET, OPTIONS, POST');
    expect(await allowOf(app, '/graphql', 'PUT')).toBe('405 GET, OPTIONS, POST');
    expect(await allowOf(app, '/graphql', 'HEAD')).toBe('404');
    expect(await allowOf(app, '/get')).toBe('200 GET, OPTIONS');
    expect(await allowOf(app, '/both')).toBe('200 GET, HEAD, OPTIONS');
    expect(await allowOf(app, '/head')).toBe('200 HEAD, OPTIONS');
  });

  it('what always passes on declares no method, and nothing comes of it', async () => {
    const app = express().use(optionsHandler());
    app.use('/used', declareMethods([], pass)).get('/verb', declareMethods([], pass));
    app.all('/all', declareMethods([], pass));
    app.route('/route').all(declareMethods([], pass)).put(answer);
    // Which of the two is the endpoint, no arity and no order tells.
    app.route('/both').get(declareMethods([], pass)).all(answer);
    app.use(methodNotAllowed());
    for (const path of ['/used', '/verb', '/all']) {
      expect(await allowOf(app, path, 'PUT')).toBe('404');
    }
    for (const path of ['/used', '/verb', '/all']) expect(await allowOf(app, path)).toBe('404');
    expect(await allowOf(app, '/route')).toBe('200 OPTIONS, PUT');
    expect(await allowOf(app, '/both')).toBe('200 DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY');
  });

  it('with OPTIONS among them, the middleware answers OPTIONS itself', async () => {
    const app = express().use(optionsHandler());
    app.use('/proxied', declareMethods(['GET', 'OPTIONS'], answer));
    expect(await allowOf(app, '/proxied')).toBe('200 own');
  });

  it('a route for all verbs that declares its own has those', async () => {
    const app = express().use(optionsHandler());
    app.all('/proxied', declareMethods(['GET', 'POST'], answer));
    app.route('/other').all(declareMethods(['PUT'], answer));
    expect(await allowOf(app, '/proxied')).toBe('200 GET, OPTIONS, POST');
    expect(await allowOf(app, '/other')).toBe('200 OPTIONS, PUT');
  });

  it('declares single paths, on routes that only pass', async () => {
    const app = express().use(optionsHandler());
    app.all('/messages', declareMethods(['GET', 'HEAD', 'POST'], pass));
    app.all('/messages/:id', declareMethods(['GET', 'PATCH'], pass));
    app.all('/old/:id', declareMethods(['PUT'], pass));
    app.use((req, _res, next) => {
      req.url = req.url.replace('/old', '/messages');
      next();
    });
    app.use('/messages', (req, res, next) => (req.method === 'DELETE' ? next() : answer(req, res, next)));
    app.use(methodNotAllowed());
    expect(await allowOf(app, '/messages?page=2')).toBe('200 GET, HEAD, OPTIONS, POST');
    expect(await allowOf(app, '/Messages/7/')).toBe('200 GET, OPTIONS, PATCH');
    expect(await allowOf(app, '/messages/7', 'PATCH')).toBe('200 own');
    expect(await allowOf(app, '/messages/7', 'DELETE')).toBe('405 GET, OPTIONS, PATCH');
    expect(await allowOf(app, '/old/7')).toBe('200 OPTIONS, PUT');
    expect(await allowOf(app, '/old/7', 'PUT')).toBe('200 own');
    expect(await allowOf(app, '/messages/7/8')).toBe('200 own'); // not declared, so it is the service's
  });

  it('names the router or app inside a wrapper', async () => {
    const router = express.Router().get('/:id', answer);
    const inner = express();
    inner.put('/:id', answer);
    const app = express().use(optionsHandler());
    app.use(
      '/notes',
      declareMethods(router, (req, res, next) => {
        router(req as never, res as never, next as never);
      }),
    );
    app.use('/notes', declareMethods(inner, pass));
    expect(await allowOf(app, '/notes/7')).toBe('200 GET, HEAD, OPTIONS, PUT');
    expect(await allowOf(app, '/notes')).toBe('404');
  });

  it('one middleware can be declared differently in two places, and is not changed', async () => {
    const files = express.static('nowhere');
    const before = files.name;
    const app = express().use(optionsHandler());
    app.use('/a', declareMethods(['GET'], files)).use('/b', declareMethods(['HEAD'], files));
    expect(await allowOf(app, '/a')).toBe('200 GET, OPTIONS');
    expect(await allowOf(app, '/b')).toBe('200 HEAD, OPTIONS');
    expect(files.name).toBe(before);
  });
});

describe('declareMethods() with what cannot be declared', () => {
  it.each([
    {
      methods: ['get'],
      middleware: pass,
      message: "methods[0]: 'get' must be in upper case. Write 'GET'.",
    },
    {
      methods: ['GET', 'FETCH'],
      middleware: pass,
      message: "methods[1]: 'FETCH' is not an HTTP method that Node parses.",
    },
    {
      methods: 'GET',
      middleware: pass,
      message: 'methods: a string must be a list of methods, an app or a router.',
    },
    { methods: ['GET'], middleware: undefined, message: 'middleware: undefined must be a function.' },
    {
      methods: ['GET'],
      middleware: onError,
      message:
        'middleware: [Function: onError] has four parameters, so it is an error handler and answers no method. Mount it without declareMethods().',
    },
  ])('$message', ({ methods, middleware, message }) => {
    const declare = () => declareMethods(methods as string[], middleware as Handler);
    expect(declare).toThrow(ConfigurationError);
    expect(declare).toThrow(message);
  });
});

import { createServer } from 'node:http';
import type { Application, Handler } from 'express';
import makeRouter from 'router';
import makeRouter22 from 'router22';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { createTargetInspection } from '../../lib/routes/target-methods';
import { declareMethods } from '../../lib/express/declare-methods';
import { allowOf } from '../support/allow-of';
import { frameworks } from '../support/frameworks';
import { listen } from '../support/serving';

const answer: Handler = (_req, res) => {
  res.end();
};

const pass: Handler = (_req, _res, next) => {
  next();
};

describe.each(frameworks)('the target on %s', (name, express) => {
  const notes = (): Application => {
    const app = express();
    app.get('/api/notes/:id', answer);
    return app;
  };
  const strict = { strict: true };

  /** Each serves GET /api/notes/7 from the root, and PUT from where the middleware stands. */
  const places: Record<string, () => unknown> = {
    'on the root': () => {
      const app = notes();
      app.use(optionsHandler());
      app.put('/api/notes/:id', answer);
      return app;
    },
    'under a prefix': () => {
      const app = notes();
      app.use('/api', optionsHandler());
      app.put('/api/notes/:id', answer);
      return app;
    },
    'under the whole path': () => {
      const app = notes();
      app.use('/api/notes/:id', optionsHandler());
      app.put('/api/notes/:id', answer);
      return app;
    },
    'on a nested router': () => {
      const router = express.Router(strict).use(optionsHandler()).put('/notes/:id', answer);
      return notes().use('/api', router);
    },
    'on a router in a router': () => {
      const inner = express.Router(strict).use(optionsHandler()).put('/:id', answer);
      return notes().use('/api', express.Router().use('/notes', inner));
    },
    'in a sub-app': () => {
      const app = express().use(optionsHandler());
      app.put('/notes/:id', answer);
      return notes().use('/api', app);
    },
    'in a sub-app of a sub-app': () => {
      const app = express().use(optionsHandler());
      app.put('/:id', answer);
      return notes().use('/api', express().use('/notes', app));
    },
    'in an app on a router, which knows no parent': () => {
      const app = express().use(optionsHandler());
      app.put('/:id', answer);
      return notes().use('/api', express.Router().use('/notes', app));
    },
    'behind an app on a router, which remains the request’s app': () => {
      const app = notes().use(express.Router().use('/api', express().get('/other', answer)));
      app.use(optionsHandler());
      app.put('/api/notes/:id', answer);
      return app;
    },
    'behind a middleware that rewrote the URL': () => {
      const app = express();
      app.use((req, _res, next) => {
        req.url = req.url.replace('/api', '/v2');
        next();
      });
      app.use(optionsHandler());
      app.get('/v2/notes/:id', answer).put('/v2/notes/:id', answer);
      return app;
    },
    'on a router behind a middleware that rewrote the URL': () => {
      const app = express();
      app.use((req, _res, next) => {
        req.url = req.url.replace('/api', '/v2');
        next();
      });
      app.get('/v2/notes/:id', answer);
      return app.use('/v2', express.Router().use(optionsHandler()).put('/notes/:id', answer));
    },
    'behind a middleware of its own router that rewrote the URL': () => {
      const app = express();
      app.get('/api/tasks/:id', answer);
      const router = express.Router().use((req, _res, next) => {
        req.url = req.url.replace('/notes', '/tasks');
        next();
      });
      return app.use('/api', router.use(optionsHandler()).put('/tasks/:id', answer));
    },
    'in an app that a function of another app calls under a prefix': () => {
      const inner = express().use(optionsHandler());
      inner.get('/notes/:id', answer).put('/notes/:id', answer);
      return express().use('/api', (req, res, next) => {
        inner(req, res, next);
      });
    },
    'in an app under a foreign prefix': () => {
      const inner = express().use(optionsHandler());
      inner.get('/notes/:id', answer).put('/notes/:id', answer);
      return (req: { url: string; originalUrl: string }, res: never, next: never) => {
        req.originalUrl = req.url;
        req.url = req.url.slice('/api'.length);
        inner(req as never, res, next);
      };
    },
  };

  it.each(Object.entries(places).map(([title, make]) => ({ title, make })))('$title', async ({ make }) => {
    const app = make();
    expect(await allowOf(app, '/api/notes/7')).toBe('200 GET, HEAD, OPTIONS, PUT');
    expect(await allowOf(app, '/api/notes/7?page=/2')).toBe('200 GET, HEAD, OPTIONS, PUT');
  });

  describe('behind an app that a function has called, which remains the request’s app', () => {
    type Build = (app: Application, api: Application, call: Handler) => unknown;

    it.each<{
      readonly title: string;
      readonly path: string;
      readonly expected: string;
      readonly build: Build;
    }>([
      {
        title: 'declared at the root',
        path: '/x',
        expected: '405 GET, HEAD, OPTIONS, PUT',
        build: (app, api, call) => {
          app.use(declareMethods(api, call)).put('/x', answer);
        },
      },
      {
        title: 'declared under a path',
        path: '/api/x',
        expected: '405 GET, HEAD, OPTIONS',
        build: (app, api, call) => {
          app.use('/api', declareMethods(api, call));
        },
      },
      {
        title: 'declared at the root, for a path of your app’s own',
        path: '/after',
        expected: '405 GET, HEAD, OPTIONS',
        build: (app, api, call) => {
          app.use(declareMethods(api, call)).get('/after', answer);
        },
      },
      {
        title: 'declared under a path that its routes repeat',
        path: '/v/x',
        expected: '404',
        build: (app, api, call) => {
          api.get('/v/x', answer);
          app.use('/v', declareMethods(api, call)).use('/v/x', pass);
        },
      },
    ])('$title', async ({ path, expected, build }) => {
      const [app, api] = [express(), express()];
      if (path !== '/v/x') api.get('/x', answer);
      build(app, api, (req, res, next) => {
        api(req, res, next);
      });
      expect(await allowOf(app.use(methodNotAllowed()), path, 'POST')).toBe(expected);
    });

    it.each([
      {
        title: 'a sub-app on a router',
        mount: (app: Application, api: Application) => app.use(express.Router().use(api)),
      },
      {
        title: 'a declared function',
        mount: (app: Application, api: Application) =>
          app.use(
            declareMethods(api, (req, res, next) => {
              api(req, res, next);
            }),
          ),
      },
    ])('$title, where a function calls the app: 405 has the methods of OPTIONS', async ({ mount }) => {
      const app = express().use(optionsHandler());
      mount(app, express().get('/x', answer)).put('/x', answer).use(methodNotAllowed());
      const server = (req: never, res: never) => {
        (app as unknown as (req: never, res: never) => void)(req, res);
      };
      expect(await allowOf(server, '/x')).toBe('200 GET, HEAD, OPTIONS, PUT');
      expect(await allowOf(server, '/x', 'POST')).toBe('405 GET, HEAD, OPTIONS, PUT');
    });

    it('an app that cannot be seen asks its own routes, also behind a middleware of the outer app', async () => {
      const api = express().use(optionsHandler());
      api.get('/x', answer).use(methodNotAllowed());
      const app = express()
        .use(optionsHandler())
        .use('/api', (req, res, next) => {
          api(req, res, next);
        });
      expect(await allowOf(app, '/api/x')).toBe('200 GET, HEAD, OPTIONS');
      expect(await allowOf(app, '/api/x', 'POST')).toBe('405 GET, HEAD, OPTIONS');
    });

    it('undeclared: the routes of your own app count', async () => {
      const api = express().get('/x', answer);
      const app = express().use((req, res, next) => {
        api(req, res, next);
      });
      app.use('/in', express.Router().get('/after', answer).use(methodNotAllowed()));
      expect(await allowOf(app, '/in/after', 'POST')).toBe('405 GET, HEAD, OPTIONS');
      app.get('/after', answer).use(methodNotAllowed());
      expect(await allowOf(app, '/after', 'POST')).toBe('405 GET, HEAD, OPTIONS');
    });
  });

  it('a strict path keeps its slash, which routers drop and add as they trim', async () => {
    const app = express();
    app.enable('strict routing');
    app.get('/api', answer).put('/api/', answer);
    app.use('/api', express.Router().use(optionsHandler()));
    expect(await allowOf(app, '/api')).toBe('200 GET, HEAD, OPTIONS');
    expect(await allowOf(app, '/api/')).toBe('200 OPTIONS, PUT');
    expect(await allowOf(app, '/api?a')).toBe('200 GET, HEAD, OPTIONS');
    expect(await allowOf(app, '/api/?a')).toBe('200 OPTIONS, PUT');
  });

  it('root: the routes of that app, wherever the middleware stands', async () => {
    const other = express();
    other.delete('/notes', answer);
    const app = express().use('/in', corsPreflight(), express.Router().use(optionsHandler({ root: other })));
    app.use(optionsHandler({ root: other })).get('/notes', answer);
    other.put('/in/notes', answer);
    expect(await allowOf(app, '/notes')).toBe('200 DELETE, OPTIONS');
    expect(await allowOf(app, '/in/notes')).toBe('200 OPTIONS, PUT');
  });

  it('root: an app without routes, of which Express 4 makes no router yet: 404, and no warning', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const root = express();
    const app = express().use(optionsHandler({ root }));
    expect(await allowOf(app, '/notes')).toBe('404');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    root.get('/notes', answer);
    expect(await allowOf(app, '/notes')).toBe('200 GET, HEAD, OPTIONS');
  });

  it.each(['on the root', 'under a prefix', 'on a nested router', 'in a sub-app'])(
    'absolute-form (RFC 9112 3.2.2), %s',
    async (place) => {
      const app = places[place]?.();
      expect(await allowOf(app, 'http://example.com/api/notes/7?a')).toBe('200 GET, HEAD, OPTIONS, PUT');
    },
  );

  it('under a mount that takes no more than the first of two slashes', async () => {
    const optional = name === 'Express 4' ? '/:x?' : '/{:x}';
    const app = express().get('/:x', answer).use(optional, express.Router().use(methodNotAllowed()));
    expect(await allowOf(app, '//h/', 'POST')).toBe('404');
    expect(await allowOf(app, '/h/', 'POST')).toBe('405 GET, HEAD, OPTIONS');
  });

  it('behind a middleware that drops doubled slashes', async () => {
    const app = notes().use((req, _res, next) => {
      req.url = req.url.replace('//', '/');
      next();
    });
    expect(await allowOf(app.use(optionsHandler()), '//api/notes/7')).toBe('200 GET, HEAD, OPTIONS');
  });

  it('behind a middleware in front of the server, which has seen no app', async () => {
    const early = optionsHandler();
    const api = express().get('/x', answer);
    const app = express()
      .use(optionsHandler())
      .use(
        declareMethods(api, (req, res, next) => {
          api(req, res, next);
        }),
      );
    app.put('/x', answer).use(methodNotAllowed());
    const server = (req: never, res: never) => {
      early(req, res, () => {
        (app as unknown as (req: never, res: never) => void)(req, res);
      });
    };
    expect(await allowOf(server, '/x', 'POST')).toBe('405 GET, HEAD, OPTIONS, PUT');
  });
});

describe.each([
  { version: '2.3', make: makeRouter },
  { version: '2.2', make: makeRouter22 },
])('the standalone router $version', ({ make }) => {
  it('with root', async () => {
    const root = make();
    root.use(optionsHandler({ root }));
    root.get('/notes', (_req, res) => {
      res.end();
    });
    expect(await allowOf(root, '/notes')).toBe('200 GET, HEAD, OPTIONS');
    expect(await allowOf(root, '/nowhere')).toBe('404');
  });
});

describe('without an Express app and without root', () => {
  it('one warning says what to pass, and the request goes on', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    const handle = optionsHandler();
    const server = createServer((req, res) => {
      handle(req, res, () => {
        res.writeHead(299).end();
      });
    });
    const url = `http://127.0.0.1:${await listen(server)}/notes`;
    for (let i = 0; i < 3; i++) expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(299);
    server.close();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('optionsHandler({ root: router })'), { code: 'PATCH_OPTIONS_ROOT' }],
    ]);
    warn.mockRestore();
  });
});

describe('targets share what is said of them', () => {
  it.each(frameworks)(
    '%s: one object for each set of methods, however many paths',
    async (_name, express) => {
      const seen = new Set<unknown>();
      const inspect = createTargetInspection();
      const app = express().use((req, _res, next) => {
        seen.add(inspect(req, pass)?.methods);
        next();
      });
      app.get('/a/:x', answer).put('/a/:x/b', answer).get('/b/:x', answer).delete('/a/:x', answer);
      for (let i = 0; i < 1_000; i++) {
        for (const path of [`/a/${i}`, `/a/${i}/b`, `/b/${i}`, `/${i}`]) await allowOf(app, path);
      }
      expect([...seen].map((target) => (target as { names: unknown } | undefined)?.names)).toEqual([
        ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
        ['OPTIONS', 'PUT'],
        ['GET', 'HEAD', 'OPTIONS'],
        undefined,
      ]);
    },
  );
});

import type { Application, ErrorRequestHandler, Handler, Router } from 'express';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { declareMethods } from '../../lib/express/declare-methods';
import { declareAcceptPatch, optionsPassThrough } from '../../lib/express/handler-metadata';
import { readRouter } from '../../lib/express/apps';
import { walkRoutes } from '../../lib/routes/route-walk';
import { allowOf } from '../support/allow-of';
import { frameworks } from '../support/frameworks';

const answer: Handler = (_req, res) => {
  res.end();
};
const own: Handler = (_req, res) => {
  res.setHeader('handler', 'own');
  res.end();
};
const pass: Handler = (_req, _res, next) => {
  next();
};
const onError: ErrorRequestHandler = (error, _req, _res, next) => {
  next(error);
};
/** An app of connect 3, such as the middlewares of Vite: a function with a stack, as a router, of layers of another kind. */
function connectApp(): Handler & { use: (handle: Handler) => unknown } {
  const stack: { readonly route: string; readonly handle: Handler }[] = [];
  const app: Handler = (req, res, next) => {
    const advance = (position: number): void => {
      const layer = stack[position];
      if (layer === undefined) next();
      else {
        layer.handle(req, res, () => {
          advance(position + 1);
        });
      }
    };
    advance(0);
  };
  const use = (handle: Handler): unknown => stack.push({ route: '', handle });
  return Object.assign(app, { use, route: '/', stack });
}

const every = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY';

describe.each(frameworks)('what an OPTIONS request comes upon on %s', (name, express) => {
  type Build = (app: Application, router: Router) => unknown;

  /** The app, behind our handler; `router` is mounted on /r where it is used. */
  function built(build: Build): Application {
    const app = express().use(optionsHandler());
    const router = express.Router();
    build(app, router);
    return app.use(methodNotAllowed());
  }

  describe('where the answer of Express itself is not the truth', () => {
    it.each<{ readonly what: string; readonly expected: string; readonly build: Build }>([
      {
        what: 'one path in the app and in a nested router',
        expected: '200 GET, HEAD, OPTIONS, PUT',
        build: (app, router) => {
          app.use('/r', router.get('/x', answer)).put('/r/x', answer);
        },
      },
      {
        what: 'one path in two sibling routers',
        expected: '200 GET, HEAD, OPTIONS, PUT',
        build: (app, router) => {
          app.use('/r', router.get('/x', answer)).use('/r', express.Router().put('/x', answer));
        },
      },
      {
        what: 'one path in a sub-app and in the app',
        expected: '200 GET, HEAD, OPTIONS, PUT',
        build: (app) => {
          app.use('/r', express().get('/x', answer)).put('/r/x', answer);
        },
      },
      {
        what: 'a catch-all at the end',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.get('/r/x', answer).use((_req, res) => res.end());
        },
      },
      {
        what: '.all() before verbs, a middleware of the route',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.route('/r/x').all(pass).get(answer);
        },
      },
      {
        what: 'only handlers of four arguments',
        expected: '404',
        build: (app) => {
          app.get('/r/x', onError as never);
        },
      },
      {
        what: 'handlers of four arguments beside others',
        expected: '200 OPTIONS, PUT',
        build: (app) => {
          app.get('/r/x', onError as never).put('/r/x', onError as never, answer);
        },
      },
      {
        what: 'a HEAD handler of four arguments hides the HEAD of GET',
        expected: '200 GET, OPTIONS',
        build: (app) => {
          app
            .route('/r/x')
            .get(answer)
            .head(onError as never);
        },
      },
      {
        what: 'no route',
        expected: '404',
        build: (app) => {
          app.get('/other', answer).use('/r', pass);
        },
      },
    ])('$what: $expected', async ({ expected, build }) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });
  });

  describe('an OPTIONS handler of your app’s', () => {
    it.each<{ readonly title: string; readonly expected: string; readonly build: Build }>([
      {
        title: 'is reached: it answers',
        expected: '200 own',
        build: (app) => {
          app.get('/r/x', answer).options('/r/x', own);
        },
      },
      {
        title: 'in a nested router: it answers',
        expected: '200 own',
        build: (app, router) => {
          app.use('/r', router.get('/x', answer).options('/x', own)).put('/r/x', answer);
        },
      },
      {
        title: 'is reached before Express would answer, and so is another behind it: it answers',
        expected: '200 own',
        build: (app, router) => {
          app.options('/r/x', own).use('/r', router.get('/x', answer)).options('/r/x', pass);
        },
      },
      {
        title: 'behind a router of which Express would answer: the union',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app, router) => {
          app.use('/r', router.get('/x', answer)).options('/r/x', own);
        },
      },
      {
        title: 'alone behind a router with nothing that answers',
        expected: '200 OPTIONS',
        build: (app, router) => {
          app.use('/r', router.get('/x', onError as never)).options('/r/x', own);
        },
      },
      {
        title: 'of four arguments is none',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.get('/r/x', answer).options('/r/x', onError as never);
        },
      },
    ])('$title', async ({ expected, build }) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });

    it('for every path (the idiom of cors) makes no path one that has routes', async () => {
      const app = built((routes) => routes.options(/.*/, own));
      expect(await allowOf(app, '/nowhere')).toBe('200 own');
      expect(await allowOf(app, '/nowhere', 'GET')).toBe('404');
    });
  });

  describe('a PATCH route of ours in front, with the pass-through', () => {
    const inFront: Build = (app, router) => {
      router
        .route('/x')
        .options(optionsPassThrough)
        .patch(declareAcceptPatch<Handler>(answer.bind(null), ['a/b']));
      app.use('/r', router);
    };

    it('does not trigger Express’s answer ahead of your app’s OPTIONS handler', async () => {
      const app = built((routes, router) => {
        inFront(routes, router);
        routes.options('/r/x', own);
      });
      expect(await allowOf(app, '/r/x')).toBe('200 own');
    });

    it('is counted, and its pass-through is not', async () => {
      const app = built((routes, router) => {
        inFront(routes, router);
        routes.get('/r/x', answer);
      });
      expect(await allowOf(app, '/r/x')).toBe('200 GET, HEAD, OPTIONS, PATCH | a/b');
    });
  });

  describe('of two PATCH handlers of ours the first answers, so its media types stand', () => {
    it('and a handler of another kind, or for another method, has none', async () => {
      const app = built((routes) => {
        routes.patch('/r/:id', declareAcceptPatch<Handler>(answer.bind(null), ['a/b']));
        routes.patch('/r/x', declareAcceptPatch<Handler>(answer.bind(null), ['c/d']));
        routes.patch('/own', answer);
        routes.put('/put', declareAcceptPatch<Handler>(answer.bind(null), ['a/b']));
      });
      expect(await allowOf(app, '/r/x')).toBe('200 OPTIONS, PATCH | a/b');
      expect(await allowOf(app, '/own')).toBe('200 OPTIONS, PATCH');
      expect(await allowOf(app, '/put')).toBe('200 OPTIONS, PUT');
    });
  });

  it('a fragment, in front of which a router leaves a slash (strict): what Express itself would dispatch to', async () => {
    const app = express().enable('strict routing').use(optionsHandler());
    app.use('/r', pass).get('/r', own).put('/r/', own);
    const [get, put] = [await allowOf(app, '/r#x', 'GET'), await allowOf(app, '/r#x', 'PUT')];
    expect([get, put].filter((answered) => answered === '200 own')).toHaveLength(1);
    const allowed = get === '200 own' ? 'GET, HEAD, OPTIONS' : 'OPTIONS, PUT';
    expect(await allowOf(app, '/r#x')).toBe(`200 ${allowed}`);
  });

  describe('a malformed % in a parameter', () => {
    it.each<{ readonly title: string; readonly expected: string; readonly build: Build }>([
      {
        title: 'before any route: the 400 of your app',
        expected: '400',
        build: (app) => {
          app.get('/r/:id', answer).put('/r/%zz', answer);
        },
      },
      {
        title: 'after routes: their methods',
        expected: '200 OPTIONS, PUT',
        build: (app) => {
          app.put('/r/%zz', answer).get('/r/:id', answer).delete('/r/%zz', answer);
        },
      },
      {
        title: 'in a nested router: what the parent has later is out of reach',
        expected: '400',
        build: (app, router) => {
          app.use('/r', router.get('/:id', answer)).put('/r/%zz', answer);
        },
      },
      {
        title: 'after nothing but handlers of four arguments',
        expected: '400',
        build: (app, router) => {
          app.use('/r', router.get('/%zz', onError as never)).get('/r/:id', answer);
        },
      },
    ])('$title', async ({ expected, build }) => {
      expect(await allowOf(built(build), '/r/%zz')).toBe(expected);
    });
  });

  describe('routes for all verbs', () => {
    it.each<{ readonly title: string; readonly expected: string; readonly build: Build }>([
      {
        title: 'app.all alone: every verb',
        expected: `200 ${every}`,
        build: (app) => app.all('/r/x', answer),
      },
      {
        title: 'router.all alone: every verb',
        expected: `200 ${every}`,
        build: (app, router) => app.use('/r', router.all('/x', answer)),
      },
      {
        title: 'route.all alone: every verb',
        expected: `200 ${every}`,
        build: (app) => app.route('/r/x').all(answer),
      },
      {
        title: 'beside another route on the same path: what that one names',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.all('/r/x', pass).get('/r/x', answer);
        },
      },
      {
        title:
          'on a literal path beside routes that match by parameters: every verb that is common, and what they name',
        expected: '200 DELETE, GET, HEAD, OPTIONS, PATCH, POST, PROPFIND, PUT, QUERY',
        build: (app) => {
          app.propfind('/r/:id', answer).all('/r/x', answer).get('/:any/x', answer);
        },
      },
      {
        title: 'on a literal path under literal mounts, beside a route behind a mount with a parameter',
        expected: `200 ${every}`,
        build: (app, router) => {
          app.use('/r', router.all('/x', answer)).use('/:any', express.Router().get('/x', answer));
        },
      },
      {
        title: 'on a path whose optional parameter takes nothing here, which is literal',
        expected: `200 ${every}`,
        build: (app) => {
          app.all(name === 'Express 4' ? '/r/x/:y?' : '/r/x{/:y}', answer).get('/r/:id', answer);
        },
      },
      {
        title: 'beside a route whose optional parameter takes nothing here: what that one names',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.all('/r/x', pass).get(name === 'Express 4' ? '/r/x/:y?' : '/r/x{/:y}', answer);
        },
      },
      {
        title: 'on a literal path behind a mount with a parameter: what the others name',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app, router) => {
          app.use('/:any', router.all('/x', pass)).get('/r/:id', answer);
        },
      },
      {
        title: 'on a literal path beside a literal route and others: what those name',
        expected: '200 GET, HEAD, OPTIONS, PUT',
        build: (app) => {
          app.get('/r/:id', answer).all('/r/x', pass).put('/r/x', answer);
        },
      },
      {
        title: 'on a path with a parameter beside others with one: what those name',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.all('/r/:id', pass).get('/:any/:id', answer);
        },
      },
      {
        title: 'on a RegExp beside a route that matches by a parameter: what that one names',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.all(/^\/r\/x$/, pass).get('/r/:id', answer);
        },
      },
      {
        title: 'on a list with a RegExp beside a route that matches by a parameter: what that one names',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.all([/^\/r\/x$/, '/other'], pass).get('/r/:id', answer);
        },
      },
      {
        title: 'on a literal path under a mount on a RegExp, of which Express 4 keeps no more: every verb',
        expected: `200 ${every}`,
        build: (app, router) => {
          app.use(/^\/r/, router.all('/x', answer)).get('/r/:id', answer);
        },
      },
      {
        title: 'beside a route on a bare wildcard: every verb that is common',
        expected: `200 ${every}`,
        build: (app) => {
          app.all('/r/:id', answer).get(/.*/, answer);
        },
      },
      {
        title: 'beside a verb that only an error handler serves: a middleware of that route',
        expected: '404',
        build: (app) => {
          app
            .route('/r/x')
            .all(pass)
            .get(onError as never);
        },
      },
      {
        title: 'beside a route whose verb only an error handler serves: a middleware of the target',
        expected: '404',
        build: (app) => {
          app.all('/r/x', pass).get('/r/x', onError as never);
        },
      },
      {
        title: 'on a literal path beside an error handler that matches by a parameter: every verb',
        expected: `200 ${every}`,
        build: (app) => {
          app.all('/r/x', answer).get('/r/:id', onError as never);
        },
      },
      {
        title: 'beside an error handler on a bare wildcard: every verb',
        expected: `200 ${every}`,
        build: (app) => {
          app.all('/r/x', answer).get(/.*/, onError as never);
        },
      },
      {
        title: 'on a literal path beside a declaration that matches by a literal path: what that one names',
        expected: '200 GET, OPTIONS',
        build: (app) => {
          app.all('/r/x', pass).use('/r', declareMethods(['GET'], pass));
        },
      },
      {
        title: 'on one route with an error handler for all verbs: every verb that is common',
        expected: `200 ${every}`,
        build: (app) => {
          app
            .route('/r/x')
            .all(answer)
            .all(onError as never);
        },
      },
      {
        title: 'with an error handler of its own: every verb that is common',
        expected: `200 ${every}`,
        build: (app) => app.all('/r/x', answer, onError as never),
      },
      {
        title: 'beside OPTIONS alone: the OPTIONS handler answers',
        expected: '200 own',
        build: (app) => {
          app.route('/r/x').options(own).all(answer);
        },
      },
      {
        title: 'that is declared as passing on: nothing',
        expected: '404',
        build: (app) => app.all('/r/x', declareMethods([], pass)),
      },
      { title: 'on a bare wildcard: nothing', expected: '404', build: (app) => app.all(/.*/, pass) },
      {
        title: 'on a wildcard under a path: every verb',
        expected: `200 ${every}`,
        build: (app) => app.all(/^\/r\/.*/, answer),
      },
    ])('$title', async ({ expected, build }) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });

    it('never count for a 405: who reaches it was let pass', async () => {
      const app = built((routes) => routes.all('/r/x', pass));
      expect(await allowOf(app, '/r/x', 'PUT')).toBe('404');
    });
  });

  describe('routes for a verb on a bare wildcard', () => {
    const wildcard = name === 'Express 4' ? '/*' : '/*rest';

    it.each<{
      readonly title: string;
      readonly request?: readonly [method: string, path: string];
      readonly expected: string;
      readonly build: Build;
    }>([
      {
        title: 'count in Allow',
        expected: '200 GET, HEAD, OPTIONS, POST',
        build: (app) => {
          app.post(wildcard, pass).get('/r/x', answer);
        },
      },
      {
        title: 'do not count where they are declared as passing on',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.post(wildcard, declareMethods([], pass)).get('/r/x', answer);
        },
      },
      {
        title: 'declared as passing on, make no path one that has routes',
        expected: '404',
        build: (app) => app.post(wildcard, declareMethods([], pass)),
      },
      {
        title: 'cause no 405',
        request: ['GET', '/nowhere'],
        expected: '404',
        build: (app) => {
          app.post(wildcard, pass).get('/r/x', answer);
        },
      },
      {
        title: 'cause none in a router of their own',
        request: ['GET', '/r/nowhere'],
        expected: '404',
        build: (app, router) => app.use('/r', router.post(wildcard, pass)),
      },
      {
        title: 'are in the Allow of a 405 that another route causes',
        request: ['DELETE', '/r/x'],
        expected: '405 GET, HEAD, OPTIONS, POST',
        build: (app) => {
          app.get(wildcard, answer).post('/r/x', answer);
        },
      },
      {
        title: 'are not, where they have passed on the request itself',
        request: ['POST', '/r/x'],
        expected: '405 GET, HEAD, OPTIONS',
        build: (app) => {
          app.post(wildcard, pass).get('/r/x', answer);
        },
      },
    ])('$title', async ({ request: [method, path] = ['OPTIONS', '/r/x'], expected, build }) => {
      expect(await allowOf(built(build), path, method)).toBe(expected);
    });
  });

  describe('what cannot be decided has a rule', () => {
    it.each<{ readonly title: string; readonly expected: string; readonly build: Build }>([
      {
        title: '.get(h).all(x): x is taken for a middleware, not for a handler of all other verbs',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.route('/r/x').get(answer).all(answer);
        },
      },
      {
        title: "a handler that calls next('route') counts: what it decides by is in the request",
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.get('/r/x', (_req, _res, next) => {
            next('route');
          });
        },
      },
      {
        title: 'router.param that skips the route: the route counts',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app, router) => {
          router.param('id', (_req, _res, next) => {
            next('route');
          });
          app.use('/r', router.get('/:id', answer));
        },
      },
      {
        title: 'an opaque wrapper around a router: what it leads to does not count',
        expected: '200 OPTIONS, PUT',
        build: (app, router) => {
          router.get('/x', answer);
          app
            .use('/r', (req, res, next) => {
              router(req, res, next);
            })
            .put('/r/x', answer);
        },
      },
      {
        title: 'a pass-through .all that is not declared: it is taken for what handles all verbs',
        expected: `200 ${every}`,
        build: (app) => app.all('/r/x', pass),
      },
      {
        title: 'a middleware that answers all requests: it is taken to let them pass',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.use('/r', answer).get('/r/x', answer);
        },
      },
      {
        title: 'a middleware further on that rewrites the URL: the routes for the URL as it is now count',
        expected: '200 GET, HEAD, OPTIONS',
        build: (app) => {
          app.use((req, _res, next) => {
            req.url = '/elsewhere';
            next();
          });
          app.get('/r/x', answer).put('/elsewhere', answer);
        },
      },
    ])('$title', async ({ expected, build }) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });

    it('an app of connect: it is taken to let all requests pass, and hides no routes', async () => {
      const inner = connectApp();
      const app = built((routes, router) => {
        routes.use(inner).get('/r/x', answer).use('/r', router.put('/x', answer));
      });
      const methods = '200 GET, HEAD, OPTIONS, PUT';
      expect(await allowOf(app, '/r/x')).toBe(methods);
      inner.use(pass);
      expect(await allowOf(app, '/r/x')).toBe(methods);
      expect(await allowOf(app, '*')).toBe(methods);
      expect(await allowOf(app, '/r/x', 'DELETE')).toBe('405 GET, HEAD, OPTIONS, PUT');
    });

    it('an error handler that recovers from a malformed %: what comes after it is left to Express', async () => {
      const recover: ErrorRequestHandler = (_error, _req, _res, next) => {
        next();
      };
      const app = built((routes) => routes.put('/r/:id', answer).use(recover).get(/^\/r/, answer));
      expect(await allowOf(app, '/r/%zz')).toMatch(/^200 GET, ?HEAD$/);
    });
  });

  describe('leaves no trace', () => {
    it('on RegExps with a position, of which Express uses your app’s own', () => {
      const sticky = /\/r/y;
      const global = /^\/r\/x$/g;
      const app = built((routes) =>
        routes.get(sticky, answer).put([global, '/other'], answer).delete('/r/x', answer),
      );
      sticky.lastIndex = global.lastIndex = 0;
      const inner = readRouter(app);
      if (inner === undefined) throw new Error('no router');
      for (let i = 0; i < 3; i++) {
        walkRoutes(inner, '/r/x');
        expect([sticky.lastIndex, global.lastIndex]).toEqual([0, 0]);
      }
      sticky.lastIndex = 2;
      walkRoutes(inner, '/r/x');
      expect(sticky.lastIndex).toBe(2);
    });

    it('on layers, where instrumentation reads what matched last', () => {
      const app = express();
      app.get('/r/:id', answer);
      const router = readRouter(app);
      if (router === undefined) throw new Error('no router');
      const layer = router.stack.find(({ route }) => route !== undefined);
      if (layer === undefined) throw new Error('no layer');
      layer.match('/r/1');
      const before = { ...layer };
      expect(walkRoutes(router, '/r/2').methods?.names).toEqual(['GET', 'HEAD', 'OPTIONS']);
      expect({ ...layer }).toEqual(before);
    });
  });

  describe('routes that come and go after the start', () => {
    it('added, extended and removed', async () => {
      const app = express().use(optionsHandler());
      expect(await allowOf(app, '/r')).toBe('404');
      const route = app.route('/r').get(answer);
      expect(await allowOf(app, '/r')).toBe('200 GET, HEAD, OPTIONS');
      route.put(answer);
      expect(await allowOf(app, '/r')).toBe('200 GET, HEAD, OPTIONS, PUT');
      const stack = readRouter(app)?.stack as unknown[];
      stack.pop();
      expect(await allowOf(app, '/r')).toBe('404');
    });

    it.each<{ readonly how: string; readonly mounted: (inner: Application) => Handler }>([
      { how: 'mounted', mounted: (inner) => inner },
      {
        how: 'declared',
        mounted: (inner) =>
          declareMethods(inner, (_req, _res, next) => {
            next();
          }),
      },
    ])('in an app that had none when it was $how', async ({ mounted }) => {
      const inner = express();
      const app = express().use(optionsHandler()).use('/r', mounted(inner));
      expect(await allowOf(app, '/r/x')).toBe('404');
      inner.get('/x', answer);
      expect(await allowOf(app, '/r/x')).toBe('200 GET, HEAD, OPTIONS');
    });

    it.each<{ readonly what: string; readonly exchange: (route: { stack: unknown[] }) => void }>([
      {
        what: 'a handler exchanged in its route',
        exchange: ({ stack: [layer] }) => {
          Object.assign(layer ?? {}, { handle: onError });
        },
      },
      {
        what: 'the handlers of a route replaced by fewer',
        exchange: (route) => {
          route.stack = route.stack.slice(1);
        },
      },
    ])('$what, within a second', async ({ exchange }) => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const app = express().use(optionsHandler());
      const route = app.route('/r').get(answer).put(answer);
      expect(await allowOf(app, '/r')).toBe('200 GET, HEAD, OPTIONS, PUT');
      exchange(route);
      clock.mockReturnValue(2_001);
      expect(await allowOf(app, '/r')).toBe('200 OPTIONS, PUT');
      clock.mockRestore();
    });
  });

  describe('hostile targets cost no more matching than Express’s own dispatch', () => {
    const app = express();
    const nested = express.Router();
    for (let i = 0; i < 50; i++) {
      app
        .get(`/literal${i}/:x`, answer)
        .get(`/:x/literal${i}`, answer)
        .get(new RegExp(`^/(a+)+${i}$`), answer);
      nested.get(`/literal${i}`, answer).get('/:x/:y', answer);
    }
    app.use('/a', nested).use('/:any', nested).use(/^\/b+/, nested);

    /** Every match of every layer, of which those of the nested router are mounted three times. */
    async function matchesIn(act: () => Promise<unknown>): Promise<number> {
      const stacks = [readRouter(app)?.stack ?? [], readRouter(nested)?.stack ?? []];
      const spies = stacks.flat().map((layer) => jest.spyOn(layer, 'match'));
      await act();
      const matches = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      spies.forEach((spy) => {
        spy.mockRestore();
      });
      return matches;
    }

    it.each([
      { title: '8 KB', url: `/a/${'x'.repeat(8_192)}` },
      { title: '2,000 segments', url: '/a'.repeat(2_000) },
      { title: '2,000 empty segments', url: '/'.repeat(2_000) },
      { title: 'what a RegExp backtracks on', url: `/${'a'.repeat(20)}!` },
      { title: 'a malformed %', url: `/a/${'%zz/'.repeat(500)}` },
      { title: 'a fragment, so that Express rewrites the URL between layers', url: '/a/b#c' },
    ])('$title', async ({ url }) => {
      const router = readRouter(app);
      if (router === undefined) throw new Error('no router');
      const byUs = await matchesIn(() => Promise.resolve(walkRoutes(router, url)));
      const byExpress = await matchesIn(() => allowOf(app, url, 'PURGE'));
      expect(byUs).toBeLessThanOrEqual(byExpress);
      expect(byExpress).toBeGreaterThan(50);
    });

    it('a router mounted on itself comes to an end', async () => {
      const router = express.Router().get('/', answer);
      router.use('/x', router);
      const self = express().use(optionsHandler()).use(router);
      expect(await allowOf(self, '/x'.repeat(999))).toBe('200 GET, HEAD, OPTIONS');
      expect(await allowOf(self, `${'/x'.repeat(4_000)}/y`)).not.toMatch(/^200/);
      // Express catches what a middleware throws, and nothing what the listener of a server throws.
      const root = readRouter(self);
      if (root === undefined) throw new Error('no router');
      for (const depth of [1_000, 4_000]) {
        expect(walkRoutes(root, '/x'.repeat(depth)).methods).toBeUndefined();
      }
    });

    it('routers mounted on each other, each several times, come to an end', async () => {
      const [one, other] = [express.Router(), express.Router()];
      for (let i = 0; i < 3; i++) one.use(other).use('/x', other);
      for (let i = 0; i < 3; i++) other.use(one);
      other.get('/y', answer);
      const app = express().use(optionsHandler()).use(one);
      expect(await allowOf(app, '/x/x/y')).toBe('200 GET, HEAD, OPTIONS');
    });
  });
});

describe.each(frameworks)('many routers inside each other (%s)', (_name, express) => {
  const readsIn = (depth: number, url: string): number => {
    let inner = express.Router().get(/^\/end/, answer);
    for (let i = 1; i < depth; i++) inner = express.Router().use('/in', inner);
    const app = express().use('/in', inner);
    const router = readRouter(app);
    if (router === undefined) throw new Error('The app has no router');
    const target = `${'/in'.repeat(depth)}${url}`;
    const reads = jest.spyOn(String.prototype, 'charCodeAt');
    const { methods } = walkRoutes(router, target);
    const { length } = reads.mock.calls;
    reads.mockRestore();
    expect(methods?.names).toEqual(['GET', 'HEAD', 'OPTIONS']);
    return length;
  };

  test.each([
    { what: 'one segment', url: `/end${'x'.repeat(3_000)}` },
    { what: 'many segments', url: `/end${'/x'.repeat(1_500)}` },
    { what: 'a query', url: `/end?${'x'.repeat(3_000)}` },
    { what: 'percent signs', url: `/end${'%41'.repeat(1_000)}` },
  ])('do not read each character of a long path again: $what', ({ url }) => {
    expect(readsIn(30, url)).toBeLessThan(2 * readsIn(1, url));
  });
});

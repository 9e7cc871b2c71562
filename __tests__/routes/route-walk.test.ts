import { METHODS } from 'node:http';
import type { Application, ErrorRequestHandler, Handler, Router } from 'express';
import { methodNotAllowed } from '../../lib/options/method-not-allowed';
import { optionsHandler } from '../../lib/options/options-handler';
import { declareMethods } from '../../lib/express/declare-methods';
import { declareAcceptPatch } from '../../lib/express/handler-metadata';
import { routerOf } from '../../lib/express/apps';
import { optionsPassThrough } from '../../lib/express/handler-metadata';
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
const every = [...METHODS].sort().join(', ');

describe.each(frameworks)('what an OPTIONS request comes upon on %s', (_name, express) => {
  type Build = (app: Application, router: Router) => unknown;

  /** The app, behind our handler; `router` is mounted on /r where it is used. */
  function built(build: Build): Application {
    const app = express().use(optionsHandler());
    const router = express.Router();
    build(app, router);
    return app.use(methodNotAllowed());
  }

  describe('where the answer of Express itself is not the truth', () => {
    it.each<[string, string, Build]>([
      [
        'one path in the app and in a nested router',
        '200 GET, HEAD, OPTIONS, PUT',
        (app, router) => {
          app.use('/r', router.get('/x', answer)).put('/r/x', answer);
        },
      ],
      [
        'one path in two sibling routers',
        '200 GET, HEAD, OPTIONS, PUT',
        (app, router) => {
          app.use('/r', router.get('/x', answer)).use('/r', express.Router().put('/x', answer));
        },
      ],
      [
        'one path in a sub-app and in the app',
        '200 GET, HEAD, OPTIONS, PUT',
        (app) => {
          app.use('/r', express().get('/x', answer)).put('/r/x', answer);
        },
      ],
      [
        'a catch-all at the end',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.get('/r/x', answer).use((_req, res) => res.end());
        },
      ],
      [
        '.all() before verbs, a middleware of the route',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.route('/r/x').all(pass).get(answer);
        },
      ],
      [
        'only handlers of four arguments',
        '404',
        (app) => {
          app.get('/r/x', onError as never);
        },
      ],
      [
        'handlers of four arguments beside others',
        '200 OPTIONS, PUT',
        (app) => {
          app.get('/r/x', onError as never).put('/r/x', onError as never, answer);
        },
      ],
      [
        'a HEAD handler of four arguments hides the HEAD of GET',
        '200 GET, OPTIONS',
        (app) => {
          app
            .route('/r/x')
            .get(answer)
            .head(onError as never);
        },
      ],
      [
        'no route',
        '404',
        (app) => {
          app.get('/other', answer).use('/r', pass);
        },
      ],
    ])('%s: %s', async (_what, expected, build) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });
  });

  describe('an OPTIONS handler of the host’s', () => {
    it.each<[string, string, Build]>([
      [
        'is reached: it answers',
        '200 own',
        (app) => {
          app.get('/r/x', answer).options('/r/x', own);
        },
      ],
      [
        'in a nested router: it answers',
        '200 own',
        (app, router) => {
          app.use('/r', router.get('/x', answer).options('/x', own)).put('/r/x', answer);
        },
      ],
      [
        'behind a router of which Express would answer: the union',
        '200 GET, HEAD, OPTIONS',
        (app, router) => {
          app.use('/r', router.get('/x', answer)).options('/r/x', own);
        },
      ],
      [
        'alone behind a router with nothing that answers',
        '200 OPTIONS',
        (app, router) => {
          app.use('/r', router.get('/x', onError as never)).options('/r/x', own);
        },
      ],
      [
        'of four arguments is none',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.get('/r/x', answer).options('/r/x', onError as never);
        },
      ],
    ])('%s', async (_what, expected, build) => {
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

    it('does not trigger Express’s answer ahead of the host’s OPTIONS handler', async () => {
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
    it('and a handler of another kind has none', async () => {
      const app = built((routes) => {
        routes.patch('/r/:id', declareAcceptPatch<Handler>(answer.bind(null), ['a/b']));
        routes.patch('/r/x', declareAcceptPatch<Handler>(answer.bind(null), ['c/d']));
        routes.patch('/own', answer);
      });
      expect(await allowOf(app, '/r/x')).toBe('200 OPTIONS, PATCH | a/b');
      expect(await allowOf(app, '/own')).toBe('200 OPTIONS, PATCH');
    });
  });

  describe('a malformed % in a parameter', () => {
    it.each<[string, string, Build]>([
      [
        'before any route: the 400 of the host',
        '400',
        (app) => {
          app.get('/r/:id', answer).put('/r/%zz', answer);
        },
      ],
      [
        'after routes: their methods',
        '200 OPTIONS, PUT',
        (app) => {
          app.put('/r/%zz', answer).get('/r/:id', answer).delete('/r/%zz', answer);
        },
      ],
      [
        'in a nested router: what the parent has later is out of reach',
        '400',
        (app, router) => {
          app.use('/r', router.get('/:id', answer)).put('/r/%zz', answer);
        },
      ],
      [
        'after nothing but handlers of four arguments',
        '400',
        (app, router) => {
          app.use('/r', router.get('/%zz', onError as never)).get('/r/:id', answer);
        },
      ],
    ])('%s', async (_what, expected, build) => {
      expect(await allowOf(built(build), '/r/%zz')).toBe(expected);
    });
  });

  describe('routes for all verbs', () => {
    it.each<[string, string, Build]>([
      ['app.all alone: every verb', `200 ${every}`, (app) => app.all('/r/x', answer)],
      [
        'router.all alone: every verb',
        `200 ${every}`,
        (app, router) => app.use('/r', router.all('/x', answer)),
      ],
      ['route.all alone: every verb', `200 ${every}`, (app) => app.route('/r/x').all(answer)],
      [
        'beside another route: what that one names',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.all('/r/x', pass).get('/r/x', answer);
        },
      ],
      ['on a bare wildcard: nothing', '404', (app) => app.all(/.*/, pass)],
      ['on a wildcard under a path: every verb', `200 ${every}`, (app) => app.all(/^\/r\/.*/, answer)],
    ])('%s', async (_what, expected, build) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
    });

    it('never count for a 405: who reaches it was let pass', async () => {
      const app = built((routes) => routes.all('/r/x', pass));
      expect(await allowOf(app, '/r/x', 'PUT')).toBe('404');
    });
  });

  describe('what cannot be decided has a rule', () => {
    it.each<[string, string, Build]>([
      [
        '.get(h).all(x): x is taken for a middleware, not for a handler of all other verbs',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.route('/r/x').get(answer).all(answer);
        },
      ],
      [
        "a handler that calls next('route') counts: what it decides by is in the request",
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.get('/r/x', (_req, _res, next) => {
            next('route');
          });
        },
      ],
      [
        'router.param that skips the route: the route counts',
        '200 GET, HEAD, OPTIONS',
        (app, router) => {
          router.param('id', (_req, _res, next) => {
            next('route');
          });
          app.use('/r', router.get('/:id', answer));
        },
      ],
      [
        'an opaque wrapper around a router: what it leads to does not count',
        '200 OPTIONS, PUT',
        (app, router) => {
          router.get('/x', answer);
          app
            .use('/r', (req, res, next) => {
              router(req, res, next);
            })
            .put('/r/x', answer);
        },
      ],
      [
        'a pass-through .all: it is taken for what handles all verbs',
        `200 ${every}`,
        (app) => app.all('/r/x', pass),
      ],
      [
        'a middleware that answers all requests: it is taken to let them pass',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.use('/r', answer).get('/r/x', answer);
        },
      ],
      [
        'a middleware further on that rewrites the URL: the routes for the URL as it is now count',
        '200 GET, HEAD, OPTIONS',
        (app) => {
          app.use((req, _res, next) => {
            req.url = '/elsewhere';
            next();
          });
          app.get('/r/x', answer).put('/elsewhere', answer);
        },
      ],
    ])('%s', async (_what, expected, build) => {
      expect(await allowOf(built(build), '/r/x')).toBe(expected);
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
    it('on RegExps with a position, of which Express uses the host’s own', () => {
      const sticky = /\/r/y;
      const global = /^\/r\/x$/g;
      const app = built((routes) =>
        routes.get(sticky, answer).put([global, '/other'], answer).delete('/r/x', answer),
      );
      sticky.lastIndex = global.lastIndex = 0;
      const inner = routerOf(app);
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
      const router = routerOf(app);
      if (router === undefined) throw new Error('no router');
      const layer = router.stack.find(({ route }) => route !== undefined);
      if (layer === undefined) throw new Error('no layer');
      layer.match('/r/1');
      const before = { ...layer };
      expect(walkRoutes(router, '/r/2').methods?.methods).toEqual(['GET', 'HEAD', 'OPTIONS']);
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
      (routerOf(app)?.stack as unknown[]).pop();
      expect(await allowOf(app, '/r')).toBe('404');
    });

    it.each<[string, (inner: Application) => Handler]>([
      ['mounted', (inner) => inner],
      [
        'declared',
        (inner) =>
          declareMethods(inner, (_req, _res, next) => {
            next();
          }),
      ],
    ])('in an app that had none when it was %s', async (_how, mounted) => {
      const inner = express();
      const app = express().use(optionsHandler()).use('/r', mounted(inner));
      expect(await allowOf(app, '/r/x')).toBe('404');
      inner.get('/x', answer);
      expect(await allowOf(app, '/r/x')).toBe('200 GET, HEAD, OPTIONS');
    });

    it('a handler exchanged in its route, within a second', async () => {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
      const app = express().use(optionsHandler());
      const route = app.route('/r').get(answer);
      expect(await allowOf(app, '/r')).toBe('200 GET, HEAD, OPTIONS');
      const [layer] = route.stack;
      if (layer === undefined) throw new Error('no layer');
      layer.handle = onError as never;
      clock.mockReturnValue(2_001);
      expect(await allowOf(app, '/r')).toBe('404');
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
      const stacks = [routerOf(app)?.stack ?? [], routerOf(nested)?.stack ?? []];
      const spies = stacks.flat().map((layer) => jest.spyOn(layer, 'match'));
      await act();
      const matches = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      spies.forEach((spy) => {
        spy.mockRestore();
      });
      return matches;
    }

    it.each([
      ['8 KB', `/a/${'x'.repeat(8_192)}`],
      ['2,000 segments', '/a'.repeat(2_000)],
      ['2,000 empty segments', '/'.repeat(2_000)],
      ['what a RegExp backtracks on', `/${'a'.repeat(20)}!`],
      ['a malformed %', `/a/${'%zz/'.repeat(500)}`],
      ['a fragment, so that Express rewrites the URL between layers', '/a/b#c'],
    ])('%s', async (_what, url) => {
      const router = routerOf(app);
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
      expect(await allowOf(self, '/x'.repeat(1_900))).toBe('200 GET, HEAD, OPTIONS');
      expect(await allowOf(self, `${'/x'.repeat(4_000)}/y`)).not.toMatch(/^200/);
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

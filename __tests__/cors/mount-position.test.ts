import type { IncomingMessage, ServerResponse } from 'node:http';
import npmCors from 'cors';
import request from 'supertest';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../lib/cors/options';
import { declareMethods } from '../../lib/express/declare-methods';
import type { Middleware } from '../../lib/http/middleware';
import { patchOptions } from '../../lib/patch-options';
import { flavours } from '../routes/flavours';
import type { Buildable } from '../routes/route-trees';

const origin = 'https://app.example';
const plain = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };
const warned = { code: 'PATCH_OPTIONS_CORS_BEHIND_ROUTES' };

const own = (_req: unknown, res: ServerResponse): void => {
  res.end();
};
const pass = (_req: unknown, _res: unknown, next: () => void): void => {
  next();
};

describe.each(flavours)(
  'where the answer to preflights stands, on $name',
  ({ version, router, app: newApp }) => {
    const wildcard = version === 4 ? '/*' : '/*rest';
    const nested = () => router(plain) as Buildable;
    let warnings: jest.SpyInstance;

    beforeEach(() => {
      warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    });
    afterEach(() => {
      warnings.mockRestore();
    });

    it.each<{
      readonly title: string;
      readonly method?: 'HEAD' | 'OPTIONS';
      readonly told?: boolean;
      /** That npm cors is mounted, too. */
      readonly twice?: boolean;
      /** The function that made the middleware whose position is told. */
      readonly by?: 'patchOptions';
      readonly build: (root: Buildable, cors: Middleware, bundle: Middleware) => unknown;
    }>([
      {
        title: 'corsPreflight behind the route: told',
        told: true,
        build: (root, cors) => {
          root.route('/notes/:id')['put']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'behind the route for GET, for HEAD: told',
        method: 'HEAD',
        told: true,
        build: (root, cors) => {
          root.route('/notes/:id')['get']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'behind the route, where another middleware of ours is in front of it: told',
        told: true,
        build: (root, cors) => {
          root.use(methodNotAllowed({ root }));
          root.route('/notes/:id')['put']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'patchOptions behind the route: told',
        told: true,
        by: 'patchOptions',
        build: (root, _cors, bundle) => {
          root.route('/notes/:id')['put']?.(own);
          root.use(bundle);
        },
      },
      {
        title: 'behind a router that has the route: told',
        told: true,
        build: (root, cors) => {
          const notes = nested();
          const route = notes.route('/:id');
          route['put']?.(own);
          // Without it Express answers at the end of that router, and no preflight comes by.
          route['options']?.(pass);
          root.use('/notes', notes);
          root.use(cors);
        },
      },
      {
        title: 'in front of the route',
        build: (root, cors) => {
          root.use(cors);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: 'in front of it, and again behind',
        build: (root, cors, bundle) => {
          root.use(bundle);
          root.route('/notes/:id')['put']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'behind a route for another method',
        build: (root, cors) => {
          root.route('/notes/:id')['get']?.(own);
          root.use(cors);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: 'behind a route for another path, that has no CORS on purpose',
        build: (root, cors) => {
          root.route('/health')['put']?.(own);
          root.use(cors);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: 'behind a handler for the method, in front of another: the first may pass on',
        build: (root, cors) => {
          root.route('/notes/:id')['put']?.(pass);
          root.use(cors);
          root.route('/notes/7')['put']?.(own);
        },
      },
      {
        title: 'behind a handler for the method, in front of one for all',
        build: (root, cors) => {
          root.route('/notes/:id')['put']?.(pass);
          root.use(cors);
          root.all('/notes/7', own);
        },
      },
      {
        title: 'behind guards for all verbs, and for this one on a bare wildcard',
        build: (root, cors) => {
          root.all('/notes/:id', pass);
          root.route(wildcard)['put']?.(pass);
          root.use(cors);
        },
      },
      {
        title: 'behind a guard for all verbs, for OPTIONS',
        method: 'OPTIONS',
        build: (root, cors) => {
          root.all('/notes/:id', pass);
          root.use(cors);
        },
      },
      {
        title: 'behind a route for GET, for OPTIONS, which that does not answer',
        method: 'OPTIONS',
        build: (root, cors) => {
          root.route('/notes/:id')['get']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'behind what only declares the methods',
        build: (root, cors) => {
          root.use(declareMethods(['PUT'], pass));
          root.use(cors);
        },
      },
      {
        title: 'for preflights in front, and on each route, as npm cors can be mounted',
        build: (root, cors) => {
          root.route(wildcard)['options']?.(cors);
          const route = root.route('/notes/:id');
          route['put']?.(cors);
          route['put']?.(own);
        },
      },
      {
        title: 'for preflights behind the routes, and on each route',
        build: (root, cors) => {
          const route = root.route('/notes/:id');
          route['put']?.(cors);
          route['put']?.(own);
          root.use(cors);
        },
      },
      {
        title: 'npm cors behind it: told',
        twice: true,
        build: (root, cors) => {
          root.use(cors);
          root.use(npmCors() as Middleware);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: 'npm cors on a router behind it: told',
        twice: true,
        by: 'patchOptions',
        build: (root, _cors, bundle) => {
          const notes = nested();
          notes.use(npmCors() as Middleware);
          notes.route('/:id')['put']?.(own);
          root.use(bundle);
          root.use('/notes', notes);
        },
      },
      {
        title: 'npm cors that leaves preflights to it: told',
        twice: true,
        build: (root, cors) => {
          root.use(npmCors({ preflightContinue: true }) as Middleware);
          root.use(cors);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: 'npm cors for another path',
        build: (root, cors) => {
          root.use(cors);
          root.use('/fonts', npmCors() as never);
          root.route('/notes/:id')['put']?.(own);
        },
      },
      {
        title: "a function of the app that calls it, under the name of npm cors's",
        build: (root, cors) => {
          root.use(function corsMiddleware(req, res, next) {
            cors(req, res, next);
          } satisfies Middleware);
          root.route('/notes/:id')['put']?.(own);
        },
      },
    ])('$title', async ({ method = 'PUT', told = false, twice = false, by = 'corsPreflight', build }) => {
      const root = newApp === undefined ? nested() : (newApp() as Buildable);
      const options = newApp === undefined ? { root } : {};
      build(root, corsPreflight({ origin, ...options }), patchOptions({ cors: { origin }, ...options }));
      const listener = (req: IncomingMessage, res: ServerResponse): void => {
        (root as unknown as Middleware)(req, res, () => res.writeHead(404).end());
      };
      for (let i = 0; i < 2; i++) {
        const preflight = { origin, 'access-control-request-method': method };
        const { ok, headers } = await request(listener).options('/notes/7?a=b').set(preflight);
        expect(ok).toBe(true);
        expect(headers['access-control-allow-methods']).toContain(method);
      }
      const said = `${by}() is mounted after the route for ${method} '/notes/7': the preflight was allowed, but`;
      const saidTwice =
        `npm cors is mounted beside ${by}(): the preflight for ${method} '/notes/7' was ` +
        `answered by the policy of ${by}(), but`;
      expect(warnings.mock.calls).toEqual([
        ...(told ? [[expect.stringContaining(said), warned]] : []),
        ...(twice ? [[expect.stringContaining(saidTwice), { code: 'PATCH_OPTIONS_CORS_TWICE' }]] : []),
      ]);
    });
  },
);

describe.each(flavours)('one instance behind another, on $name', ({ name, router, app: newApp }) => {
  const nested = () => router(plain) as Buildable;
  let warnings: jest.SpyInstance;

  beforeEach(() => {
    warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => {
    warnings.mockRestore();
  });

  it.each<{
    readonly title: string;
    readonly told?: boolean;
    /** The options of the second instance, where they are not others. */
    readonly second?: CorsOptions;
    readonly build: (root: Buildable, first: Middleware, second: Middleware) => unknown;
  }>([
    {
      title: 'both for all paths: told',
      told: true,
      build: (root, first, second) => {
        root.use(first);
        root.use(second);
      },
    },
    {
      title: 'the second on a router: told',
      told: true,
      build: (root, first, second) => {
        const notes = nested();
        notes.use(second);
        root.use(first);
        root.use('/notes', notes);
      },
    },
    {
      title: 'the second on a route: told',
      told: true,
      build: (root, first, second) => {
        root.use(first);
        root.all('/notes/:id', second);
      },
    },
    {
      title: 'both on one path: told, where a layer has the path that it was given',
      told: name !== 'router 2.2',
      build: (root, first, second) => {
        root.use('/notes', first);
        root.use('/notes', second);
      },
    },
    {
      title: 'both on one router: told',
      told: true,
      build: (root, first, second) => {
        const notes = nested();
        notes.use(first);
        notes.use('/:id', second);
        root.use('/notes', notes);
      },
    },
    {
      title: 'the first for a path, the second for that and another',
      build: (root, first, second) => {
        root.use('/notes', first);
        root.use(['/notes', '/tags'], second);
      },
    },
    {
      title: 'the first for fewer paths',
      build: (root, first, second) => {
        root.use('/notes', first);
        root.use(second);
      },
    },
    {
      title: 'the first for a path, the second for a parameter',
      build: (root, first, second) => {
        root.use('/notes', first);
        root.use('/:kind', second);
      },
    },
    {
      title: 'the first on a route',
      build: (root, first, second) => {
        root.all('/notes/:id', first);
        root.use(second);
      },
    },
    {
      title: 'the first on a router for fewer paths',
      build: (root, first, second) => {
        const notes = nested();
        notes.use(first);
        root.use('/notes', notes);
        root.use(second);
      },
    },
    {
      title: 'the first by a function that can do without it',
      build: (root, first, second) => {
        root.use(((req, res, next) => {
          first(req, res, next);
        }) satisfies Middleware);
        root.use(second);
      },
    },
    {
      title: 'of equal policies',
      second: { origin: [origin] },
      build: (root, first, second) => {
        root.use(first);
        root.use(second);
      },
    },
    {
      title: 'one instance twice',
      build: (root, first) => {
        root.use(first);
        root.use('/notes', first);
      },
    },
  ])('$title', async ({ told = false, second = { origin, credentials: true }, build }) => {
    const root = newApp === undefined ? nested() : (newApp() as Buildable);
    const options = newApp === undefined ? { root } : {};
    build(root, patchOptions({ cors: { origin }, ...options }), corsPreflight({ ...second, ...options }));
    root.route('/notes/:id')['get']?.(own);
    const listener = (req: IncomingMessage, res: ServerResponse): void => {
      (root as unknown as Middleware)(req, res, () => res.writeHead(404).end());
    };
    for (let i = 0; i < 2; i++) {
      const { headers } = await request(listener).get('/notes/7?a=b').set({ origin }).expect(200);
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const said =
      "The policy of corsPreflight() does not apply to GET '/notes/7', nor to any other request there: " +
      'each has already passed an instance of patchOptions() with another policy.';
    expect(warnings.mock.calls).toEqual(
      told ? [[expect.stringContaining(said), { code: 'PATCH_OPTIONS_CORS_TWICE' }]] : [],
    );
  });
});

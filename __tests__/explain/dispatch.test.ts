import npmCors from 'cors';
import type {
  Application,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
} from 'express';
import request from 'supertest';
import {
  corsPreflight,
  declareMethods,
  methodNotAllowed,
  optionsHandler,
  patchOptions,
} from '../../lib';
import { explainCors, type Explanation } from '../../lib/explain';
import { frameworks, type ExpressModule } from '../support/frameworks';

const origin = 'https://app.example';
const done: RequestHandler = (_req, res) => void res.json({});

interface Row {
  readonly title: string;
  /** Puts an app together around the instance that is asked. */
  readonly add: (app: Application, cors: RequestHandler, express: ExpressModule) => unknown;
  readonly method?: 'GET' | 'HEAD' | 'PATCH';
  readonly path?: string;
  readonly expected: Partial<Omit<Explanation, 'instance' | 'notes'>>;
  readonly reason?: RegExp;
  readonly notes?: readonly RegExp[];
  /** An instance is reached, although something else answers. */
  readonly isReached?: boolean;
  /** The request reaches another instance. */
  readonly byAnother?: boolean;
  /** The app comes to the contrary, as is said that it may. */
  readonly isOverruled?: boolean;
}

const other = corsPreflight({ origin: 'https://other.example' });
const ofMount = /applies only under its mount path/;
const ofOwnHeaders = /^CORS headers that your app sets itself are kept, and can let the page read/;
const ofNpmCors =
  /^The request reaches npm cors, whose options are not known\. The CORS headers that it sets are kept/;

const unlessBefore = /^The policy lets .* unless a function before corsPreflight\(\) answers, or your app/;
const unlessBeforeBundle =
  /^The policy lets .* unless a function before patchOptions\(\) answers, or your app/;
const unlessOwnHeaders = /^The browser lets .* unless your app sets CORS headers of its own\.$/;

const nothingAnswers =
  /^Nothing in this app answers preflights with CORS headers\. Mount patchOptions\(\{ cors: … \}\) before all routes\.$/;

/** What is said of `patchOptions` where nothing else could add CORS headers. */
function withoutCors(what: string): RegExp {
  const written = String.raw`patchOptions\(\{ cors: \{ origin: 'https://app\.example' \} \}\)`;
  return new RegExp(
    String.raw`^patchOptions\(\) ${what}, but its option cors is not set\. Write ${written}\.$`,
  );
}

const anyOrigin = { 'Access-Control-Allow-Origin': '*' };

const requireLogin: RequestHandler = (_req, _res, next) => {
  next();
};
const rateLimit: RequestHandler = (req, res, next) => requireLogin(req, res, next);
const logger: RequestHandler = (req, res, next) => requireLogin(req, res, next);
/** As a service behind it would. */
const proxy: RequestHandler = (_req, res) => void res.status(404).end();

const paramCallback: RequestParamHandler = (_req, _res, next) => {
  next();
};

/** Authentication that nobody passes. */
const refuse: RequestHandler = (_req, res) => void res.status(401).end();

type AnyFunction = (...args: never[]) => unknown;

/** What an app, or an instrumentation, can put in place of a function, with authentication before it. */
const wrappers: readonly { readonly by: string; readonly wrap: (inner: AnyFunction) => RequestHandler }[] = [
  { by: '__original', wrap: (inner) => Object.assign(guarded(), { __original: inner }) },
  { by: 'its properties', wrap: (inner) => Object.assign(guarded(), inner) },
  {
    by: 'its properties and its name',
    wrap: (inner) => Object.defineProperty(Object.assign(guarded(), inner), 'name', { value: inner.name }),
  },
  {
    by: 'getters for its properties, and __original',
    wrap: (inner) => {
      const wrapper = Object.assign(guarded(), { __original: inner });
      for (const key in inner) {
        Object.defineProperty(wrapper, key, {
          enumerable: true,
          get: (): unknown => Reflect.get(inner, key),
        });
      }
      return wrapper;
    },
  },
  {
    by: 'its properties and its prototype',
    wrap: (inner) => {
      const wrapper = Object.assign(guarded(), inner);
      Object.setPrototypeOf(wrapper, Object.getPrototypeOf(inner) as object);
      return wrapper;
    },
  },
  {
    by: 'a Proxy',
    wrap: (inner) => new Proxy<RequestHandler>(inner as RequestHandler, { apply: refuseCall }),
  },
];

function guarded(): RequestHandler {
  return function withLogin(req, res, next) {
    refuse(req, res, next);
  };
}

function refuseCall(_inner: unknown, _this: unknown, args: unknown[]): void {
  Reflect.apply(refuse, undefined, args);
}

/** Functions of an app with the names of others. */
const query: RequestHandler = (req, res, next) => requireLogin(req, res, next);
const expressInit: RequestHandler = (req, res, next) => requireLogin(req, res, next);
const serveStatic: RequestHandler = (req, res, next) => requireLogin(req, res, next);

/** Names of functions of this library, of Express and of npm cors. */
const spoofedNames = [
  ...['optionsPassThrough', 'declareMethods', 'optionsHandler', 'methodNotAllowed'],
  ...['patchOptions', 'corsMiddleware', 'mounted_app', 'router', 'app', 'expressInit', 'middleware'],
];

const ofOther = { origin: 'https://other.example' };
const unlessNpmCors =
  /^The policy lets .* unless npm cors sets other CORS headers, or your app sets CORS headers of its own\.$/;

/** In the spelling of the release. */
function everyPath(express: ExpressModule): string {
  return frameworks.some(([name, each]) => each === express && name === 'Express 4') ? '*' : '/{*path}';
}

/** What is said of an instance behind functions that can answer. */
function behind(names: string): Pick<Row, 'expected' | 'reason' | 'notes'> {
  return {
    expected: { allowed: true },
    reason: unlessBefore,
    notes: [new RegExp(String.raw`^Mounted before corsPreflight\(\): ${names}\. `)],
  };
}

const rows: readonly Row[] = [
  {
    title: 'in front of the routes',
    add: (app, cors) => app.use(cors).patch('/notes', done),
    expected: { allowed: true },
  },
  {
    title: 'behind the route',
    add: (app, cors) => app.patch('/notes', done).use(cors),
    expected: { allowed: false, code: 'cors-mounted-late', preflight: true },
    notes: [ofOwnHeaders],
    reason: /A route for the method comes before.*response to PATCH has no CORS headers/,
  },
  {
    title: 'behind the route of a simple GET',
    add: (app, cors) => app.get('/notes', done).use(cors),
    method: 'GET',
    expected: { allowed: false, code: 'cors-mounted-late', preflight: false },
    notes: [ofOwnHeaders],
  },
  {
    title: 'behind a route that sets CORS headers of its own',
    add: (app, cors) => app.get('/notes', (_req, res) => void res.set(anyOrigin).json({})).use(cors),
    method: 'GET',
    expected: { code: 'cors-mounted-late' },
    notes: [ofOwnHeaders],
    isOverruled: true,
  },
  {
    title: 'before a route that opens to others what the policy refuses',
    add: (app) => app.use(other).get('/notes', (_req, res) => void res.set(anyOrigin).json({})),
    method: 'GET',
    expected: { code: 'cors-origin-not-allowed' },
    notes: [ofOwnHeaders],
    byAnother: true,
    isOverruled: true,
  },
  {
    title: 'behind a route for another method, which Express lists only at the end',
    add: (app, cors) => app.get('/notes', done).use(cors).patch('/notes', done),
    expected: { allowed: true },
  },
  {
    title: 'behind a router with routes: there Express answers OPTIONS at once',
    add: (app, cors, express) =>
      app.use(express.Router().get('/notes', done)).use(cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /A router for which Express answers OPTIONS comes before/,
  },
  {
    title: 'in a router behind one with other paths',
    add: (app, cors, express) => {
      app.use(express.Router().get('/other', done));
      app.use(express.Router().use(cors).patch('/notes', done));
    },
    expected: { allowed: true },
  },
  {
    title: 'behind a guard for all verbs',
    add: (app, cors) =>
      app
        .all('/notes', (_req, _res, next) => {
          next();
        })
        .use(cors)
        .patch('/notes', done),
    expected: { allowed: true },
    reason: unlessBefore,
    notes: [/^Mounted before corsPreflight\(\): an anonymous function\. .* Mount corsPreflight\(\) first\.$/],
  },
  {
    title: 'behind authentication, a rate limit and a logger: any of them can answer',
    add: (app, cors) =>
      app.use(requireLogin, rateLimit).use('/notes', logger).use(cors).patch('/notes', done),
    expected: { allowed: true },
    reason: unlessBefore,
    notes: [/^Mounted before corsPreflight\(\): requireLogin, rateLimit, logger\./],
  },
  {
    title: 'behind a guard of another path',
    add: (app, cors) => app.use('/admin', requireLogin).use(cors).patch('/notes', done),
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'behind a guard in a router, for a simple GET',
    add: (app, cors, express) => app.use(express.Router().use(requireLogin)).use(cors).get('/notes', done),
    method: 'GET',
    expected: { allowed: true },
    reason: unlessBefore,
    notes: [/^Mounted before corsPreflight\(\): requireLogin\./],
  },
  {
    title: 'behind static files, which answer a GET, and which refuse OPTIONS without fallthrough',
    add: (app, cors, express) => app.use(express.static(__dirname)).use(cors).patch('/notes', done),
    ...behind('serveStatic'),
  },
  ...['every path', '/notes', /.*/].flatMap((path): Row[] => [
    {
      title: `behind a guard by app.all() for ${String(path)}`,
      add: (app, cors, express) =>
        app
          .all(path === 'every path' ? everyPath(express) : path, requireLogin)
          .use(cors)
          .patch('/notes', done),
      ...behind('requireLogin'),
    },
    {
      title: `behind a guard by app.use() for ${String(path)}`,
      add: (app, cors, express) =>
        app
          .use(path === 'every path' ? everyPath(express) : path, requireLogin)
          .use(cors)
          .patch('/notes', done),
      ...behind('requireLogin'),
    },
  ]),
  {
    title: 'behind a guard by app.route().all() for every path',
    add: (app, cors, express) => {
      app.route(everyPath(express)).all(requireLogin);
      app.use(cors).patch('/notes', done);
    },
    ...behind('requireLogin'),
  },
  {
    title: 'behind a guard for every path in a router',
    add: (app, cors, express) =>
      app
        .use(express.Router().all(everyPath(express), requireLogin))
        .use(cors)
        .patch('/notes', done),
    ...behind('requireLogin'),
  },
  {
    title: 'behind a guard on a route for another method',
    add: (app, cors) => {
      app.route('/notes').all(requireLogin).get(done);
      app.use(cors).patch('/notes', done);
    },
    ...behind('requireLogin'),
  },
  {
    title: 'behind guards on the same routes',
    add: (app, cors) => app.options('/notes', requireLogin, cors).patch('/notes', rateLimit, cors, done),
    ...behind('requireLogin, rateLimit'),
  },
  {
    title: 'behind a guard on the route of a simple HEAD, which Express answers with GET',
    add: (app, cors) => app.get('/notes', requireLogin, cors, done),
    method: 'HEAD',
    ...behind('requireLogin'),
  },
  {
    title: 'before a guard on the same route',
    add: (app, cors) => app.options('/notes', cors).patch('/notes', cors, requireLogin, done),
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'behind functions named as those of Express and of express.static',
    add: (app, cors) => app.use(query, expressInit, serveStatic).use(cors).patch('/notes', done),
    ...behind('query, expressInit, serveStatic'),
  },
  {
    title: 'behind such functions at the start of a router',
    add: (app, cors, express) =>
      app.use(express.Router().use(query, expressInit)).use(cors).patch('/notes', done),
    ...behind('query, expressInit'),
  },
  {
    title: 'in an app under an app: what Express mounts there itself is not named',
    add: (app, cors, express) => app.use(express().use(cors).patch('/notes', done)),
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'behind authentication that was declared to answer nothing',
    add: (app, cors) => app.use(declareMethods([], requireLogin)).use(cors).patch('/notes', done),
    ...behind(String.raw`a function in declareMethods\(\)`),
  },
  {
    title: 'behind such authentication on a route',
    add: (app, cors) => app.all('/notes', declareMethods([], requireLogin)).use(cors).patch('/notes', done),
    ...behind(String.raw`a function in declareMethods\(\)`),
  },
  {
    title: 'behind a function that was declared to answer another method',
    add: (app, cors) =>
      app
        .use(declareMethods(['GET'], requireLogin))
        .use(cors)
        .patch('/notes', done),
    ...behind(String.raw`a function in declareMethods\(\)`),
  },
  {
    title: 'behind a function that was declared to answer a simple GET',
    add: (app, cors) =>
      app
        .use(declareMethods(['GET'], requireLogin))
        .use(cors)
        .get('/notes', done),
    method: 'GET',
    ...behind(String.raw`a function in declareMethods\(\)`),
  },
  {
    title: 'behind a function that was declared to answer OPTIONS',
    add: (app, cors) =>
      app
        .use(declareMethods(['OPTIONS'], proxy))
        .use(cors)
        .patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /An OPTIONS handler comes before/,
  },
  {
    title: 'in a router behind the function that calls it',
    add: (app, cors, express) => {
      const api = express.Router().use(cors).patch('/notes', done);
      app.use(
        declareMethods(api, (req: Request, res: Response, next: NextFunction) => {
          api(req, res, next);
        }),
      );
    },
    ...behind(String.raw`a function in declareMethods\(\)`),
  },
  {
    title: 'behind app.param(), which is called before a mount path with that parameter',
    add: (app, cors) => {
      app.param('name', paramCallback).param('other', paramCallback);
      app.use('/:name', cors).patch('/notes', done);
    },
    expected: { allowed: true },
    reason: unlessBefore,
    // Router 2.2 and Express 4 do not expose the path of a mount.
    notes: [/^Mounted before corsPreflight\(\): param\('name'\)(?:, param\('other'\))?\./, ofMount],
  },
  {
    title: 'behind app.param(), which a guarded path calls',
    add: (app, cors) => {
      app.param('name', paramCallback).param('other', paramCallback).all('/:name', requireLogin);
      app.use(cors).patch('/notes', done);
    },
    ...behind(String.raw`param\('name'\), requireLogin`),
  },
  {
    title: 'behind app.param(), which only a route of another method calls',
    add: (app, cors) => {
      app.param('name', paramCallback).put('/:name', done);
      app.use(cors).patch('/notes', done);
    },
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'behind methodNotAllowed, for a simple GET',
    add: (app, cors) => app.use(methodNotAllowed()).use(cors).get('/notes', done),
    method: 'GET',
    ...behind('methodNotAllowed'),
  },
  {
    title: 'before a guard, which gets no preflight',
    add: (app, cors) => app.use(cors, requireLogin).patch('/notes', done),
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'before a proxy without a route: it may answer',
    add: (app, cors) => app.use(cors).use('/notes', proxy),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /^No visible route matches the path, but proxy is mounted there and may answer the preflight\./,
    isReached: true,
  },
  {
    title: 'before a proxy of another path, and a logger',
    add: (app, cors) => app.use(cors, logger).use('/other', proxy),
    expected: { code: 'cors-no-route' },
    reason: /browsers reject a 404/,
  },
  {
    title: 'behind an app.all that serves alone',
    add: (app, cors) => app.all('/notes', done).use(cors),
    method: 'GET',
    expected: { code: 'cors-mounted-late' },
    notes: [ofOwnHeaders],
  },
  {
    title: 'behind an OPTIONS handler',
    add: (app, cors) => app.options('/notes', done).use(cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /An OPTIONS handler comes before corsPreflight\(\)/,
  },
  {
    title: 'behind optionsHandler',
    add: (app, cors) => app.use(optionsHandler(), cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /^optionsHandler\(\) comes before corsPreflight\(\) and answers the preflight\./,
  },
  {
    title: 'behind optionsHandler on a route',
    add: (app, cors, express) =>
      app.options(everyPath(express), optionsHandler()).use(cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /^optionsHandler\(\) comes before corsPreflight\(\)/,
  },
  {
    title: 'behind patchOptions without cors, which answers OPTIONS',
    add: (app, cors) => app.use(patchOptions()).use(cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /^patchOptions\(\) without cors comes before corsPreflight\(\) and answers the preflight\./,
  },
  ...[undefined, {}].flatMap((resources): Row[] => {
    const options = resources === undefined ? {} : { resources };
    return [
      {
        title: `nowhere: patchOptions(${JSON.stringify(options)}) answers, without cors`,
        add: (app) => app.use(patchOptions(options)).patch('/notes', done),
        expected: { allowed: false, code: 'cors-not-mounted' },
        reason: withoutCors('answers the preflight'),
      },
      {
        title: `nowhere, for a simple GET: patchOptions(${JSON.stringify(options)}) has no cors`,
        add: (app) => app.use(patchOptions(options)).get('/notes', done),
        method: 'GET',
        expected: { allowed: false, code: 'cors-not-mounted' },
        reason: withoutCors('is mounted'),
        notes: [ofOwnHeaders],
      },
    ];
  }),
  {
    title: 'nowhere, in an app whose routes Express answers for',
    add: (app) => app.patch('/notes', done),
    expected: { code: 'cors-not-mounted' },
    reason: nothingAnswers,
  },
  {
    title: 'nowhere, and optionsHandler answers',
    add: (app) => app.use(optionsHandler()).patch('/notes', done),
    expected: { code: 'cors-not-mounted' },
    reason: nothingAnswers,
  },
  {
    title: 'nowhere, in an app without routes',
    add: () => undefined,
    expected: { code: 'cors-not-mounted' },
    reason: nothingAnswers,
  },
  {
    title: 'nowhere, for a simple GET',
    add: (app) => app.get('/notes', done),
    method: 'GET',
    expected: { code: 'cors-not-mounted' },
    reason:
      /^Nothing in this app adds CORS headers to the response to GET\. Mount patchOptions\(\{ cors: … \}\)/,
    notes: [ofOwnHeaders],
  },
  {
    title: 'nowhere, but behind a guard in sight',
    add: (app) => app.use(requireLogin).patch('/notes', done),
    expected: { code: 'cors-not-mounted' },
    reason: /^Apart from the functions in notes, nothing in this app answers preflights with CORS headers\./,
    notes: [/^Functions that get the request first: requireLogin\./],
  },
  {
    title: 'nowhere, and an OPTIONS handler answers',
    add: (app) => app.options('/notes', done).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason:
      /^An OPTIONS handler answers the preflight\. Mount patchOptions\(\{ cors: … \}\) before all routes\.$/,
  },
  ...(['GET', 'PATCH'] as const).map((method): Row => ({
    title: `nowhere, and npm cors decides on ${method}`,
    add: (app) => app.use(npmCors()).get('/notes', done).patch('/notes', done),
    method,
    expected: { code: method === 'GET' ? 'cors-not-mounted' : 'cors-preflight-elsewhere' },
    reason:
      /^Only npm cors sets CORS headers in this app\. Mount patchOptions\(\{ cors: … \}\) in its place,/,
    notes: [
      ...(method === 'GET' ? [/^Functions that get the request first: npm cors\./] : []),
      /^The request reaches npm cors, whose options are not known\. Only a request to your server shows/,
    ],
    isOverruled: true,
  })),
  {
    title: 'patchOptions under another path: named as it is called',
    add: (app, _cors, express) =>
      app.use('/api', express.Router().use(patchOptions({ cors: { origin } }))).use('/notes', requireLogin),
    expected: { code: 'cors-not-mounted' },
    reason:
      /^The preflight does not reach a patchOptions\(\)\. Mount one with app\.use\(\) before the routes\.$/,
    notes: [
      /^Functions that get the request first: requireLogin\. .* calls patchOptions\(\) is not known\.$/,
    ],
  },
  {
    title: 'patchOptions behind the route and a guard: named as it is called',
    add: (app) => app.patch('/notes', requireLogin, done).use(patchOptions({ cors: { origin } })),
    expected: { code: 'cors-mounted-late' },
    reason: /comes before patchOptions\(\), .* Mount patchOptions\(\) first\.$/,
    notes: [ofOwnHeaders],
  },
  {
    title: 'patchOptions behind a guard: named as it is called',
    add: (app) => app.use(requireLogin, patchOptions({ cors: { origin } })).patch('/notes', done),
    expected: { allowed: true },
    reason: unlessBeforeBundle,
    notes: [/^Mounted before patchOptions\(\): requireLogin\. .* Mount patchOptions\(\) first\.$/],
    byAnother: true,
  },
  {
    title: 'before express.static of another app, which does not answer OPTIONS',
    add: (app, cors, express) => app.use(cors).use('/notes', express.static(__dirname)),
    expected: { code: 'cors-no-route' },
  },
  {
    title: 'before a function named as express.static',
    add: (app, cors) => app.use(cors).use('/notes', serveStatic),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /serveStatic is mounted there and may answer the preflight/,
    isReached: true,
  },
  {
    title: 'behind npm cors',
    add: (app, cors) => app.use(npmCors()).use(cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /^npm cors comes before corsPreflight\(\) and answers the preflight\./,
    notes: [ofNpmCors],
    isOverruled: true,
  },
  ...(['GET', 'HEAD'] as const).map((method): Row => ({
    title: `behind npm cors with another origin, for a simple ${method}`,
    add: (app, cors) => app.use(npmCors(ofOther), cors).get('/notes', done),
    method,
    expected: { allowed: true },
    reason: /^The policy lets .* answers, npm cors sets other CORS headers, or your app sets/,
    notes: [/^Mounted before corsPreflight\(\): npm cors\. /, ofNpmCors],
    isOverruled: true,
  })),
  {
    title: 'before npm cors with another origin, which sets the headers of the response',
    add: (app, cors) => app.use(cors, npmCors(ofOther)).patch('/notes', done),
    expected: { allowed: true },
    reason: unlessNpmCors,
    notes: [ofNpmCors],
    isOverruled: true,
  },
  {
    title: 'before npm cors on the route alone',
    add: (app, cors) => app.use(cors).get('/notes', npmCors(ofOther), done),
    method: 'GET',
    expected: { allowed: true },
    reason: unlessNpmCors,
    notes: [ofNpmCors],
    isOverruled: true,
  },
  {
    title: 'before npm cors in a router, which instrumentation wraps',
    add: (app, cors, express) => {
      const instrumented: RequestHandler = (req, res, next) => {
        npmCors(ofOther)(req, res, next);
      };
      app.use(cors, express.Router().use(Object.assign(instrumented, { __original: npmCors(ofOther) })));
      app.patch('/notes', done);
    },
    expected: { allowed: true },
    reason: unlessNpmCors,
    notes: [ofNpmCors],
    isOverruled: true,
  },
  {
    title: 'before npm cors of another path or method',
    add: (app, cors) => {
      app.use(cors).use('/other', npmCors(ofOther)).put('/notes', npmCors(ofOther));
      app.patch('/notes', done);
    },
    expected: { allowed: true },
    reason: unlessOwnHeaders,
  },
  {
    title: 'of another policy, before npm cors that allows every origin',
    add: (app) => app.use(other, npmCors()).get('/notes', done),
    method: 'GET',
    expected: { code: 'cors-origin-not-allowed' },
    notes: [ofNpmCors],
    byAnother: true,
    isOverruled: true,
  },
  {
    title: 'before npm cors, which answers the preflights of paths without routes',
    add: (app, cors) => app.use(cors, npmCors()),
    expected: { code: 'cors-preflight-elsewhere' },
    reason:
      /^No visible route matches the path, but npm cors is mounted there and may answer the preflight\./,
    notes: [ofNpmCors],
    isReached: true,
    isOverruled: true,
  },
  {
    title: 'on another path than npm cors, which is all that there is',
    add: (app, cors) => app.use('/admin', cors).use(npmCors()).get('/notes', done),
    method: 'GET',
    expected: { code: 'cors-mounted-late' },
    notes: [/^Functions that get the request first: npm cors\. Whether one answers/, ofNpmCors],
    isOverruled: true,
  },
  ...wrappers.flatMap(({ by, wrap }): Row[] => [
    {
      title: `in a wrapper that is recognized by ${by}`,
      add: (app, cors) => app.use(wrap(cors)).patch('/notes', done),
      ...behind(String.raw`\w+ around corsPreflight\(\)`),
      isOverruled: true,
    },
    {
      title: `in a wrapper of patchOptions that is recognized by ${by}`,
      add: (app) => app.use(wrap(patchOptions({ cors: { origin } }))).get('/notes', done),
      method: 'GET',
      expected: { allowed: true },
      reason: unlessBeforeBundle,
      notes: [
        /^Mounted before patchOptions\(\): \w+ around patchOptions\(\)\. .* Mount patchOptions\(\) first\.$/,
      ],
      byAnother: true,
      isOverruled: true,
    },
    {
      title: `on a route, in a wrapper that is recognized by ${by}`,
      add: (app, cors) => app.get('/notes', wrap(cors), done),
      method: 'GET',
      ...behind(String.raw`\w+ around corsPreflight\(\)`),
      isOverruled: true,
    },
    {
      title: `in a router in a wrapper that is recognized by ${by}`,
      add: (app, cors, express) => app.use(wrap(express.Router().use(cors))).get('/notes', done),
      method: 'GET',
      ...behind(String.raw`\w+`),
      isOverruled: true,
    },
    {
      title: `behind a router in a wrapper that is recognized by ${by}`,
      add: (app, cors, express) =>
        app
          .use(wrap(express.Router().get('/other', done)))
          .use(cors)
          .patch('/notes', done),
      ...behind(String.raw`\w+`),
      isOverruled: true,
    },
    {
      title: `behind methodNotAllowed in a wrapper that is recognized by ${by}`,
      add: (app, cors) => app.use(wrap(methodNotAllowed())).use(cors).patch('/notes', done),
      ...behind(String.raw`\w+`),
      isOverruled: true,
    },
  ]),
  ...spoofedNames.map((name): Row => ({
    title: `behind a function named ${name}`,
    add: (app, cors) =>
      app
        .use(Object.defineProperty(guarded(), 'name', { value: name }))
        .use(cors)
        .get('/notes', done),
    method: 'GET',
    ...behind(name),
    isOverruled: true,
  })),
  {
    title: 'in an app under an app, whose first function is named as those of Express 4',
    add: (app, cors) => {
      const named = Object.defineProperty(guarded(), 'name', { value: 'query' });
      app.use(named, cors).get('/notes', done);
    },
    method: 'GET',
    ...behind('query'),
    isOverruled: true,
  },
  {
    title: 'in a function of the app: it is not known what that calls',
    add: (app, cors) =>
      app
        .use(function chooseCors(req, res, next) {
          cors(req, res, next);
        })
        .get('/notes', done),
    method: 'GET',
    expected: { code: 'cors-not-mounted' },
    reason:
      /^Apart from the functions in notes, nothing in this app adds CORS headers to the response to GET\./,
    notes: [
      /^Functions that get the request first: chooseCors\. Whether one .* calls corsPreflight\(\) is not known\.$/,
      ofOwnHeaders,
    ],
    isOverruled: true,
  },
  {
    title: 'before a function that answers OPTIONS on paths without routes',
    add: (app, cors) =>
      app.use(cors).use((req, res, next) => {
        if (req.method === 'OPTIONS') res.set('Allow', 'PATCH').status(204).end();
        else next();
      }),
    expected: { code: 'cors-no-route' },
    reason: /goes on to your app, and unless a function there answers it, browsers reject a 404\./,
    isOverruled: true,
  },
  {
    title: 'behind another instance, which claims the path',
    add: (app, cors) => app.use(other).use(cors).patch('/notes', done),
    expected: { code: 'cors-origin-not-allowed' },
    byAnother: true,
  },
  {
    title: 'behind another instance under a mount path',
    add: (app, cors) => app.use('/notes', other).use(cors).patch('/notes', done),
    expected: { code: 'cors-origin-not-allowed' },
    byAnother: true,
    notes: [ofMount],
  },
  {
    title: 'behind another instance under another path',
    add: (app, cors) => app.use('/admin', other).use(cors).patch('/notes', done),
    expected: { allowed: true },
  },
  {
    title: 'behind another instance in patchOptions',
    add: (app, cors) =>
      app
        .use(patchOptions({ cors: {} }))
        .use(cors)
        .patch('/notes', done),
    expected: { allowed: true },
    byAnother: true,
  },
  {
    title: 'under a mount path that covers the request',
    add: (app, cors) => app.use('/notes', cors).patch('/notes', done),
    expected: { allowed: true },
    notes: [ofMount],
  },
  {
    title: 'in a router under a mount path',
    add: (app, cors, express) => app.use('/api', express.Router().use(cors).patch('/notes', done)),
    path: '/api/notes',
    expected: { allowed: true },
    notes: [ofMount],
  },
  {
    title: 'in a sub-app under a mount path',
    add: (app, cors, express) => app.use('/api', express().use(cors).patch('/notes', done)),
    path: '/api/notes',
    expected: { allowed: true },
    notes: [ofMount],
  },
  {
    title: 'under a mount path that does not',
    add: (app, cors) => app.use('/admin', cors).patch('/notes', done),
    expected: { code: 'cors-preflight-elsewhere' },
    reason: /Express answers/,
  },
  {
    title: 'under a mount path that does not, and nothing answers',
    add: (app, cors) => app.use('/admin', cors),
    expected: { code: 'cors-not-mounted' },
    reason: /The preflight does not reach a corsPreflight\(\)\. Mount one with app\.use\(\)/,
  },
  {
    title: 'under a mount path that does not, for a simple GET',
    add: (app, cors) => app.use('/admin', cors).use('/notes', declareMethods(['GET'], done)),
    method: 'GET',
    expected: { code: 'cors-not-mounted' },
    reason: /A GET request to this path does not reach a corsPreflight/,
    notes: [/^Functions that get the request first: a function in declareMethods\(\)\. /, ofOwnHeaders],
  },
  {
    title: 'on the single route: it sees no preflight',
    add: (app, cors) => app.patch('/notes', cors, done),
    expected: { code: 'cors-preflight-elsewhere' },
  },
  {
    title: 'on the single route of a simple GET',
    add: (app, cors) => app.get('/notes', cors, done),
    method: 'GET',
    expected: { allowed: true },
  },
  {
    title: 'on the single route, and by app.options',
    add: (app, cors) => app.options('/notes', cors).patch('/notes', cors, done),
    expected: { allowed: true },
  },
];

describe.each(frameworks)('where an instance stands in an app of %s', (_name, express) => {
  test.each(rows)(
    '$title',
    async ({
      add,
      method = 'PATCH',
      path = '/notes',
      expected,
      reason,
      notes = [],
      byAnother,
      isReached,
      isOverruled = false,
    }) => {
      const app = express();
      const cors = corsPreflight({ origin });
      add(app, cors, express);
      const explanation = await explainCors(app, { origin, method, path });
      expect(explanation).toMatchObject(expected);
      expect(explanation.reason).toMatch(reason ?? /./);
      expect(explanation.notes).toEqual(notes.map((note) => expect.stringMatching(note) as string));
      // An instance is named where one was reached, and only there.
      const reached =
        isReached ??
        !['cors-preflight-elsewhere', 'cors-mounted-late', 'cors-not-mounted'].includes(explanation.code);
      expect(explanation.instance !== undefined).toBe(reached);
      if (reached) expect(explanation.instance === cors).toBe(byAnother !== true);

      // The app comes to the same: over a socket, by what a browser looks at.
      const asked = { origin, 'access-control-request-method': method };
      const preflight = await request(app).options(path).set(asked);
      const verb = ({ GET: 'get', HEAD: 'head', PATCH: 'patch' } as const)[method];
      const actual = await request(app)[verb](path).set({ origin });
      const passes = ({ status, headers }: typeof actual, isPreflight: boolean) =>
        ['*', origin].includes(String((headers as Record<string, string>)['access-control-allow-origin'])) &&
        (!isPreflight || status < 300);
      expect((!explanation.preflight || passes(preflight, true)) && passes(actual, false)).toBe(
        explanation.allowed !== isOverruled,
      );
    },
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import npmCors from 'cors';
import express, { type RequestHandler } from 'express';
import { patchOptions, type CorsOptions } from 'patch-options';
import request from 'supertest';

/**
 * 280 requests to one app behind npm `cors` and to the same behind ours, under options that both take, or a function of each. Every
 * difference in the answers is printed, and is of a kind that docs/migrating-from-cors.md explains to who moves over.
 */
const origin = 'https://app.example';
const evil = 'https://evil.example';

const shared: Readonly<Record<string, CorsOptions & npmCors.CorsOptions>> = {
  defaults: {},
  'one origin': { origin },
  'a list of origins': { origin: [origin, 'https://two.example'] },
  'a list of origins, with credentials': { origin: [origin], credentials: true },
  'all that both take': {
    origin,
    methods: ['GET', 'PATCH', 'DELETE'],
    allowedHeaders: 'If-Match,Content-Type',
    exposedHeaders: ['ETag'],
    maxAge: 60,
  },
};

const policies: Readonly<Record<string, { theirs: npmCors.CorsOptions; ours: CorsOptions }>> = {
  ...Object.fromEntries(
    Object.entries(shared).map(([name, options]) => [name, { theirs: options, ours: options }]),
  ),
  // What npm cors does by default, said here.
  'as npm cors': {
    theirs: {},
    ours: { fallbackMethods: 'GET,HEAD,PUT,PATCH,POST,DELETE', allowedHeaders: 'requested' },
  },
  'a function': {
    theirs: {
      origin: (asking, done) => {
        done(null, asking === origin);
      },
    },
    ours: { origin: (asking) => asking === origin },
  },
};

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const origins = [{}, { origin }, { origin: evil }, { origin: 'null' }];
const askedMethods = [
  {},
  { 'access-control-request-method': 'PATCH' },
  { 'access-control-request-method': 'DELETE' },
];
const askedFields = [{}, { 'access-control-request-headers': 'if-match,x-secret' }];

const requests: readonly Asked[] = [
  ...origins.flatMap((from) =>
    askedMethods.flatMap((method) =>
      askedFields.map((fields) => ({
        method: 'OPTIONS',
        path: '/note',
        fields: { ...from, ...method, ...fields },
      })),
    ),
  ),
  { method: 'OPTIONS', path: '/nowhere', fields: { origin, 'access-control-request-method': 'PATCH' } },
  { method: 'OPTIONS', path: '/nowhere', fields: { origin: evil, 'access-control-request-method': 'PATCH' } },
  ...['/note', '/varied', '/cleared'].flatMap((path) =>
    origins.map((fields) => ({ method: 'GET', path, fields })),
  ),
  { method: 'PATCH', path: '/note', fields: { origin } },
  { method: 'GET', path: '/nowhere', fields: { origin } },
];

const isPreflight = ({ method, fields }: Asked) =>
  method === 'OPTIONS' && 'origin' in fields && 'access-control-request-method' in fields;
const isRefused = ({ fields }: Asked, policy: string) =>
  'origin' in fields && fields['origin'] !== origin && policy !== 'defaults' && policy !== 'as npm cors';

interface Difference {
  readonly policy: string;
  readonly asked: Asked;
  readonly field: string;
  readonly there: string | undefined;
  readonly here: string | undefined;
}

interface Kind {
  readonly is: (difference: Difference) => boolean;
  /** The row of the page's tables that says it: there and here. */
  readonly told: string;
}

/** The kinds of difference, of which the first that fits counts. */
const kinds: Readonly<Record<string, Kind>> = {
  'OPTIONS that is no preflight': {
    is: ({ asked }) => asked.method === 'OPTIONS' && !isPreflight(asked),
    told: '`preflightContinue` | Does not exist. An OPTIONS request that is not a preflight gets `Allow`; `cors` answers it as if it were a preflight.',
  },
  'Refused preflight': {
    is: ({ asked, policy }) => isPreflight(asked) && isRefused(asked, policy),
    told: "a refused preflight: 204 with every CORS header but `Access-Control-Allow-Origin`, or your app's own answer if a function refused it | 403 without CORS headers.",
  },
  'Preflight for a path without routes': {
    is: ({ asked, policy }) => isPreflight(asked) && asked.path === '/nowhere' && policy !== 'as npm cors',
    told: 'a preflight for a path without visible routes: 204 | The preflight goes on to your app, which answers it. [`fallbackMethods`](cors.md#fallbackmethods) answers as `cors` does.',
  },
  'Status of a preflight': {
    is: ({ field, there, here }) => field === 'status' && there === '204' && here === '200',
    told: '`optionsSuccessStatus` | Does not exist: 200 with `Content-Length: 0`, where `cors` sends 204.',
  },
  'Methods of a preflight': {
    is: ({ field }) => field === 'access-control-allow-methods',
    told: "`methods` | By default, the methods of the path's routes; `cors` has one list for every path. If set, it narrows them and adds none.",
  },
  'Header fields of a preflight': {
    is: ({ field }) => field === 'access-control-allow-headers',
    told: "`allowedHeaders` | By default, [this list](cors.md#allowedheaders); `cors` sends back whatever was requested, as `'requested'` does here. If set, your list is added to the default one; `{ only: […] }` replaces it, as with `cors`. Names that browsers do not let scripts send, such as `Origin` and `Content-Length`, are a configuration error: leave them out. `'*'`, without credentials, means every header except `Authorization`.",
  },
  'Max-age of a preflight': {
    is: ({ field }) => field === 'access-control-max-age',
    told: '`maxAge` | By default, 600; `cors` sends none, and browsers ask again after five seconds. If set, the same, up to 86,400.',
  },
  'Vary of a preflight': {
    is: ({ field, asked }) => field === 'vary' && isPreflight(asked),
    told: "`Vary: Access-Control-Request-Headers` | `Vary` names the headers that the answer depends on: `Access-Control-Request-Method`, and with `'requested'` also `Access-Control-Request-Headers`.",
  },
  'Vary under a function': {
    is: ({ field, asked, policy }) => field === 'vary' && policy === 'a function' && asked.path === '/note',
    told: '`origin: (origin, callback) => …` | `(origin, req) => boolean`, or a promise of a boolean. It is not called for requests without `Origin`, and `Vary: Origin` is sent whatever it returns. If it throws, the origin is refused and `onRefused` is called; the answer is not a 500.',
  },
  'Exposed header fields': {
    is: ({ field }) => field === 'access-control-expose-headers',
    told: '`exposedHeaders` | By default, [this list](cors.md#exposedheaders); `cors` has none. If set, your list is added to it; `{ only: […] }` replaces it. Not sent where browsers ignore it: with preflights, and to origins that are not allowed.',
  },
  'Origin that is not allowed': {
    is: ({ here, asked }) => here === undefined && asked.fields['origin'] !== origin,
    told: "`origin: 'https://app.example'` | The same, but checked at startup (no path, no trailing slash, no default port, no upper case). The CORS headers are sent only to that origin; `cors` sends them to every origin.",
  },
  'Errors, and handlers that set Vary': {
    is: ({ asked, here }) => ['/varied', '/cleared'].includes(asked.path) && here !== undefined,
    told: 'CORS headers are set before your handler runs, which can remove them | They are added when the head of the response is written.',
  },
};

/** What the two answer differently, told field by field. */
async function differences(policy: string, asked: Asked): Promise<Difference[]> {
  const { theirs, ours } = policies[policy] ?? {};
  const [there, here] = await Promise.all([
    answer(npmCors(theirs), asked),
    answer(patchOptions({ cors: ours ?? {} }), asked),
  ]);
  const fields = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  return fields
    .filter((field) => there[field] !== here[field])
    .map((field) => ({ policy, asked, field, there: there[field], here: here[field] }));
}

async function answer(
  middleware: RequestHandler,
  { method, path, fields }: Asked,
): Promise<Record<string, string>> {
  const app = express();
  app.use(middleware);
  app.get('/note', (_req, res) => void res.json({}));
  app.patch('/note', (_req, res) => void res.json({}));
  app.get('/varied', (_req, res) => void res.set('Vary', 'Accept-Language').json({}));
  app.get('/cleared', (_req, res) => {
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.status(500).end();
  });
  const asking =
    { OPTIONS: request(app).options(path), PATCH: request(app).patch(path) }[method] ??
    request(app).get(path);
  const response = await asking.set(fields);
  const told = Object.entries(response.headers as Record<string, string>).filter(
    ([name]) => name.startsWith('access-control-') || ['vary', 'allow'].includes(name),
  );
  const spaced = told.map(([name, value]) => [name, value.replace(/, */g, ', ')] as const);
  return { status: String(response.status), ...Object.fromEntries(spaced) };
}

function kindOf(difference: Difference): string | undefined {
  return Object.keys(kinds).find((kind) => kinds[kind]?.is(difference));
}

/** Every difference, those that many requests share once. */
function printed(found: readonly Difference[]): string {
  const lines = new Map<string, number>();
  for (const difference of found) {
    const { field, there = '(none)', here = '(none)' } = difference;
    const line = `${kindOf(difference) ?? 'UNEXPLAINED'} | ${field} | ${there} | ${here}`;
    lines.set(line, (lines.get(line) ?? 0) + 1);
  }
  const rows = [...lines].sort().map(([line, count]) => `  ${line} | ${count}`);
  return ['  kind | field | npm cors | patch-options | requests', ...rows].join('\n');
}

describe('moving over from npm cors', () => {
  const found: Difference[] = [];

  beforeAll(async () => {
    for (const policy of Object.keys(policies)) {
      for (const asked of requests) found.push(...(await differences(policy, asked)));
    }
    process.stdout.write(`${printed(found)}\n`);
  });

  test('every difference is of a kind that is explained', () => {
    expect(found.filter((difference) => kindOf(difference) === undefined)).toEqual([]);
  });

  test("under 'requested' header names are sent back as they are there, but for their case and spaces", () => {
    const ofNames = found.filter(
      ({ field, policy, asked }) =>
        policy === 'as npm cors' && isPreflight(asked) && field === 'access-control-allow-headers',
    );
    expect(ofNames).toEqual([]);
  });

  const page = readFileSync(join(__dirname, '../../docs/migrating-from-cors.md'), 'utf8');
  const rows = page.split('\n');

  test.each(Object.entries(kinds).map(([kind, { told }]) => ({ kind, told })))(
    '$kind: there is such a difference, and docs/migrating-from-cors.md explains it',
    ({ kind, told }) => {
      expect(found.map(kindOf)).toContain(kind);
      expect(rows.filter((row) => row.startsWith(`| ${told}`))).toHaveLength(1);
    },
  );
});

/** As a browser judges the answer to a preflight (Fetch, CORS-preflight fetch step 7). */
function passes(answered: Readonly<Record<string, string>>, { fields }: Asked): boolean {
  const listed = (name: string) => (answered[name] ?? '').split(/, */);
  const method = fields['access-control-request-method'] ?? '';
  const asked = (fields['access-control-request-headers'] ?? '').split(',').filter(Boolean);
  const allowedHeaders = listed('access-control-allow-headers').map((name) => name.toLowerCase());
  return (
    /^2..$/.test(answered['status'] ?? '') &&
    ['*', fields['origin']].includes(answered['access-control-allow-origin']) &&
    (['GET', 'HEAD', 'POST'].includes(method) || listed('access-control-allow-methods').includes(method)) &&
    asked.every((name) => allowedHeaders.includes(name))
  );
}

describe('moving over from npm cors loses no preflight of a request that the app serves', () => {
  /** What an app has besides routes that can be seen. */
  const bodies: Readonly<Record<string, (app: express.Express) => unknown>> = {
    'a middleware that answers everything, as GraphQL': (app) =>
      app.use('/thing', (_req, res) => void res.json({})),
    'a router in a function': (app) => {
      const router = express.Router();
      router.all('/thing', (_req, res) => void res.json({}));
      app.use((req, res, next) => {
        router(req, res, next);
      });
    },
    'routes for some methods, in a function': (app) => {
      const router = express.Router();
      router.get('/thing', (_req, res) => void res.json({}));
      router.patch('/thing', (_req, res) => void res.json({}));
      app.use((req, res, next) => {
        router(req, res, next);
      });
    },
    'a rewriter behind': (app) => {
      app.use((req, _res, next) => {
        req.url = '/inside';
        next();
      });
      app.delete('/inside', (_req, res) => void res.json({}));
    },
    'an OPTIONS handler of its own': (app) => {
      app.options('/thing', (_req, res) => void res.status(204).end());
      app.use((_req, res) => void res.json({}));
    },
    'routes that are seen': (app) => {
      app.get('/thing', (_req, res) => void res.json({}));
      app.put('/thing', (_req, res) => void res.json({}));
    },
    'app.all': (app) => app.all('/thing', (_req, res) => void res.json({})),
    'a terminal 404': (app) => app.use((_req, res) => void res.status(404).end()),
  };

  /** Where routes are seen, what none of them handles is refused before it is sent. */
  const methodsOf = (title: string) =>
    title === 'routes that are seen'
      ? ['GET', 'HEAD', 'PUT']
      : ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

  test.each(
    Object.entries(bodies).flatMap(([title, add]) =>
      methodsOf(title).map((method) => ({ title, method, add })),
    ),
  )('$title: $method', async ({ method, add }) => {
    const asked = {
      method: 'OPTIONS',
      path: '/thing',
      fields: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,x-anything',
      },
    };
    const ours = patchOptions({ cors: policies['as npm cors']?.ours ?? {} });
    for (const middleware of [npmCors(), ours]) {
      const app = express().use(middleware);
      add(app);
      const { status, headers } = await request(app).options('/thing').set(asked.fields);
      const answered = { ...(headers as Record<string, string>), status: String(status) };
      expect([answered, passes(answered, asked)]).toEqual([answered, true]);
    }
  });
});

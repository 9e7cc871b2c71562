import { createServer } from 'node:http';
import type { Application, RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../lib/cors/options';
import { corsFields } from './cors-fields';
import { app1, own, preflight } from './preflight-table';
import { mistakesOf } from '../support/mistakes-of';
import { frameworks, type ExpressModule } from '../support/frameworks';

const defaultHeaders =
  'Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key, Authorization';
/** What is made of an answer of the app's that has an Allow. */
const completed = {
  'access-control-allow-origin': app1,
  'access-control-allow-headers': defaultHeaders,
  'access-control-max-age': '600',
};

interface Row {
  readonly title: string;
  readonly options?: CorsOptions;
  /** What stands behind the instance, and no walk over the routes sees. */
  readonly add: (app: Application, express: ExpressModule) => unknown;
  /** Left out: any ok status. */
  readonly status?: number;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** A middleware that answers everything, as a proxy does. */
const answering =
  (status: number, fields: Readonly<Record<string, string | string[]>>): RequestHandler =>
  (_req, res) => {
    res.status(status).set(fields).end();
  };

const rows: readonly Row[] = [
  {
    title: 'a router in a function, which Express answers for: the methods of its Allow',
    add: (app, express) => {
      const router = express
        .Router()
        .get('/notes/1', answering(200, {}))
        .patch('/notes/1', answering(200, {}));
      app.use((req, res, next) => {
        router(req, res, next);
      });
    },
    expected: { ...completed, 'access-control-allow-methods': 'GET, HEAD, PATCH' },
  },
  {
    title: 'a rewriter behind the instance',
    add: (app) => {
      app.use((req, _res, next) => {
        req.url = '/inside';
        next();
      });
      app.put('/inside', answering(200, {}));
    },
    expected: { ...completed, 'access-control-allow-methods': 'PUT' },
  },
  {
    title: 'an OPTIONS handler of the app that sets Allow',
    add: (app) => app.options('/notes/1', answering(204, { Allow: 'GET,PATCH' })),
    status: 204,
    expected: { ...completed, 'access-control-allow-methods': 'GET, PATCH' },
  },
  {
    title: 'a whole head written at once',
    add: (app) => app.use((_req, res) => void res.writeHead(204, ['Allow', 'GET', 'Vary', 'Accept']).end()),
    status: 204,
    expected: {
      ...completed,
      'access-control-allow-methods': 'GET',
      vary: expect.stringContaining('Accept'),
    },
  },
  {
    title: 'narrowed by the option methods',
    options: { ...own, methods: 'PATCH, PUT' },
    add: (app) => app.use(answering(200, { Allow: 'GET, HEAD, PATCH' })),
    expected: { ...completed, 'access-control-allow-methods': 'PATCH' },
  },
  {
    title: 'narrowed to nothing',
    options: { ...own, methods: 'PUT' },
    add: (app) => app.use(answering(200, { Allow: 'GET' })),
    expected: { ...completed, 'access-control-allow-methods': '' },
  },
  {
    title: 'an empty Allow allows none',
    add: (app) => app.use(answering(200, { Allow: '' })),
    expected: { ...completed, 'access-control-allow-methods': '' },
  },
  {
    title: 'an Allow of several lines',
    add: (app) => app.use(answering(200, { Allow: ['GET', 'PATCH, PUT'] })),
    expected: { ...completed, 'access-control-allow-methods': 'GET, PATCH, PUT' },
  },
  {
    title: 'with credentials, and the header names asked for',
    options: { ...own, credentials: true, allowedHeaders: 'requested' },
    add: (app) => app.use(answering(200, { Allow: 'GET' })),
    expected: {
      ...completed,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-one, x-two',
      'access-control-allow-methods': 'GET',
    },
  },
  {
    title: 'headers and max-age that whoever answers has set stay',
    add: (app) =>
      app.use(
        answering(200, {
          Allow: 'GET',
          'Access-Control-Allow-Headers': 'X-Own',
          'Access-Control-Max-Age': '5',
        }),
      ),
    expected: {
      ...completed,
      'access-control-allow-headers': 'X-Own',
      'access-control-max-age': '5',
      'access-control-allow-methods': 'GET',
    },
  },
  {
    title: 'an Access-Control-Allow-Methods that is set already stays, and all beside it',
    add: (app) => app.use(answering(200, { Allow: 'GET', 'Access-Control-Allow-Methods': 'POST' })),
    expected: {
      'access-control-allow-origin': app1,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': undefined,
      'access-control-max-age': undefined,
    },
  },
  {
    title: 'an answer without Allow says nothing of methods',
    add: (app) => app.use(answering(200, {})),
    expected: { 'access-control-allow-origin': app1, 'access-control-allow-methods': undefined },
  },
  ...[301, 405, 500].map((status) => ({
    title: `a ${status} with Allow is no ok status`,
    add: (app: Application) => app.use(answering(status, { Allow: 'GET' })),
    status,
    expected: { 'access-control-allow-origin': app1, 'access-control-allow-methods': undefined },
  })),
  {
    title: 'a list of methods past all bounds',
    add: (app) => app.use(answering(200, { Allow: 'GET,'.repeat(200) })),
    expected: { 'access-control-allow-methods': undefined },
  },
  {
    title: 'fallbackMethods: answered here, without the app',
    options: { ...own, fallbackMethods: ['GET', 'POST'] },
    add: (app) => app.use(answering(418, { Allow: 'PUT' })),
    expected: { ...completed, 'access-control-allow-methods': 'GET, POST' },
  },
  {
    title: 'fallbackMethods: also where the app has an OPTIONS handler of its own',
    options: { ...own, fallbackMethods: 'DELETE' },
    add: (app) => app.options('/notes/1', answering(418, {})),
    expected: { ...completed, 'access-control-allow-methods': 'DELETE' },
  },
  {
    title: 'fallbackMethods: has no say where routes are seen',
    options: { ...own, fallbackMethods: 'DELETE' },
    add: (app) => app.patch('/notes/1', answering(200, {})),
    expected: { ...completed, 'access-control-allow-methods': 'OPTIONS, PATCH' },
  },
  {
    title: 'fallbackMethods: an origin that is not allowed learns nothing of it',
    options: { origin: 'https://other.example', fallbackMethods: 'DELETE' },
    add: (app) => app.use(answering(418, {})),
    status: 403,
    expected: { 'access-control-allow-methods': undefined, 'access-control-allow-origin': undefined },
  },
];

describe.each(frameworks)('a preflight for which no route is seen, over %s', (_name, express) => {
  test.each(rows)('$title', async ({ options = own, add, status, expected }) => {
    const app = express().use(corsPreflight(options));
    add(app, express);
    const asked = { ...preflight, 'access-control-request-headers': 'X-One,x-two' };
    const { headers, ...answer } = await request(app).options('/notes/1').set(asked);
    expect(answer).toMatchObject(status === undefined ? { ok: true } : { status });
    const fields = corsFields(headers);
    const seen = Object.fromEntries(Object.keys(expected).map((name) => [name, fields[name]]));
    expect(seen).toEqual(expected);
  });

  test('a predicate that takes its time comes to the same', async () => {
    const app = express().use(corsPreflight({ origin: () => Promise.resolve(true) }));
    app.use(answering(200, { Allow: 'GET' }));
    const { headers } = await request(app).options('/').set(preflight);
    expect(headers).toMatchObject({
      'access-control-allow-origin': app1,
      'access-control-allow-methods': 'GET',
      vary: 'Origin, Access-Control-Request-Method',
    });
  });

  test('OPTIONS that is no preflight stays what it was', async () => {
    const app = express().use(corsPreflight({ ...own, fallbackMethods: 'GET' }));
    app.use(answering(200, { Allow: 'GET' }));
    const { headers } = await request(app).options('/').set({ origin: app1 });
    expect(headers).not.toHaveProperty('access-control-allow-methods');
    expect(headers['vary']).toBe('Origin');
  });
});

test.each<{ title: string; options: CorsOptions; methods?: string; warnings: string[] }>([
  {
    ...{ title: 'fallbackMethods needs no routes at all', options: { ...own, fallbackMethods: ['POST'] } },
    ...{ methods: 'POST', warnings: [] },
  },
  { title: 'without it, whoever runs it is warned', options: own, warnings: ['PATCH_OPTIONS_ROOT'] },
])('in front of a server of plain node:http, $title', async (row) => {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation();
  const middleware = corsPreflight(row.options);
  const server = createServer((req, res) => {
    middleware(req, res, () => res.writeHead(204).end());
  });
  const { headers, ok } = await request(server).options('/').set(preflight);
  expect(ok).toBe(true);
  expect(headers['access-control-allow-methods']).toBe(row.methods);
  expect(warning.mock.calls).toEqual(row.warnings.map((code) => [expect.any(String), { code }]));
  warning.mockRestore();
});

describe.each(frameworks)("allowedHeaders: 'requested' over %s", (_name, express) => {
  const told: string[] = [];
  const options: CorsOptions = {
    ...own,
    allowedHeaders: 'requested',
    onRefused: ({ code, status }) => void told.push(`${status} ${code}`),
  };
  beforeEach(() => void told.splice(0));

  const names = (count: number) => Array.from({ length: count }, (_, i) => `x-${i}`);

  test.each([
    { title: 'in lower case', sent: 'If-Match,X-One', names: 'if-match, x-one' },
    { title: 'however gateways have split and padded them', sent: ' A ,, b\t', names: 'a, b' },
    { title: 'none', sent: undefined, names: undefined },
    { title: 'an empty list', sent: '', names: undefined },
    { title: '128', sent: names(128).join(), names: names(128).join(', ') },
    { title: '129', sent: names(129).join(), code: '403 cors-headers-too-many' },
    { title: '4 KB', sent: 'x'.repeat(4_096), names: 'x'.repeat(4_096) },
    { title: 'one more', sent: 'x'.repeat(4_097), code: '403 cors-headers-too-many' },
    { title: 'commas alone', sent: ','.repeat(4_000), code: '403 cors-headers-too-many' },
    { title: 'what is not a name', sent: 'x-one,a b', code: '403 cors-headers-malformed' },
  ])('$title', async ({ sent, names: listed, code }) => {
    const app = express().use(corsPreflight(options));
    app.get('/', answering(200, {}));
    const fields = {
      ...preflight,
      ...(sent === undefined ? {} : { 'access-control-request-headers': sent }),
    };
    const answer = await request(app).options('/').set(fields);
    expect(answer.ok).toBe(code === undefined);
    expect(answer.headers['vary']).toBe(
      'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
    );
    expect(corsFields(answer.headers)['access-control-allow-headers']).toBe(listed);
    expect('access-control-allow-origin' in answer.headers).toBe(answer.ok);
    expect(told).toEqual(code === undefined ? [] : [code]);
  });

  test('of an origin that is refused they are not judged', async () => {
    const app = express().use(corsPreflight(options));
    const fields = { ...preflight, origin: 'https://evil.example', 'access-control-request-headers': 'a b' };
    await request(app).options('/').set(fields);
    expect(told).toEqual(['403 cors-origin-not-allowed']);
  });

  test.each<Required<Pick<CorsOptions, 'allowedHeaders'>>>([
    { allowedHeaders: ['requested'] },
    { allowedHeaders: { only: 'requested' } },
    { allowedHeaders: { only: ['X-One', 'requested'] } },
    { allowedHeaders: 'X-One, requested' },
    { allowedHeaders: 'Requested' },
  ])('it is not a header: $allowedHeaders', ({ allowedHeaders }) => {
    expect(mistakesOf(() => express().use(corsPreflight({ ...own, allowedHeaders })))).toMatchObject([
      { code: 'option-value', fix: "Write allowedHeaders: 'requested'." },
    ]);
  });
});

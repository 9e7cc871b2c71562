import type { Application, RequestHandler } from 'express';
import type { CorsOptions } from '../../lib/cors/options';

/** The origin that the policies of these tables allow. */
export const app1 = 'https://app.example';
const defaultAllowed =
  'Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key, Authorization';
export const defaultExposed =
  'ETag, Accept-Patch, Allow, Content-Location, Location, Preference-Applied, Retry-After';
const noteMethods = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT';

type Fields = Readonly<Record<string, string | string[]>>;

const ok: RequestHandler = (_req, res) => {
  res.json({});
};

/** The routes that these tables are about. */
export function addNotesRoutes(app: Application): Application {
  app.get('/notes/:id', ok);
  app.put('/notes/:id', ok);
  app.patch('/notes/:id', ok);
  app.delete('/notes/:id', ok);
  app.post('/notes', ok);
  app.all('/anything', ok);
  return app;
}

export const preflight = { origin: app1, 'access-control-request-method': 'PATCH' };
export const own: CorsOptions = { origin: app1 };
const varied = 'Origin, Access-Control-Request-Method';
const granted = {
  'access-control-allow-origin': app1,
  'access-control-allow-methods': noteMethods,
  'access-control-allow-headers': defaultAllowed,
  'access-control-max-age': '600',
  vary: varied,
};

/** A preflight under a policy, and the headers of the answer that are about CORS. */
interface PreflightRow {
  readonly title: string;
  /** Default `own`. */
  readonly options?: CorsOptions;
  /** Default `/notes/1`. */
  readonly path?: string;
  /** The header fields of the request. Default `preflight`. */
  readonly fields?: Fields;
  readonly expected: Readonly<Record<string, string>>;
}

export const preflights: readonly PreflightRow[] = [
  { title: 'an allowed origin gets what the routes handle', expected: granted },
  {
    title: 'a method that no route handles gets the same answer, for the browser to judge',
    fields: { ...preflight, 'access-control-request-method': 'POST' },
    expected: granted,
  },
  {
    title: 'header fields that are not allowed get the same answer, and are not echoed',
    fields: { ...preflight, 'access-control-request-headers': 'x-secret' },
    expected: granted,
  },
  {
    title: 'an empty Access-Control-Request-Method is present',
    fields: { ...preflight, 'access-control-request-method': '' },
    expected: granted,
  },
  {
    title: 'another target has other methods',
    path: '/notes',
    expected: { ...granted, 'access-control-allow-methods': 'OPTIONS, POST' },
  },
  {
    title: 'a target that only an all-verbs route serves has the common ones',
    path: '/anything',
    expected: {
      ...granted,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY',
    },
  },
  {
    title: 'with credentials',
    options: { ...own, credentials: true },
    expected: { ...granted, 'access-control-allow-credentials': 'true' },
  },
  {
    title: 'every option at once',
    options: {
      origin: [app1, 'https://*.example.org'],
      allowedHeaders: { only: 'If-Match, X-One' },
      maxAge: 0,
      methods: ['PATCH', 'GET', 'POST'],
    },
    expected: {
      ...granted,
      'access-control-allow-headers': 'If-Match, X-One',
      'access-control-allow-methods': 'GET, PATCH',
      'access-control-max-age': '0',
    },
  },
  {
    title: 'the field for methods is there where none is left, lest the browser take its own (step 7.4)',
    options: { ...own, methods: 'POST' },
    expected: { ...granted, 'access-control-allow-methods': '' },
  },
  {
    title: 'without allowed header fields',
    options: { origin: '*', allowedHeaders: { only: [] } },
    expected: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': noteMethods,
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Method',
    },
  },
  {
    title: "'*' to an opaque origin",
    options: { allowedHeaders: '*' },
    fields: { ...preflight, origin: 'null' },
    expected: {
      ...granted,
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      vary: 'Access-Control-Request-Method',
    },
  },
  {
    title: 'any origin with credentials, an opaque one too',
    options: { credentials: true, dangerouslyAllowAnyOriginWithCredentials: true },
    fields: { ...preflight, origin: 'null' },
    expected: {
      ...granted,
      'access-control-allow-origin': 'null',
      'access-control-allow-credentials': 'true',
    },
  },
  {
    title: 'a pattern',
    options: { origin: ['https://*.example.com', 'http://localhost:*'] },
    fields: { ...preflight, origin: 'http://localhost:5173' },
    expected: { ...granted, 'access-control-allow-origin': 'http://localhost:5173' },
  },
  {
    title: 'for a private network',
    fields: { ...preflight, 'access-control-request-private-network': 'true' },
    expected: granted,
  },
  {
    title: 'an origin that is not allowed',
    fields: { ...preflight, origin: 'https://evil.example' },
    expected: { vary: varied },
  },
  {
    title: 'an origin that is not allowed, for a path without routes: it learns nothing of them',
    path: '/nowhere',
    fields: { ...preflight, origin: 'https://evil.example' },
    expected: { vary: varied },
  },
  {
    title: 'an origin sent twice',
    fields: { ...preflight, origin: [app1, app1] },
    expected: { vary: varied },
  },
  { title: 'an empty origin', fields: { ...preflight, origin: '' }, expected: { vary: varied } },
  {
    title: 'an origin longer than any',
    options: { origin: '*' },
    fields: { ...preflight, origin: `https://${'a'.repeat(2_000)}.example` },
    expected: { vary: 'Access-Control-Request-Method' },
  },
];

const decorated = { 'access-control-allow-origin': app1, 'access-control-expose-headers': defaultExposed };
const toAll = { 'access-control-allow-origin': '*', 'access-control-expose-headers': defaultExposed };

/** A request that is no preflight, and what of its response is about CORS. */
interface ActualRow {
  readonly title: string;
  readonly options?: CorsOptions | undefined;
  readonly fields: Fields;
  readonly expected: Readonly<Record<string, string>>;
}

export const actualRequests: readonly ActualRow[] = [
  {
    title: 'an allowed origin',
    options: { origin: app1 },
    fields: { origin: app1 },
    expected: { ...decorated, vary: 'Origin' },
  },
  {
    title: 'an origin that is not allowed',
    options: { origin: app1 },
    fields: { origin: 'https://evil.example' },
    expected: { vary: 'Origin' },
  },
  { title: 'no origin', options: { origin: app1 }, fields: {}, expected: { vary: 'Origin' } },
  {
    title: 'repeated origins',
    options: { origin: app1 },
    fields: { origin: [app1, app1] },
    expected: { vary: 'Origin' },
  },
  { title: "'*' with an origin", options: undefined, fields: { origin: app1 }, expected: toAll },
  { title: "'*' without one", options: undefined, fields: {}, expected: toAll },
  {
    title: "'*' with repeated origins",
    options: { origin: '*' },
    fields: { origin: [app1, app1] },
    expected: toAll,
  },
  {
    title: 'with credentials',
    options: { origin: app1, credentials: true, exposedHeaders: { only: [] } },
    fields: { origin: app1 },
    expected: {
      'access-control-allow-origin': app1,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    },
  },
  {
    title: 'any origin with credentials, said out loud',
    options: {
      credentials: true,
      dangerouslyAllowAnyOriginWithCredentials: true,
      exposedHeaders: { only: 'ETag' },
    },
    fields: { origin: app1 },
    expected: {
      'access-control-allow-origin': app1,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'ETag',
      vary: 'Origin',
    },
  },
];

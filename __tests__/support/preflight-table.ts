import type { Application, RequestHandler } from 'express';
import type { CorsOptions } from '../../lib/cors/policy/options';

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

/** Policy, path and fields of a preflight; status and CORS fields of the answer. */
export const preflights: readonly (readonly [
  title: string,
  options: CorsOptions,
  path: string,
  fields: Fields,
  status: number,
  expected: Readonly<Record<string, string>>,
])[] = [
  ['an allowed origin gets what the routes handle', own, '/notes/1', preflight, 200, granted],
  [
    'a method that no route handles gets the same answer, for the browser to judge',
    own,
    '/notes/1',
    { ...preflight, 'access-control-request-method': 'POST' },
    200,
    granted,
  ],
  [
    'header fields that are not allowed get the same answer, and are not echoed',
    own,
    '/notes/1',
    { ...preflight, 'access-control-request-headers': 'x-secret' },
    200,
    granted,
  ],
  [
    'an empty Access-Control-Request-Method is present',
    own,
    '/notes/1',
    { ...preflight, 'access-control-request-method': '' },
    200,
    granted,
  ],
  [
    'another target has other methods',
    own,
    '/notes',
    preflight,
    200,
    { ...granted, 'access-control-allow-methods': 'OPTIONS, POST' },
  ],
  [
    'a target that only an all-verbs route serves has the common ones',
    own,
    '/anything',
    preflight,
    200,
    { ...granted, 'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT' },
  ],
  [
    'with credentials',
    { ...own, credentials: true },
    '/notes/1',
    preflight,
    200,
    { ...granted, 'access-control-allow-credentials': 'true' },
  ],
  [
    'every option at once',
    {
      origin: [app1, 'https://*.example.org'],
      allowedHeaders: 'If-Match, X-One',
      maxAge: 0,
      methods: ['PATCH', 'GET', 'POST'],
    },
    '/notes/1',
    preflight,
    200,
    {
      ...granted,
      'access-control-allow-headers': 'If-Match, X-One',
      'access-control-allow-methods': 'GET, PATCH',
      'access-control-max-age': '0',
    },
  ],
  [
    'the field for methods is there where none is left, lest the browser take its own (step 7.4)',
    { ...own, methods: 'POST' },
    '/notes/1',
    preflight,
    200,
    { ...granted, 'access-control-allow-methods': '' },
  ],
  [
    'without allowed header fields',
    { origin: '*', allowedHeaders: [] },
    '/notes/1',
    preflight,
    200,
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': noteMethods,
      'access-control-max-age': '600',
      vary: 'Access-Control-Request-Method',
    },
  ],
  [
    'what a predicate reads is in Vary',
    { origin: () => true, vary: 'X-Tenant' },
    '/notes/1',
    preflight,
    200,
    { ...granted, vary: 'Origin, X-Tenant, Access-Control-Request-Method' },
  ],
  [
    'an origin that is not allowed',
    own,
    '/notes/1',
    { ...preflight, origin: 'https://evil.example' },
    403,
    { vary: varied },
  ],
  [
    'an origin that is not allowed, for a path without routes: it learns nothing of them',
    own,
    '/nowhere',
    { ...preflight, origin: 'https://evil.example' },
    403,
    { vary: varied },
  ],
  ['an origin sent twice', own, '/notes/1', { ...preflight, origin: [app1, app1] }, 403, { vary: varied }],
  ['an empty origin', own, '/notes/1', { ...preflight, origin: '' }, 403, { vary: varied }],
  [
    'an origin longer than any',
    { origin: '*' },
    '/notes/1',
    { ...preflight, origin: `https://${'a'.repeat(2_000)}.example` },
    403,
    { vary: 'Access-Control-Request-Method' },
  ],
];

const decorated = { 'access-control-allow-origin': app1, 'access-control-expose-headers': defaultExposed };
const toAll = { 'access-control-allow-origin': '*', 'access-control-expose-headers': defaultExposed };

/** Policy and fields of an actual request; CORS fields of its response. */
export const actualRequests: readonly (readonly [
  title: string,
  options: CorsOptions | undefined,
  fields: Fields,
  expected: Readonly<Record<string, string>>,
])[] = [
  ['an allowed origin', { origin: app1 }, { origin: app1 }, { ...decorated, vary: 'Origin' }],
  ['an origin that is not allowed', { origin: app1 }, { origin: 'https://evil.example' }, { vary: 'Origin' }],
  ['no origin', { origin: app1 }, {}, { vary: 'Origin' }],
  ['repeated origins', { origin: app1 }, { origin: [app1, app1] }, { vary: 'Origin' }],
  ["'*' with an origin", undefined, { origin: app1 }, toAll],
  ["'*' without one", undefined, {}, toAll],
  ["'*' with repeated origins", { origin: '*' }, { origin: [app1, app1] }, toAll],
  [
    'with credentials',
    { origin: app1, credentials: true, exposedHeaders: [] },
    { origin: app1 },
    { 'access-control-allow-origin': app1, 'access-control-allow-credentials': 'true', vary: 'Origin' },
  ],
  [
    'any origin with credentials, said out loud',
    { credentials: true, dangerouslyAllowAnyOriginWithCredentials: true, exposedHeaders: 'ETag' },
    { origin: app1 },
    {
      'access-control-allow-origin': app1,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'ETag',
      vary: 'Origin',
    },
  ],
];

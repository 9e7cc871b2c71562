import type { Application } from 'express';
import { corsPreflight, type CorsOptions } from 'patch-options';
import { ours, preflight, type WireApp } from './wire-app';

/** Each mounted by its name; all else has the last. */
const options: Readonly<Record<string, CorsOptions>> = {
  any: {},
  'any-with-credentials': {
    origin: '*',
    credentials: true,
    dangerouslyAllowAnyOriginWithCredentials: true,
  },
  credentials: { origin: ours, credentials: true },
  null: { origin: 'null' },
  'null-with-credentials': {
    origin: ['null', ours],
    credentials: true,
    dangerouslyAllowAnyOriginWithCredentials: true,
  },
  patterns: { origin: ['https://*.example.com', 'http://localhost:*'] },
  predicate: { origin: (origin) => origin === ours },
  promise: { origin: (origin) => Promise.resolve(origin === ours) },
  throwing: { origin: () => Promise.reject(new Error('a fault')), onRefused: () => undefined },
  methods: { origin: ours, methods: 'GET, POST' },
  'no-methods': { origin: ours, methods: ['POST'] },
  'any-headers': { origin: '*', allowedHeaders: '*', exposedHeaders: '*' },
  'no-headers': { origin: ours, allowedHeaders: { only: [] }, exposedHeaders: { only: [] } },
  'some-headers': {
    origin: ours,
    allowedHeaders: { only: 'If-Match, X-One' },
    exposedHeaders: { only: ['ETag', 'X-Two'] },
  },
  'requested-headers': { origin: ours, allowedHeaders: 'requested' },
  unseen: { origin: ours, unseen: 'GET, POST' },
  'no-max-age': { origin: ours, maxAge: 0 },
};

function addPolicies(app: Application): Application {
  for (const [name, policy] of Object.entries(options)) app.use(`/${name}`, corsPreflight(policy));
  return app.use(corsPreflight({ origin: 'https://other.example', credentials: true }));
}

const get = (path: string, origin?: string) => ({
  line: `GET ${path}`,
  headers: origin === undefined ? {} : { Origin: origin },
});

/** Each option of a policy, and which policy a path has. */
export const policies: WireApp = {
  open: (express) => {
    const app = addPolicies(express().disable('x-powered-by').disable('etag'));
    app.get('/:policy/note', (_req, res) => void res.json({}));
    app.patch('/:policy/note', (_req, res) => void res.status(204).end());
    app.options('/:policy/behind', (_req, res) => void res.set('Allow', 'GET, PATCH, POST').end());
    return app;
  },

  rows: {
    'any: a preflight': preflight('/any/note'),
    'any: a preflight of null': preflight('/any/note', { Origin: 'null' }),
    'any: GET': get('/any/note', ours),
    'any: GET without an origin': get('/any/note'),
    'any, with credentials: a preflight': preflight('/any-with-credentials/note'),
    'any, with credentials: a preflight of null': preflight('/any-with-credentials/note', { Origin: 'null' }),
    'any, with credentials: GET': get('/any-with-credentials/note', ours),
    'credentials: a preflight': preflight('/credentials/note'),
    'credentials: a preflight that is refused': preflight('/credentials/note', {
      Origin: 'https://a.example',
    }),
    'credentials: GET': get('/credentials/note', ours),
    'credentials: GET, not allowed': get('/credentials/note', 'https://a.example'),
    'null: a preflight': preflight('/null/note', { Origin: 'null' }),
    'null: a preflight of another': preflight('/null/note'),
    'null: GET': get('/null/note', 'null'),
    'null, with credentials: a preflight': preflight('/null-with-credentials/note', { Origin: 'null' }),
    'null, with credentials: GET': get('/null-with-credentials/note', 'null'),
    'patterns: a sub-domain': preflight('/patterns/note', { Origin: 'https://a.example.com' }),
    'patterns: a name that ends the same': preflight('/patterns/note', { Origin: 'https://aexample.com' }),
    'patterns: a port': preflight('/patterns/note', { Origin: 'http://localhost:5173' }),
    'patterns: no port': get('/patterns/note', 'http://localhost'),
    'predicate: yes': preflight('/predicate/note'),
    'predicate: no': preflight('/predicate/note', { Origin: 'https://a.example' }),
    'predicate: GET': get('/predicate/note', ours),
    'predicate: GET without an origin': get('/predicate/note'),
    'predicate: null is never asked of it': get('/predicate/note', 'null'),
    'promise: yes': preflight('/promise/note'),
    'promise: no': preflight('/promise/note', { Origin: 'https://a.example' }),
    'promise: GET': get('/promise/note', ours),
    'predicate that throws: a preflight': preflight('/throwing/note'),
    'predicate that throws: GET': get('/throwing/note', ours),
    'methods: narrowed': preflight('/methods/note'),
    'methods: none is left': preflight('/no-methods/note'),
    'headers: any': preflight('/any-headers/note', { 'Access-Control-Request-Headers': 'x-one' }),
    'headers: any, GET': get('/any-headers/note', ours),
    'headers: none': preflight('/no-headers/note'),
    'headers: none, GET': get('/no-headers/note', ours),
    'headers: some': preflight('/some-headers/note'),
    'headers: some, GET': get('/some-headers/note', ours),
    'headers: those requested': preflight('/requested-headers/note', {
      'Access-Control-Request-Headers': 'X-One,if-match',
    }),
    'headers: none requested': preflight('/requested-headers/note'),
    'headers: requested by what is no browser': preflight('/requested-headers/note', {
      'Access-Control-Request-Headers': 'x one',
    }),
    'unseen: where there is no route': preflight('/unseen/nowhere'),
    'unseen: where there is one': preflight('/unseen/note'),
    'unseen: GET': get('/unseen/nowhere', ours),
    'Allow of whoever answers': preflight('/methods/behind'),
    'max-age: 0': preflight('/no-max-age/note'),
    'the first policy that covers the path: not allowed by it': preflight('/methods/note', {
      Origin: 'https://other.example',
    }),
    'the first policy that covers the path: GET': get('/methods/note', 'https://other.example'),
    'a path that no other policy covers': preflight('/else/note', { Origin: 'https://other.example' }),
  },
};

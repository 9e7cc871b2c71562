import type { RequestListener } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import {
  jsonPatch,
  mergePatch,
  methodNotAllowed,
  patchOptions,
  resource,
  type OutcomeStore,
} from 'patch-options';
import type { ExpressModule } from '../support/frameworks';
import type { WireRequest } from './exchange';

export const note = { title: 'Buy milk', tags: ['home', 'shop'], size: { width: 3, unit: 'cm' } };

export type Note = typeof note;

/** The origin that the policy allows. */
const page = 'https://app.example';

/** In place of Express's own page of an error, which shows the stack. */
const tellError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const { status = 500 } = error as { status?: number };
  if (res.headersSent) next(error);
  else res.status(status).json({ error: String(error) });
};

/** @param store - has `note` at the key 1, and nothing at 2 */
export function open(express: ExpressModule, store: OutcomeStore<Note>): RequestListener {
  const get = store.get.bind(store);
  // A second that is not over is not told.
  const modified = { value: new Date('2026-11-22T10:00:00.000Z'), enumerable: true };
  store.get = async (key, context) => {
    const stored = await get(key, context);
    const isRead = context?.request?.method !== 'PATCH';
    return stored && isRead ? (Object.create(stored, { modified }) as typeof stored) : stored;
  };
  const app = express().disable('x-powered-by').disable('etag');
  app.use(patchOptions({ cors: { origin: page, credentials: true } }));
  const parsers = [jsonPatch(), mergePatch()];
  const notes = resource(store, parsers, {
    ...{
      key: 'id',
      create: true,
      idempotency: 'optional',
      idempotencyLimits: { keep: 1, maxAge: 31_536_000 },
    },
    ...{ precondition: 'optional', readOnly: ['/id'], limits: { bytes: 500 } },
    validate: ({ title }: Note) => {
      if (title === 'fault') throw new Error('a fault');
      return title === 'dull' ? [{ detail: 'Too dull.', pointer: '/title' }] : [];
    },
  });
  app.route('/notes/:id').get(notes.get).put(notes.put).patch(notes.patch).delete(notes.delete);
  const guarded = resource(store, parsers, { key: 'id', precondition: 'required', may: () => false });
  app.patch('/guarded/:id', guarded.patch);
  const careful = resource(store, parsers, {
    key: 'id',
    precondition: 'required',
    conflict: 'representation',
  });
  app.patch('/careful/:id', careful.patch);
  app.use(methodNotAllowed(), tellError);
  return app;
}

type Headers = WireRequest['headers'];

const preflight = (path: string, headers: Headers = {}): WireRequest => ({
  line: `OPTIONS ${path}`,
  headers: { Origin: page, 'Access-Control-Request-Method': 'PATCH', ...headers },
});

const patch = (path: string, body: unknown = { title: 'Buy bread' }, headers: Headers = {}): WireRequest => ({
  line: `PATCH ${path}`,
  headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
  body,
});

const put = (path: string, headers: Headers = {}): WireRequest => ({
  line: `PUT ${path}`,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: note,
});

const origin = { Origin: page };
const representation = { Prefer: 'return=representation' };
const keyed = (key: string) => patch('/notes/1', undefined, { 'Idempotency-Key': key, ...origin });

/** One of each kind of answer: a request, or several that follow one another. */
export const rows: Readonly<Record<string, WireRequest | readonly WireRequest[]>> = {
  'a preflight': preflight('/notes/1'),
  'a preflight that is refused': preflight('/notes/1', { Origin: 'https://other.example' }),
  'a preflight without a route': preflight('/nowhere'),
  OPTIONS: { line: 'OPTIONS /notes/1' },
  'OPTIONS of a page': { line: 'OPTIONS /notes/1', headers: origin },
  'OPTIONS *': { line: 'OPTIONS *' },
  '405 of a page': { line: 'PUT /careful/1', headers: origin },
  '405 to HEAD': { line: 'HEAD /careful/1' },
  '404 of the app': { line: 'GET /nowhere', headers: origin },

  'GET 200': { line: 'GET /notes/1' },
  'GET 200 of a page': { line: 'GET /notes/1', headers: origin },
  'GET 200 of a page that is not allowed': { line: 'GET /notes/1', headers: { Origin: 'null' } },
  'GET 304': { line: 'GET /notes/1', headers: { 'If-None-Match': '"tag 1"' } },
  'GET 404': { line: 'GET /notes/2' },
  HEAD: { line: 'HEAD /notes/1' },
  'PUT 201': [put('/notes/2'), { line: 'GET /notes/2' }],
  'PUT 204': put('/notes/1', { 'If-Match': '"tag 1"' }),
  'DELETE 204': [{ line: 'DELETE /notes/1' }, { line: 'GET /notes/1' }],

  'PATCH 200': patch('/notes/1', { tags: null }, representation),
  'PATCH 201': patch('/notes/2', note),
  'PATCH 204': [patch('/notes/1', undefined, { 'If-Match': '"tag 1"' }), { line: 'GET /notes/1' }],
  'PATCH 204 to a page': patch('/notes/1', undefined, origin),
  'PATCH 204 to a repeat': [keyed('"a"'), keyed('"a"')],
  'PATCH 400': patch('/notes/1', '{"title":'),
  'PATCH 403': patch('/guarded/1'),
  'PATCH 404': patch('/careful/2'),
  'PATCH 409': {
    line: 'PATCH /notes/1',
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: [{ op: 'test', path: '/title', value: 'Buy wine' }],
  },
  'PATCH 412': patch('/notes/1', undefined, { 'If-Match': 'W/"tag 1"', ...origin }),
  'PATCH 412 with the representation': patch('/careful/1', undefined, { 'If-Match': '"x"', ...origin }),
  'PATCH 413': patch('/notes/1', { title: 'x'.repeat(1_000) }),
  'PATCH 415': patch('/notes/1', {}, { 'Content-Type': 'text/plain' }),
  'PATCH 415, a content coding': patch('/notes/1', {}, { 'Content-Encoding': 'gzip' }),
  'PATCH 422': patch('/notes/1', { title: 'dull' }),
  'PATCH 422, read-only': patch('/notes/1', { id: '2' }),
  'PATCH 428': patch('/careful/1'),
  'PATCH 500, a fault of the app': patch('/notes/1', { title: 'fault' }, origin),
  'PATCH 503, with Retry-After': [keyed('"a"'), keyed('"b"')],
};

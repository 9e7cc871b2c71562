import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import {
  checkPreconditions,
  ConfigurationError,
  corsPreflight,
  declareMethods,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  patchHandler,
  patchOptions,
  resource,
  sendProblem,
} from '../../../lib';
import { explainCors } from '../../../lib/explain';
import { PostgresStore } from '../../../lib/stores/postgres';
import { RedisStore } from '../../../lib/stores/redis';
import { SqliteStore } from '../../../lib/stores/sqlite';
import { storeConformance } from '../../../lib/testing';
import { DatabaseSync } from '../../support/sqlite';

const origin = 'https://app.example';
const merge = 'Content-Type: application/merge-patch+json';
const preflight = 'Access-Control-Request-Method: PATCH';

/** An app, and what it is asked, each as it stands on the wire. */
interface Scene {
  readonly scene: string;
  readonly listener: () => RequestListener | Promise<RequestListener>;
  readonly requests: readonly string[];
  /** Left out, it is played with all values alone. */
  readonly readsMuch?: true;
}

const request = (line: string, fields: readonly string[] = [], content = ''): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...fields, `Content-Length: ${content.length}`, '', content].join('\r\n');

const patch = (path: string, content: string, ...fields: string[]): string =>
  request(`PATCH ${path}`, [merge, ...fields], content);

const login: RequestHandler = (req, res, next) => {
  if (req.headers.authorization === 'me') next();
  else res.status(401).end();
};

async function noted(store: MemoryStore = new MemoryStore()): Promise<MemoryStore> {
  await store.replace('/notes/1', null, { title: 'Buy milk', tags: [] });
  return store;
}

const app = (...handlers: readonly ((...given: never[]) => unknown)[]): RequestListener =>
  express()
    .set('env', 'production')
    .disable('x-powered-by')
    .disable('etag')
    .use(...(handlers as unknown as RequestHandler[]));

const ok: RequestHandler = (_req, res) => void res.status(200).end();

const routes = () => express.Router().get('/notes/:id', ok).patch('/notes/:id', ok);

const asked = [
  request('OPTIONS /notes/1'),
  request('OPTIONS /notes/1', [`Origin: ${origin}`, preflight]),
  request('OPTIONS /notes/1', ['Origin: https://evil.example', preflight]),
  request('OPTIONS /absent', [`Origin: ${origin}`, preflight]),
  request('GET /notes/1', [`Origin: ${origin}`]),
  request('GET /notes/1', ['Origin: https://evil.example']),
  request('GET /notes/1'),
  request('DELETE /notes/1'),
];

const patches = [
  patch('/notes/1', '{"title":"Buy bread"}'),
  patch('/notes/1', '{"title":"Buy rolls"}', 'Prefer: return=representation'),
  patch('/notes/1', '{"title":"Buy oats"}', 'If-Match: "other"'),
  patch('/notes/1', '{"title":"Buy oats"}', 'If-Match: *'),
  patch('/notes/1', '{"title":"Buy oats"}', 'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT'),
  patch('/notes/1', '{"title":"Buy oats"}', 'If-None-Match: *'),
  patch('/notes/2', '{"title":"Buy oats"}'),
  patch('/notes/1', '{'),
  patch('/notes/1', '{"title":"Buy figs"}', 'Idempotency-Key: "1"'),
  patch('/notes/1', '{"title":"Buy figs"}', 'Idempotency-Key: "1"'),
  patch('/notes/1', '{"title":"Buy dates"}', 'Idempotency-Key: "1"'),
  ...[
    '[{"op":"test","path":"/title","value":1}]',
    '[{"op":"remove"}]',
    '[{"path":"/a"}]',
    '[{"op":"add","path":"/a"}]',
  ].map((document) => request('PATCH /notes/1', ['Content-Type: application/json-patch+json'], document)),
  request('PATCH /notes/1', ['Content-Type: text/plain'], 'x'),
  request('GET /notes/1'),
];

/** The handler's own app, which also answers GET with what is stored. */
async function patching(store: MemoryStore | SqliteStore, options: object = {}): Promise<RequestListener> {
  const formats = [mergePatch(), jsonPatch()];
  const router = express.Router();
  router.patch('/notes/:id', patchHandler(store, formats, options) as never);
  router.get('/notes/:id', async (req, res) => {
    const stored = await store.get(req.originalUrl);
    const problem = checkPreconditions(req, stored);
    if (problem !== undefined) sendProblem(res, problem);
    else res.json(stored?.value);
  });
  return Promise.resolve(app(router));
}

async function sqlite(): Promise<SqliteStore> {
  const store = new SqliteStore(new DatabaseSync(':memory:'), { table: 'notes' });
  await store.setup();
  await store.replace('/notes/1', null, { title: 'Buy milk', tags: [] });
  return store;
}

export const scenes: readonly Scene[] = [
  { scene: 'OPTIONS', listener: () => app(optionsHandler(), routes(), methodNotAllowed()), requests: asked },
  { scene: 'any origin', listener: () => app(corsPreflight(), routes()), requests: asked },
  { scene: 'one origin', listener: () => app(corsPreflight({ origin }), routes()), requests: asked },
  {
    scene: 'a predicate',
    readsMuch: true,
    listener: () => app(corsPreflight({ origin: (given) => given === origin, credentials: true }), routes()),
    requests: asked,
  },
  {
    scene: 'a predicate that gives a promise, or throws',
    listener: () =>
      app(
        corsPreflight({
          origin: (given) => (given === origin ? Promise.resolve(true) : Promise.reject(new Error('no'))),
        }),
        routes(),
      ),
    requests: asked,
  },
  {
    scene: 'patchOptions',
    listener: () => app(patchOptions({ cors: { origin } }), routes()),
    requests: asked,
  },
  {
    scene: 'patchOptions without CORS',
    listener: () => app(patchOptions(), routes(), methodNotAllowed()),
    requests: asked,
  },
  {
    scene: 'resources',
    readsMuch: true,
    listener: async () => {
      const handler = patchHandler(await noted(), [mergePatch(), jsonPatch()]);
      return app(patchOptions({ resources: { '/notes/:id': { guard: login, patch: handler } } }));
    },
    requests: [...asked, ...patches, patch('/notes/1', '{"title":"Buy tea"}', 'Authorization: me')],
  },
  {
    scene: 'optionsListener',
    readsMuch: true,
    listener: () => optionsListener(app(routes()), { cors: { origin } }),
    requests: asked,
  },
  { scene: 'patchHandler', listener: async () => patching(await noted()), requests: patches },
  {
    scene: 'resource',
    listener: async () => {
      const note = resource(await noted(), [mergePatch(), jsonPatch()], {});
      const { get, put, patch: patchNote, delete: deleteNote } = note;
      return app(
        express
          .Router()
          .get('/notes/:id', get)
          .put('/notes/:id', put)
          .patch('/notes/:id', patchNote)
          .delete('/notes/:id', deleteNote),
      );
    },
    requests: [
      request('GET /notes/1'),
      request('HEAD /notes/1'),
      request('GET /notes/1', ['If-None-Match: *']),
      request('PUT /notes/1', ['Content-Type: application/json'], '{"title":"Buy bread"}'),
      request(
        'PUT /notes/1',
        ['Content-Type: application/json', 'Prefer: return=representation'],
        '{"title":"Buy figs"}',
      ),
      request('PUT /notes/1', ['Content-Type: text/plain'], 'x'),
      request('PUT /notes/1', ['Content-Type: application/json'], '{'),
      request('PUT /notes/2', ['Content-Type: application/json'], '{}'),
      ...patches,
      request('DELETE /notes/1', ['If-Match: "other"']),
      request('DELETE /notes/1'),
      request('DELETE /notes/1'),
    ],
  },
  {
    scene: 'patchHandler that asks for much',
    readsMuch: true,
    listener: async () =>
      patching(await noted(), {
        idempotency: 'optional',
        validate: (next: { title?: string }) =>
          next.title === 'Buy rolls' ? [{ detail: 'Stale.' }] : undefined,
        readOnly: ['/tags'],
        limits: {},
        idempotencyLimits: {},
      }),
    requests: patches,
  },
  {
    scene: 'patchHandler over SQLite',
    readsMuch: true,
    listener: async () => patching(await sqlite(), { idempotency: 'optional' }),
    requests: patches,
  },
  {
    scene: 'checkPreconditions of what has no date',
    readsMuch: true,
    listener: () =>
      app((...[req, res]: Parameters<RequestHandler>) => {
        const problem = checkPreconditions(req, { version: '1' });
        if (problem === undefined) res.end();
        else sendProblem(res, problem);
      }),
    requests: [
      request('GET /', [`If-None-Match: ${entityTag({ version: '1' })}`]),
      request('GET /', ['If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT']),
      request('PUT /', ['If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT']),
      request('PUT /', ['If-Match: "other"']),
    ],
  },
];

const nothing = (): void => undefined;
const store = new MemoryStore();
const handler = patchHandler(store, [mergePatch()]);

/** What is made, and what is said of it. */
export const makings: readonly { readonly making: string; readonly make: () => unknown }[] = [
  {
    making: 'patchOptions without a guard',
    make: () => patchOptions({ resources: { '/a': { patch: handler } as never } }),
  },
  {
    making: 'patchOptions without a patch',
    make: () => patchOptions({ resources: { '/a': { guard: 'none' } as never } }),
  },
  { making: 'patchOptions of nothing', make: () => patchOptions({}) },
  { making: 'corsPreflight of nothing', make: () => corsPreflight({}) },
  {
    making: 'corsPreflight of wrong origins',
    make: () => corsPreflight({ origin: ['https://a.example/', 'a', '*'] }),
  },
  {
    making: 'corsPreflight of right origins',
    make: () => corsPreflight({ origin: ['https://a.example', 'https://*.a.example'] }),
  },
  { making: 'optionsHandler of nothing', make: () => optionsHandler({}) },
  { making: 'methodNotAllowed of nothing', make: () => methodNotAllowed({}) },
  { making: 'optionsListener', make: () => optionsListener(express() as never, {}) },
  { making: 'patchHandler of nothing', make: () => patchHandler(store, [mergePatch({}), jsonPatch()], {}) },
  {
    making: 'patchHandler with what it needs missing',
    make: () => patchHandler(store, [], { scope: () => '' }),
  },
  { making: 'mergePatch of nothing', make: () => mergePatch({}).mediaType },
  { making: 'declareMethods', make: () => declareMethods(['get'], nothing) },
  {
    making: 'SqliteStore without a table',
    make: () => new SqliteStore(new DatabaseSync(':memory:'), {} as never),
  },
  {
    making: 'PostgresStore without a table',
    make: () => new PostgresStore({ query: nothing } as never, {} as never),
  },
  { making: 'PostgresStore without a schema', make: () => PostgresStore.setupSql({ table: 'notes' }) },
  {
    making: 'RedisStore without a prefix',
    make: () => new RedisStore({ eval: nothing, evalsha: nothing } as never, {} as never),
  },
  {
    making: 'storeConformance',
    make: () =>
      storeConformance(() => ({ open: () => store }), {}).filter(({ skip }) => skip !== undefined).length,
  },
  // What it sends goes through Node's own client, which reads polluted options.
  {
    making: 'explainCors of nothing',
    make: () => explainCors(routes(), {} as never),
  },
  {
    making: 'explainCors of what is never sent',
    make: () => explainCors(routes(), { origin, method: 'TRACE', path: '/notes/1' }),
  },
  {
    making: 'a store that is asked without a context',
    make: async () => (await noted(new MemoryStore())).get('/notes/1').then((stored) => stored?.value),
  },
];

/** What came of it, in a word or a sentence. */
export async function said(make: () => unknown): Promise<string> {
  try {
    const made = await make();
    return typeof made === 'function' ? 'made' : JSON.stringify(made);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) return `not made: ${String(error)}`;
    const codes = error.mistakes.map(({ code }) => code).join();
    return `${codes} ${createHash('sha1').update(error.message).digest('hex')} ${error.message}`;
  }
}

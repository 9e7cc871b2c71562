/** What is said of faults of the host's own: errors for its error handler or its caller, and warnings of the process. */
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  change,
  corsPreflight,
  entityTag,
  jsonPatch,
  MemoryStore,
  mergePatch,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  patchHandler,
  ProblemError,
  resource,
  type PatchHandlerOptions,
  type PatchParser,
  type ResourceOptions,
  type ResourceStore,
} from '../../lib';
import { rowStore } from '../../lib/rows';
import { RedisStore } from '../../lib/stores/redis';
import { SqliteStore } from '../../lib/stores/sqlite';
import { readOutcome } from '../../lib/patch/idempotency';
import { assertAutocommit } from '../../lib/rows/sql/mysql-rows';
import { checkDeletion, checkState } from '../../lib/stores/contract/check-result';
import { applyJsonPatch, applyMergePatch, createJsonPatch, createMergePatch, merge } from '../../lib/json';
import { toJsonText } from '../../lib/stores/contract/serialize';
import npmCors from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import supertest from 'supertest';

const formats = [jsonPatch(), mergePatch()];
const out = (): never => {
  throw new Error('out of order');
};

const promise = Promise.resolve({});
const circular: Record<string, unknown> = {};
circular['self'] = circular;

const thrown = (value: unknown): never => {
  throw value;
};

/** An error handler of an app, and what it gets. */
function errorHandler(): { readonly errors: unknown[]; readonly handler: ErrorRequestHandler } {
  const errors: unknown[] = [];
  return {
    errors,
    handler: (error, _req, res, next) => {
      errors.push(error);
      if (res.headersSent) next(error);
      else res.end();
    },
  };
}

const thePath = ({ path }: { readonly path: string }): string => path;

/** What the app's error handler gets of a PATCH, or nothing. */
async function handed(
  store: ResourceStore,
  options: PatchHandlerOptions<unknown> = {},
  parsers: readonly PatchParser[] = formats,
  ...before: RequestHandler[]
): Promise<string> {
  const { errors, handler } = errorHandler();
  const app = express();
  app.patch('/notes/:id', ...before, patchHandler(store, parsers, { key: thePath, ...options })).use(handler);
  const fields = { 'Content-Type': 'application/merge-patch+json', 'Idempotency-Key': '"1"' };
  await supertest(app).patch('/notes/1').set(fields).send('{"a":1}');
  return errors.map(String).join();
}

/** What the app's error handler gets of a GET, or nothing. */
async function handedOfGet(options: ResourceOptions<unknown>): Promise<string> {
  const { errors, handler } = errorHandler();
  const { get } = resource(await storeOfOne(), formats, { key: thePath, ...options });
  await supertest(express().get('/notes/:id', get).use(handler)).get('/notes/1');
  return errors.map(String).join();
}

/** What the app's error handler gets of a PUT on a route with a handler of PATCH. */
async function handedOfPut(): Promise<string> {
  const { errors, handler } = errorHandler();
  const app = express()
    .put('/notes/:id', patchHandler(await storeOfOne(), formats, { key: thePath }))
    .use(handler);
  await supertest(app).put('/notes/1');
  return errors.map(String).join();
}

async function storeOfOne(value: unknown = {}): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.replace('/notes/1', null, value);
  return store;
}

/** What `next` is given where `body` throws nothing. */
async function handedOfOptions(): Promise<unknown> {
  const body = (): never => {
    throw undefined as unknown;
  };
  const app = express();
  app.get('/', () => undefined);
  let failed: unknown;
  const handler = optionsHandler({ root: app, body });
  const server = createServer((req, res) => {
    handler(req, res, (error) => {
      failed = error;
      res.end();
    });
  });
  await supertest(server).options('/');
  return failed;
}

/** Errors, each as its caller gets it. */
const errors: readonly (() => unknown)[] = [
  async () => handed(await storeOfOne(), { key: () => ['notes', '1'] as never }),
  async () => handed(await storeOfOne(), { key: 'noteId' }),
  ...[['a', 'b'], new Date(0)].map(
    (id) => async () =>
      handed(await storeOfOne(), { key: 'id' }, formats, (req, _res, next) => {
        Object.assign(req.params, { id });
        next();
      }),
  ),
  async () => handed(await storeOfOne(), { entityTag: () => 'unquoted' }),
  ...[() => promise, () => () => 1].map(
    (errors) => () => handed(new MemoryStore(), { errors: errors as never }),
  ),
  async () =>
    handed(
      Object.assign(await storeOfOne(), { accept: () => promise }),
      { stateMembers: [], unwritable: 'ignore' },
      [mergePatch({ json: true })],
      (req, _res, next) => {
        req.headers['content-type'] = 'application/json';
        next();
      },
    ),
  () => handedOfGet({ represent: () => undefined }),
  async () => handed(await storeOfOne(), { validate: () => [{ message: 'dull' }] as never }),
  ...[new Map(), 1n].map((a) => async () => {
    const validate = () => ({ value: { a } });
    return handed(await storeOfOne(), { validate: { '~standard': { version: 1, vendor: 'own', validate } } });
  }),
  async () => {
    const schema = z
      .object({ a: z.number(), b: z.number() })
      .transform(({ a, b }) => ({ a: Math.min(a, b), b: Math.max(a, b) }))
      .refine(({ a, b }) => a < b, { path: ['a'], error: 'must be below b' });
    return handed(await storeOfOne({ a: -5, b: 0 }), { validate: schema });
  },
  async () => handed(await storeOfOne(), { prepare: () => ({ a: [1, undefined] }) }),
  async () => handed(new MemoryStore(), { create: () => ({ a: /x/ }) }),
  async () => handed(await storeOfOne(), { prepare: () => ({ toJSON: () => undefined }) }),
  async () =>
    handed(await storeOfOne(), {}, [{ mediaType: 'application/merge-patch+json', parse: () => () => NaN }]),
  async () => {
    const recipe = (): unknown => ({ a: new Set() });
    return change(await storeOfOne('a'), '/notes/1', recipe).catch(String);
  },
  async () => {
    const validate = () => ({ value: ['b'] });
    return handed(await storeOfOne(), { validate: { '~standard': { version: 1, vendor: 'own', validate } } });
  },
  async () => handed(await storeOfOne(), { idempotency: 'optional', scope: () => 5 as never }),
  async () => handed(await storeOfOne(), { may: () => ({ allowed: false }) as never }),
  async () => handed(await storeOfOne(), { writable: () => undefined as never }),
  async () => handed(await storeOfOne(), { prepare: () => undefined }),
  handedOfPut,
  ...[() => promise, (draft: object) => Object.assign(draft, { a: 1 }) && 5].map((recipe) => async () => {
    const error: unknown = await change(await storeOfOne(), '/notes/1', recipe as never).catch(
      (thrown: unknown) => thrown,
    );
    return String(error);
  }),
  async () => handed(await storeOfOne(), { writable: () => ['a'] }),
  async () => handed(await storeOfOne(), { writable: () => ['/a/*'] }),
  ...[() => promise, () => () => promise].map((parse) => async () => {
    const parser = { mediaType: 'application/merge-patch+json', parse: parse as never };
    return handed(await storeOfOne(), {}, [parser]);
  }),
  async () => {
    const validate = () => ({ value: promise });
    return handed(await storeOfOne(), { validate: { '~standard': { version: 1, vendor: 'own', validate } } });
  },
  async () => handed(Object.assign(await storeOfOne(), { fit: () => promise })),
  async () => {
    const validate = (value: unknown) => ({ value });
    const schema = { '~standard': { version: 1, vendor: 'own', validate } } as const;
    return handed(Object.assign(await storeOfOne(), { complete: () => promise }), { validate: schema });
  },
  async () => handed(await storeOfOne(), { may: () => thrown(new ProblemError(NaN, 'own', 'No.')) }),
  async () => {
    const headers = { Trailer: 'Digest' };
    const refusal = new ProblemError(409, 'own', 'No.', { headers });
    return handed(await storeOfOne(), { may: () => thrown(refusal) });
  },
  ...[
    null,
    { value: {} },
    { value: promise, version: '1' },
    { value: {}, version: '1', modified: '2026-11-22' },
  ].map((state) => async () => {
    const given = () => Promise.resolve(state as never);
    return handed(Object.assign(await storeOfOne(), { get: given }));
  }),
  async () => handed(Object.assign(await storeOfOne(), { replace: () => Promise.resolve(null as never) })),
  async () => handed(Object.assign(await storeOfOne(), { replace: () => Promise.resolve(undefined) })),
  () => checkDeletion({}, undefined as never),
  () => entityTag({}),
  () => checkState({ versions: false }, { value: 1, version: 'v' }),
  async () => {
    const { errors, handler } = errorHandler();
    const parser = { mediaType: 'application/x-www-form-urlencoded', parse: () => () => null };
    const patch = patchHandler(await storeOfOne(), [parser]);
    const app = express().patch('/notes/1', express.urlencoded(), patch).use(handler);
    await supertest(app).patch('/notes/1').type(parser.mediaType).send('a=1');
    return errors.map(String).join();
  },
  () => readOutcome('{}', true),
  async () => handed(await storeOfOne(), {}, formats, (req, _res, next) => void req.on('end', next).resume()),
  async () =>
    handed(
      await storeOfOne(),
      { errors: 'next', limits: { depth: 0 } },
      formats,
      express.json({ type: () => true }),
    ),
  async () => {
    const handler = patchHandler(await storeOfOne(), formats);
    let failed: unknown;
    const server = createServer((req, res) => {
      handler(req, res, (error) => {
        failed = error;
        res.end();
      });
    });
    await supertest(server).patch('/');
    return failed;
  },
  handedOfOptions,
  () => new MemoryStore().replace('1', null, 1n),
  () => new MemoryStore().replace('1', null, undefined),
  () => {
    const ring: unknown[] = [];
    ring.push(ring);
    return new MemoryStore().replace('1', null, ring);
  },
  () => createMergePatch({}, { a: null }),
  () => createMergePatch({ a: NaN }, {}),
  () => createJsonPatch({}, { a: [() => 1] }),
  () => applyJsonPatch({}, [{ op: 'add', path: '/a', value: Symbol('s') }]),
  () => applyMergePatch({}, { a: circular }),
  () => merge<unknown>(1n, {}, {}),
  () => merge<unknown>({}, new Date(NaN), {}),
  () => merge<unknown>({}, {}, undefined),
  () => merge([{ n: 1 }], [{ n: 2 }], [{ n: 3 }], { identity: () => null as never }),
  () => merge([{ n: 1 }], [{ n: 2 }], [{ n: 3 }], { identity: 7 as never }),
  () => {
    assertAutocommit({ serverStatus: 1 });
  },
  () => toJsonText(() => undefined),
  () => toJsonText(Symbol('a note')),
  () => toJsonText({ toJSON: () => undefined }),
  () => {
    const db = { exec: () => undefined, prepare: () => ({ all: () => [] }), inTransaction: true };
    return new SqliteStore(db, { table: 'notes', busyTimeout: 0 }).replace('1', null, {});
  },
  () => {
    const prepare = () => {
      throw Object.assign(new Error('no such table: notes'), { code: 'SQLITE_ERROR' });
    };
    const all = () => [];
    const db = {
      exec: () => undefined,
      prepare: (sql: string) => (sql.includes('notes') ? prepare() : { all }),
    };
    return new SqliteStore(db, { table: 'notes' }).get('1');
  },
  () => {
    const never = () => new Promise<never>(() => undefined);
    return new RedisStore({ eval: never, evalsha: never }, { prefix: '', commandTimeout: 1 }).get('1');
  },
  () => {
    const evalsha = () => Promise.resolve(['1', 'v', '0', 'x']);
    const store = new RedisStore({ eval: evalsha, evalsha }, { prefix: '' });
    return store.get('1', { outcome: { id: 'a' } });
  },
  () => {
    const db = { exec: () => undefined, prepare: () => ({ all: () => [['1', 'v', 'UTF-8', 'x']] }) };
    return new SqliteStore(db, { table: 'notes' }).get('1', { outcome: { id: 'a' } });
  },
];

/** Where the process is warned, for nobody awaits the fault. */
const warned: readonly (() => unknown)[] = [
  async () => handed(await storeOfOne(), { may: () => undefined as never }),
  async () =>
    handed(Object.assign(await storeOfOne({ version: 1 }), { readOnly: ['/version'] }), {
      stateMembers: ['/version'],
    }),
  async () => handed(await storeOfOne({ b: 1 }), { validate: z.strictObject({ a: z.string() }) }),
  async () => {
    const onRefused = corsPreflight({ origin: 'https://app.example', onRefused: out });
    await supertest(express().use(onRefused)).get('/').set('Origin', 'https://other.example');
  },
  async () => handed(await storeOfOne(), { respond: 'representation', represent: out }),
  async () => {
    const router = express.Router();
    router.patch('/:id', patchHandler(new MemoryStore(), formats, { key: 'id' }));
    const sending = supertest(express().use('/:org', router)).patch('/acme/7');
    await sending.type('application/merge-patch+json').send('{}');
  },
  ...[undefined, ['org'], ['org', 'team']].map((key) => async () => {
    const handler = patchHandler(new MemoryStore(), formats, { ...(key !== undefined && { key }) });
    const sending = supertest(express().patch('/:org/:team/:id', handler)).patch('/a/b/c');
    await sending.type('application/merge-patch+json').send('{}');
  }),
  async () =>
    handed(await storeOfOne(), { conflict: 'representation', represent: out }, formats, (req, _res, next) => {
      req.headers['if-match'] = '"old"';
      next();
    }),
  async () => {
    const store = await storeOfOne();
    const state = {
      value: {},
      version: '1',
      unreadable: [{ pointer: '/a', reason: new Error('it is no number') }],
    };
    jest.spyOn(store, 'get').mockResolvedValue(state);
    await handed(store);
  },
  async () => handed(await storeOfOne(), { onPatched: out }),
  async () => {
    const note = resource(await storeOfOne(), formats, { onDeleted: out });
    await supertest(express().delete('/notes/1', note.delete)).delete('/notes/1');
  },
  async () => handed(await storeOfOne(), { onPatched: () => Promise.reject(Object.create(null) as Error) }),
  async () => {
    const store = await storeOfOne();
    let made = 0;
    await handed(store, { entityTag: () => (made++ === 0 ? '"1"' : out()) });
  },
  async () => {
    const app = express();
    app.get('/', () => undefined);
    await supertest(createServer(optionsListener(app, { body: out }))).options('/');
  },
  async () => {
    const handler = corsPreflight({ origin: () => Promise.resolve(true), root: express() });
    const server = createServer((req, res) => {
      handler(req, res, out);
    });
    await supertest(server).get('/').set('Origin', 'https://app.example');
  },
  async () => {
    const store = await storeOfOne();
    jest.spyOn(store, 'replace').mockRejectedValue(new Error('Connection terminated unexpectedly'));
    await handed(store);
  },
  () => {
    const columns = { title: 'string' as const };
    const table = {
      find: () => undefined,
      update: () => 0,
      lock: () => 0,
      transaction: () => undefined,
      columns,
    };
    const store = rowStore({ ...table, key: (key) => ({ id: Number(key) }) });
    return store.get('9007199254740993');
  },
  async () => {
    const app = express().use(corsPreflight({ origin: 'https://app.example' }), (req, res, next) => {
      npmCors()(req, res, next);
    });
    await supertest(app).get('/').set('Origin', 'https://other.example');
  },
  async () => {
    for (const [name, value] of [
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Allow-Credentials', 'true, true'],
    ] as const) {
      const cors = { origin: 'https://app.example', credentials: true };
      const app = express().use(corsPreflight(cors), (_req, res) => void res.set(name, value).end());
      await supertest(app).get('/').set('Origin', 'https://app.example');
    }
  },
  async () => {
    const answers: unknown[] = [undefined, Promise.reject(new Error('no such tenant'))];
    for (const answer of answers) {
      const app = express().use(corsPreflight({ origin: () => answer as boolean }));
      await supertest(app).get('/').set('Origin', 'https://app.example');
    }
  },
  async () => {
    const store = new MemoryStore();
    await store.replace('1', null, {});
    const app = express();
    app.get('/notes/:id', resource(store, formats, { key: thePath }).get);
    app.get('/others/:id', resource(store, formats, { key: (req) => req.params.name }).get);
    for (const path of ['/notes/1', '/others/1']) await supertest(app).get(path);
    await setImmediate();
  },
  async () => {
    // Told once by a process, and others before may have shown it.
    await jest.isolateModulesAsync(async () => {
      const { checkPreconditions, entityTag } = await import('../../lib');
      const appended = `${entityTag({ version: '1' }).slice(0, -1)}-gzip"`;
      for (const tag of ['W/"2-vyGp6PvFo4RvsFtPoIWeCReyIC8"', appended]) {
        const req = { method: 'PATCH', headers: { 'if-match': tag } };
        checkPreconditions(Object.assign(Object.create(null), req), { version: '1' });
      }
    });
  },
  () =>
    supertest(
      express()
        .use(methodNotAllowed())
        .post('/notes/:id', (_req, res) => void res.end()),
    ).post('/notes/1'),
  () =>
    supertest(
      express()
        .put('/notes/:id', (_req, res) => void res.end())
        .use(corsPreflight()),
    )
      .options('/notes/1')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' }),
  () =>
    supertest(
      express()
        .use(corsPreflight(), npmCors())
        .put('/notes/:id', (_req, res) => void res.end()),
    )
      .options('/notes/1')
      .set({ Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' }),
  () => supertest(express().use(corsPreflight(), corsPreflight({ origin: 'https://app.example' }))).get('/'),
  () =>
    supertest(
      createServer((req, res) => {
        optionsHandler()(req, res, () => res.end());
      }),
    ).options('/'),
];

export async function faults(): Promise<string[]> {
  const warnings: string[] = [];
  const emit = jest.spyOn(process, 'emitWarning').mockImplementation((warning) => {
    warnings.push(`Warning: ${String(warning)}`);
  });
  const told: string[] = [];
  for (const fault of errors) told.push(await settled(fault));
  for (const fault of warned) await fault();
  await setImmediate();
  emit.mockRestore();
  return [...told, ...warnings];
}

async function settled(fault: () => unknown): Promise<string> {
  try {
    return String(await fault());
  } catch (error) {
    return String(error);
  }
}

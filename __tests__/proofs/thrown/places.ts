import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import {
  checkPreconditions,
  corsPreflight,
  type CorsOptions,
  entityTag,
  MemoryStore,
  mergePatch,
  optionsHandler,
  optionsListener,
  patchHandler,
  patchOptions,
  resource,
  type PatchParser,
  type ResourceStore,
  sendProblem,
} from '../../../lib';
import { rowStore, type Rows } from '../../../lib/rows';
import type { ExpressModule } from '../../support/frameworks';

type Call = () => unknown;

/** Where an app hands in a function. */
export interface Place {
  readonly place: string;
  readonly app: (express: ExpressModule, call: Call) => RequestListener;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Only what it throws counts: what it gives has no reader, or is the app's own affair. */
  readonly onlyThrows?: boolean;
  /** What is answered whatever the function throws; where it is left out, the fault goes to the error handler. */
  readonly answer?: number;
}

const path = '/notes/1';
/** The status of an answer that comes after the handler: it has gone on as if nothing were wrong. */
export const wentOn = 299;

async function noted(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.replace(path, null, { id: '1', title: 'Buy milk', pin: 5 });
  return store;
}

/** The app of a PATCH handler with these options. */
function patching(
  options: (call: Call) => object,
  {
    store,
    parser,
  }: { readonly store?: (call: Call) => object; readonly parser?: (call: Call) => object } = {},
): Place['app'] {
  return (express, call) => {
    const app = express();
    const made = noted();
    const engine = {
      keepsOutcomes: true,
      get: async (...asked: Parameters<MemoryStore['get']>) => (await made).get(...asked),
      replace: async (...asked: Parameters<MemoryStore['replace']>) => (await made).replace(...asked),
    };
    const handler = patchHandler(
      Object.assign(engine, store?.(call)) as ResourceStore,
      [(parser?.(call) ?? mergePatch()) as PatchParser],
      options(call),
    );
    app.patch(path, handler as never);
    app.patch(path, goOn);
    return app;
  };
}

/** The app of a resource with these options. */
function mounting(options: (call: Call) => object, store?: (call: Call) => object): Place['app'] {
  return (express, call) => {
    const app = express();
    const made = noted();
    const engine = {
      get: async (...asked: Parameters<MemoryStore['get']>) => (await made).get(...asked),
      replace: async (...asked: Parameters<MemoryStore['replace']>) => (await made).replace(...asked),
      delete: async (...asked: Parameters<MemoryStore['delete']>) => (await made).delete(...asked),
    };
    const note = resource(
      Object.assign(engine, store?.(call)) as ResourceStore,
      [mergePatch()],
      options(call),
    );
    for (const method of ['get', 'put', 'delete'] as const) {
      app[method](path, note[method] as never);
      app[method](path, goOn);
    }
    return app;
  };
}

/** A codec of the app. */
const plain = {
  fault: () => undefined,
  read: (inside: unknown) => inside,
  write: (outside: unknown) => outside,
};

/** The app of a PATCH handler over a row store with these options. */
function overRows(options: (call: Call) => object): Place['app'] {
  return (express, call) => {
    const app = express();
    const row = { slug: path, title: 'Buy milk' };
    const rows: Rows = {
      find: () => ({ ...row }),
      update: (_where: unknown, set: object) => (Object.assign(row, set), 1),
      lock: () => 1,
      transaction: (run: (rows: Rows, tx: unknown) => Promise<void>) => run(rows, undefined),
    };
    const columns = { title: 'string' } as const;
    const store = rowStore({ ...rows, key: 'slug', columns, ...options(call) });
    app.patch(path, patchHandler(store, [mergePatch()]));
    app.patch(path, goOn);
    return app;
  };
}

const putting = { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"title":"Tea"}' };

function goOn(_req: Request, res: Response): void {
  res.status(wentOn).end();
}

function schema(call: Call): object {
  return { '~standard': { version: 1, vendor: 'own', validate: call } };
}

/** One whose function for validation is not even there to be read. */
function schemaGetter(call: Call): object {
  return { '~standard': Object.defineProperty({ version: 1, vendor: 'own' }, 'validate', { get: call }) };
}

function governed(options: (call: Call) => object): Place['app'] {
  return (express, call) => {
    const app = express();
    app.use(corsPreflight(options(call) as CorsOptions));
    app.all(path, (_req, res) => void res.json({}));
    return app;
  };
}

const idempotent = { headers: { 'Idempotency-Key': '"1"' } };
const preferring = { headers: { Prefer: 'return=representation' } };
const ofPage = { Origin: 'https://app.example' };
const preflight = { ...ofPage, 'Access-Control-Request-Method': 'PATCH' };

export const places: readonly Place[] = [
  ...['key', 'may', 'validate', 'authorize', 'entityTag'].map((option) => ({
    place: `${option} of patchHandler`,
    app: patching((call) => ({ [option]: call })),
  })),
  { place: 'errors handed on', app: patching((call) => ({ validate: call, errors: 'next' })) },
  ...['key', 'may', 'represent', 'entityTag'].map((option) => ({
    place: `${option} of resource, on GET`,
    app: mounting((call) => ({ [option]: call })),
    method: 'GET',
  })),
  {
    place: 'get of a store, on GET',
    app: mounting(
      () => ({}),
      (call) => ({ get: call }),
    ),
    method: 'GET',
  },
  {
    place: 'represent of resource, on PUT',
    app: mounting((call) => ({ represent: call })),
    ...putting,
    answer: 204,
  },
  ...['may', 'entityTag', 'authorize'].map((option) => ({
    place: `${option} of resource, on DELETE`,
    app: mounting((call) => ({ [option]: call })),
    method: 'DELETE',
  })),
  { place: 'onDeleted', app: mounting((call) => ({ onDeleted: call })), method: 'DELETE', answer: 204 },
  {
    place: 'delete of a store',
    app: mounting(
      () => ({}),
      (call) => ({ delete: call }),
    ),
    method: 'DELETE',
  },
  { place: 'create', app: patching((call) => ({ create: call, key: () => 'absent' })) },
  { place: 'scope', app: patching((call) => ({ scope: call, idempotency: 'optional' })), ...idempotent },
  { place: 'represent', app: patching((call) => ({ represent: call })), ...preferring, answer: 204 },
  { place: 'a Standard Schema', app: patching((call) => ({ validate: schema(call) })) },
  {
    place: 'a getter of a Standard Schema',
    app: patching((call) => ({ validate: schemaGetter(call) })),
    onlyThrows: true,
  },
  {
    place: 'entityTag, once it is written',
    app: patching((call) => {
      let asked = 0;
      return { entityTag: (stored: { version: string }) => (++asked < 2 ? entityTag(stored) : call()) };
    }),
    answer: 204,
  },
  {
    place: 'onPatched',
    app: patching((call) => ({ onPatched: call })),
    answer: 204,
  },
  {
    place: 'onRefused of patchHandler',
    app: patching((call) => ({ onRefused: call })),
    body: '{',
    answer: 400,
  },
  {
    place: 'parse',
    app: patching(() => ({}), { parser: (call) => ({ ...mergePatch(), parse: call }) }),
  },
  {
    place: 'the patch that parse gives',
    app: patching(() => ({}), { parser: (call) => ({ ...mergePatch(), parse: () => call }) }),
  },
  ...[{ hidden: ['/pin'] }, { readOnly: ['/id'] }, { writable: ['/title'] }].map((options) => ({
    place: `the patch that parse gives, beside ${Object.keys(options).join('')}`,
    app: patching(() => options, { parser: (call) => ({ ...mergePatch(), parse: () => call }) }),
  })),
  {
    place: 'complete of a store',
    app: patching(() => ({ validate: schema(() => ({ value: {} })) }), {
      store: (call) => ({ complete: call }),
    }),
  },
  { place: 'fit of a store', app: patching(() => ({}), { store: (call) => ({ fit: call }) }) },
  {
    place: 'the value that a Standard Schema makes',
    app: patching((call) => ({ validate: schema(() => ({ value: call() })) })),
  },
  {
    place: 'the value of what a store gives',
    app: patching(() => ({ hidden: ['/pin'] }), {
      store: (call) => ({
        get: async () => ({ ...(await Promise.resolve({ version: '1' })), value: call() }),
      }),
    }),
  },
  { place: 'the key of rowStore', app: overRows((call) => ({ key: call })) },
  ...(['fault', 'read', 'write'] as const).map((name) => ({
    place: `${name} of a codec`,
    app: overRows((call) => ({ columns: { title: { kind: { ...plain, [name]: call } } } })),
  })),
  { place: 'get of a store', app: patching(() => ({}), { store: (call) => ({ get: call }) }) },
  { place: 'replace of a store', app: patching(() => ({}), { store: (call) => ({ replace: call }) }) },
  {
    place: 'get of a store that keeps outcomes',
    app: patching(() => ({ idempotency: 'optional' }), { store: (call) => ({ get: call }) }),
    ...idempotent,
  },
  {
    place: 'replace of a store that keeps outcomes',
    app: patching(() => ({ idempotency: 'optional' }), { store: (call) => ({ replace: call }) }),
    ...idempotent,
  },
  {
    place: 'a member of what a store gives',
    app: patching(() => ({}), {
      store: (call) => ({
        get: () => Promise.resolve(Object.defineProperty({ version: '1' }, 'value', { get: call })),
      }),
    }),
    onlyThrows: true,
  },
  {
    place: 'the origin predicate, of a preflight',
    app: governed((call) => ({ origin: call })),
    ...{ method: 'OPTIONS', headers: preflight, answer: 403 },
  },
  {
    place: 'the origin predicate, of another request',
    app: governed((call) => ({ origin: call })),
    ...{ method: 'GET', headers: ofPage, answer: 200 },
  },
  {
    place: 'the origin predicate of patchOptions',
    app: (express, call) => {
      const app = express();
      app.use(patchOptions({ cors: { origin: call as () => boolean } }));
      app.patch(path, goOn);
      return app;
    },
    ...{ method: 'OPTIONS', headers: preflight, answer: 403 },
  },
  {
    place: 'onRefused of corsPreflight',
    app: governed((call) => ({ origin: 'https://other.example', onRefused: call })),
    ...{ method: 'OPTIONS', headers: preflight, answer: 403 },
  },
  {
    place: 'body of optionsHandler',
    app: (express, call) => {
      const app = express();
      app.use(optionsHandler({ body: call }));
      app.get(path, goOn);
      return app;
    },
    method: 'OPTIONS',
  },
  {
    place: 'body of optionsListener',
    app: (express, call) => {
      const app = express();
      app.get(path, goOn);
      return optionsListener(app, { body: call });
    },
    method: 'OPTIONS',
  },
  {
    place: 'the listener behind optionsListener, after a predicate that waits',
    app: (express, call) => {
      const app = (_req: IncomingMessage, res: ServerResponse): void => {
        call();
        res.end();
      };
      const cors = { origin: () => Promise.resolve(true) };
      return optionsListener(app, { root: express.Router(), cors });
    },
    ...{ method: 'GET', headers: ofPage, onlyThrows: true },
  },
  {
    place: 'entityTag of checkPreconditions',
    app: (express, call) => {
      const app = express();
      app.patch(path, (req, res) => {
        const problem = checkPreconditions(req, { version: '1' }, { entityTag: call as () => string });
        if (problem === undefined) res.end();
        else sendProblem(res, problem);
      });
      app.patch(path, goOn);
      return app;
    },
    headers: { 'If-Match': '"other"' },
  },
  {
    place: 'next, behind patchHandler',
    app: (_express, call) => {
      const handler = patchHandler(new MemoryStore(), [mergePatch()], { errors: 'next' });
      return (req, res) => {
        const url = { originalUrl: path, baseUrl: '', params: {} };
        handler(Object.assign(req, url), res, call);
      };
    },
    onlyThrows: true,
  },
  {
    place: 'next, behind an origin predicate that waits',
    app: (express, call) => {
      const handler = corsPreflight({ origin: () => Promise.resolve(true), root: express.Router() });
      return (req, res) => {
        handler(req, res, call);
      };
    },
    ...{ method: 'GET', headers: ofPage, onlyThrows: true },
  },
];

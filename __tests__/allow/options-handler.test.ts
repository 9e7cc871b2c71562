import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import request from 'supertest';
import { ConfigurationError } from '../../lib/config/options-check';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { optionsHandler, type OptionsHandlerOptions } from '../../lib/allow/options-handler';
import { patchOptions } from '../../lib/patch-options';
import type { Middleware, Next } from '../../lib/http/middleware';
import { flavours } from '../routes/flavours';
import type { Buildable } from '../routes/route-trees';
import { dispatch } from '../support/in-process';
import { optionsOfServer } from './options-of-server';
import { frameworks } from '../support/frameworks';
import { addRoutes, targets } from './options-table';

describe.each(frameworks)('optionsHandler on %s', (_name, express) => {
  function notes(options?: OptionsHandlerOptions): Application {
    const app = express();
    app.use(optionsHandler(options));
    return addRoutes(app, express);
  }

  describe('RFC 9110 9.3.7 and 10.2.1: OPTIONS lists the methods of the target', () => {
    it.each(targets)('$path: $allow', async ({ path, allow }) => {
      const response = await request(notes()).options(path);
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ allow, 'content-length': '0' });
      expect(response.headers).not.toHaveProperty('content-type');
    });

    it('where nobody has set a header, Content-Length is 0 as well, and nothing is chunked', async () => {
      const app = express().disable('x-powered-by').use(optionsHandler());
      app.get('/', (_req, res) => void res.end());
      const response = await request(app).options('/');
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', 'content-length': '0' });
      expect(response.headers).not.toHaveProperty('transfer-encoding');
    });

    it('OPTIONS *: the methods of the whole server', async () => {
      const response = await optionsOfServer(notes());
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
        'content-length': '0',
      });
      expect(response.headers).not.toHaveProperty('accept-patch');
    });

    it('OPTIONS *: an OPTIONS handler of your app for it wins', async () => {
      const app = notes();
      app.options(/^\*$/, (_req, res) => void res.status(299).end());
      expect((await optionsOfServer(app)).statusCode).toBe(299);
    });

    it('OPTIONS * where app.all is all there is: the methods that clients use', async () => {
      const app = express().use(optionsHandler());
      app.all('/anything', (_req, res) => void res.end());
      const { headers } = await optionsOfServer(app);
      expect(headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY');
    });

    it('a target without routes goes on to the 404 of your app', async () => {
      const response = await request(notes()).options('/nowhere');
      expect(response.status).toBe(404);
      expect(response.headers).not.toHaveProperty('allow');
    });

    const onError: ErrorRequestHandler = (error, _req, _res, next) => {
      next(error);
    };
    it.each<{ title: string; path: string; status: number; allow?: string; code?: string }>([
      {
        title: 'routes of error handlers alone, whose methods Express lists: 404',
        path: '/failed',
        status: 404,
        code: 'not-found',
      },
      { title: 'a path that no layer can decode', path: '/failed/%zz', status: 400 },
      {
        title: 'an OPTIONS handler of your app that Express’s own answer comes before',
        path: '/shadowed',
        status: 200,
        allow: 'OPTIONS',
      },
    ])('$title', async ({ path, status, allow, code }) => {
      const app = express().use(optionsHandler());
      app.use(express.Router().get(['/failed', '/failed/%zz', '/shadowed'], onError as never));
      app.options('/shadowed', (_req, res) => void res.status(299).end());
      app.get('/failed/:id', (_req, res) => void res.end());
      const response = await request(app).options(path);
      expect(response.status).toBe(status);
      expect(response.headers['allow']).toBe(allow);
      expect((response.body as { code?: string }).code).toBe(code);
    });

    it.each<{ errors: OptionsHandlerOptions['errors']; status: number; body: object }>([
      { errors: 'answer', status: 404, body: { code: 'not-found', status: 404 } },
      { errors: 'next', status: 404, body: { own: 'not-found' } },
      { errors: ({ code }) => ({ success: false, code }), status: 404, body: { success: false } },
      { errors: () => ({ status: 410, body: { gone: true } }), status: 410, body: { gone: true } },
      { errors: () => undefined, status: 404, body: { code: 'not-found', status: 404 } },
      { errors: () => Promise.resolve({}), status: 500, body: { own: 'TypeError' } },
    ])('errors: $errors: the 404 in the form of your app', async ({ errors, status, body }) => {
      const options = errors === undefined ? {} : { errors };
      const ways: Middleware[] = [optionsHandler(options), patchOptions(options)];
      for (const way of ways) {
        const app = express().use(way);
        app.use(express.Router().get('/failed', onError as never));
        const own: ErrorRequestHandler = (
          error: { code?: string; name: string; status?: number },
          _req,
          res,
          next,
        ) => {
          if (res.headersSent) next(error);
          else res.status(error.status ?? 500).json({ own: error.code ?? error.name });
        };
        app.use(own);
        const response = await request(app).options('/failed');
        expect([response.status, response.body]).toEqual([status, expect.objectContaining(body)]);
      }
    });

    it('without a router that it can find, the request goes on', async () => {
      const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
      const own = optionsHandler();
      const response = await optionsOfServer((req, res) => {
        own(req, res, () => void res.writeHead(218).end());
      });
      expect(response.statusCode).toBe(218);
      warnings.mockRestore();
    });

    it('an OPTIONS handler of your app wins', async () => {
      const response = await request(notes()).options('/notes/7/own');
      expect(response.status).toBe(299);
      expect(response.headers).toMatchObject({ allow: 'PURGE' });
    });

    it('GET and HEAD are not touched', async () => {
      const got = await request(notes()).get('/notes');
      expect(got.text).toBe('the handler');
      const head = await request(notes()).head('/notes');
      expect(head.status).toBe(200);
      expect(head.headers).not.toHaveProperty('allow');
    });

    it('content of an OPTIONS request is ignored', async () => {
      const response = await request(notes()).options('/notes').send({ any: 'thing' });
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, POST' });
    });
  });

  describe('RFC 5789 3.1: Accept-Patch', () => {
    it('where PATCH is registered with our handler', async () => {
      const response = await request(notes()).options('/notes/7');
      expect(response.headers).toMatchObject({
        'accept-patch': 'application/json-patch+json, application/merge-patch+json',
      });
    });

    it('also where it takes one media type', async () => {
      const app = notes();
      app.patch('/one', patchHandler(new MemoryStore(), [mergePatch()]));
      const response = await request(app).options('/one');
      expect(response.headers).toMatchObject({ 'accept-patch': 'application/merge-patch+json' });
    });

    const ours = patchHandler(new MemoryStore(), [mergePatch()]);
    const pass: RequestHandler = (_req, _res, next) => {
      next();
    };
    it.each([
      { where: 'behind a middleware of the route', handlers: [pass, ours] },
      { where: 'in front of a handler of the app', handlers: [ours, pass] },
      {
        where: 'in front of another of ours',
        handlers: [ours, patchHandler(new MemoryStore(), [jsonPatch()])],
      },
    ])('that of the first $where', async ({ handlers }) => {
      const app = notes();
      app.patch('/more', ...handlers);
      const response = await request(app).options('/more');
      expect(response.headers).toMatchObject({ 'accept-patch': 'application/merge-patch+json' });
    });

    it.each(['/notes', '/own'])('nowhere else: %s', async (path) => {
      const response = await request(notes()).options(path);
      expect(response.headers).not.toHaveProperty('accept-patch');
    });
  });

  describe('options', () => {
    it('status 204: no content, and so no Content-Length (RFC 9110 8.6)', async () => {
      const response = await request(notes({ status: 204 })).options('/notes');
      expect(response.status).toBe(204);
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, POST' });
      expect(response.headers).not.toHaveProperty('content-length');
    });

    it('body: what it returns is sent as JSON', async () => {
      const response = await request(notes({ status: 200, body: (target) => ({ about: target }) })).options(
        '/notes/7?a=b',
      );
      expect(response.headers).toMatchObject({ 'content-type': 'application/json' });
      expect(response.body).toEqual({
        about: {
          path: '/notes/7',
          methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'],
          acceptPatch: ['application/json-patch+json', 'application/merge-patch+json'],
        },
      });
    });

    it.each(['http://a.example/notes/7?a=b', '*'])('body: the path in %s', async (target) => {
      const paths: string[] = [];
      const app = notes({ body: ({ path }) => void paths.push(path) });
      expect((await optionsOfServer(app, target)).statusCode).toBe(200);
      expect(paths).toEqual([target === '*' ? '*' : '/notes/7']);
    });

    it('body: undefined is no content', async () => {
      const response = await request(notes({ body: () => undefined })).options('/notes');
      expect(response.headers).toMatchObject({ 'content-length': '0' });
      expect(response.headers).not.toHaveProperty('content-type');
    });

    it('body: a promise is waited for, and may be of no content', async () => {
      const sent = await request(notes({ body: async ({ path }) => Promise.resolve({ path }) })).options(
        '/own',
      );
      expect(sent.headers).toMatchObject({ 'content-type': 'application/json', allow: 'OPTIONS, PATCH' });
      expect(sent.body).toEqual({ path: '/own' });
      const empty = await request(notes({ body: () => Promise.resolve() })).options('/own');
      expect(empty.headers).toMatchObject({ 'content-length': '0' });
    });

    it('body: a promise is of no use where a time limit of your app’s has answered', async () => {
      let settle = (): void => undefined;
      const body = () => new Promise<void>((resolve) => (settle = resolve));
      const errors: unknown[] = [];
      const app = express().use((_req, res, next) => {
        next();
        res.status(503).end();
      });
      app.use(optionsHandler({ body }));
      addRoutes(app, express).use(((error, _req, _res, next) => {
        errors.push(error);
        next(error);
      }) as ErrorRequestHandler);
      expect((await request(app).options('/own')).status).toBe(503);
      settle();
      await setImmediate();
      expect(errors).toEqual([]);
    });

    const unavailable = Object.assign(new Error('no content today'), { status: 503 });
    it.each<{ readonly what: string; readonly thrown: unknown; readonly status: number }>([
      { what: 'an error', thrown: unavailable, status: 503 },
      { what: 'undefined, which is none', thrown: undefined, status: 500 },
      { what: 'the empty text, which Express takes for none', thrown: '', status: 500 },
    ])(
      'body: $what that it throws or rejects with goes to the error handler of your app',
      async ({ thrown, status }) => {
        const bodies = [
          () => {
            throw thrown;
          },
          async () => {
            await Promise.resolve();
            throw thrown;
          },
        ];
        for (const body of bodies) {
          const seen: unknown[] = [];
          const app = notes({ body }).use(((error: { status?: number }, _req, res, next) => {
            seen.push(error);
            if (res.headersSent) next(error);
            else res.status(error.status ?? 500).end();
          }) as ErrorRequestHandler);
          const response = await request(app).options('/notes');
          expect(response.status).toBe(status);
          expect(response.headers).not.toHaveProperty('allow');
          expect(seen).toEqual([
            thrown instanceof Error
              ? thrown
              : expect.objectContaining({ message: expect.stringContaining('Throw an Error') as string }),
          ]);
        }
      },
    );
  });
});

describe.each(flavours)('a router for one host alone, on $name', ({ router, app: newApp }) => {
  const plain = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };

  it('has an optionsHandler of its own: what it has counts on that host, and on no other', async () => {
    const root = (newApp === undefined ? router(plain) : newApp()) as Buildable;
    root.use(optionsHandler(newApp === undefined ? { root } : {}));
    const reports = router(plain) as Buildable & Middleware;
    reports.use(optionsHandler({ root: reports }));
    reports.route('/x/:id')['put']?.(() => undefined);
    // As vhost does it.
    root.use((req: IncomingMessage, res: ServerResponse, next: Next) => {
      if (req.headers.host === 'reports.example') reports(req, res, next);
      else next();
    });
    const allowOn = async (host: string) =>
      (await dispatch(root, 'OPTIONS', '/x/1', { headers: { host } })).headers['allow'];
    expect(await allowOn('reports.example')).toBe('OPTIONS, PUT');
    expect(await allowOn('api.example')).toBeUndefined();
  });
});

describe.each(frameworks)(
  'our own middlewares by app.options are no OPTIONS handler of your app’s on %s',
  (name, express) => {
    const every = name === 'Express 4' ? '*' : '/{*any}';

    it.each<{ readonly title: string; readonly mount: (app: Application) => unknown }>([
      { title: 'optionsHandler on the path', mount: (app) => app.options('/x', optionsHandler()) },
      { title: 'optionsHandler on every path', mount: (app) => app.options(every, optionsHandler()) },
      { title: 'patchOptions on every path', mount: (app) => app.options(every, patchOptions({ cors: {} })) },
      {
        title: 'corsPreflight on every path, as npm cors is mounted',
        mount: (app) => app.use(optionsHandler()).options(every, corsPreflight()),
      },
      {
        title: 'in the place of which instrumentation has put another function',
        mount: (app) => {
          const own = corsPreflight();
          const instrumented: RequestHandler = (req, res, next) => {
            own(req, res, next);
          };
          app.use(optionsHandler()).options(every, Object.assign(instrumented, own));
        },
      },
    ])('$title', async ({ mount }) => {
      const app = express();
      mount(app);
      app.get('/x', (_req, res) => void res.end());
      app.use(
        '/',
        express.Router().put('/x', (_req, res) => void res.end()),
      );
      const response = await request(app).options('/x');
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, PUT' });
    });

    it('a path that has nothing else has no routes', async () => {
      const app = express().options('/x', optionsHandler());
      app.all('/y', corsPreflight());
      expect((await request(app).options('/x')).status).toBe(404);
      const behind = express().use(optionsHandler());
      behind.all('/y', corsPreflight()).use('/', express.Router().all('/z', corsPreflight()));
      for (const path of ['/y', '/z'])
        expect((await request(behind).options(path)).headers).not.toHaveProperty('allow');
    });
  },
);

describe('optionsHandler() with options that cannot work', () => {
  it.each([
    {
      options: { stauts: 204 },
      message: "stauts is not a known option. Did you mean 'status'?",
    },
    {
      options: { status: 201 },
      message: 'status: 201 must be 200 or 204. Write 204 for an answer without content, 200 otherwise.',
    },
    { options: { body: 'text' }, message: 'body: a string must be a function.' },
    {
      options: { status: 204, body: () => 1 },
      message:
        'status: 204 cannot be combined with body: a 204 has no content. Leave body out, or write 200. [option-conflict]',
    },
    { options: { root: '/' }, message: 'root: a string must be an Express app or a router.' },
    { options: [], message: 'options: an array must be an object.' },
    { options: new Map(), message: 'options: a Map must be an object.' },
  ])('$message', ({ options, message }) => {
    const make = () => optionsHandler(options as OptionsHandlerOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow('optionsHandler() received');
    expect(make).toThrow(message);
  });
});

it('of an object, the message shows the name of its type', () => {
  const make = () => optionsHandler({ root: createServer() });
  expect(make).toThrow(/\n {2}root: a Server must be an Express app or a router\./);
});

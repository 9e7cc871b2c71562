import { METHODS, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import request from 'supertest';
import { ConfigurationError } from '../../lib/config/options-check';
import { declareMethods } from '../../lib/express/declare-methods';
import type { Middleware, Next } from '../../lib/http/middleware';
import { ProblemError } from '../../lib/http/problem';
import { optionsHandler } from '../../lib/allow/options-handler';
import { methodNotAllowed, type MethodNotAllowedOptions } from '../../lib/allow/method-not-allowed';
import { flavours } from '../routes/flavours';
import type { Buildable } from '../routes/route-trees';
import { allowOf } from '../support/allow-of';
import { frameworks } from '../support/frameworks';

const answer: RequestHandler = (_req, res) => {
  res.send('the handler');
};
const plain = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };
const pass: RequestHandler = (_req, _res, next) => {
  next();
};

describe.each(frameworks)('methodNotAllowed on %s', (_name, express) => {
  function notes(options?: MethodNotAllowedOptions): Application {
    const app = express();
    app.all(/.*/, pass);
    app.get('/notes', answer);
    const nested = express.Router();
    nested.put('/', answer);
    app.use('/notes', nested);
    app.get('/missing', pass);
    app.all('/all', pass);
    app.use('/declared', declareMethods(['GET'], pass));
    app.use(methodNotAllowed(options));
    return app;
  }

  describe('RFC 9110 15.5.6: 405 and Allow where the target has routes, but none for the method', () => {
    const parsed = METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS', 'PUT'].includes(method));
    it.each(parsed)('%s', async (method) => {
      const response = await send(notes(), method, '/notes');
      expect(response.status).toBe(405);
      expect(response.headers).toMatchObject({
        allow: 'GET, HEAD, OPTIONS, PUT',
        'content-type': 'application/problem+json',
      });
      expect(JSON.parse(response.text)).toEqual({
        status: 405,
        title: 'Method Not Allowed',
        detail: `${method} is not allowed on this resource. Allowed methods: GET, HEAD, OPTIONS, PUT.`,
        code: 'method-not-allowed',
      });
    });

    it('the asterisk is no resource, and a target of OPTIONS alone (RFC 9112 3.2.4): 404', async () => {
      expect(await allowOf(notes(), '*', 'DELETE')).toBe('404');
    });

    it('HEAD gets no content', async () => {
      const app = express();
      app.post('/notes', answer);
      app.use(methodNotAllowed({ errors: 'answer' }));
      const response = await request(app).head('/notes');
      expect(response.status).toBe(405);
      expect(response.headers).toMatchObject({ allow: 'OPTIONS, POST' });
      expect(response.text).toBeFalsy();
    });
  });

  describe('everything else is left to your app', () => {
    it.each([
      { method: 'GET', path: '/notes', status: 200, because: 'a route handles it' },
      { method: 'POST', path: '/nowhere', status: 404, because: 'no route but a wildcard for all verbs' },
      {
        method: 'POST',
        path: '/all',
        status: 404,
        because: 'no route but one for all verbs, which let it pass',
      },
      { method: 'GET', path: '/missing', status: 404, because: 'a handler passed it on' },
      { method: 'HEAD', path: '/declared', status: 404, because: 'whoever declares GET answers HEAD, too' },
      {
        method: 'OPTIONS',
        path: '/missing',
        status: 200,
        because: 'OPTIONS never gets 405: here Express itself answers it',
      },
    ])('$method $path: $status ($because)', async ({ method, path, status }) => {
      const response = await send(notes(), method, path);
      expect(response.status).toBe(status);
    });

    it.each(['answer', 'next'] as const)('an answer that was sent before: errors: %s', async (errors) => {
      const app = express();
      app.get('/notes', answer);
      app.use((_req, res, next) => {
        res.send('already');
        next();
      });
      app.use(methodNotAllowed({ errors }));
      const passed = jest.fn((_req: unknown, _res: unknown, next: Next) => void next());
      app.use(passed, ((error, _req, res, next) => {
        if (!res.headersSent) next(error);
      }) as ErrorRequestHandler);
      const response = await request(app).post('/notes');
      expect(response.text).toBe('already');
      expect(passed).toHaveBeenCalledTimes(1);
    });

    it("errors: 'next' hands the 405 to the error handler", async () => {
      const app = notes({ errors: 'next' });
      const onError: ErrorRequestHandler = (error: unknown, _req, res, next) => {
        if (!(error instanceof ProblemError)) next(error);
        else res.status(error.status).set(error.headers).send(`own: ${error.code}`);
      };
      app.use(onError);
      const response = await request(app).post('/notes');
      expect(response.status).toBe(405);
      expect(response.text).toBe('own: method-not-allowed');
      expect(response.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS, PUT' });
    });
  });
});

it('an option that cannot work is told where it is created', () => {
  const make = () => methodNotAllowed({ errors: 'throw' as never });
  expect(make).toThrow(
    /^methodNotAllowed\(\) received invalid options:\n {2}errors: 'throw' must be 'answer', 'next' or a function\. Write 'answer', 'next', or \(problem, req\)/,
  );
});

const warned = { code: 'PATCH_OPTIONS_405_BEFORE_ROUTES' };

describe.each(flavours)('where methodNotAllowed stands, on $name', ({ version, router, app: newApp }) => {
  const wildcard = version === 4 ? '/*' : '/*rest';
  const own = answered('own');
  let warnings: jest.SpyInstance;

  beforeEach(() => {
    warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => {
    warnings.mockRestore();
  });

  const nested = () => router(plain) as Buildable;
  function built(build: (root: Buildable, refuse: Middleware) => unknown): Buildable {
    const root = newApp === undefined ? nested() : (newApp() as Buildable);
    build(root, methodNotAllowed(newApp === undefined ? { root } : {}));
    return root;
  }

  it.each<{
    readonly title: string;
    readonly request?: readonly [method: string, path: string];
    readonly expected: string;
    /** Whether it is told that it stands in front of routes. */
    readonly told?: boolean;
    readonly build: (root: Buildable, refuse: Middleware) => unknown;
  }>([
    {
      title: 'in front of an .all that takes the request: that one answers',
      expected: '200 own',
      told: true,
      build: (root, refuse) => {
        root.use(refuse);
        root.route('/cats/:id')['get']?.(own);
        root.all('/cats/any', own);
      },
    },
    {
      title: 'in front of a route for the verb: that one answers',
      expected: '200 own',
      told: true,
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        root.route('/cats/:id')['post']?.(own);
      },
    },
    {
      title:
        'OPTIONS in front of an .all: that one answers, and it is no mistake, as OPTIONS is never refused',
      request: ['OPTIONS', '/cats/any'],
      expected: '200 own',
      build: (root, refuse) => {
        root.use(refuse);
        root.all('/cats/any', own);
      },
    },
    {
      title: 'behind a route on a bare wildcard, such as the page of an app: no 405',
      expected: '404',
      build: (root, refuse) => {
        root.route(wildcard)['get']?.(own);
        root.use(refuse);
      },
    },
    {
      title:
        'behind a bare wildcard for the verb that let the request pass: 405, and the verb is not allowed',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.route(wildcard)['post']?.(pass);
        root.use(refuse);
      },
    },
    {
      title: 'behind another middleware of ours, which stands in front of an .all: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.use(optionsHandler({ root }));
        root.all('/cats/any', pass);
        root.route('/cats/:id')['get']?.(own);
        root.use(refuse);
      },
    },
    {
      title: 'in front of nothing but a route for another verb: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.use(refuse);
        root.route('/cats/any')['get']?.(own);
      },
    },
    {
      title: 'in front of an .all on a bare wildcard, such as a proxy: that one answers, and is no mistake',
      expected: '200 own',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        root.all(wildcard, own);
      },
    },
    {
      title: 'in front of a guard on a bare wildcard that is declared as passing on: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        root.all(wildcard, declareMethods([], pass));
      },
    },
    {
      title: 'in front of an .all beside a verb, which may answer: that one does',
      expected: '200 own',
      build: (root, refuse) => {
        root.use(refuse);
        const route = root.route('/cats/any');
        route['get']?.(own);
        route['all']?.(own);
      },
    },
    {
      title: 'in front of an .all beside a verb on a router of another: that one answers',
      expected: '200 own',
      build: (root, refuse) => {
        const cats = nested();
        cats.route('/:id')['get']?.(own);
        cats.use(refuse);
        root.use('/cats', cats);
        const route = root.route('/cats/:id');
        route['put']?.(own);
        route['all']?.(own);
      },
    },
    {
      title: 'on a route, in front of its .all: that one answers',
      expected: '200 own',
      build: (root, refuse) => {
        const route = root.route('/cats/any');
        route['get']?.(own);
        route['all']?.(refuse);
        route['all']?.(own);
      },
    },
    {
      title: 'on a route, in front of an .all that is declared as passing on: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        const route = root.route('/cats/any');
        route['get']?.(own);
        route['all']?.(refuse);
        route['all']?.(declareMethods([], pass));
      },
    },
    {
      title: 'on a route, behind its .all that let the request pass: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        const route = root.route('/cats/any');
        route['all']?.(pass);
        route['get']?.(own);
        route['all']?.(refuse);
      },
    },
    {
      title: 'in front of an .all beside a verb of another path: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        const route = root.route('/dogs/:id');
        route['get']?.(own);
        route['all']?.(own);
      },
    },
    {
      title: 'behind an .all beside a verb that let the request pass: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        const route = root.route('/cats/any');
        route['get']?.(own);
        route['all']?.(pass);
        root.use(refuse);
      },
    },
    {
      title:
        'in front of a bare wildcard for the verb, such as the page of an app: that one answers, and is no mistake',
      request: ['GET', '/cats/any'],
      expected: '200 own',
      build: (root, refuse) => {
        root.route('/cats/any')['post']?.(own);
        root.use(refuse);
        root.route(wildcard)['get']?.(own);
      },
    },
    {
      title: 'in front of a middleware that declares the method: that one answers, and is no mistake',
      expected: '200 own',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        root.use('/cats', declareMethods(['POST'], own));
      },
    },
    {
      title: 'in front of an .all that is declared as passing on: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/any')['get']?.(own);
        root.use(refuse);
        root.all('/cats/any', declareMethods([], pass));
      },
    },
    {
      title: 'last on its router, in front of an .all of the parent: that one answers, and is no mistake',
      expected: '200 own',
      build: (root, refuse) => {
        const cats = nested();
        cats.route('/:id')['get']?.(own);
        cats.use(refuse);
        root.use('/cats', cats);
        root.all('/cats/any', own);
      },
    },
    {
      title: 'in front of a router with an .all further in: that one answers',
      expected: '200 own',
      told: true,
      build: (root, refuse) => {
        const cats = nested();
        cats.all('/any', own);
        root.route('/cats/:id')['get']?.(own);
        root.use(refuse);
        root.use('/cats', cats);
      },
    },
    {
      title: 'behind an .all that let the request pass: 405',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.all('/cats/any', pass);
        root.route('/cats/:id')['get']?.(own);
        root.use(refuse);
      },
    },
    {
      title:
        'one on a router and again behind that: the first lets an .all have it, the second knows that it passed',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        const cats = nested();
        cats.route('/:id')['get']?.(own);
        cats.use(refuse);
        root.use('/cats', cats);
        root.all('/cats/any', pass);
        root.use(refuse);
      },
    },
    {
      title: 'again behind that, in front of another .all: that one answers',
      expected: '200 own',
      told: true,
      build: (root, refuse) => {
        const cats = nested();
        cats.route('/:id')['get']?.(own);
        cats.use(refuse);
        root.use('/cats', cats);
        root.use(refuse);
        root.all('/cats/any', own);
      },
    },
    {
      title: 'as a handler of a route: 405, and it makes no route for all verbs',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/:id')['get']?.(own);
        root.all('/cats/any', refuse);
      },
    },
    {
      title: 'as a handler of a route in front of an .all: that one answers',
      expected: '200 own',
      told: true,
      build: (root, refuse) => {
        const route = root.route('/cats/:id');
        route['get']?.(own);
        route['all']?.(refuse);
        root.all('/cats/any', own);
      },
    },
    {
      title:
        'called by another function it has no place: what is for all verbs is taken to have let the request pass',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.use((req: IncomingMessage, res: ServerResponse, next: Next) => {
          refuse(req, res, next);
        });
        root.route('/cats/:id')['get']?.(own);
        root.all('/cats/any', own);
      },
    },
    {
      title: 'called by an error handler, as in a filter of Nest',
      expected: '405 GET, HEAD, OPTIONS',
      build: (root, refuse) => {
        root.route('/cats/:id')['get']?.(own);
        root.use((_req: unknown, _res: unknown, next: Next) => {
          next(new Error('Cannot POST'));
        });
        root.use((_error: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => {
          refuse(req, res, next);
        });
      },
    },
  ])('$title', async ({ request: [method, path] = ['POST', '/cats/any'], expected, told = false, build }) => {
    const root = built(build);
    for (let i = 0; i < 2; i++) expect(await allowOf(root, path, method)).toBe(expected);
    expect(warnings.mock.calls).toEqual(
      told
        ? [
            [
              expect.stringContaining(`is mounted before routes: ${method} '${path}' reached it before`),
              warned,
            ],
          ]
        : [],
    );
  });

  it('requests at once, of which each is told apart', async () => {
    const refuse = methodNotAllowed();
    const root = built((outer) => {
      const cats = nested();
      cats.route('/:id')['get']?.(own);
      cats.use((_req: unknown, _res: unknown, next: Next) => void setImmediate(next));
      cats.use(newApp === undefined ? methodNotAllowed({ root: outer }) : refuse);
      outer.use('/cats', cats);
      outer.all('/cats/any', own);
    });
    const paths = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? '/cats/any' : '/cats/other'));
    const answers = await Promise.all(paths.map((path) => allowOf(root, path, 'POST')));
    expect(answers).toEqual(
      paths.map((path) => (path === '/cats/any' ? '200 own' : '405 GET, HEAD, OPTIONS')),
    );
  });
});

function answered(name: string) {
  return (_req: unknown, res: ServerResponse) => {
    res.setHeader('handler', name);
    res.end();
  };
}

function send(app: Application, method: string, path: string) {
  return request(app)
    .get(path)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        done(null, text);
      });
    })
    .use((sent) => {
      sent.method = method;
    })
    .then((response) => ({
      status: response.status,
      headers: response.headers,
      text: String(response.body),
    }));
}

describe('methodNotAllowed() with options that cannot work', () => {
  it.each([
    {
      options: { error: 'next' },
      message: "error is not a known option. Did you mean 'errors'?",
    },
    { options: { errors: 'send' }, message: "errors: 'send' must be 'answer', 'next' or a function." },
    { options: { root: {} }, message: 'root: an object must be an Express app or a router.' },
  ])('$message', ({ options, message }) => {
    const make = () => methodNotAllowed(options as MethodNotAllowedOptions);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});

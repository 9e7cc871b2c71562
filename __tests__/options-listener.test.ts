import { connect } from 'node:net';
import { createServer } from 'node:http';
import { once } from 'node:events';
import express, { type ErrorRequestHandler } from 'express';
import router from 'router';
import supertest from 'supertest';
import { ConfigurationError } from '../lib/config/options-check';
import { type Listener, optionsListener, type OptionsListenerOptions } from '../lib/options-listener';
import { patchOptions } from '../lib/patch-options';
import { frameworks, type ExpressModule } from './support/frameworks';
import { inheritedOptions, inheritedPolicies } from './support/inherited-options';
import { addRoutes, optionsOfHandler, targets } from './allow/options-table';
import { actualRequests, addNotesRoutes, app1, own, preflight, preflights } from './cors/preflight-table';
import { answerBytes, portOf, serving } from './support/serving';

type Fields = Readonly<Record<string, string | string[]>>;

/** Express's own error handler shows the stack, in which the two ways differ. */
const statusAlone: ErrorRequestHandler = (error: { status?: number }, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(error.status ?? 500).end();
};

describe.each(frameworks)(
  'optionsListener in front of %s answers as patchOptions inside',
  (_name, express) => {
    /** The same routes with the same options, both ways. */
    function bothWays(
      options: OptionsListenerOptions,
      routes: (app: ReturnType<ExpressModule>) => unknown,
    ): [Listener, Listener] {
      const inside = express().use(patchOptions(options));
      routes(inside);
      const behind = express();
      routes(behind);
      return [inside, optionsListener(behind, options)];
    }

    async function expectSame(
      ways: [Listener, Listener],
      method: string,
      path: string,
      fields: Fields,
    ): Promise<void> {
      const answers = ways.map((way) =>
        serving(way, (_server, port) => answerBytes(port, method, path, fields)),
      );
      // The listener is in front of Express.
      const [mounted, inFront] = (await Promise.all(answers)).map((answer) =>
        answer.replace(/^X-Powered-By: .*\r\n/m, ''),
      );
      expect(inFront).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(inFront).toBe(mounted);
    }

    test.each(preflights)(
      'preflight: $title',
      async ({ options: cors = own, path = '/notes/1', fields = preflight }) => {
        await expectSame(bothWays({ cors }, addNotesRoutes), 'OPTIONS', path, fields);
      },
    );

    test.each(actualRequests)('GET, PUT and OPTIONS: $title', async ({ options: cors = {}, fields }) => {
      const ways = bothWays({ cors }, addNotesRoutes);
      for (const method of ['GET', 'PUT', 'OPTIONS']) await expectSame(ways, method, '/notes/1', fields);
    });

    describe.each(optionsOfHandler)('OPTIONS with $title', ({ options }) => {
      const paths = [
        ...targets.map(({ path }) => path),
        '/notes/7/own',
        '/nowhere',
        '*',
        '/%zz',
        '/notes/%zz',
        '//x',
        '',
      ];

      test.each(paths)('%s', async (path) => {
        const ways = bothWays(options, (app) => addRoutes(app, express).use(statusAlone));
        await expectSame(ways, 'OPTIONS', path === '' ? 'http://a.example/notes/7' : path, {});
      });
    });

    test('what the app answers itself is the same: a path without routes, an error, a redirect', async () => {
      const ways = bothWays({ cors: own }, (app) => {
        app.get('/fails', (_req, _res, next) => {
          next(Object.assign(new Error('broken'), { status: 503, expose: true, stack: 'broken' }));
        });
        app.get('/moved', (_req, res) => {
          res.redirect('/fails');
        });
      });
      for (const path of ['/fails', '/moved', '/nowhere'])
        await expectSame(ways, 'GET', path, { origin: app1 });
    });
  },
);

describe.each(frameworks)('optionsListener in front of %s', (_name, express) => {
  test('answers before any of the app’s middlewares run, and hands every other request on', async () => {
    const seen: string[] = [];
    const app = express().use((req, _res, next) => {
      seen.push(req.method);
      next();
    });
    addNotesRoutes(app);
    const server = createServer(optionsListener(app, { cors: own }));
    await supertest(server)
      .options('/notes/1')
      .expect(200)
      .expect('Allow', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT');
    await supertest(server).options('/notes/1').set(preflight).expect('Access-Control-Allow-Origin', app1);
    expect(seen).toEqual([]);
    await supertest(server).get('/notes/1').set('Origin', app1).expect('Access-Control-Allow-Origin', app1);
    expect(seen).toEqual(['GET']);
  });

  test('sees routes that are added while the server runs', async () => {
    const app = express();
    const server = createServer(optionsListener(app));
    await supertest(server).options('/late').expect(404);
    app.put('/late', (_req, res) => void res.end());
    await supertest(server).options('/late').expect('Allow', 'OPTIONS, PUT');
  });

  test('a predicate may take its time, and its client may leave meanwhile', async () => {
    const waiting: ((allowed: boolean) => void)[] = [];
    const origin = () => new Promise<boolean>((resolve) => waiting.push(resolve));
    const app = addNotesRoutes(express());
    await serving(optionsListener(app, { cors: { origin } }), async (server) => {
      const left = connect(portOf(server), '127.0.0.1');
      left.write(
        'OPTIONS /notes/1 HTTP/1.1\r\nhost: a\r\norigin: https://b.example\r\naccess-control-request-method: GET\r\n\r\n',
      );
      const stays = supertest(server).options('/notes/1').set(preflight);
      const answer = stays.then(({ ok }) => ok);
      while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      left.destroy();
      await once(left, 'close');
      waiting.forEach((allow) => {
        allow(true);
      });
      expect(await answer).toBe(true);
    });
  });

  test('the policy in front claims the request: one further in has no say', async () => {
    const app = express().use(patchOptions({ cors: { origin: 'https://other.example' } }));
    addNotesRoutes(app);
    const server = createServer(optionsListener(app, { cors: own }));
    await supertest(server).options('/notes/1').set(preflight).expect('Access-Control-Allow-Origin', app1);
    await supertest(server).get('/notes/1').set('Origin', app1).expect('Access-Control-Allow-Origin', app1);
  });

  test.each(inheritedPolicies)('a policy that is $what keeps its origin', async ({ cors }) => {
    const server = createServer(optionsListener(addNotesRoutes(express()), { cors }));
    await supertest(server).options('/notes/1').set(preflight).expect('Access-Control-Allow-Origin', app1);
    const other = { ...preflight, origin: 'https://other.example' };
    await supertest(server).options('/notes/1').set(other).expect(403);
  });

  test.each(inheritedOptions)('options that are $what keep cors and body', async ({ options }) => {
    const server = createServer(optionsListener(addNotesRoutes(express()), options));
    await supertest(server)
      .options('/notes/1')
      .set('Origin', app1)
      .expect('Access-Control-Allow-Origin', app1)
      .expect('"the body"');
  });

  test('a promise of `body` is waited for', async () => {
    const body = ({ path }: { path: string }) => Promise.resolve({ path });
    const server = createServer(optionsListener(addNotesRoutes(express()), { body }));
    await supertest(server).options('/notes/1').expect(200, { path: '/notes/1' });
  });

  test.each<{ readonly how: string; readonly body: () => unknown }>([
    {
      how: 'throws',
      body: () => {
        throw new Error('no content today');
      },
    },
    {
      how: 'throws that is no error',
      body: () => {
        throw undefined as unknown;
      },
    },
    {
      how: 'rejects with',
      body: () => Promise.reject(new Error('no content today')),
    },
    {
      how: 'rejects with that is no error',
      body: async () => {
        await Promise.resolve();
        throw undefined as unknown;
      },
    },
  ])('what `body` $how is answered with 500 and becomes a warning', async ({ body }) => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const server = createServer(optionsListener(addNotesRoutes(express()), { body }));
    const { body: problem } = await supertest(server).options('/notes/1').expect(500);
    expect(problem).toMatchObject({ status: 500, code: 'options-failed' });
    expect(warn.mock.calls).toEqual([
      [
        "The option body or errors of optionsListener() failed with Error for OPTIONS '/notes/1'.",
        { code: 'PATCH_OPTIONS_LISTENER' },
      ],
    ]);
    warn.mockRestore();
  });

  test('what `body` rejects with after another has answered is a warning alone', async () => {
    const warned = new Promise<void>((resolve) => {
      jest.spyOn(process, 'emitWarning').mockImplementation(() => {
        resolve();
      });
    });
    let fail = (): void => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      fail = () => {
        reject(new Error('too late'));
      };
    });
    const listener = optionsListener(addNotesRoutes(express()), { body: () => late });
    const set: string[] = [];
    const server = createServer((req, res) => {
      listener(req, res);
      res.writeHead(503).end();
      jest.spyOn(res, 'setHeader').mockImplementation((name) => {
        set.push(name);
        return res;
      });
    });
    await supertest(server).options('/notes/1').expect(503);
    fail();
    await warned;
    expect(set).toEqual([]);
    jest.restoreAllMocks();
  });
});

test('a router without Express, named as root', async () => {
  const routes = router();
  routes.patch('/notes/:id', (_req, res) => void res.end());
  const app: Listener = (req, res) => {
    routes(req, res, () => res.writeHead(404).end());
  };
  const server = createServer(optionsListener(app, { root: routes }));
  await supertest(server).options('/notes/1').expect(200).expect('Allow', 'OPTIONS, PATCH');
  await supertest(server).options('/nowhere').expect(404);
});

describe('optionsListener() with what cannot work', () => {
  const listener: Listener = () => undefined;

  test.each<{
    readonly title: string;
    readonly app: unknown;
    readonly options: unknown;
    readonly expected: string[];
  }>([
    {
      title: 'a function whose routes are unknown',
      app: listener,
      options: {},
      expected: ['app: Pass the app or router as root: optionsListener(app, { root: router }).'],
    },
    {
      title: 'a router, which needs a third argument',
      app: express.Router(),
      options: {},
      expected: [
        'app: Pass an Express app, or (req, res) => router(req, res, finalHandler) with that router as root.',
      ],
    },
    {
      title: 'nothing',
      app: undefined,
      options: {},
      expected: [
        'app: Pass an Express app, or (req, res) => router(req, res, finalHandler) with that router as root.',
      ],
    },
    {
      title: 'resources, which are for patchOptions',
      app: express(),
      options: { resources: {} },
      expected: ['resources: The options are cors, root, body, status, errors.'],
    },
    {
      title: 'options of cors, one level too high',
      app: express(),
      options: { origin: 'https://a.example' },
      expected: ['origin: It is an option of cors: write cors: { origin: … }.'],
    },
    {
      title: 'options that are none',
      app: express(),
      options: null,
      expected: ['options: The options are cors, root, body, status, errors.'],
    },
    {
      title: 'several mistakes, at once',
      app: listener,
      options: { status: 201, cors: { origin: 'x/' } },
      expected: [
        'status: Write 204 for an answer without content, 200 otherwise.',
        'app: Pass the app or router as root: optionsListener(app, { root: router }).',
        expect.stringMatching(/^cors\.origin/) as string,
      ],
    },
  ])('$title', ({ app, options, expected }) => {
    const made = () => optionsListener(app as Listener, options as OptionsListenerOptions);
    expect(made).toThrow(ConfigurationError);
    try {
      made();
    } catch (error) {
      expect((error as ConfigurationError).mistakes.map(({ option, fix }) => `${option}: ${fix}`)).toEqual(
        expected,
      );
    }
  });
});

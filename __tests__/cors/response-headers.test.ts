import { createServer } from 'node:http';
import npmCors, { type CorsOptions } from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { corsFields } from './cors-fields';
import { frameworks } from '../support/frameworks';
import { serving } from '../support/serving';

const origin = 'https://app.example';
const decorated = {
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'ETag',
  vary: 'Origin',
};

describe.each(frameworks)(
  'every response of %s has the CORS fields when its head is written',
  (_name, express) => {
    /** What the app answers to GET /, by this handler and behind a policy. */
    async function answerOf(handler: RequestHandler, onError?: ErrorRequestHandler) {
      const app = express();
      app.set('env', 'test');
      app.use(corsPreflight({ origin, exposedHeaders: { only: 'ETag' } }));
      app.get('/', handler);
      if (onError !== undefined) app.use(onError);
      return request(app).get('/').set({ origin, 'if-none-match': '"1"' });
    }

    test.each<{
      readonly title: string;
      readonly handler: RequestHandler;
      readonly status: number;
      readonly differing?: Record<string, string>;
    }>([
      { title: 'res.json', handler: (_req, res) => void res.json({}), status: 200 },
      { title: 'a status without content', handler: (_req, res) => void res.status(204).end(), status: 204 },
      { title: '304', handler: (_req, res) => void res.set('ETag', '"1"').send('same'), status: 304 },
      {
        title: 'a redirect',
        handler: (_req, res) => {
          res.redirect('/else');
        },
        status: 302,
        differing: { vary: 'Accept, Origin' },
      },
      {
        title: 'next(error), by the final handler of Express',
        handler: (_req, _res, next) => {
          next(new Error('fault'));
        },
        status: 500,
      },
      {
        title: 'next(error) with fields of its own',
        handler: (_req, _res, next) => {
          next(Object.assign(new Error('teapot'), { status: 418, headers: { 'X-Tea': 'green' } }));
        },
        status: 418,
      },
      {
        title: 'a throw',
        handler: () => {
          throw new Error('fault');
        },
        status: 500,
      },
      {
        title: 'no handler',
        handler: (_req, _res, next) => {
          next();
        },
        status: 404,
      },
      {
        title: 'res.writeHead with an object',
        handler: (_req, res) => void res.writeHead(202, { Vary: 'Accept', 'X-A': 'b' }).end(),
        status: 202,
        differing: { vary: 'Accept, Origin' },
      },
      {
        title: 'res.writeHead with a phrase and a list',
        handler: (_req, res) => void res.writeHead(202, 'Fine', ['Vary', 'Accept']).end(),
        status: 202,
        differing: { vary: 'Accept, Origin' },
      },
      {
        title: 'res.writeHead with pairs',
        handler: (_req, res) =>
          void res
            .writeHead(202, [
              ['Vary', 'Accept'],
              ['X-A', 'b'],
            ] as never)
            .end(),
        status: 202,
        differing: { vary: 'Accept, Origin' },
      },
      {
        title: 'res.write',
        handler: (_req, res) => {
          res.write('a');
          res.end('b');
        },
        status: 200,
      },
      {
        title: 'flushHeaders',
        handler: (_req, res) => {
          res.flushHeaders();
          res.end('b');
        },
        status: 200,
      },
      {
        title: 'Vary set by the handler',
        handler: (_req, res) => void res.set('Vary', 'Accept-Language').json({}),
        status: 200,
        differing: { vary: 'Accept-Language, Origin' },
      },
      {
        title: 'Vary of everything',
        handler: (_req, res) => void res.set('Vary', '*').json({}),
        status: 200,
        differing: { vary: '*' },
      },
      {
        title: 'header fields that the handler has cleared',
        handler: (_req, res) => {
          for (const name of res.getHeaderNames()) res.removeHeader(name);
          res.end();
        },
        status: 200,
      },
      {
        title: 'a file that is not there',
        handler: (_req, res, next) => {
          res.sendFile('/no/such/file', next);
        },
        status: 404,
      },
      {
        title: 'a CORS field that your app set',
        handler: (_req, res) => void res.set('Access-Control-Allow-Origin', '*').json({}),
        status: 200,
        differing: { 'access-control-allow-origin': '*' },
      },
      {
        title: 'a CORS field that your app wrote',
        handler: (_req, res) => void res.writeHead(200, { 'access-control-expose-headers': 'X-Own' }).end(),
        status: 200,
        differing: { 'access-control-expose-headers': 'X-Own' },
      },
    ])('$title', async ({ handler, status, differing }) => {
      const response = await answerOf(handler);
      expect(response.status).toBe(status);
      expect(corsFields(response.headers)).toEqual({ ...decorated, ...differing });
    });

    test('an error handler of your app', async () => {
      const response = await answerOf(
        () => {
          throw new Error('fault');
        },
        (error, _req, res, next) => {
          if (res.headersSent) next(error);
          for (const name of res.getHeaderNames()) res.removeHeader(name);
          res.status(503).json({});
        },
      );
      expect(response.status).toBe(503);
      expect(corsFields(response.headers)).toEqual(decorated);
    });

    test('HEAD', async () => {
      const app = express();
      app.use(corsPreflight({ origin, exposedHeaders: { only: 'ETag' } }));
      app.get('/', (_req, res) => void res.json({}));
      expect(corsFields((await request(app).head('/').set({ origin })).headers)).toEqual(decorated);
    });
  },
);

test.each<{ readonly title: string; readonly given: readonly unknown[] }>([
  {
    title: 'in pairs',
    given: [
      [
        ['Set-Cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['X-A', 'c'],
      ],
    ],
  },
  {
    title: 'in pairs, after a phrase',
    given: [
      'Fine',
      [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['X-A', 'c'],
      ],
    ],
  },
  { title: 'in a flat list', given: [['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-A', 'c']] },
  { title: 'in an object', given: [{ 'Set-Cookie': ['a=1', 'b=2'], 'X-A': 'c' }] },
  {
    title: 'in pairs of lists, a nameless one left out',
    given: [
      [
        ['Set-Cookie', ['a=1', 'b=2']],
        ['', 'd'],
        ['X-A', 'c'],
      ],
    ],
  },
])('writeHead keeps header fields that share a name, given $title', async ({ given }) => {
  const middleware = corsPreflight({ origin, exposedHeaders: { only: 'ETag' } });
  const server = createServer((req, res) => {
    middleware(req, res, () => {
      (res.writeHead as (...args: unknown[]) => unknown)(202, ...given);
      res.end();
    });
  });
  const response = await request(server).get('/').set({ origin });
  expect(response.headers).toMatchObject({ ...decorated, 'set-cookie': ['a=1', 'b=2'], 'x-a': 'c' });
  expect(response.status).toBe(202);
});

test('writeHead with what is no list of header fields throws as ever', async () => {
  const middleware = corsPreflight({ origin });
  const thrown = jest.fn();
  const server = createServer((req, res) => {
    middleware(req, res, () => {
      try {
        res.writeHead(200, ['X-A']);
      } catch (error) {
        thrown(error);
      }
      res.end();
    });
  });
  await request(server).get('/').set({ origin });
  expect(thrown).toHaveBeenCalledWith(expect.any(TypeError));
});

test('it takes no more than the request and response of Node itself', async () => {
  const middleware = corsPreflight({ origin, exposedHeaders: { only: 'ETag' } });
  const server = createServer((req, res) => {
    middleware(req, res, () => res.writeHead(202).end());
  });
  const response = await request(server).get('/').set({ origin });
  expect(response.status).toBe(202);
  expect(corsFields(response.headers)).toEqual(decorated);
});

describe.each(frameworks)('a head that is sent already (%s)', (_name, express) => {
  test.each([
    { policy: 'a policy that decides at once', options: {} },
    { policy: 'a predicate that takes its time', options: { origin: () => Promise.resolve(true) } },
  ])('goes on undecorated, with $policy', async ({ options }) => {
    const app = express();
    app.use((_req, res, next) => {
      res.flushHeaders();
      next();
    });
    app.use(corsPreflight(options));
    app.get('/events', (_req, res) => void res.end('data'));
    await serving(app, async (_server, port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/events`, {
        headers: { Origin: 'https://app.example' },
      });
      expect(await answer.text()).toBe('data');
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });
  });
});

describe('where the app sets CORS headers of its own, by which a browser decides otherwise than the policy', () => {
  const evil = 'https://evil.example';
  const warned = { code: 'PATCH_OPTIONS_CORS_TWICE' };
  /** As apps do that call npm cors inside a function, where it cannot be seen among the layers. */
  const inside =
    (options: CorsOptions): RequestHandler =>
    (req, res, next) => {
      npmCors(options)(req, res, next);
    };

  test.each<{
    readonly title: string;
    readonly app: RequestHandler;
    readonly headers: Record<string, string>;
    readonly policy?: Parameters<typeof corsPreflight>[0];
    readonly told: RegExp | undefined;
  }>([
    {
      title: 'npm cors for every origin, one that the policy refuses',
      app: inside({}),
      headers: { origin: evil },
      told: /set Access-Control-Allow-Origin: '\*' on its response to GET '\/a', so pages of 'https:\/\/evil\.example' can read it, but the policy of corsPreflight\(\) refuses that origin\./,
    },
    {
      title: 'npm cors that reflects',
      app: inside({ origin: true, credentials: true }),
      headers: { origin: evil },
      told: /set Access-Control-Allow-Origin: 'https:\/\/evil\.example' .* can read it/,
    },
    {
      title: 'a fixed origin, which is not that of an allowed page',
      app: inside({ origin: 'https://other.example' }),
      headers: { origin },
      told: /cannot read it, but the policy of corsPreflight\(\) allows that origin\./,
    },
    {
      title: 'an origin function, once it has decided',
      app: inside({}),
      headers: { origin: evil },
      policy: { origin: () => Promise.resolve(false) },
      told: /refuses that origin/,
    },
    { title: 'every origin, an allowed page', app: inside({}), headers: { origin }, told: undefined },
    { title: 'the same origin', app: inside({ origin }), headers: { origin }, told: undefined },
    { title: 'a request without Origin', app: inside({}), headers: {}, told: undefined },
    {
      title: 'a page of the server itself',
      app: inside({}),
      headers: { origin: evil, 'sec-fetch-site': 'same-origin' },
      told: undefined,
    },
    {
      title: 'no header of the app',
      app: (_req, _res, next) => {
        next();
      },
      headers: { origin: evil },
      told: undefined,
    },
  ])('$title', async ({ app: handler, headers, policy = { origin }, told }) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const app = express().use(corsPreflight(policy), handler);
    app.get('/a', (_req, res) => void res.json({}));
    for (let i = 0; i < 3; i++) await request(app).get('/a').set(headers).expect(200);
    const calls = warnings.mock.calls;
    warnings.mockRestore();
    expect(calls).toEqual(told === undefined ? [] : [[expect.stringMatching(told), warned]]);
  });
});

import { createServer } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { corsFields } from '../support/cors-fields';
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
      app.use(corsPreflight({ origin, exposedHeaders: 'ETag' }));
      app.get('/', handler);
      if (onError !== undefined) app.use(onError);
      return request(app).get('/').set({ origin, 'if-none-match': '"1"' });
    }

    test.each<[string, RequestHandler, number, Record<string, string>]>([
      ['res.json', (_req, res) => void res.json({}), 200, {}],
      ['a status without content', (_req, res) => void res.status(204).end(), 204, {}],
      ['304', (_req, res) => void res.set('ETag', '"1"').send('same'), 304, {}],
      [
        'a redirect',
        (_req, res) => {
          res.redirect('/else');
        },
        302,
        { vary: 'Accept, Origin' },
      ],
      [
        'next(error), by the final handler of Express',
        (_req, _res, next) => {
          next(new Error('fault'));
        },
        500,
        {},
      ],
      [
        'next(error) with fields of its own',
        (_req, _res, next) => {
          next(Object.assign(new Error('teapot'), { status: 418, headers: { 'X-Tea': 'green' } }));
        },
        418,
        {},
      ],
      [
        'a throw',
        () => {
          throw new Error('fault');
        },
        500,
        {},
      ],
      [
        'no handler',
        (_req, _res, next) => {
          next();
        },
        404,
        {},
      ],
      [
        'res.writeHead with an object',
        (_req, res) => void res.writeHead(202, { Vary: 'Accept', 'X-A': 'b' }).end(),
        202,
        { vary: 'Accept, Origin' },
      ],
      [
        'res.writeHead with a phrase and a list',
        (_req, res) => void res.writeHead(202, 'Fine', ['Vary', 'Accept']).end(),
        202,
        { vary: 'Accept, Origin' },
      ],
      [
        'res.write',
        (_req, res) => {
          res.write('a');
          res.end('b');
        },
        200,
        {},
      ],
      [
        'flushHeaders',
        (_req, res) => {
          res.flushHeaders();
          res.end('b');
        },
        200,
        {},
      ],
      [
        'Vary set by the handler',
        (_req, res) => void res.set('Vary', 'Accept-Language').json({}),
        200,
        { vary: 'Accept-Language, Origin' },
      ],
      ['Vary of everything', (_req, res) => void res.set('Vary', '*').json({}), 200, { vary: '*' }],
      [
        'header fields that the handler has cleared',
        (_req, res) => {
          for (const name of res.getHeaderNames()) res.removeHeader(name);
          res.end();
        },
        200,
        {},
      ],
      [
        'a file that is not there',
        (_req, res, next) => {
          res.sendFile('/no/such/file', next);
        },
        404,
        {},
      ],
      [
        'a CORS field that the host set',
        (_req, res) => void res.set('Access-Control-Allow-Origin', '*').json({}),
        200,
        { 'access-control-allow-origin': '*' },
      ],
      [
        'a CORS field that the host wrote',
        (_req, res) => void res.writeHead(200, { 'access-control-expose-headers': 'X-Own' }).end(),
        200,
        { 'access-control-expose-headers': 'X-Own' },
      ],
    ])('%s', async (_title, handler, status, differing) => {
      const response = await answerOf(handler);
      expect(response.status).toBe(status);
      expect(corsFields(response.headers)).toEqual({ ...decorated, ...differing });
    });

    test('an error handler of the host', async () => {
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
      app.use(corsPreflight({ origin, exposedHeaders: 'ETag' }));
      app.get('/', (_req, res) => void res.json({}));
      expect(corsFields((await request(app).head('/').set({ origin })).headers)).toEqual(decorated);
    });
  },
);

test('it takes no more than the request and response of Node itself', async () => {
  const middleware = corsPreflight({ origin, exposedHeaders: 'ETag' });
  const server = createServer((req, res) => {
    middleware(req, res, () => res.writeHead(202).end());
  });
  const response = await request(server).get('/').set({ origin });
  expect(response.status).toBe(202);
  expect(corsFields(response.headers)).toEqual(decorated);
});

describe.each(frameworks)('a head that is sent already (%s)', (_name, express) => {
  test.each([
    ['a policy that decides at once', {}],
    ['a predicate that takes its time', { origin: () => Promise.resolve(true) }],
  ])('goes on undecorated, with %s', async (_policy, options) => {
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

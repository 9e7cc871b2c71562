import { createServer } from 'node:http';
import npmCors, { type CorsOptions } from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import onHeaders from 'on-headers';
import request from 'supertest';
import { corsPreflight, patchOptions, ProblemError, sendProblem } from '../../lib';
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
        handler: (_req, res) => void res.writeHead(200, { 'access-control-allow-origin': '*' }).end(),
        status: 200,
        differing: { 'access-control-allow-origin': '*' },
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

describe.each(frameworks)('Vary and Access-Control-Expose-Headers are merged (%s)', (_name, express) => {
  /** How an app sets a header of several names. */
  const ways: Readonly<Record<string, (res: Response, name: string) => unknown>> = {
    setHeader: (res, name) => res.setHeader(name, 'X-A, X-B'),
    'setHeader in lower case': (res, name) => res.setHeader(name.toLowerCase(), 'X-A, X-B'),
    'setHeader with an array': (res, name) => res.setHeader(name, ['X-A', 'X-B']),
    'setHeader with an array of lists': (res, name) => res.setHeader(name, ['X-A,,x-a', ' X-B ,X-A,']),
    'setHeader with our names among them': (res, name) => res.setHeader(name, 'X-A, X-B, etag, ORIGIN'),
    appendHeader: (res, name) => res.appendHeader(name, 'X-A').appendHeader(name, 'X-B'),
    setHeaders: (res, name) => res.setHeaders(new Map([[name, 'X-A, X-B']])),
    'res.set': (res, name) => res.set({ [name]: 'X-A, X-B' }),
    'res.append': (res, name) => res.append(name, 'X-A').append(name, ['X-B', 'x-a']),
    'setHeader after removeHeader': (res, name) => {
      res.setHeader(name, 'X-Gone');
      res.removeHeader(name);
      res.setHeader(name, 'X-A, X-B');
    },
    'on-headers': (res, name) => {
      onHeaders(res, () => {
        res.setHeader(name, 'X-A, X-B');
      });
    },
    'writeHead with an object': (res, name) => res.writeHead(200, { [name]: 'X-A, X-B' }),
    'writeHead with an object of an array': (res, name) => res.writeHead(200, { [name]: ['X-A', 'X-B'] }),
    'writeHead with a flat list': (res, name) => res.writeHead(200, [name, 'X-A, X-B']),
    'writeHead with a flat list, twice the name': (res, name) =>
      res.writeHead(200, 'Fine', [name, 'X-A', name.toLowerCase(), 'X-B']),
    'writeHead with pairs': (res, name) => res.writeHead(200, [[name, 'X-A, X-B']] as never),
    'writeHead with pairs, twice the name': (res, name) =>
      res.writeHead(200, [
        [name, 'X-A'],
        [name.toLowerCase(), ['X-B']],
      ] as never),
    'writeHead after setHeader': (res, name) =>
      res.setHeader(name, 'X-Replaced').writeHead(200, { [name]: 'X-A, X-B' }),
  };
  const headers = ['Vary', 'Access-Control-Expose-Headers'];

  /** What of the header is sent: its lines joined, as browsers and caches join them. */
  async function sent(name: string, ...handlers: RequestHandler[]): Promise<string> {
    const response = await request(express().use(...handlers))
      .get('/')
      .set({ origin });
    return String(response.headers[name.toLowerCase()]);
  }

  const policy = (): RequestHandler => corsPreflight({ origin, exposedHeaders: { only: 'ETag' } });
  const sets =
    (way: (res: Response, name: string) => unknown, name: string): RequestHandler =>
    (_req, res, next) => {
      way(res, name);
      next();
    };
  const end: RequestHandler = (_req, res) => void res.end();
  const elements = (list: string): string[] => list.toLowerCase().split(', ').sort();

  test.each(Object.entries(ways).flatMap(([way, set]) => headers.map((name) => ({ way, name, set }))))(
    '$name by $way, behind the middleware',
    async ({ name, set }) => {
      const ours = name === 'Vary' ? 'Origin' : 'ETag';
      const expected = set === ways['setHeader with our names among them'] ? 'etag, ORIGIN' : ours;
      expect(await sent(name, policy(), sets(set, name), end)).toBe(`X-A, X-B, ${expected}`);
    },
  );

  test.each(
    Object.entries(ways)
      .filter(([way]) => !/writeHead|on-headers/.test(way))
      .flatMap(([way, set]) => headers.map((name) => ({ way, name, set }))),
  )('$name by $way, in front of it', async ({ name, set }) => {
    const ours = name === 'Vary' ? 'Origin' : 'ETag';
    const expected = set === ways['setHeader with our names among them'] ? 'etag, ORIGIN' : ours;
    expect(await sent(name, sets(set, name), policy(), end)).toBe(`X-A, X-B, ${expected}`);
  });

  test('in front and behind: by setHeader the last of the app counts, as ever, by append all', async () => {
    const name = 'Access-Control-Expose-Headers';
    const one: RequestHandler = (_req, res, next) => {
      res.append(name, 'X-1');
      next();
    };
    const two: RequestHandler = (_req, res, next) => {
      res.append(name, 'X-2');
      next();
    };
    expect(await sent(name, one, policy(), two, end)).toBe('X-1, X-2, ETag');
  });

  test.each([
    { name: 'Vary', value: '*', list: '*' },
    { name: 'Vary', value: ['Accept', '*'], list: '*' },
    { name: 'Access-Control-Expose-Headers', value: '*', list: '*, ETag' },
    { name: 'Access-Control-Expose-Headers', value: ['X-A', '*', '*'], list: 'X-A, *, ETag' },
    { name: 'Access-Control-Expose-Headers', value: '', list: 'ETag' },
    { name: 'Access-Control-Expose-Headers', value: [], list: 'ETag' },
    { name: 'Vary', value: ' , ', list: 'Origin' },
  ])('$name: $value', async ({ name, value, list }) => {
    const set: RequestHandler = (_req, res, next) => {
      res.setHeader(name, value);
      next();
    };
    expect(await sent(name, policy(), set, end)).toBe(list);
    expect(await sent(name, set, policy(), end)).toBe(list);
  });

  test("the policy's * stays beside the app's names", async () => {
    const set = sets((res, name) => res.setHeader(name, 'X-A'), 'Access-Control-Expose-Headers');
    const all = corsPreflight({ origin, exposedHeaders: '*' });
    expect(await sent('Access-Control-Expose-Headers', all, set, end)).toBe('X-A, *');
  });

  test.each<{ readonly title: string; readonly answer: RequestHandler; readonly status: number }>([
    { title: 'json', answer: (_req, res) => void res.json({}), status: 200 },
    { title: '304', answer: (_req, res) => void res.set('ETag', '"1"').send('same'), status: 304 },
    { title: '204', answer: (_req, res) => void res.sendStatus(204), status: 204 },
    {
      title: 'a stream',
      answer: (_req, res) => {
        res.flushHeaders();
        res.write('a');
        res.end();
      },
      status: 200,
    },
    {
      title: 'an error',
      answer: (_req, _res, next) => {
        next(new Error('fault'));
      },
      status: 500,
    },
    {
      title: 'a problem document, whose headers are merged, too',
      answer: (_req, res) => {
        sendProblem(
          res,
          new ProblemError(409, 'x', 'X', {
            headers: { vary: 'X-A', 'Access-Control-Expose-Headers': 'X-B, x-front' },
          }),
        );
      },
      status: 409,
    },
  ])('on $title', async ({ answer, status }) => {
    const app = express();
    app.set('env', 'test');
    app.use((_req, res, next) => {
      res.set({ Vary: 'X-Front', 'Access-Control-Expose-Headers': 'X-Front' });
      next();
    }, policy());
    app.use(answer);
    const more = status === 409 ? ['X-A', 'X-B'] : ['', ''];
    for (const method of ['get', 'head'] as const) {
      const response = await request(app)[method]('/').set({ origin, 'if-none-match': '"1"' });
      expect([response.status, corsFields(response.headers)]).toEqual([
        status,
        {
          ...decorated,
          vary: ['X-Front', more[0], 'Origin'].filter(Boolean).join(', '),
          'access-control-expose-headers': ['X-Front', more[1], 'ETag'].filter(Boolean).join(', '),
        },
      ]);
    }
  });

  test.each([
    { title: 'OPTIONS', headers: { origin }, vary: 'X-Front, Origin' },
    {
      title: 'a preflight',
      headers: { origin, 'access-control-request-method': 'PATCH' },
      vary: 'X-Front, Origin, Access-Control-Request-Method',
    },
    {
      title: 'a refused preflight',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PATCH' },
      vary: 'X-Front, Origin, Access-Control-Request-Method',
    },
    {
      title: 'a preflight that the app answers',
      path: '/unseen',
      headers: { origin, 'access-control-request-method': 'PATCH' },
      vary: 'X-Front, X-Unseen, Access-Control-Request-Method, Origin',
    },
  ])('on the answer to $title', async ({ path = '/a', headers, vary }) => {
    const app = express();
    app.use(
      (_req, res, next) => {
        res.vary('X-Front');
        next();
      },
      patchOptions({ cors: { origin } }),
    );
    app.patch('/a', end);
    app.use(
      '/unseen',
      (_req, res) => void res.writeHead(200, { vary: 'X-Front, X-Unseen', allow: 'PATCH' }).end(),
    );
    const response = await request(app).options(path).set(headers);
    expect(elements(String(response.headers['vary']))).toEqual(elements(vary));
  });

  test('a refused origin gets Vary, and no names', async () => {
    const app = express().use(policy(), (_req, res) => void res.set('Vary', 'X-A').end());
    const response = await request(app).get('/').set({ origin: 'https://evil.example' });
    expect(corsFields(response.headers)).toEqual({ vary: 'X-A, Origin' });
  });

  test('removeHeader before the head is written removes nothing of ours; in front, when it is written, it does', async () => {
    const name = 'Access-Control-Expose-Headers';
    const removes = sets((res) => res.removeHeader(name), name);
    expect(await sent(name, policy(), removes, end)).toBe('ETag');
    const removesLast: RequestHandler = (_req, res, next) => {
      onHeaders(res, () => {
        res.removeHeader(name);
      });
      next();
    };
    expect(await sent(name, removesLast, policy(), end)).toBe('undefined');
  });
});

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
  const withCredentials = { origin, credentials: true };
  function sets(values: Readonly<Record<string, string | string[]>>): RequestHandler {
    return (_req, res, next) => {
      for (const [name, value] of Object.entries(values)) res.setHeader(name, value);
      next();
    };
  }
  function writes(values: Readonly<Record<string, string | string[]>>): RequestHandler {
    return (_req, res) => void res.writeHead(200, values).end();
  }
  /** Both values are told: that of the app, and that of the policy. */
  function toldOf(appHeaders: string, how: string, policyHeaders: readonly string[]): RegExp {
    const message =
      `Your app set ${appHeaders} on its response to GET '/a', so pages of '${origin}' cannot read it${how}, ` +
      `but the policy of corsPreflight() allows that, with ${policyHeaders.join(' and ')}. Remove `;
    return new RegExp(`^${message.replace(/[.*()?]/g, '\\$&')}`);
  }

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
      told: /cannot read it, but the policy of corsPreflight\(\) allows that, with Access-Control-Allow-Origin: 'https:\/\/app\.example'\./,
    },
    ...[`${origin}, ${origin}`, [origin, origin], '*, *', '', [], `${origin}/`, origin.toUpperCase()].map(
      (value) => ({
        title: `Access-Control-Allow-Origin: ${JSON.stringify(value)}`,
        app: sets({ 'Access-Control-Allow-Origin': value }),
        headers: { origin },
        told: toldOf(`Access-Control-Allow-Origin: '${[value].flat().join(', ')}'`, '', [
          `Access-Control-Allow-Origin: '${origin}'`,
        ]),
      }),
    ),
    {
      title: 'a star twice, where every origin is allowed',
      app: sets({ 'Access-Control-Allow-Origin': ['*', '*'] }),
      headers: { origin },
      policy: {},
      told: toldOf("Access-Control-Allow-Origin: '*, *'", '', ["Access-Control-Allow-Origin: '*'"]),
    },
    ...[sets, writes].map((set) => ({
      title: `a star, where the policy allows credentials, by ${set.name}`,
      app: set({ 'Access-Control-Allow-Origin': '*' }),
      headers: { origin },
      policy: withCredentials,
      told: toldOf("Access-Control-Allow-Origin: '*'", ' with credentials', [
        `Access-Control-Allow-Origin: '${origin}'`,
      ]),
    })),
    ...['false', 'true, true', ['true', 'true'], 'True', '1', ''].flatMap((value) =>
      [sets, writes].map((set) => ({
        title: `Access-Control-Allow-Credentials: ${JSON.stringify(value)}, by ${set.name}`,
        app: set({ 'Access-Control-Allow-Credentials': value }),
        headers: { origin },
        policy: withCredentials,
        told: toldOf(
          `Access-Control-Allow-Credentials: '${[value].flat().join(', ')}'`,
          ' with credentials',
          ["Access-Control-Allow-Credentials: 'true'"],
        ),
      })),
    ),
    {
      title: 'both',
      app: sets({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Credentials': 'true, true' }),
      headers: { origin },
      policy: withCredentials,
      told: toldOf(
        "Access-Control-Allow-Origin: '*' and Access-Control-Allow-Credentials: 'true, true'",
        ' with credentials',
        [`Access-Control-Allow-Origin: '${origin}'`, "Access-Control-Allow-Credentials: 'true'"],
      ),
    },
    {
      title: 'another origin, where the policy allows credentials',
      app: sets({ 'Access-Control-Allow-Origin': evil }),
      headers: { origin },
      policy: withCredentials,
      told: /pages of 'https:\/\/app\.example' cannot read it, but/,
    },
    {
      title: 'a star for a refused page, where the policy allows credentials',
      app: sets({ 'Access-Control-Allow-Origin': '*' }),
      headers: { origin: evil },
      policy: withCredentials,
      told: /pages of 'https:\/\/evil\.example' can read it, but the policy of corsPreflight\(\) refuses/,
    },
    ...[
      { 'Access-Control-Allow-Origin': origin },
      { 'Access-Control-Allow-Origin': [origin] },
      { 'Access-Control-Allow-Origin': ` ${origin}` },
      { 'Access-Control-Allow-Credentials': 'true' },
      { 'Access-Control-Allow-Credentials': ['true'] },
      { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' },
      { 'Access-Control-Expose-Headers': '*' },
    ].map((values) => ({
      title: `what the policy sets, too: ${JSON.stringify(values)}`,
      app: sets(values),
      headers: { origin },
      policy: withCredentials,
      told: undefined,
    })),
    ...[{ 'Access-Control-Allow-Origin': '*' }, { 'Access-Control-Allow-Credentials': 'false' }].flatMap(
      (values) => [
        {
          title: `a font, which is loaded without credentials: ${JSON.stringify(values)}`,
          app: sets(values),
          headers: { origin, 'sec-fetch-dest': 'font' },
          policy: withCredentials,
          told: undefined,
        },
        {
          title: `fetch() of a script: ${JSON.stringify(values)}`,
          app: sets(values),
          headers: { origin, 'sec-fetch-dest': 'empty' },
          policy: withCredentials,
          told: /cannot read it with credentials/,
        },
      ],
    ),
    {
      title: 'a font for another origin',
      app: sets({ 'Access-Control-Allow-Origin': evil }),
      headers: { origin, 'sec-fetch-dest': 'font' },
      policy: withCredentials,
      told: /cannot read it, but/,
    },
    {
      title: 'credentials that the policy does not allow either',
      app: sets({ 'Access-Control-Allow-Credentials': 'false' }),
      headers: { origin },
      told: undefined,
    },
    {
      title: 'credentials of a refused page',
      app: sets({ 'Access-Control-Allow-Credentials': 'false' }),
      headers: { origin: evil },
      policy: withCredentials,
      told: undefined,
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

  /** Safari before 16.4 sends no Sec-Fetch-Site, and no browser does over plain HTTP. A proxy can change the host and the scheme. */
  const own = { origin: 'https://own.example' };
  test.each<{ readonly headers: Record<string, string>; readonly isTold: boolean }>([
    { headers: { ...own, host: 'own.example' }, isTold: false },
    { headers: { ...own, host: 'OWN.example:443' }, isTold: false },
    { headers: { ...own, host: 'own.example:80' }, isTold: false },
    { headers: { origin: 'http://own.example:8080', host: 'own.example:8080' }, isTold: false },
    { headers: { origin: 'https://own.example:8443', host: 'own.example' }, isTold: false },
    { headers: { origin: 'http://[::1]:8080', host: '[::1]:8080' }, isTold: false },
    { headers: { ...own, host: 'app:3000', 'x-forwarded-host': 'own.example' }, isTold: false },
    { headers: { ...own, host: 'app:3000', 'x-forwarded-host': 'edge.example, own.example' }, isTold: false },
    { headers: { ...own, host: 'own.example', 'sec-fetch-site': 'same-site' }, isTold: true },
    { headers: { ...own, host: 'own.example', 'sec-fetch-site': 'cross-site' }, isTold: true },
    { headers: { ...own, host: 'own.example:8080' }, isTold: true },
    { headers: { origin: 'http://own.example:5173', host: 'own.example:3000' }, isTold: true },
    { headers: { ...own, host: 'api.own.example' }, isTold: true },
    { headers: { ...own, host: 'example' }, isTold: true },
    { headers: { ...own, host: 'app:3000', 'x-forwarded-host': 'api.example' }, isTold: true },
    { headers: { origin: 'null', host: 'null' }, isTold: true },
  ])('a page of the server itself: $headers', async ({ headers, isTold }) => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
    const onRefused = jest.fn();
    const app = express().use(corsPreflight({ origin, onRefused }), inside({ origin: true }));
    app.get('/a', (_req, res) => void res.json({}));
    await request(app).get('/a').set(headers).expect(200);
    const { calls } = warnings.mock;
    warnings.mockRestore();
    expect([calls.length, onRefused.mock.calls.length]).toEqual(isTold ? [1, 1] : [0, 0]);
  });
});

import '../support/debug-on';
import type { RequestListener } from 'node:http';
import { format } from 'node:util';
import createDebug from 'debug';
import express from 'express';
import onHeaders from 'on-headers';
import request from 'supertest';
import type { CorsOptions, CorsRefusal } from '../../lib/cors/options';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { explainCors } from '../../lib/explain';
import { optionsListener } from '../../lib/options-listener';
import { patchOptions } from '../../lib/patch-options';
import { shortenOriginTimeout } from '../support/origin-timeout';

const origin = 'https://app.example';
const evil = 'https://evil.example';
const asking = { 'access-control-request-method': 'PATCH' };

function service(options: CorsOptions) {
  const app = express();
  const middleware = corsPreflight(options);
  app.use(middleware);
  app.patch('/', (_req, res) => void res.json({}));
  app.get('/', (_req, res) => void res.json({}));
  app.use('/answered', (_req, res) => void res.end());
  app.use('/allowed', (_req, res) => void res.set('Allow', 'GET, PATCH').end());
  app.use('/moved', (_req, res) => void res.redirect('/login?token=1'));
  return { app, middleware };
}

describe('onRefused is told of every origin that was refused', () => {
  const fault = new Error('the directory is down');

  test.each<{
    readonly title: string;
    readonly rules: Required<CorsOptions>['origin'];
    readonly sent: string;
    readonly told: object;
  }>([
    {
      title: 'not allowed',
      rules: origin,
      sent: evil,
      told: { code: 'cors-origin-not-allowed', origin: evil },
    },
    {
      title: 'repeated',
      rules: origin,
      sent: `${origin}, ${origin}`,
      told: { code: 'cors-origin-repeated', origin: `${origin}, ${origin}` },
    },
    {
      title: 'too long',
      rules: origin,
      sent: 'a'.repeat(1_025),
      told: { code: 'cors-origin-too-long', origin: 'a'.repeat(1_025) },
    },
    { title: 'malformed', rules: origin, sent: '', told: { code: 'cors-origin-malformed', origin: '' } },
    {
      title: 'by a predicate that threw',
      rules: () => {
        throw fault;
      },
      sent: origin,
      told: { code: 'cors-predicate-failed', error: fault },
    },
    {
      title: 'by one that rejected',
      rules: () => Promise.reject(fault),
      sent: origin,
      told: { code: 'cors-predicate-failed', error: fault },
    },
    {
      title: 'by one that never settled',
      rules: () => new Promise<boolean>(() => undefined),
      sent: origin,
      told: { code: 'cors-predicate-timed-out' },
    },
  ])('$title', async ({ rules, sent, told }) => {
    const shortened = shortenOriginTimeout();
    const refusals: CorsRefusal[] = [];
    const { app, middleware } = service({
      origin: rules,
      onRefused: (refusal) => void refusals.push(refusal),
    });
    await request(app)
      .options('/')
      .set({ ...asking, origin: sent });
    await request(app).get('/').set({ origin: sent });
    shortened.mockRestore();
    expect(refusals).toEqual([
      expect.objectContaining({ ...told, status: 403, instance: middleware }),
      expect.objectContaining({ ...told, status: undefined, instance: middleware }),
    ]);
    expect(refusals.map((refusal) => 'error' in refusal)).toEqual(Array(2).fill('error' in told));
    expect(refusals.map(({ req }) => req.method)).toEqual(['OPTIONS', 'GET']);
    expect(refusals[0]?.detail).toMatch(/^[A-Z].*\.$/);
  });

  test('and of nothing else', async () => {
    const onRefused = jest.fn();
    const { app } = service({ origin, onRefused });
    await request(app)
      .options('/')
      .set({ ...asking, origin });
    await request(app).get('/').set({ origin });
    await request(app).get('/');
    // A browser names the origin to the page's own service too, where CORS has no say.
    await request(app).patch('/').set({ origin: evil, 'sec-fetch-site': 'same-origin' });
    expect(onRefused).not.toHaveBeenCalled();
  });

  test.each([
    {
      title: 'throws',
      onRefused: () => {
        throw new Error('no metrics');
      },
    },
    { title: 'rejects', onRefused: () => Promise.reject(new Error('no metrics')) },
  ])('one that $title is no fault of the request: the process is warned, once', async ({ onRefused }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const { app } = service({ origin, onRefused });
    for (let i = 0; i < 2; i++) {
      const { status } = await request(app)
        .options('/')
        .set({ ...asking, origin: evil });
      expect(status).toBe(403);
    }
    const { calls } = warned.mock;
    warned.mockRestore();
    expect(calls).toEqual([
      [
        'onRefused of corsPreflight() failed with Error. Further failures are not reported.',
        { code: 'PATCH_OPTIONS_ON_REFUSED' },
      ],
    ]);
  });
});

describe('warnings name the function that the app has called', () => {
  const routed = (app: express.Express, ...middlewares: express.RequestHandler[]) => {
    for (const middleware of middlewares) app.use(middleware);
    return app.get('/', (_req, res) => void res.set('Access-Control-Allow-Origin', '*').end());
  };

  test.each<{ readonly name: string; readonly add: (cors: CorsOptions) => RequestListener }>([
    { name: 'corsPreflight', add: (cors) => routed(express(), corsPreflight(cors)) },
    { name: 'patchOptions', add: (cors) => routed(express(), patchOptions({ cors })) },
    {
      name: 'patchOptions with resources',
      add: (cors) => routed(express(), patchOptions({ cors, resources: {} })),
    },
    { name: 'optionsListener', add: (cors) => optionsListener(routed(express()), { cors }) },
  ])('$name', async ({ name, add }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const options: CorsOptions = {
      origin: () => undefined as never,
      onRefused: () => {
        throw new Error('no metrics');
      },
    };
    await request(add(options)).get('/').set({ origin });
    const { calls } = warned.mock;
    warned.mockRestore();
    const subject = `${String(name.split(' ')[0])}()`;
    expect(calls).toHaveLength(3);
    expect(calls.map(([message]) => message)).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`A function in the option origin of ${subject} returned undefined,`),
        expect.stringContaining(`onRefused of ${subject} failed with Error.`),
        expect.stringContaining(`but the policy of ${subject} refuses that origin.`),
      ]),
    );
  });
});

describe('DEBUG=patch-options:cors', () => {
  const lines: string[] = [];
  const log = createDebug.log;

  beforeAll(() => {
    createDebug.enable('patch-options:cors');
    createDebug.log = (...args: unknown[]) => void lines.push(format(...args));
  });
  afterAll(() => {
    createDebug.disable();
    createDebug.log = log;
  });
  beforeEach(() => void lines.splice(0));

  test.each<{
    readonly title: string;
    /** Default `{ origin }`. */
    readonly options?: CorsOptions;
    /** Default `options`. */
    readonly method?: 'options' | 'get';
    readonly path?: string;
    readonly fields: Record<string, string>;
    readonly said: string[];
  }>([
    {
      title: 'an origin refused',
      fields: { ...asking, origin: evil },
      said: [
        'preflight for PATCH / from https://evil.example: CORS-preflight fetch step 7, CORS check step 2: ' +
          'no Access-Control-Allow-Origin. The origin matches no rule of the option origin. ',
      ],
    },
    {
      title: 'the origin of an actual request refused',
      method: 'get',
      fields: { origin: evil },
      said: [
        'GET / from https://evil.example: CORS check step 2: no Access-Control-Allow-Origin. ' +
          'The origin matches no rule of the option origin. ',
      ],
    },
    {
      title: 'a header field that the browser will not let pass',
      fields: { ...asking, origin, 'access-control-request-headers': 'if-match,x-secret' },
      said: [
        'preflight for PATCH / from https://app.example: CORS-preflight fetch step 7.7: x-secret is not in ' +
          'Access-Control-Allow-Headers. The page sends x-secret. ' +
          "Write allowedHeaders: ['x-secret'].",
      ],
    },
    {
      title: 'a method that it will not',
      fields: { origin, 'access-control-request-method': 'PUT' },
      said: [
        'preflight for PUT / from https://app.example: CORS-preflight fetch step 7.5: the method is not in ' +
          'Access-Control-Allow-Methods. The routes for the path handle GET, HEAD, OPTIONS, PATCH, but not PUT. ',
      ],
    },
    {
      title: 'no route',
      path: '/nowhere',
      fields: { ...asking, origin },
      said: [
        'preflight for PATCH /nowhere from https://app.example: CORS-preflight fetch step 7: the status 404 is not ' +
          'an ok status. No visible route matches the path, so the preflight went on to your app, which answered 404. ',
      ],
    },
    {
      title: 'no route, and an answer of the app that has no methods',
      path: '/answered',
      fields: { ...asking, origin },
      said: [
        'preflight for PATCH /answered from https://app.example: CORS-preflight fetch step 7.5: the method is not in ' +
          'Access-Control-Allow-Methods. No visible route matches the path, and the answer of your app allows no method. ',
      ],
    },
    {
      title: 'no route, and an answer of the app whose Allow lacks the method',
      path: '/allowed',
      fields: { origin, 'access-control-request-method': 'PUT' },
      said: [
        'preflight for PUT /allowed from https://app.example: CORS-preflight fetch step 7.5: the method is not in ' +
          'Access-Control-Allow-Methods. No visible route matches the path, and the answer of your app allows GET, PATCH. ',
      ],
    },
    {
      title: 'no route, and an answer of the app that lets it pass',
      path: '/allowed',
      fields: { ...asking, origin },
      said: ['The browser lets the page send PATCH without credentials.'],
    },
    {
      title: 'no route, answered by the option fallbackMethods',
      options: { origin, fallbackMethods: 'PATCH' },
      path: '/allowed',
      fields: { ...asking, origin },
      said: ['The browser lets the page send PATCH without credentials.'],
    },
    {
      title: 'headers that are not sent back',
      options: { origin, allowedHeaders: 'requested' },
      fields: { ...asking, origin, 'access-control-request-headers': 'x'.repeat(5_000) },
      said: [expect.stringMatching(/step 2: .* The preflight lists more than 128 header names/) as string],
    },
    {
      title: 'all well',
      fields: { ...asking, origin },
      said: [
        'preflight for PATCH / from https://app.example: The browser lets the page send PATCH without credentials.',
      ],
    },
    {
      title: 'a preflight, which has no credentials, under a policy that allows them',
      options: { origin, credentials: true },
      fields: { ...asking, origin },
      said: ['The browser lets the page send PATCH.'],
    },
    ...[{ origin }, { origin: '*' }].map((options) => ({
      title: `cookies, under a policy without credentials for ${options.origin}`,
      options,
      method: 'get' as const,
      path: '/',
      fields: { origin, cookie: 'session=1' },
      said: [
        expect.stringMatching(
          options.origin === '*'
            ? /CORS check step 4: Access-Control-Allow-Origin is '\*'.* The page sends credentials, but the policy does not/
            : /CORS check step 8: no Access-Control-Allow-Credentials: true\. The page sends credentials, but the policy does not/,
        ) as string,
      ],
    })),
    {
      title: 'cookies, under a policy with credentials',
      options: { origin, credentials: true },
      method: 'get',
      fields: { origin, cookie: 'session=1' },
      said: ['The browser lets the page read the response to GET.'],
    },
    {
      title: 'no cookies: the page can have none for the host, and send credentials all the same',
      method: 'get',
      fields: { origin },
      said: ['The browser lets the page read the response to GET, if it was sent without credentials.'],
    },
    {
      title: 'a redirect, which the browser follows',
      method: 'get',
      path: '/moved',
      fields: { origin },
      said: [
        'GET /moved from https://app.example: The browser follows the redirect to /login?token=…, and the answer there decides.',
      ],
    },
    {
      title: 'a redirect of a preflight',
      path: '/moved',
      fields: { ...asking, origin },
      said: [
        'with Location: /login?token=…, and browsers do not follow redirects of a preflight. No visible route matches',
      ],
    },
    { title: 'no origin', method: 'get', fields: {}, said: [] },
    {
      title: "the page's own service, where CORS has no say",
      method: 'get',
      fields: { origin: evil, 'sec-fetch-site': 'same-origin' },
      said: [],
    },
  ])('$title', async ({ options = { origin }, method = 'options', path = '/', fields, said }) => {
    await request(service(options).app)[method](path).set(fields);
    expect(lines).toEqual(
      said.map((line) => (typeof line === 'string' ? (expect.stringContaining(line) as string) : line)),
    );
  });

  test.each([
    { by: 'corsPreflight', middleware: () => corsPreflight({ origin }) },
    { by: 'patchOptions', middleware: () => patchOptions({ cors: { origin } }) },
  ])('$by behind the route: what is logged is what the warning says', async ({ by, middleware }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const app = express();
    app.patch('/', (_req, res) => void res.json({}));
    app.use(middleware());
    await request(app)
      .options('/')
      .set({ ...asking, origin });
    const { calls } = warned.mock;
    warned.mockRestore();
    const mended = `so the page cannot read the response. Mount ${by}() before all routes.`;
    expect(calls).toEqual([[expect.stringContaining(mended), { code: 'PATCH_OPTIONS_CORS_BEHIND_ROUTES' }]]);
    expect(lines).toEqual([
      expect.stringContaining(
        'preflight for PATCH / from https://app.example: CORS check step 2: no Access-Control-Allow-Origin. ' +
          `${by}() is mounted after the route for PATCH: `,
      ),
    ]);
    expect(lines[0]).toContain(mended);
  });

  test('behind a router with the route, Express answers: only explainCors tells', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const app = express();
    app.use(express.Router().patch('/', (_req, res) => void res.json({})));
    app.use(patchOptions({ cors: { origin } }));
    const { headers } = await request(app)
      .options('/')
      .set({ ...asking, origin });
    const { calls } = warned.mock;
    warned.mockRestore();
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect([...calls, ...lines]).toEqual([]);
    expect(await explainCors(app, { origin, method: 'PATCH', path: '/' })).toMatchObject({
      code: 'cors-no-allow-origin',
      reason:
        'No corsPreflight() has seen the preflight: something else has answered it. The preflight was answered 200 without the header. ' +
        'Mount corsPreflight(), or patchOptions() with cors, before everything that can answer it.',
    });
  });

  test('the answer that is judged is the one that is sent, after middlewares in front', async () => {
    const app = express().use((_req, res, next) => {
      onHeaders(res, () => {
        res.setHeader('Access-Control-Allow-Methods', 'GET');
      });
      next();
    });
    await request(app.use(service({ origin }).app))
      .options('/')
      .set({ ...asking, origin });
    expect(lines).toEqual([
      expect.stringContaining(
        'The answer allows GET. corsPreflight() sets Access-Control-Allow-Methods: GET, HEAD, OPTIONS, PATCH, but',
      ),
    ]);
  });

  test('what a predicate threw is shown', async () => {
    await request(
      service({
        origin: () => {
          throw new Error('the directory is down');
        },
      }).app,
    )
      .get('/')
      .set({ origin });
    expect(lines.join('\n')).toMatch(/the origin function threw or rejected: Error: the directory is down/);
  });
});

import type { RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../lib/cors/cors-options';
import { corsFields } from '../support/cors-fields';
import { frameworks } from '../support/frameworks';

const app1 = 'https://app.example';
const defaultAllowed =
  'Content-Type, If-Match, If-None-Match, If-Unmodified-Since, Prefer, Idempotency-Key, Authorization';
const defaultExposed = 'ETag, Accept-Patch, Allow, Content-Location, Location, Preference-Applied';
const noteMethods = 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT';

describe.each(frameworks)('corsPreflight over %s', (_name, express) => {
  const ok: RequestHandler = (_req, res) => {
    res.json({});
  };

  /** The routes of a notes API behind one policy. */
  function notes(options?: CorsOptions) {
    const app = express();
    app.use(corsPreflight(options));
    app.get('/notes/:id', ok);
    app.put('/notes/:id', ok);
    app.patch('/notes/:id', ok);
    app.delete('/notes/:id', ok);
    app.post('/notes', ok);
    app.all('/anything', ok);
    return app;
  }

  describe('Fetch, CORS-preflight request: OPTIONS with Origin and Access-Control-Request-Method', () => {
    const preflight = { origin: app1, 'access-control-request-method': 'PATCH' };
    const own: CorsOptions = { origin: app1 };
    const varied = 'Origin, Access-Control-Request-Method';
    const granted = {
      'access-control-allow-origin': app1,
      'access-control-allow-methods': noteMethods,
      'access-control-allow-headers': defaultAllowed,
      'access-control-max-age': '600',
      vary: varied,
    };

    test.each<
      [string, CorsOptions, string, Record<string, string | string[]>, number, Record<string, string>]
    >([
      ['an allowed origin gets what the routes handle', own, '/notes/1', preflight, 200, granted],
      [
        'a method that no route handles gets the same answer, for the browser to judge',
        own,
        '/notes/1',
        { ...preflight, 'access-control-request-method': 'POST' },
        200,
        granted,
      ],
      [
        'header fields that are not allowed get the same answer, and are not echoed',
        own,
        '/notes/1',
        { ...preflight, 'access-control-request-headers': 'x-secret' },
        200,
        granted,
      ],
      [
        'an empty Access-Control-Request-Method is present',
        own,
        '/notes/1',
        { ...preflight, 'access-control-request-method': '' },
        200,
        granted,
      ],
      [
        'another target has other methods',
        own,
        '/notes',
        preflight,
        200,
        { ...granted, 'access-control-allow-methods': 'OPTIONS, POST' },
      ],
      [
        'a target that only an all-verbs route serves has the common ones',
        own,
        '/anything',
        preflight,
        200,
        { ...granted, 'access-control-allow-methods': 'DELETE, GET, HEAD, PATCH, POST, PUT' },
      ],
      [
        'with credentials',
        { ...own, credentials: true },
        '/notes/1',
        preflight,
        200,
        { ...granted, 'access-control-allow-credentials': 'true' },
      ],
      [
        'every option at once',
        {
          origin: [app1, 'https://*.example.org'],
          allowedHeaders: 'If-Match, X-One',
          maxAge: 0,
          methods: ['PATCH', 'GET', 'POST'],
        },
        '/notes/1',
        preflight,
        200,
        {
          ...granted,
          'access-control-allow-headers': 'If-Match, X-One',
          'access-control-allow-methods': 'GET, PATCH',
          'access-control-max-age': '0',
        },
      ],
      [
        'the field for methods is there where none is left, lest the browser take its own (step 7.4)',
        { ...own, methods: 'POST' },
        '/notes/1',
        preflight,
        200,
        { ...granted, 'access-control-allow-methods': '' },
      ],
      [
        'without allowed header fields',
        { origin: '*', allowedHeaders: [] },
        '/notes/1',
        preflight,
        200,
        {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': noteMethods,
          'access-control-max-age': '600',
          vary: 'Access-Control-Request-Method',
        },
      ],
      [
        'what a predicate reads is in Vary',
        { origin: () => true, vary: 'X-Tenant' },
        '/notes/1',
        preflight,
        200,
        { ...granted, vary: 'Origin, X-Tenant, Access-Control-Request-Method' },
      ],
      [
        'an origin that is not allowed',
        own,
        '/notes/1',
        { ...preflight, origin: 'https://evil.example' },
        403,
        { vary: varied },
      ],
      [
        'an origin that is not allowed, for a path without routes: it learns nothing of them',
        own,
        '/nowhere',
        { ...preflight, origin: 'https://evil.example' },
        403,
        { vary: varied },
      ],
      [
        'an origin sent twice',
        own,
        '/notes/1',
        { ...preflight, origin: [app1, app1] },
        403,
        { vary: varied },
      ],
      ['an empty origin', own, '/notes/1', { ...preflight, origin: '' }, 403, { vary: varied }],
      [
        'an origin longer than any',
        { origin: '*' },
        '/notes/1',
        { ...preflight, origin: `https://${'a'.repeat(2_000)}.example` },
        403,
        { vary: 'Access-Control-Request-Method' },
      ],
    ])('%s', async (_title, options, path, fields, status, expected) => {
      const response = await request(notes(options)).options(path).set(fields);
      expect(response.status).toBe(status);
      expect(response.headers['content-length']).toBe('0');
      expect(corsFields(response.headers)).toEqual(expected);
    });

    test('a path without routes goes on to the 404 of the host, which the page can read', async () => {
      const response = await request(notes(own)).options('/nowhere').set(preflight);
      expect(response.status).toBe(404);
      expect(corsFields(response.headers)).toEqual({
        'access-control-allow-origin': app1,
        'access-control-expose-headers': defaultExposed,
        vary: 'Origin',
      });
    });

    test('a preflight is ours also where the host has its own OPTIONS handler, which plain OPTIONS reach', async () => {
      const app = notes(own);
      app.options('/notes/:id', (_req, res) => void res.status(418).end());
      expect((await request(app).options('/notes/1').set(preflight)).status).toBe(200);
      expect((await request(app).options('/notes/1').set({ origin: app1 })).status).toBe(418);
    });

    test('what others have put on the response before stays, Vary joined', async () => {
      const app = express();
      app.use((_req, res, next) => {
        res.setHeader('Vary', 'Accept-Encoding, origin');
        res.setHeader('X-Frame-Options', 'DENY');
        next();
      });
      app.use(corsPreflight(own));
      app.get('/', ok);
      const response = await request(app).options('/').set(preflight);
      expect(response.headers.vary).toBe('Accept-Encoding, origin, Access-Control-Request-Method');
      expect(response.headers['x-frame-options']).toBe('DENY');
    });
  });

  describe('Fetch, CORS protocol: every other response is decorated, and no request is blocked', () => {
    const granted = { 'access-control-allow-origin': app1, 'access-control-expose-headers': defaultExposed };
    const toAll = { 'access-control-allow-origin': '*', 'access-control-expose-headers': defaultExposed };

    test.each<[string, CorsOptions | undefined, Record<string, string | string[]>, Record<string, string>]>([
      ['an allowed origin', { origin: app1 }, { origin: app1 }, { ...granted, vary: 'Origin' }],
      [
        'an origin that is not allowed',
        { origin: app1 },
        { origin: 'https://evil.example' },
        { vary: 'Origin' },
      ],
      ['no origin', { origin: app1 }, {}, { vary: 'Origin' }],
      ['repeated origins', { origin: app1 }, { origin: [app1, app1] }, { vary: 'Origin' }],
      ["'*' with an origin", undefined, { origin: app1 }, toAll],
      ["'*' without one", undefined, {}, toAll],
      ["'*' with repeated origins", { origin: '*' }, { origin: [app1, app1] }, toAll],
      [
        'with credentials',
        { origin: app1, credentials: true, exposedHeaders: [] },
        { origin: app1 },
        { 'access-control-allow-origin': app1, 'access-control-allow-credentials': 'true', vary: 'Origin' },
      ],
      [
        'any origin with credentials, said out loud',
        { credentials: true, dangerouslyAllowAnyOriginWithCredentials: true, exposedHeaders: 'ETag' },
        { origin: app1 },
        {
          'access-control-allow-origin': app1,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': 'ETag',
          vary: 'Origin',
        },
      ],
    ])('%s', async (_title, options, fields, expected) => {
      const response = await request(notes(options)).get('/notes/1').set(fields);
      expect(response.status).toBe(200);
      expect(corsFields(response.headers)).toEqual(expected);
    });

    test.each([
      ['OPTIONS without Access-Control-Request-Method', 'OPTIONS', { origin: app1 }],
      [
        'GET with Access-Control-Request-Method',
        'GET',
        { origin: app1, 'access-control-request-method': 'PATCH' },
      ],
    ])('%s is no preflight', async (_title, method, fields) => {
      const app = express();
      app.use(corsPreflight({ origin: app1 }));
      app.all('/', (_req, res) => void res.status(218).end());
      const response = await (method === 'GET' ? request(app).get('/') : request(app).options('/')).set(
        fields,
      );
      expect(response.status).toBe(218);
      expect(corsFields(response.headers)).toEqual({ ...granted, vary: 'Origin' });
    });

    test('OPTIONS without Origin is no preflight', async () => {
      const app = express();
      app.use(corsPreflight({ origin: app1 }));
      app.all('/', (_req, res) => void res.status(218).end());
      const response = await request(app).options('/').set({ 'access-control-request-method': 'PATCH' });
      expect(response.status).toBe(218);
      expect(corsFields(response.headers)).toEqual({ vary: 'Origin' });
    });
  });

  describe('one policy a path: the first instance that covers a request claims it', () => {
    function nested() {
      const app = express();
      const admin = express.Router();
      admin.use(corsPreflight({ origin: 'https://admin.example' }));
      admin.get('/users', ok);
      app.use('/admin', admin);
      app.use(corsPreflight({ origin: '*' }));
      app.get('/notes', ok);
      return app;
    }
    const asking = (origin: string) => ({ origin, 'access-control-request-method': 'GET' });

    test.each([
      ['/admin/users', 'https://admin.example', 200, 'https://admin.example'],
      ['/admin/users', app1, 403, undefined],
      ['/admin/nowhere', 'https://admin.example', 404, 'https://admin.example'],
      ['/notes', app1, 200, '*'],
    ])('preflight for %s from %s', async (path, origin, status, allowed) => {
      const response = await request(nested()).options(path).set(asking(origin));
      expect(response.status).toBe(status);
      expect(response.headers['access-control-allow-origin']).toBe(allowed);
    });

    test.each([
      ['/admin/users', 'https://admin.example', 200, 'https://admin.example'],
      ['/admin/users', app1, 200, undefined],
      ['/admin/nowhere', app1, 404, undefined],
      ['/notes', app1, 200, '*'],
    ])('GET %s from %s', async (path, origin, status, allowed) => {
      const response = await request(nested()).get(path).set({ origin });
      expect(response.status).toBe(status);
      expect(response.headers['access-control-allow-origin']).toBe(allowed);
    });

    test('also mounted by a path alone, and however often: the routes are those of the whole app', async () => {
      const app = express();
      app.use('/admin', corsPreflight({ origin: 'https://admin.example' }));
      app.use(corsPreflight());
      app.use(corsPreflight({ origin: 'https://late.example' }));
      app.get('/admin/users', ok);
      const own = await request(app).options('/admin/users').set(asking('https://admin.example'));
      expect(own.headers).toMatchObject({
        'access-control-allow-origin': 'https://admin.example',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      });
      expect((await request(app).options('/admin/users').set(asking(app1))).status).toBe(403);
      const actual = await request(app).get('/admin/users').set({ origin: 'https://late.example' });
      expect(corsFields(actual.headers)).toEqual({ vary: 'Origin' });
    });
  });
});

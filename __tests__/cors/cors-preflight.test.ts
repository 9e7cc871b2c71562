import type { RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import type { CorsOptions } from '../../lib/cors/options';
import { corsFields } from './cors-fields';
import { frameworks } from '../support/frameworks';
import {
  actualRequests,
  addNotesRoutes,
  app1,
  defaultExposed,
  own,
  preflight,
  preflights,
} from './preflight-table';

describe.each(frameworks)('corsPreflight over %s', (_name, express) => {
  const ok: RequestHandler = (_req, res) => {
    res.json({});
  };

  /** The routes of a notes API behind one policy. */
  function notes(options?: CorsOptions) {
    const app = express();
    app.use(corsPreflight(options));
    return addNotesRoutes(app);
  }

  describe('Fetch, CORS-preflight request: OPTIONS with Origin and Access-Control-Request-Method', () => {
    // The only tests that say which ok status a preflight gets: elsewhere any will do, as it does to browsers.
    test.each(preflights)(
      '$title',
      async ({ options = own, path = '/notes/1', fields = preflight, expected }) => {
        const { status, headers } = await request(notes(options)).options(path).set(fields);
        const isAllowed = 'access-control-allow-origin' in expected;
        expect(status).toBe(isAllowed ? 200 : 403);
        for (const name of ['date', 'connection', 'keep-alive', 'x-powered-by'])
          Reflect.deleteProperty(headers, name);
        expect(headers).toEqual({ ...expected, 'content-length': '0' });
      },
    );

    test('a path without routes goes on to the 404 of your app, which the page can read', async () => {
      const response = await request(notes(own)).options('/nowhere').set(preflight);
      expect(response.status).toBe(404);
      expect(corsFields(response.headers)).toEqual({
        'access-control-allow-origin': app1,
        'access-control-expose-headers': defaultExposed,
        vary: 'Origin',
      });
    });

    test('the answer is the same to every origin that is allowed, but for the origin itself', async () => {
      const [a, b] = ['https://a.example', 'https://b.example'];
      const app = notes({ origin: [a, b] });
      const answerTo = async (origin: string) =>
        corsFields(
          (
            await request(app)
              .options('/notes/1')
              .set({ ...preflight, origin })
          ).headers,
        );
      expect(await answerTo(b)).toEqual({ ...(await answerTo(a)), 'access-control-allow-origin': b });
    });

    test('to an origin that is refused the routes are not read', async () => {
      const { stack } = express.Router().get('/notes/:id', ok);
      const read = jest.fn(() => stack);
      const root = Object.defineProperty(() => undefined, 'stack', { get: read });
      const app = express().use(corsPreflight({ origin: app1, root }));
      const ask = (origin: string) =>
        request(app)
          .options('/notes/1')
          .set({ ...preflight, origin });
      read.mockClear();
      expect((await ask('https://evil.example')).status).toBe(403);
      expect(read).not.toHaveBeenCalled();
      await ask(app1);
      expect(read).toHaveBeenCalled();
    });

    test('a preflight is ours also where your app has its own OPTIONS handler, which plain OPTIONS reach', async () => {
      const app = notes(own);
      app.options('/notes/:id', (_req, res) => void res.status(418).end());
      expect((await request(app).options('/notes/1').set(preflight)).ok).toBe(true);
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

    test.each(actualRequests)('$title', async ({ options, fields, expected }) => {
      const response = await request(notes(options)).get('/notes/1').set(fields);
      expect(response.status).toBe(200);
      expect(corsFields(response.headers)).toEqual(expected);
    });

    test.each([
      { title: 'OPTIONS without Access-Control-Request-Method', method: 'OPTIONS', fields: { origin: app1 } },
      {
        title: 'GET with Access-Control-Request-Method',
        method: 'GET',
        fields: { origin: app1, 'access-control-request-method': 'PATCH' },
      },
    ])('$title is no preflight', async ({ method, fields }) => {
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
      { path: '/admin/users', origin: 'https://admin.example', allowed: 'https://admin.example' },
      { path: '/admin/users', origin: app1, allowed: undefined },
      { path: '/admin/nowhere', origin: 'https://admin.example', allowed: 'https://admin.example' },
      { path: '/notes', origin: app1, allowed: '*' },
    ])('preflight and GET for $path from $origin', async ({ path, origin, allowed }) => {
      const answers = [
        await request(nested()).options(path).set(asking(origin)),
        await request(nested()).get(path).set({ origin }),
      ];
      for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe(allowed);
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

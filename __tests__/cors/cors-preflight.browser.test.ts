import express, { type Express, type RequestHandler } from 'express';
import { corsPreflight, MemoryStore, type CorsOptions } from 'patch-options';
import { explainCors } from 'patch-options/explain';
import type { Note } from '../../examples/notes/note';
import { notesApp } from '../../examples/notes/notes-app';
import { BrowserPages, type Outcome, type PageRequest, type Service } from './browser-pages';
import { describeInChromium } from '../support/chromium';

/** The example app under a policy, with one note. */
function exampleApp(origin: string | readonly string[]) {
  const store = new MemoryStore<Note>();
  void store.replace('1', null, { id: '1', title: 'Buy milk' });
  const list = () => [...store.entries()].map(([, { value }]) => value);
  return notesApp({ notes: store, list, origin });
}

/** What the example app has no need of, under any policy. */
function otherApp(cors: RequestHandler) {
  const app = express();
  app.use(cors);
  const done: RequestHandler = (_req, res) => void res.json({});
  const cached: RequestHandler = (_req, res, next) => {
    res.set({ 'Cache-Control': 'max-age=60', 'X-Internal': '1' });
    next();
  };
  app.route('/thing').get(cached, done).put(done).patch(done).delete(done);
  app.post('/login', (_req, res) => void res.cookie('session', 'ann', { sameSite: 'lax' }).json({}));
  app.get('/me', (req, res) => void res.json({ cookie: req.headers.cookie ?? '' }));
  app.all('/moved', (_req, res) => {
    res.redirect(307, '/thing');
  });
  app.get('/boom', () => {
    throw new Error('boom');
  });
  return app;
}

function read(outcome: Outcome): Extract<Outcome, { status: number }> {
  if ('failed' in outcome) throw new Error(`The page could not read the answer: ${outcome.failed}`);
  return outcome;
}

/** The same request as a question. */
function explained(app: Express, origin: string, path: string, request: PageRequest) {
  const { method = 'GET', headers = {}, credentials } = request;
  return explainCors(app, { origin, path, method, headers, credentials: credentials === 'include' });
}

describeInChromium('corsPreflight before a real browser', () => {
  const pages = new BrowserPages();
  let page = '';
  let otherPage = '';
  let stranger = '';
  let notes: Service;

  /** A query that makes the URL one that no preflight is kept for. */
  let queries = 0;
  const unasked = () => `?${queries++}`;

  beforeAll(async () => {
    await pages.open();
    page = await pages.origin();
    otherPage = await pages.origin();
    stranger = page.replace('127.0.0.1', 'localhost');
    notes = await pages.serve(exampleApp([page, otherPage]));
  });
  afterAll(() => pages.close());
  beforeEach(() => void notes.requests.splice(0));

  const json = { 'content-type': 'application/json' };
  const merge = { 'content-type': 'application/merge-patch+json' };
  const rename: PageRequest = { method: 'PATCH', headers: merge, body: '{"title":"Buy oat milk"}' };

  describe('what a page of an allowed origin may do', () => {
    test.each<{
      readonly title: string;
      readonly path: string;
      readonly request: PageRequest;
      readonly status: number;
      readonly methods: string[];
    }>([
      { title: 'GET without asking', path: '/notes', request: {}, status: 200, methods: ['GET'] },
      {
        title: 'HEAD without asking',
        path: '/notes/1',
        request: { method: 'HEAD' },
        status: 200,
        methods: ['HEAD'],
      },
      {
        title: 'POST of JSON',
        path: '/notes',
        request: { method: 'POST', headers: json, body: '{"title":"a"}' },
        status: 201,
        methods: ['OPTIONS', 'POST'],
      },
      {
        title: 'PUT',
        path: '/notes/2',
        request: { method: 'PUT', headers: json, body: '{"title":"b"}' },
        status: 201,
        methods: ['OPTIONS', 'PUT'],
      },
      {
        title: 'DELETE',
        path: '/notes/2',
        request: { method: 'DELETE' },
        status: 204,
        methods: ['OPTIONS', 'DELETE'],
      },
      {
        title: 'delete, upper-cased',
        path: '/notes/3',
        request: { method: 'delete' },
        status: 404,
        methods: ['OPTIONS', 'DELETE'],
      },
      { title: 'PATCH', path: '/notes/1', request: rename, status: 204, methods: ['OPTIONS', 'PATCH'] },
      {
        title: 'OPTIONS',
        path: '/notes/1',
        request: { method: 'OPTIONS' },
        status: 200,
        methods: ['OPTIONS', 'OPTIONS'],
      },
      {
        title: 'send Authorization',
        path: '/notes',
        request: { headers: { authorization: 'Bearer x' } },
        status: 200,
        methods: ['OPTIONS', 'GET'],
      },
      { title: 'read a 404', path: '/notes/none', request: {}, status: 404, methods: ['GET'] },
      { title: 'read the 404 of no route', path: '/none', request: {}, status: 404, methods: ['GET'] },
      {
        title: 'read a 415',
        path: '/notes/1',
        request: { ...rename, headers: json },
        status: 415,
        methods: ['OPTIONS', 'PATCH'],
      },
      {
        title: 'read a 400',
        path: '/notes/1',
        request: { ...rename, body: '{' },
        status: 400,
        methods: ['OPTIONS', 'PATCH'],
      },
      {
        title: 'read a 405',
        path: '/notes/1',
        request: { method: 'POST', body: 'a' },
        status: 405,
        methods: ['POST'],
      },
    ])('$title', async ({ path, request, status, methods }) => {
      expect(read(await pages.fetch(page, notes.url + path + unasked(), request)).status).toBe(status);
      expect(notes.requests).toEqual(methods.map((method) => `${method} ${path}`));
      const explanation = await explained(exampleApp(page), page, path, request);
      expect(explanation).toMatchObject({ allowed: true, preflight: methods.length > 1 });
    });

    test('read the fields that optimistic concurrency needs', async () => {
      const created = await pages.fetch(page, `${notes.url}/notes`, {
        method: 'POST',
        headers: json,
        body: '{"title":"c"}',
      });
      const { fields } = read(created);
      expect(fields['location']).toMatch(/^\/notes\//);
      expect(fields['etag']).toMatch(/^"/);
      const options = read(await pages.fetch(page, `${notes.url}/notes/1`, { method: 'OPTIONS' }));
      expect(options.fields).toMatchObject({
        allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
        'accept-patch': expect.stringContaining('application/merge-patch+json') as string,
      });
    });

    test('PATCH the state that it has read: If-Match, the new ETag, and 412 for who comes late', async () => {
      const url = `${notes.url}/notes/1`;
      const { fields } = read(await pages.fetch(page, url, { cache: 'no-store' }));
      const matching = {
        ...rename,
        headers: { ...merge, 'if-match': fields['etag'] ?? '', prefer: 'return=representation' },
      };
      const patched = read(await pages.fetch(page, url, matching));
      expect(patched).toMatchObject({
        status: 200,
        fields: { 'preference-applied': 'return=representation' },
      });
      expect(patched.fields['etag']).not.toBe(fields['etag']);
      expect(patched.fields['content-location']).toBe('/notes/1');
      const late = read(await pages.fetch(page, url, matching));
      expect(late).toMatchObject({ status: 412, fields: { etag: patched.fields['etag'] } });
      expect(JSON.parse(late.text)).toMatchObject({ status: 412 });
    });

    test('every PATCH with If-Match pays for a preflight: Fetch does not keep them', async () => {
      const request = { ...rename, headers: { ...merge, 'if-match': '*' } };
      const url = `${notes.url}/notes/1${unasked()}`;
      for (let i = 0; i < 2; i++) read(await pages.fetch(page, url, request));
      expect(notes.requests).toEqual(
        ['OPTIONS', 'PATCH', 'OPTIONS', 'PATCH'].map((method) => `${method} /notes/1`),
      );
    });

    test('revalidate what it has: 304 can be read', async () => {
      const url = `${notes.url}/notes/1`;
      const { fields } = read(await pages.fetch(page, url, { cache: 'no-store' }));
      const etag = fields['etag'] ?? '';
      const again = read(await pages.fetch(page, url, { headers: { 'if-none-match': etag } }));
      expect(again).toMatchObject({ status: 304, fields: { etag } });
    });
  });

  describe('what the browser refuses, what reaches the service then, and what its console says', () => {
    test.each<{
      readonly title: string;
      readonly origin: () => string;
      readonly path: string;
      readonly request: PageRequest;
      readonly methods: string[];
      readonly line: RegExp;
    }>([
      {
        title: 'a GET of another origin: served, and not read',
        origin: () => stranger,
        path: '/notes',
        request: {},
        methods: ['GET'],
        line: /No 'Access-Control-Allow-Origin'/,
      },
      {
        title: 'a PUT of another origin: not sent',
        origin: () => stranger,
        path: '/notes/1',
        request: { method: 'PUT', body: '' },
        methods: ['OPTIONS'],
        line: /preflight.*(?:No 'Access-Control-Allow-Origin'|HTTP ok status)/,
      },
      {
        title: 'a method that no route handles',
        origin: () => page,
        path: '/notes',
        request: { method: 'DELETE' },
        methods: ['OPTIONS'],
        line: /Method DELETE is not allowed by Access-Control-Allow-Methods/,
      },
      {
        title: 'patch, which fetch does not upper-case',
        origin: () => page,
        path: '/notes',
        request: { ...rename, method: 'patch' },
        methods: ['OPTIONS'],
        line: /Method patch is not allowed by Access-Control-Allow-Methods/,
      },
      {
        title: 'a header field that is not allowed',
        origin: () => page,
        path: '/notes/1',
        request: { headers: { 'x-secret': '1' } },
        methods: ['OPTIONS'],
        line: /field x-secret is not allowed by Access-Control-Allow-Headers/,
      },
      {
        title: 'a path without routes',
        origin: () => page,
        path: '/none',
        request: { method: 'PUT' },
        methods: ['OPTIONS'],
        line: /HTTP ok status/,
      },
      {
        title: 'credentials where the policy gives none',
        origin: () => page,
        path: '/notes',
        request: { credentials: 'include' },
        methods: ['GET'],
        line: /'Access-Control-Allow-Credentials'/,
      },
    ])('$title', async ({ origin, path, request, methods, line }) => {
      const console = pages.consoleLine(origin());
      expect(await pages.fetch(origin(), notes.url + path + unasked(), request)).toEqual({
        failed: 'TypeError: Failed to fetch',
      });
      expect(await console).toMatch(line);
      expect(notes.requests).toEqual(methods.map((method) => `${method} ${path}`));
      // The explanation comes to the same end as the browser.
      const explanation = await explained(exampleApp(page), origin(), path, request);
      expect(explanation).toMatchObject({ allowed: false, preflight: methods[0] === 'OPTIONS' });
    });
  });

  describe('policies', () => {
    /** The origins are known only when the pages are served. */
    const serve = async (options: () => CorsOptions) => {
      const cors = corsPreflight(options());
      const app = otherApp(cors);
      return { ...(await pages.serve(app)), cors, app };
    };
    const own = () => ({ origin: page });
    const withCookies = () => ({ origin: page, credentials: true });

    test.each<{
      readonly title: string;
      readonly cors?: () => CorsOptions;
      readonly origin?: () => string;
      readonly path?: string;
      readonly request?: PageRequest;
      /** null: the page cannot read it. Default 200. */
      readonly status?: number | null;
    }>([
      { title: "'*' lets every page read", cors: () => ({}), origin: () => stranger },
      {
        title: "'*' lets every page PATCH",
        cors: () => ({}),
        origin: () => stranger,
        request: { method: 'PATCH' },
      },
      {
        title: "'*' has no credentials",
        cors: () => ({}),
        request: { credentials: 'include' },
        status: null,
      },
      {
        title: 'a port pattern',
        cors: () => ({ origin: 'http://127.0.0.1:*' }),
        origin: () => otherPage,
        request: { method: 'PUT' },
      },
      {
        title: 'and who is not in it',
        cors: () => ({ origin: 'http://127.0.0.1:*' }),
        origin: () => stranger,
        status: null,
      },
      {
        title: 'a function',
        cors: () => ({ origin: (origin) => /^http:\/\/127\.0\.0\.1:\d+$/.test(origin) }),
        request: { method: 'PUT' },
      },
      {
        title: 'a later yes',
        cors: () => ({ origin: () => Promise.resolve(true) }),
        request: { method: 'PUT' },
      },
      { title: 'a later no', cors: () => ({ origin: () => Promise.resolve(false) }), status: null },
      {
        title: 'any header field',
        cors: () => ({ allowedHeaders: '*' }),
        request: { headers: { 'x-any': '1' } },
      },
      {
        title: 'credentials for a PATCH',
        cors: withCookies,
        request: { method: 'PATCH', credentials: 'include' },
      },
      { title: 'a fault of your app can be read', path: '/boom', status: 500 },
      { title: 'a redirect is followed', path: '/moved' },
      { title: 'a redirected PUT asks again', path: '/moved', request: { method: 'PUT' } },
    ])('$title', async ({ cors = own, origin = () => page, path = '/thing', request = {}, status = 200 }) => {
      const { url, ...service } = await serve(cors);
      const outcome = await pages.fetch(origin(), url + path, request);
      expect('failed' in outcome ? null : outcome.status).toBe(status);
      const explanation = await explained(service.app, origin(), path, request);
      // What the browser makes of the other address is another question.
      const isRedirected = explanation.code === 'cors-redirected';
      expect(isRedirected).toBe(path === '/moved' && request.method === undefined);
      expect(explanation).toMatchObject({
        allowed: isRedirected ? undefined : status !== null,
        preflight: service.requests[0]?.startsWith('OPTIONS'),
      });
    });

    test('cookies are set and sent back with credentials', async () => {
      const { url } = await serve(withCookies);
      const request: PageRequest = { credentials: 'include' };
      read(await pages.fetch(page, `${url}/login`, { ...request, method: 'POST' }));
      expect(JSON.parse(read(await pages.fetch(page, `${url}/me`, request)).text)).toEqual({
        cookie: 'session=ann',
      });
      expect(JSON.parse(read(await pages.fetch(page, `${url}/me`, { credentials: 'omit' })).text)).toEqual({
        cookie: '',
      });
    });

    test('only what is exposed can be read', async () => {
      const { url } = await serve(() => ({ origin: page, exposedHeaders: { only: 'ETag' } }));
      const { fields } = read(await pages.fetch(page, `${url}/thing`));
      expect(fields).toHaveProperty('etag');
      expect(fields).not.toHaveProperty('x-internal');
    });

    test.each<{
      readonly exposed: string;
      readonly credentials: 'include' | 'omit';
      readonly readable: string[];
    }>([
      { exposed: '*', credentials: 'include', readable: ['etag'] },
      { exposed: '*', credentials: 'omit', readable: ['etag', 'x-internal'] },
      { exposed: 'X-Internal', credentials: 'include', readable: ['etag', 'x-internal'] },
    ])('a library exposes $exposed, the policy ETag: with credentials $credentials', async (row) => {
      const cors = corsPreflight({ origin: page, credentials: true, exposedHeaders: { only: 'ETag' } });
      const { url } = await pages.serve(
        express().use(cors, (_req, res) => {
          res.set({ 'Access-Control-Expose-Headers': row.exposed, 'X-Internal': '1' }).json({});
        }),
      );
      const { fields } = read(await pages.fetch(page, url, { credentials: row.credentials }));
      expect(Object.keys(fields).filter((name) => ['etag', 'x-internal'].includes(name))).toEqual(
        row.readable,
      );
    });

    test.each([
      {
        title: '600: asked once, for the other methods too',
        maxAge: 600,
        methods: ['OPTIONS', 'PUT', 'PUT', 'DELETE', 'PATCH'],
      },
      {
        title: '0: asked every time',
        maxAge: 0,
        methods: ['OPTIONS', 'PUT', 'OPTIONS', 'PUT', 'OPTIONS', 'DELETE', 'OPTIONS', 'PATCH'],
      },
    ])('max-age $title', async ({ maxAge, methods }) => {
      const { url, requests } = await serve(() => ({ origin: page, maxAge }));
      for (const method of ['PUT', 'PUT', 'DELETE', 'PATCH'])
        read(await pages.fetch(page, `${url}/thing`, { method }));
      expect(requests).toEqual(methods.map((method) => `${method} /thing`));
    });

    test('a cached answer for one origin is not shown to another: Vary', async () => {
      const { url, requests } = await serve(() => ({ origin: [page, otherPage] }));
      read(await pages.fetch(page, `${url}/thing`));
      read(await pages.fetch(page, `${url}/thing`));
      expect(requests).toEqual(['GET /thing']);
      read(await pages.fetch(otherPage, `${url}/thing`));
      expect(requests).toEqual(['GET /thing', 'GET /thing']);
    });

    test('where the policy leaves no method, none is allowed, the use-CORS-preflight flag or not', async () => {
      const { url, requests, app } = await serve(() => ({ origin: page, methods: 'POST' }));
      const read = await pages.uploads(page, `${url}/thing`, 'PATCH');
      expect([read, requests]).toEqual([false, ['OPTIONS /thing']]);
      const asked = { origin: page, path: '/thing', method: 'PATCH', upload: true };
      expect(await explainCors(app, asked)).toMatchObject({
        allowed: false,
        code: 'cors-method-not-allowed',
      });
    });

    test.each<{ readonly title: string; readonly cors: () => CorsOptions; readonly allowed: boolean }>([
      { title: 'where it is named', cors: () => ({ origin: ['null', page] }), allowed: true },
      { title: 'and nowhere else', cors: () => ({ origin: [page, () => true] }), allowed: false },
    ])('the origin null of a sandboxed frame is allowed $title', async ({ cors, allowed }) => {
      const { url, requests, ...service } = await serve(cors);
      const outcome = await pages.fetch(page, `${url}/thing`, { method: 'PATCH' }, true);
      expect('failed' in outcome).toBe(!allowed);
      expect(requests).toEqual(allowed ? ['OPTIONS /thing', 'PATCH /thing'] : ['OPTIONS /thing']);
      const explanation = await explained(service.app, 'null', '/thing', { method: 'PATCH' });
      expect(explanation).toMatchObject({ allowed, preflight: true });
    });
  });
});

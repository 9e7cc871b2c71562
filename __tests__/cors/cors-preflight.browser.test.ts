import express, { type RequestHandler } from 'express';
import { corsPreflight, MemoryStore, type CorsOptions } from 'patch-options';
import type { Note } from '../../examples/note';
import { notesApp } from '../../examples/notes-app';
import { BrowserPages, type Outcome, type PageRequest, type Service } from '../support/browser-pages';
import { describeInChromium } from '../support/chromium';

/** The example app under a policy, with one note. */
function exampleApp(origin: string | readonly string[]) {
  const store = new MemoryStore<Note>();
  void store.replace('1', null, { id: '1', title: 'Buy milk' });
  const list = () => [...store.entries()].map(([, { value }]) => value);
  return notesApp({ notes: store, list, origin });
}

/** What the example app has no need of, under any policy. */
function otherApp(cors: CorsOptions) {
  const app = express();
  app.use(corsPreflight(cors));
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
  }, 30_000);
  afterAll(() => pages.close());
  beforeEach(() => void notes.requests.splice(0));

  const json = { 'content-type': 'application/json' };
  const merge = { 'content-type': 'application/merge-patch+json' };
  const rename: PageRequest = { method: 'PATCH', headers: merge, body: '{"title":"Buy oat milk"}' };

  describe('what a page of an allowed origin may do', () => {
    test.each<[string, string, PageRequest, number, string[]]>([
      ['GET without asking', '/notes', {}, 200, ['GET']],
      ['HEAD without asking', '/notes/1', { method: 'HEAD' }, 200, ['HEAD']],
      [
        'POST of JSON',
        '/notes',
        { method: 'POST', headers: json, body: '{"title":"a"}' },
        201,
        ['OPTIONS', 'POST'],
      ],
      ['PUT', '/notes/2', { method: 'PUT', headers: json, body: '{"title":"b"}' }, 201, ['OPTIONS', 'PUT']],
      ['DELETE', '/notes/2', { method: 'DELETE' }, 204, ['OPTIONS', 'DELETE']],
      ['delete, upper-cased', '/notes/3', { method: 'delete' }, 404, ['OPTIONS', 'DELETE']],
      ['PATCH', '/notes/1', rename, 204, ['OPTIONS', 'PATCH']],
      ['OPTIONS', '/notes/1', { method: 'OPTIONS' }, 200, ['OPTIONS', 'OPTIONS']],
      ['send Authorization', '/notes', { headers: { authorization: 'Bearer x' } }, 200, ['OPTIONS', 'GET']],
      ['read a 404', '/notes/none', {}, 404, ['GET']],
      ['read the 404 of no route', '/none', {}, 404, ['GET']],
      ['read a 415', '/notes/1', { ...rename, headers: json }, 415, ['OPTIONS', 'PATCH']],
      ['read a 400', '/notes/1', { ...rename, body: '{' }, 400, ['OPTIONS', 'PATCH']],
      ['read a 405', '/notes/1', { method: 'POST', body: 'a' }, 405, ['POST']],
    ])('%s', async (_title, path, request, status, methods) => {
      expect(read(await pages.fetch(page, notes.url + path + unasked(), request)).status).toBe(status);
      expect(notes.requests).toEqual(methods.map((method) => `${method} ${path}`));
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
    test.each<[string, () => string, string, PageRequest, string[], RegExp]>([
      [
        'a GET of another origin: served, and not read',
        () => stranger,
        '/notes',
        {},
        ['GET'],
        /No 'Access-Control-Allow-Origin'/,
      ],
      [
        'a PUT of another origin: not sent',
        () => stranger,
        '/notes/1',
        { method: 'PUT', body: '' },
        ['OPTIONS'],
        /preflight.*(?:No 'Access-Control-Allow-Origin'|HTTP ok status)/,
      ],
      [
        'a method that no route handles',
        () => page,
        '/notes',
        { method: 'DELETE' },
        ['OPTIONS'],
        /Method DELETE is not allowed by Access-Control-Allow-Methods/,
      ],
      [
        'patch, which fetch does not upper-case',
        () => page,
        '/notes',
        { ...rename, method: 'patch' },
        ['OPTIONS'],
        /Method patch is not allowed by Access-Control-Allow-Methods/,
      ],
      [
        'a header field that is not allowed',
        () => page,
        '/notes/1',
        { headers: { 'x-secret': '1' } },
        ['OPTIONS'],
        /field x-secret is not allowed by Access-Control-Allow-Headers/,
      ],
      ['a path without routes', () => page, '/none', { method: 'PUT' }, ['OPTIONS'], /HTTP ok status/],
      [
        'credentials where the policy gives none',
        () => page,
        '/notes',
        { credentials: 'include' },
        ['GET'],
        /'Access-Control-Allow-Credentials'/,
      ],
    ])('%s', async (_title, origin, path, request, methods, line) => {
      const console = pages.consoleLine(origin());
      expect(await pages.fetch(origin(), notes.url + path + unasked(), request)).toEqual({
        failed: 'TypeError: Failed to fetch',
      });
      expect(await console).toMatch(line);
      expect(notes.requests).toEqual(methods.map((method) => `${method} ${path}`));
      // The explanation comes to the same end as the browser.
      const cors = corsPreflight({ origin: [page, otherPage] });
      const { method = 'GET', headers = {}, credentials } = request;
      const names = Object.keys(headers).filter((name) => name !== 'content-type');
      const asked = {
        origin: origin(),
        method,
        path,
        headers: names,
        credentials: credentials === 'include',
      };
      expect(await cors.explain({ ...asked, root: exampleApp(page) })).toMatchObject({ allowed: false });
    });
  });

  describe('policies', () => {
    /** The origins are known only when the pages are served. */
    const serve = (cors: () => CorsOptions) => pages.serve(otherApp(cors()));
    const own = () => ({ origin: page });
    const withCookies = () => ({ origin: page, credentials: true });

    test.each<[string, () => CorsOptions, () => string, string, PageRequest, number | undefined]>([
      ["'*' lets every page read", () => ({}), () => stranger, '/thing', {}, 200],
      ["'*' lets every page PATCH", () => ({}), () => stranger, '/thing', { method: 'PATCH' }, 200],
      ["'*' has no credentials", () => ({}), () => page, '/thing', { credentials: 'include' }, undefined],
      [
        'a port pattern',
        () => ({ origin: 'http://127.0.0.1:*' }),
        () => otherPage,
        '/thing',
        { method: 'PUT' },
        200,
      ],
      [
        'and who is not in it',
        () => ({ origin: 'http://127.0.0.1:*' }),
        () => stranger,
        '/thing',
        {},
        undefined,
      ],
      [
        'a RegExp',
        () => ({ origin: /^http:\/\/127\.0\.0\.1:\d+$/ }),
        () => page,
        '/thing',
        { method: 'PUT' },
        200,
      ],
      [
        'a later yes',
        () => ({ origin: () => Promise.resolve(true) }),
        () => page,
        '/thing',
        { method: 'PUT' },
        200,
      ],
      ['a later no', () => ({ origin: () => Promise.resolve(false) }), () => page, '/thing', {}, undefined],
      [
        'any header field',
        () => ({ allowedHeaders: '*' }),
        () => page,
        '/thing',
        { headers: { 'x-any': '1' } },
        200,
      ],
      [
        'credentials for a PATCH',
        withCookies,
        () => page,
        '/thing',
        { method: 'PATCH', credentials: 'include' },
        200,
      ],
      ['a fault of the host can be read', own, () => page, '/boom', {}, 500],
      ['a redirect is followed', own, () => page, '/moved', {}, 200],
      ['a redirected PUT asks again', own, () => page, '/moved', { method: 'PUT' }, 200],
    ])('%s', async (_title, cors, origin, path, request, status) => {
      const { url } = await serve(cors);
      const outcome = await pages.fetch(origin(), url + path, request);
      expect('failed' in outcome ? undefined : outcome.status).toBe(status);
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
      const { url } = await serve(() => ({ origin: page, exposedHeaders: 'ETag' }));
      const { fields } = read(await pages.fetch(page, `${url}/thing`));
      expect(fields).toHaveProperty('etag');
      expect(fields).not.toHaveProperty('x-internal');
    });

    test.each([
      ['600: asked once, for the other methods too', 600, ['OPTIONS', 'PUT', 'PUT', 'DELETE', 'PATCH']],
      [
        '0: asked every time',
        0,
        ['OPTIONS', 'PUT', 'OPTIONS', 'PUT', 'OPTIONS', 'DELETE', 'OPTIONS', 'PATCH'],
      ],
    ])('max-age %s', async (_title, maxAge, methods) => {
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
      const { url, requests } = await serve(() => ({ origin: page, methods: 'POST' }));
      const outcome = await pages.evaluate(
        page,
        `new Promise((resolve) => {
          const upload = new XMLHttpRequest();
          upload.upload.onprogress = () => undefined;
          upload.open('PATCH', '${url}/thing');
          upload.onload = () => resolve(upload.status);
          upload.onerror = () => resolve('refused');
          upload.send('a');
        })`,
      );
      expect([outcome, requests]).toEqual(['refused', ['OPTIONS /thing']]);
    });

    test.each<[string, () => CorsOptions, boolean]>([
      ['where it is named', () => ({ origin: ['null', page] }), true],
      ['and nowhere else', () => ({ origin: [page, /^.*$/, () => true] }), false],
    ])('the origin null of a sandboxed frame is allowed %s', async (_title, cors, allowed) => {
      const { url, requests } = await serve(cors);
      const outcome = await pages.fetch(page, `${url}/thing`, { method: 'PATCH' }, true);
      expect('failed' in outcome).toBe(!allowed);
      expect(requests).toEqual(allowed ? ['OPTIONS /thing', 'PATCH /thing'] : ['OPTIONS /thing']);
    });
  });
});

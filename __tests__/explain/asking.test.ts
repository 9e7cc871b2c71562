import { once } from 'node:events';
import nodeHttp, * as http from 'node:http';
import * as http2 from 'node:http2';
import * as https from 'node:https';
import * as net from 'node:net';
import { inspect, types } from 'node:util';
import npmCors from 'cors';
import express, { type RequestHandler } from 'express';
import onHeaders from 'on-headers';
import createRouter from 'router';
import { corsPreflight, declareMethods, optionsListener, patchOptions, type CorsOptions } from '../../lib';
import { explainCors, type CorsQuestion, type CorsTarget } from '../../lib/explain';
import { explainSilence } from '../../lib/explain/messages';
import { localhostCertificate } from '../support/localhost-certificate';
import { type HeldTimers, holdTimers } from '../support/held-timers';
import { listen } from '../support/serving';

const origin = 'https://app.example';
const stranger = 'https://stranger.example';
const question = { origin, method: 'PATCH', path: '/notes/1' };
const done: RequestHandler = (_req, res) => void res.end();

const servers: net.Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that runs. */
async function start(listener: http.RequestListener | net.Server): Promise<string> {
  const server = listener instanceof net.Server ? listener : http.createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

function notesApp(...middlewares: readonly RequestHandler[]): express.Express {
  const app = express();
  for (const middleware of middlewares) app.use(middleware);
  app.get('/notes/:id', done);
  app.patch('/notes/:id', done);
  return app;
}

const notesRouter = <R extends { use: unknown; get: unknown; patch: unknown }>(router: R): R => {
  const { use, get, patch } = router as unknown as Record<string, (...args: unknown[]) => unknown>;
  use?.call(router, corsPreflight({ origin, root: router as never }));
  get?.call(router, '/notes/:id', (_req: unknown, res: http.ServerResponse) => void res.end());
  patch?.call(router, '/notes/:id', (_req: unknown, res: http.ServerResponse) => void res.end());
  return router;
};

/** The limits of questions, which are a minute here, end when a test says so. */
let limits: HeldTimers | undefined;
const holdLimits = () => (limits = holdTimers((milliseconds) => milliseconds > 10_000));
afterEach(() => {
  limits?.restore();
  limits = undefined;
});

describe('what can be asked', () => {
  const cors = { origin };

  test.each<{
    readonly what: string;
    readonly target: () => CorsTarget | Promise<CorsTarget>;
    readonly isUrl?: true;
  }>([
    { what: 'an app with corsPreflight', target: () => notesApp(corsPreflight(cors)) },
    { what: 'an app with patchOptions', target: () => notesApp(patchOptions({ cors })) },
    { what: 'one with resources', target: () => notesApp(patchOptions({ cors, resources: {} })) },
    { what: 'an app in an app', target: () => express().use(notesApp(corsPreflight(cors))) },
    { what: 'a Router of Express', target: () => notesRouter(express.Router()) },
    { what: 'a router without Express', target: () => notesRouter(createRouter()) },
    { what: 'an optionsListener', target: () => optionsListener(notesApp(), { cors }) },
    {
      what: 'an optionsListener before an app with another policy',
      target: () => optionsListener(notesApp(corsPreflight({ origin: stranger })), { cors }),
    },
    {
      what: 'a function that calls the app',
      target: () => {
        const app = notesApp(corsPreflight(cors));
        return (req: http.IncomingMessage, res: http.ServerResponse) => {
          app(req, res);
        };
      },
    },
    { what: 'a server of http', target: () => http.createServer(notesApp(corsPreflight(cors))) },
    {
      what: 'one that listens',
      target: async () => {
        const server = http.createServer(notesApp(corsPreflight(cors)));
        await start(server);
        return server;
      },
    },
    {
      what: 'one that an optionsListener is attached to',
      target: () => {
        const app = notesApp();
        const server = http.createServer(app);
        optionsListener(app, { cors }).attach(server);
        return server;
      },
    },
    { what: 'a server of https', target: () => https.createServer({}, notesApp(corsPreflight(cors))) },
    {
      what: 'a server of http2',
      target: () => http2.createServer().on('request', notesApp(corsPreflight(cors)) as never),
    },
    {
      what: 'a secure one',
      target: () => http2.createSecureServer({}).on('request', notesApp(corsPreflight(cors)) as never),
    },
    { what: 'a URL', target: () => start(notesApp(corsPreflight(cors))), isUrl: true },
    {
      what: 'a URL object',
      target: async () => new URL(await start(notesApp(corsPreflight(cors)))),
      isUrl: true,
    },
  ])('$what', async ({ target, isUrl }) => {
    const asked = await target();
    const ask = (other: Partial<CorsQuestion>) => explainCors(asked, { ...question, ...other });
    expect(await ask({})).toMatchObject({ allowed: true, code: 'cors-preflight-allowed', notes: [] });
    expect(await ask({ method: 'GET' })).toMatchObject({ allowed: true, code: 'cors-allowed' });
    expect(await ask({ method: 'DELETE' })).toMatchObject({ code: 'cors-method-not-allowed' });
    const refused = await ask({ origin: stranger });
    // Over a URL, nobody hands over why the preflight was answered 403.
    expect(refused.code).toBe(isUrl ? 'cors-no-allow-origin' : 'cors-origin-not-allowed');
    expect(refused.instance === undefined).toBe(isUrl === true);
    expect(await ask({ origin: stranger, method: 'GET' })).toMatchObject({
      code: isUrl ? 'cors-no-allow-origin' : 'cors-origin-not-allowed',
    });
  });

  test('a server without a listener is told, and so is what a listener throws', async () => {
    const { code, error } = await explainCors(http.createServer(), question);
    expect(code).toBe('cors-no-response');
    expect(error).toEqual(new Error('The server has no listener for requests.'));
    const fault = new Error('out of order');
    for (const listener of [
      () => {
        throw fault;
      },
      () => Promise.reject(fault),
    ]) {
      expect(await explainCors(listener, question)).toMatchObject({ code: 'cors-no-response', error: fault });
    }
  });

  test.each([
    { handler: done, status: 200 },
    { handler: ((_req, _res, next) => next()) as RequestHandler, status: 404 },
    { handler: ((_req, _res, next) => next(new Error('a'))) as RequestHandler, status: 500 },
    { handler: ((_req, _res, next) => next({ status: 418 })) as RequestHandler, status: 418 },
    { handler: ((_req, _res, next) => next({ status: 99 })) as RequestHandler, status: 500 },
  ])('where a router passes on, the answer is $status', async ({ handler, status }) => {
    const router = express.Router().use(handler);
    const { requests } = await explainCors(router, { ...question, method: 'GET' });
    expect(requests[0]).toContain(`HTTP/1.1 ${status}`);
  });

  test('an app sees TLS where its server has it', async () => {
    const seen: unknown[] = [];
    const app = notesApp((req, _res, next) => {
      seen.push([req.secure, req.protocol]);
      next();
    });
    await explainCors(app, { ...question, method: 'GET' });
    await explainCors(https.createServer({}, app), { ...question, method: 'GET' });
    expect(seen).toEqual([
      [false, 'http'],
      [true, 'https'],
    ]);
  });

  test('a path can begin with two slashes', async () => {
    const urls: unknown[] = [];
    const app = express().use((req, res) => {
      urls.push(req.url);
      res.end();
    });
    for (const path of ['//host/x', '//', '/a//b?c=//d', '/%61?q=%20']) {
      await explainCors(app, { ...question, path });
      expect(urls.splice(0)).toEqual([path]);
    }
  });

  test("a page of the target's own origin needs no CORS", async () => {
    const listener = jest.fn();
    const url = await start(listener);
    expect(await explainCors(url, { ...question, origin: url })).toMatchObject({
      allowed: true,
      code: 'cors-same-origin',
      requests: [],
    });
    const app = express().use(listener);
    const headers = { host: 'api.example' };
    const own = { ...question, origin: 'http://api.example', headers };
    expect(await explainCors(app, own)).toMatchObject({ code: 'cors-same-origin' });
    const secure = { ...own, origin: 'https://api.example' };
    expect(await explainCors(https.createServer({}, app), secure)).toMatchObject({
      code: 'cors-same-origin',
    });
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('what is sent', () => {
  /** Answers all that a browser asks for, and remembers it. */
  function recorder() {
    const seen: { method: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
    const app = express().use((req, res) => {
      let body = '';
      req.setEncoding('utf8').on('data', (text: string) => (body += text));
      seen.push({ method: req.method, headers: req.headers, body });
      res.set({
        'Access-Control-Allow-Origin': req.get('origin'),
        'Access-Control-Allow-Methods': 'PATCH, PUT',
        'Access-Control-Allow-Headers': req.get('access-control-request-headers'),
        'Access-Control-Allow-Credentials': 'true',
      });
      req.on('end', () => {
        Object.assign(seen.at(-1) ?? {}, { body });
        res.end();
      });
    });
    return { seen, app };
  }

  test('a preflight has the names sorted, in lower case and once each, and no credentials', async () => {
    const { seen, app } = recorder();
    const headers = {
      'X-B': '1',
      Authorization: 'Bearer a',
      'x-a': '2',
      Cookie: 'session=a',
      Accept: 'text/plain',
      'content-type': 'application/json',
    };
    await explainCors(app, { ...question, credentials: true, headers });
    expect(seen.map(({ method }) => method)).toEqual(['OPTIONS']);
    const { host, ...sent } = seen[0]?.headers ?? {};
    expect(host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(sent).toEqual({
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'accept-language': 'en-US,en;q=0.9',
      'access-control-request-headers': 'authorization,content-type,x-a,x-b',
      'access-control-request-method': 'PATCH',
      connection: 'close',
      origin,
      referer: `${origin}/`,
      'sec-fetch-dest': 'empty',
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'cross-site',
      'user-agent': expect.stringContaining('Mozilla/5.0') as string,
    });
  });

  // __tests__/frameworks has those that do so.
  test('in a process whose instrumentation copies the headers of requests as an object', async () => {
    const { request: send } = nodeHttp;
    const copies = jest
      .spyOn(nodeHttp, 'request')
      .mockImplementation(((options: http.RequestOptions) =>
        send({ ...options, headers: { ...options.headers, 'x-trace': '1' } })) as never);
    const { seen, app } = recorder();
    const { code } = await explainCors(app, { ...question, headers: 'if-match' });
    copies.mockRestore();
    expect({ code, fields: seen[0]?.headers }).toMatchObject({
      code: 'cors-preflight-allowed',
      fields: { origin, 'access-control-request-headers': 'if-match', 'x-trace': '1' },
    });
  });

  test('headers of one name are one, as those of fetch() are', async () => {
    const { seen, app } = recorder();
    await explainCors(app, { ...question, method: 'GET', headers: { 'x-a': '1', 'X-A': '2' } });
    expect(seen.at(-1)?.headers).toMatchObject({ 'x-a': '1, 2' });
  });

  test('a GET has the values, and cookies with credentials', async () => {
    const { seen, app } = recorder();
    const headers = { 'X-A': '1', Authorization: 'Bearer a', Cookie: 'session=a', Accept: 'text/plain' };
    for (const credentials of [true, false]) {
      await explainCors(app, { ...question, method: 'GET', credentials, headers });
      const [preflight, get] = seen.splice(0);
      expect(preflight?.headers).not.toHaveProperty('cookie');
      expect(preflight?.headers).not.toHaveProperty('authorization');
      expect(get?.headers).toMatchObject({
        'x-a': '1',
        authorization: 'Bearer a',
        accept: 'text/plain',
        origin,
      });
      expect(get?.headers.cookie).toBe(credentials ? 'session=a' : undefined);
    }
  });

  test('Host, which browsers set, and no other header that scripts cannot set', async () => {
    const { seen, app } = recorder();
    const headers = {
      Host: 'api.example',
      Referer: 'https://a.example',
      'Sec-Fetch-Site': 'none',
      TE: 'trailers',
    };
    const { notes } = await explainCors(app, { ...question, method: 'GET', headers });
    expect(notes).toEqual([expect.stringContaining('Host, Referer, Sec-Fetch-Site, TE')]);
    expect(seen[0]?.headers).toMatchObject({ host: 'api.example', 'sec-fetch-site': 'cross-site' });
    expect(seen[0]?.headers).not.toHaveProperty('referer');
    expect(seen[0]?.headers).not.toHaveProperty('te');
  });

  test.each([
    { page: 'https://app.example.com', host: 'api.example.com', site: 'cross-site' },
    { page: 'http://app.example.com', host: 'api.example.com', site: 'same-site' },
    { page: 'http://a.github.io', host: 'b.github.io', site: 'cross-site' },
    { page: 'http://localhost:5173', host: 'localhost:3000', site: 'same-site' },
    { page: 'http://127.0.0.1:5173', host: '127.0.0.1:3000', site: 'same-site' },
    { page: 'http://127.0.0.1:5173', host: '127.0.0.2:3000', site: 'cross-site' },
    { page: 'http://127.0.0.1:5173', host: '10.0.0.1:3000', site: 'cross-site' },
    { page: 'null', host: 'api.example.com', site: 'cross-site' },
    { page: 'app://.', host: 'api.example.com', site: 'cross-site' },
  ])('a request of $page to $host is $site', async ({ page, host, site }) => {
    const { seen, app } = recorder();
    await explainCors(app, { ...question, origin: page, headers: { host } });
    expect(seen[0]?.headers['sec-fetch-site']).toBe(site);
  });

  test.each([
    { page: 'https://app.example', secure: true, referer: 'https://app.example/' },
    { page: 'https://app.example', secure: false, referer: 'https://app.example/' },
    { page: 'https://app.example', secure: false, host: 'api.example', referer: undefined },
    { page: 'http://app.example', secure: false, referer: 'http://app.example/' },
    { page: 'null', secure: true, referer: undefined },
    { page: 'app://.', secure: true, referer: undefined },
  ])('a page of $page names itself, but not to who can be listened to: $referer', async (row) => {
    const { seen, app } = recorder();
    const target = row.secure ? https.createServer({}, app) : app;
    const headers = row.host === undefined ? {} : { host: row.host };
    await explainCors(target, { ...question, origin: row.page, headers });
    expect(seen[0]?.headers.referer).toBe(row.referer);
  });

  test('other methods only with send: true, and then with their body', async () => {
    const { seen, app } = recorder();
    const { allowed, code } = await explainCors(app, question);
    expect({ allowed, code }).toEqual({ allowed: true, code: 'cors-preflight-allowed' });
    expect(await explainCors(app, { ...question, method: 'POST' })).toMatchObject({
      allowed: true,
      preflight: false,
      code: 'cors-preflight-not-needed',
      requests: [],
    });
    expect(seen.splice(0).map(({ method }) => method)).toEqual(['OPTIONS']);
    const body = '{"title":"ä"}';
    const headers = { 'content-type': 'application/json' };
    expect(await explainCors(app, { ...question, send: true, body, headers })).toMatchObject({
      code: 'cors-allowed',
    });
    expect(seen.splice(0)).toMatchObject([
      { method: 'OPTIONS', body: '' },
      { method: 'PATCH', body, headers: { 'content-length': '14', 'content-type': 'application/json' } },
    ]);
    await explainCors(app, { ...question, method: 'POST', send: true, body: 'a' });
    expect(seen.splice(0)).toMatchObject([
      { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain;charset=UTF-8' } },
    ]);
    await explainCors(app, { ...question, method: 'PUT', send: true });
    expect(seen).toMatchObject([
      { method: 'OPTIONS' },
      { method: 'PUT', headers: { 'content-length': '0' } },
    ]);
  });

  test('the text of requests can be pasted: secrets are blanked', async () => {
    const app = express().use(corsPreflight({ origin, credentials: true }));
    app.get('/notes/1', (_req, res) => void res.cookie('session', 'secret-a').end());
    const headers = { authorization: 'Bearer secret-b', cookie: 'a=secret-c', 'if-match': '"tag"' };
    const asked = { ...question, method: 'GET', credentials: true, headers };
    const { requests, allowed } = await explainCors(app, asked);
    expect(allowed).toBe(true);
    const [preflight = '', get = ''] = requests;
    expect(requests.join()).not.toContain('secret');
    expect(preflight).toMatch(/^OPTIONS \/notes\/1 HTTP\/1\.1\nHost: /);
    expect(preflight).toMatch(/\n\nHTTP\/1\.1 2\d\d [^\n]+\n/);
    expect(get).toMatch(/\nAuthorization: …\n/i);
    expect(get).toMatch(/\ncookie: …\n/);
    expect(get).toMatch(/\nSet-Cookie: …\n/);
    expect(get).toContain('\nif-match: "tag"\n');
  });
});

describe('an answer is judged at its head', () => {
  test.each<{ readonly what: string; readonly handler: RequestHandler }>([
    { what: 'a stream that never ends', handler: (_req, res) => void res.write('a') },
    { what: 'a head alone', handler: (_req, res) => void res.flushHeaders() },
    { what: '200 KB of headers', handler: (_req, res) => void res.set('X-A', 'a'.repeat(200_000)).end() },
    {
      what: '3,000 headers',
      handler: (_req, res) => {
        for (let i = 0; i < 3_000; i++) res.set(`X-${i}`, '1');
        res.end();
      },
    },
    { what: '100 MB', handler: (_req, res) => void res.end(Buffer.alloc(100_000_000)) },
  ])('$what', async ({ handler }) => {
    const app = express().use(corsPreflight({ origin })).get('/', handler);
    expect(await explainCors(app, { origin, method: 'GET', path: '/' })).toMatchObject({
      code: 'cors-allowed',
    });
  });

  test('nothing stays open, after whatever has come', async () => {
    const closed: Promise<unknown>[] = [];
    const ports = new Set<number>();
    const limit = holdLimits();
    const handlers: readonly http.RequestListener[] = [
      () => {
        limit.run();
      },
      (_req, res) => void res.write('a'),
      (_req, res) => void res.end(),
      (_req, res) => void res.destroy(),
      () => {
        throw new Error('fault');
      },
    ];
    for (const handler of handlers) {
      for (const method of ['GET', 'PATCH']) {
        await explainCors(
          (req: http.IncomingMessage, res: http.ServerResponse) => {
            closed.push(once(req.socket, 'close'));
            ports.add(req.socket.localPort ?? 0);
            handler(req, res);
          },
          { ...question, method, timeout: 60_000 },
        );
      }
    }
    await Promise.all(closed);
    expect(closed.length).toBeGreaterThanOrEqual(10);
    for (const port of ports) {
      const [error] = (await once(net.connect(port, '127.0.0.1'), 'error')) as unknown[];
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  test.each(['GET', 'PATCH'])('a handler that hangs is a verdict: %s', async (method) => {
    const app = express();
    app.get('/notes/1', () => undefined);
    app.options('/notes/1', () => undefined);
    expect(await explainCors(app, { ...question, method, timeout: 50 })).toMatchObject({
      allowed: false,
      code: 'cors-timed-out',
      requests: [expect.stringContaining('(no answer in time)')],
    });
  });

  test('the time is for all requests together', async () => {
    const fields = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'x-a' };
    const limit = holdLimits();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    const app = express().use((req, res) => {
      if (req.method !== 'OPTIONS') return void limit.run();
      clock.mockReturnValue(1_040_000);
      res.set(fields).end();
    });
    const asked = { ...question, method: 'GET', headers: { 'x-a': '1' }, timeout: 60_000 };
    const { code, requests } = await explainCors(app, asked);
    clock.mockRestore();
    expect({ code, sent: requests.length }).toEqual({ code: 'cors-timed-out', sent: 2 });
    expect(limit.delays).toEqual([60_000, 20_000]);
  });
});

describe('no answer is a verdict, with what the connection showed', () => {
  const raw = (answer: (socket: net.Socket) => void): net.Server =>
    net.createServer((socket) => void socket.once('data', () => answer(socket)).on('error', () => undefined));
  const secure = (certificate: object): net.Server => https.createServer(certificate, done as never);

  test.each<{
    readonly what: string;
    readonly server: net.Server;
    readonly change?: (url: string) => string;
    readonly reason: RegExp;
  }>([
    {
      what: 'a connection that is closed',
      server: raw((socket) => void socket.destroy()),
      reason: /\(ECONNRESET\)\. The connection was closed\. .*; if it speaks TLS, write 'https:\/\/127/,
    },
    {
      what: 'what is not HTTP',
      server: raw((socket) => void socket.end('hello\r\n\r\n')),
      reason: /\(HPE_\w+\)\. The server at 127\.0\.0\.1:\d+ does not answer in HTTP\. Check the port\.$/,
    },
    {
      what: 'half a head',
      server: raw((socket) => void socket.end('HTTP/1.1 200 OK\r\nA')),
      reason: /\(\w+\)\. \w/,
    },
    {
      what: 'a head with control characters',
      server: raw((socket) => void socket.end('HTTP/1.1 200 OK\r\nA: \u0000\r\n\r\n')),
      reason: /\(HPE_\w+\)\. The server at/,
    },
    {
      what: 'early hints, and then nothing',
      server: raw((socket) => void socket.end('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')),
      reason: /\(ECONNRESET\)\. The connection was closed/,
    },
    {
      what: 'an alert of TLS, to http:',
      server: raw((socket) => void socket.end(Buffer.from('15030100020246', 'hex'))),
      reason: /The server at (127\.0\.0\.1:\d+) speaks TLS: write 'https:\/\/\1'\.$/,
    },
    {
      what: 'HTTP, to https:',
      server: http.createServer(done as never),
      change: (url) => url.replace('http:', 'https:'),
      reason: /The server at (127\.0\.0\.1:\d+) does not speak TLS: write 'http:\/\/\1'\.$/,
    },
    {
      what: 'a TLS handshake without a common version',
      server: secure({
        ...localhostCertificate,
        minVersion: 'TLSv1.3',
        maxVersion: 'TLSv1.3',
        ciphers: 'TLS_AES_128_CCM_SHA256',
      }),
      change: (url) => url.replace('http:', 'https:'),
      reason: /The TLS handshake has failed\. Check/,
    },
    {
      what: 'a certificate that signs itself',
      server: secure(localhostCertificate),
      change: (url) => url.replace('http:', 'https:'),
      reason:
        /\(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Node does not trust the certificate\. .*NODE_EXTRA_CA_CERTS=ca\.pem/,
    },
    {
      what: 'a name that has no address',
      server: http.createServer(done as never),
      change: () => 'http://absent.invalid',
      reason: /\((?:ENOTFOUND|EAI_AGAIN)\)\. The name absent\.invalid has no address\./,
    },
  ])('$what', async ({ server, change = (url: string) => url, reason }) => {
    const url = change(await start(server));
    for (const method of ['GET', 'PATCH']) {
      const explained = await explainCors(url, { ...question, method });
      expect(explained).toMatchObject({ allowed: false, code: 'cors-no-response' });
      expect(types.isNativeError(explained.error)).toBe(true);
      expect(explained.reason).toMatch(reason);
    }
  });

  test('a server that does not run', async () => {
    const url = await start(() => undefined);
    servers.pop()?.close();
    const { code, reason } = await explainCors(url, question);
    expect(code).toBe('cors-no-response');
    expect(reason).toMatch(
      /\(ECONNREFUSED\)\. Nothing listens at 127\.0\.0\.1:\d+\. Start the server, or correct/,
    );
  });

  test.each([
    { code: 'ERR_TLS_CERT_ALTNAME_INVALID', said: /The certificate is not for api\.example/ },
    { code: 'CERT_HAS_EXPIRED', said: /has expired/ },
    { code: 'CERT_NOT_YET_VALID', said: /not valid yet/ },
    { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', said: /does not trust the certificate/ },
    { code: 'ETIMEDOUT', said: /api\.example cannot be reached/ },
    { code: 'EMFILE', said: /See the log of the server/ },
  ])('$code', ({ code, said }) => {
    const request = { url: new URL('https://api.example/'), path: '/', method: 'GET', headers: [] };
    const silence = {
      answer: undefined,
      report: undefined,
      inProcess: false,
      isLate: false,
      speaksTls: false,
    };
    const error = Object.assign(new Error('fault'), { code });
    expect(explainSilence({ request, ...silence, error })).toMatchObject({
      code: 'cors-no-response',
      reason: expect.stringMatching(said) as string,
    });
  });
});

describe('whoever has answered', () => {
  const answering =
    (fields: Readonly<Record<string, string | string[]>>, status = 200) =>
    (): express.Express =>
      express().use((_req, res) => void res.status(status).set(fields).end());
  const requireLogin: RequestHandler = (req, res, next) => {
    if (req.headers.authorization === undefined) res.writeHead(401).end();
    else next();
  };
  const headers = { authorization: 'Bearer a' };

  test.each<{
    readonly what: string;
    readonly app: () => express.Express;
    readonly asked?: Partial<CorsQuestion>;
    readonly code: string;
    readonly reason: RegExp;
    readonly overUrl?: RegExp;
  }>([
    {
      what: 'authentication in front',
      app: () => notesApp(requireLogin, corsPreflight({ origin })),
      asked: { headers },
      code: 'cors-no-allow-origin',
      reason:
        /something else has answered it\. The preflight was answered 401 without the header\. Preflights carry no cred.*before authentication\.$/,
      overUrl: /answered 401 without the header\..*Preflights carry no.*let proxies pass OPTIONS on\.$/,
    },
    {
      what: 'authentication behind npm cors, which leaves preflights to others',
      app: () => notesApp(npmCors({ origin, preflightContinue: true }), requireLogin),
      asked: { headers },
      code: 'cors-preflight-status',
      reason: /answered 401, and browsers need a 2xx status\. Preflights carry.*before authentication\.$/,
      overUrl: /answered 401, and browsers need a 2xx status\. Preflights.*proxies pass OPTIONS on\.$/,
    },
    {
      what: 'a 500 with CORS headers',
      app: answering({ 'Access-Control-Allow-Origin': '*' }, 500),
      code: 'cors-preflight-status',
      reason: /answered 500, and browsers need a 2xx status\. Let the function.*answer OPTIONS, too\.$/,
      overUrl: /answered 500, and browsers need a 2xx.*too, and let proxies pass OPTIONS on\.$/,
    },
    {
      what: 'authentication behind',
      app: () => notesApp(corsPreflight({ origin }), requireLogin),
      asked: { headers, method: 'GET' },
      code: 'cors-allowed',
      reason: /read the response/,
    },
    {
      what: 'npm cors in a router, before ours',
      app: () => notesApp(express.Router().use(npmCors({ origin: stranger })), corsPreflight({ origin })),
      code: 'cors-other-origin',
      reason: /Access-Control-Allow-Origin is 'https:\/\/stranger\.example'/,
    },
    {
      what: 'npm cors alone, which allows all methods',
      app: () => notesApp(npmCors({ origin })),
      asked: { method: 'DELETE' },
      code: 'cors-preflight-allowed',
      reason: /The preflight allows DELETE/,
    },
    {
      what: 'nobody',
      app: () => notesApp(),
      code: 'cors-no-allow-origin',
      reason:
        /^No corsPreflight\(\) has seen the preflight: something else has answered it\. The \w+ was answered 200 without the header\. Mount/,
      overUrl: /^The preflight was answered 200 without the header\. The origin is not allowed, or/,
    },
    {
      what: 'nobody, a GET',
      app: () => notesApp(),
      asked: { method: 'GET' },
      code: 'cors-no-allow-origin',
      reason:
        /^No corsPreflight\(\) has seen the request: something else has answered it\. The \w+ was answered 200 without the header\. Mount/,
      overUrl: /^The request was answered 200 without the header/,
    },
    {
      what: 'an app whose preflights are redirected',
      app: () => express().use((_req, res) => void res.redirect('/login')),
      code: 'cors-preflight-redirected',
      reason: /answered 302 with Location: \/login, and browsers do not follow/,
    },
    ...['GET; PATCH', 'GET PATCH', '[PATCH]'].map((list) => ({
      what: `the list ${list}`,
      app: answering({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': list }),
      code: 'cors-list-malformed',
      reason: /Write names, separated by commas/,
    })),
    {
      what: 'a list that is split and padded',
      app: answering({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': ['GET ,', ', PATCH'],
      }),
      code: 'cors-preflight-allowed',
      reason: /allows PATCH/,
    },
    {
      what: 'two middlewares that both set the header',
      app: () =>
        express().use((_req, res) => {
          res.setHeader('Access-Control-Allow-Origin', [origin, origin]);
          res.end();
        }),
      code: 'cors-other-origin',
      reason: /both set it: remove one of them/,
    },
    {
      what: 'an app of hand-written CORS, and a method that it leaves out',
      app: answering({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET' }),
      code: 'cors-method-not-allowed',
      reason: /The answer allows GET, but not PATCH\. Add it to Access-Control-Allow-Methods/,
    },
    {
      what: 'one that leaves out a header',
      app: answering({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': '*' }),
      asked: { headers: 'if-match' },
      code: 'cors-header-not-allowed',
      reason: /The page sends if-match\. The answer allows no headers\. Add it there/,
    },
    {
      what: 'one that forgets credentials',
      app: answering({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Methods': 'PATCH' }),
      asked: { credentials: true },
      code: 'cors-credentials-not-allowed',
      reason: /They need Access-Control-Allow-Credentials: true/,
    },
    ...[200, 204, 299].map((status) => ({
      what: `an answer ${status}`,
      app: answering({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'PATCH' }, status),
      code: 'cors-preflight-allowed',
      reason: /allows PATCH/,
    })),
    ...['TRUE', 'True', '1', 'true, true'].map((value) => ({
      what: `Access-Control-Allow-Credentials: ${value}`,
      app: answering({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': value }),
      asked: { credentials: true },
      code: 'cors-credentials-not-allowed',
      reason: /They need Access-Control-Allow-Credentials: true/,
    })),
    {
      what: 'a star for headers, with credentials',
      app: answering({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'PATCH',
        'Access-Control-Allow-Headers': '*',
        'Access-Control-Allow-Credentials': 'true',
      }),
      asked: { credentials: true, headers: 'x-a' },
      code: 'cors-header-not-allowed',
      reason: /The page sends x-a\. The answer allows \*\. Add it there\./,
    },
    {
      what: 'a star for methods, with credentials',
      app: answering({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': '*',
        'Access-Control-Allow-Credentials': 'true',
      }),
      asked: { credentials: true },
      code: 'cors-method-not-allowed',
      reason: /The answer allows \*, but not PATCH/,
    },
  ])('$what', async ({ app, asked, code, reason, overUrl = reason }) => {
    const local = await explainCors(app(), { ...question, ...asked });
    expect(local).toMatchObject({ code, reason: expect.stringMatching(reason) as string });
    const remote = await explainCors(await start(app()), { ...question, ...asked });
    expect(remote).toMatchObject({ code, reason: expect.stringMatching(overUrl) as string });
    expect(remote.step).toBe(local.step);
  });

  describe('credentials that the policy allows, and what the app sets does not', () => {
    const cors = { origin, credentials: true };
    const get = { method: 'GET', credentials: true };
    const sets =
      (name: string, value: string | string[]): RequestHandler =>
      (_req, res, next) => {
        res.setHeader(name, value);
        next();
      };

    test.each<{
      readonly what: string;
      readonly middlewares: RequestHandler[];
      readonly asked?: Partial<CorsQuestion>;
      readonly reason: string;
      readonly isTold?: boolean;
    }>([
      {
        what: 'a star',
        middlewares: [patchOptions({ cors }), sets('Access-Control-Allow-Origin', '*')],
        reason:
          "The page sends credentials, and Access-Control-Allow-Origin: '*' does not allow them. Your app, or a " +
          'server whose answer it passes on, set that header, not patchOptions(): remove it there.',
      },
      ...['false', 'true, true', ['true', 'true']].map((value) => ({
        what: JSON.stringify(value),
        middlewares: [patchOptions({ cors }), sets('Access-Control-Allow-Credentials', value)],
        reason:
          `The page sends credentials, and Access-Control-Allow-Credentials: '${[value].flat().join(', ')}' does ` +
          'not allow them. Your app, or a server whose answer it passes on, set that header, not ' +
          'patchOptions(): remove it there.',
      })),
      {
        what: 'two headers, where the policy allows no credentials, either',
        middlewares: [patchOptions({ cors: { origin } }), sets('Access-Control-Allow-Credentials', 'no')],
        reason:
          "The page sends credentials, and Access-Control-Allow-Credentials: 'no' does not allow them. Your",
        isTold: false,
      },
      {
        what: 'nothing, as something has removed it',
        middlewares: [
          (_req, res, next) => {
            onHeaders(res, () => {
              res.removeHeader('Access-Control-Allow-Credentials');
            });
            next();
          },
          patchOptions({ cors }),
        ],
        reason:
          'The page sends credentials. patchOptions() sets Access-Control-Allow-Credentials: true, but ' +
          'something has changed or removed it, or has sent the head earlier. Mount patchOptions() first.',
        isTold: false,
      },
      {
        what: 'nothing, and the policy does not allow them',
        middlewares: [patchOptions({ cors: { origin } })],
        reason: 'The page sends credentials, but the policy does not allow them. List the origins and set',
        isTold: false,
      },
    ])('$what', async ({ middlewares, reason, isTold = true }) => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
      const verdict = await explainCors(notesApp(...middlewares), { ...question, ...get });
      const { calls } = warned.mock;
      warned.mockRestore();
      expect(verdict).toMatchObject({
        allowed: false,
        code: 'cors-credentials-not-allowed',
        reason: expect.stringContaining(reason) as string,
      });
      const told = [expect.stringContaining('Your app set'), { code: 'PATCH_OPTIONS_CORS_TWICE' }];
      expect(calls).toEqual(isTold ? [told] : []);
    });

    test('what a middleware in front has mended is not told', async () => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
      const mends: RequestHandler = (_req, res, next) => {
        onHeaders(res, () => {
          res.setHeader('Access-Control-Allow-Origin', origin);
        });
        next();
      };
      const app = notesApp(mends, patchOptions({ cors }), sets('Access-Control-Allow-Origin', '*'));
      const { code } = await explainCors(app, { ...question, ...get });
      const { calls } = warned.mock;
      warned.mockRestore();
      expect({ code, calls }).toEqual({ code: 'cors-allowed', calls: [] });
    });

    test('an upstream whose headers a gateway passes on, twice the origin', async () => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
      const upstream = await start((_req, res) => {
        res
          .writeHead(200, ['Access-Control-Allow-Origin', origin, 'Access-Control-Allow-Origin', origin])
          .end();
      });
      // As http-proxy-middleware does it.
      const gateway: RequestHandler = (req, res) => {
        http.get(upstream + req.url, (answer) => {
          for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value ?? '');
          answer.pipe(res);
        });
      };
      const { code, reason } = await explainCors(notesApp(patchOptions({ cors }), gateway), {
        ...question,
        ...get,
      });
      const { calls } = warned.mock;
      warned.mockRestore();
      expect([code, reason]).toEqual([
        'cors-other-origin',
        expect.stringContaining(`'${origin}, ${origin}'`),
      ]);
      expect(calls).toEqual([
        [
          expect.stringContaining(`Allow-Origin: '${origin}, ${origin}'`),
          { code: 'PATCH_OPTIONS_CORS_TWICE' },
        ],
      ]);
    });
  });

  describe('what something else has done to the answer', () => {
    const elsewhere =
      'Your app, or a server whose answer it passes on, set that header, not corsPreflight(): remove it there.';
    /** Decides last, as it is in front. */
    const changes =
      (name: string, value?: string): RequestHandler =>
      (_req, res, next) => {
        onHeaders(res, () => {
          if (value === undefined) res.removeHeader(name);
          else res.setHeader(name, value);
        });
        next();
      };
    const sets =
      (name: string, value: string): RequestHandler =>
      (_req, res, next) => {
        res.setHeader(name, value);
        next();
      };
    const own = corsPreflight({ origin, allowedHeaders: { only: 'X-A' } });
    const leftover = npmCors({ origin, methods: 'GET', allowedHeaders: 'X-A' });
    const unseen = 'No corsPreflight() has seen the preflight: something else has answered it. ';
    const echoes = corsPreflight({ origin, allowedHeaders: 'requested' });

    test.each<{
      readonly what: string;
      readonly middlewares: RequestHandler[];
      readonly asked?: Partial<CorsQuestion>;
      readonly reason: string;
    }>([
      {
        what: 'another origin',
        middlewares: [own, sets('Access-Control-Allow-Origin', stranger)],
        asked: { method: 'GET' },
        reason: `Access-Control-Allow-Origin is '${stranger}', and the origin of the page is '${origin}'. ${elsewhere}`,
      },
      {
        what: 'another origin than that of a page that the policy refuses',
        middlewares: [own, sets('Access-Control-Allow-Origin', origin)],
        asked: { method: 'GET', origin: stranger },
        reason: `Access-Control-Allow-Origin is '${origin}', and the origin of the page is '${stranger}'. ${elsewhere}`,
      },
      {
        what: 'a star, where the policy lists origins and allows no credentials',
        middlewares: [own, sets('Access-Control-Allow-Origin', '*')],
        asked: { method: 'GET', credentials: true },
        reason: `The page sends credentials, and Access-Control-Allow-Origin: '*' does not allow them. ${elsewhere}`,
      },
      {
        what: 'other methods',
        middlewares: [changes('Access-Control-Allow-Methods', 'GET'), own],
        reason:
          'The answer allows GET. corsPreflight() sets Access-Control-Allow-Methods: GET, HEAD, OPTIONS, PATCH, but something ' +
          'has changed or removed it, or has sent the head earlier. Mount corsPreflight() first.',
      },
      {
        what: 'no methods',
        middlewares: [changes('Access-Control-Allow-Methods'), own],
        reason:
          'The answer allows no method. corsPreflight() sets Access-Control-Allow-Methods: GET, HEAD, OPTIONS, PATCH,',
      },
      {
        what: 'other headers',
        middlewares: [changes('Access-Control-Allow-Headers', 'X-B'), own],
        asked: { headers: 'x-a' },
        reason:
          'The page sends x-a. The answer allows X-B. corsPreflight() sets Access-Control-Allow-Headers: X-A, but something',
      },
      {
        what: 'no headers, where those of the preflight are sent back',
        middlewares: [changes('Access-Control-Allow-Headers'), echoes],
        asked: { headers: 'X-A' },
        reason:
          'The page sends X-A. The answer allows no headers. corsPreflight() sets Access-Control-Allow-Headers: x-a, but',
      },
      {
        what: 'a leftover npm cors in front, by method',
        middlewares: [leftover, own],
        reason: `${unseen}The answer allows GET, but not PATCH. Add it to Access-Control-Allow-Methods.`,
      },
      {
        what: 'by header',
        middlewares: [leftover, own],
        asked: { headers: 'x-b', method: 'GET' },
        reason: `${unseen}The page sends x-b. The answer allows X-A. Add it there.`,
      },
      {
        what: 'by origin',
        middlewares: [leftover, own],
        asked: { origin: stranger },
        reason: `${unseen}Access-Control-Allow-Origin is '${origin}', and the origin of the page is '${stranger}'. Allow`,
      },
      {
        what: 'by credentials',
        middlewares: [leftover, own],
        asked: { credentials: true },
        reason: `${unseen}The page sends credentials. They need Access-Control-Allow-Credentials: true,`,
      },
    ])('$what', async ({ middlewares, asked, reason }) => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
      const explained = await explainCors(notesApp(...middlewares), { ...question, ...asked });
      warned.mockRestore();
      expect(explained.allowed).toBe(false);
      expect(explained.reason.slice(0, reason.length)).toBe(reason);
    });

    test('a status, where something has written the head for ours', async () => {
      const answers: RequestHandler = (_req, res, next) => {
        const { writeHead } = res;
        res.writeHead = (() => writeHead.call(res, 500)) as typeof res.writeHead;
        next();
      };
      const { code, reason } = await explainCors(notesApp(answers, own), question);
      expect({ code, reason }).toEqual({
        code: 'cors-preflight-status',
        reason:
          'corsPreflight() has seen the preflight, but something else has answered it, with 500. Mount corsPreflight() first.',
      });
    });
  });

  test.each([
    {
      what: 'the fallback of a single-page app',
      add: (app: express.Express) => app.get('/{*path}', done),
      path: '/api/typo',
      reason:
        'Only a route with a wildcard matches the path. It handles GET, HEAD, OPTIONS, but not PATCH. Correct the path, or add a route for PATCH.',
    },
    {
      what: 'one beside a route',
      add: (app: express.Express) => app.post('/api/notes', done).get('/{*path}', done),
      path: '/api/notes',
      reason:
        'The routes for the path handle GET, HEAD, OPTIONS, POST, but not PATCH. Add a route for PATCH.',
    },
    {
      what: 'one beside app.all',
      add: (app: express.Express) => app.all('/api/notes', done).get('/{*path}', done),
      path: '/api/notes',
      method: 'PURGE',
      reason:
        'The routes for the path handle DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY, but not PURGE. Add a route for PURGE.',
    },
  ])(
    'a route for every path is no route for this one: $what',
    async ({ add, path, method = 'PATCH', reason }) => {
      const app = express().use(corsPreflight({ origin }));
      add(app);
      expect((await explainCors(app, { origin, method, path })).reason).toBe(reason);
    },
  );

  test('ours behind the route knows at the preflight that the response will lack the headers', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const app = notesApp();
    app.use(corsPreflight({ origin }));
    const late = { allowed: false, code: 'cors-mounted-late', step: /^CORS check step 2/ };
    expect(await explainCors(app, question)).toMatchObject({
      ...late,
      step: expect.stringMatching(late.step) as string,
    });
    const read = await explainCors(app, { ...question, method: 'GET', headers: 'if-match' });
    expect(read).toMatchObject({ allowed: false, code: 'cors-mounted-late' });
    expect(read.requests).toHaveLength(2);
    warned.mockRestore();
  });

  test.each([
    { set: undefined, code: 'cors-mounted-late', credentials: false },
    { set: undefined, code: 'cors-mounted-late', credentials: true },
    { set: { 'Access-Control-Allow-Origin': '*' }, code: 'cors-allowed', credentials: false },
    { set: { 'Access-Control-Allow-Origin': '*' }, code: 'cors-credentials-not-allowed', credentials: true },
    { set: { 'Access-Control-Allow-Origin': origin }, code: 'cors-allowed', credentials: false },
    {
      set: { 'Access-Control-Allow-Origin': origin },
      code: 'cors-credentials-not-allowed',
      credentials: true,
    },
    {
      set: { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' },
      ...{ code: 'cors-allowed', credentials: true },
    },
    { set: { 'Access-Control-Allow-Origin': stranger }, code: 'cors-other-origin', credentials: false },
  ])(
    'ours behind the route, and $set in front of both, credentials: $credentials: $code, sent or not',
    async ({ set = {}, code, credentials }) => {
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
      const inFront: RequestHandler = (_req, res, next) => {
        res.set(set);
        next();
      };
      const app = notesApp(inFront);
      app.use(corsPreflight({ origin, credentials: true }));
      for (const send of [false, true]) {
        const { allowed, code: found } = await explainCors(app, { ...question, credentials, send });
        const unsent = code === 'cors-allowed' ? 'cors-preflight-allowed' : code;
        expect([send, allowed, found]).toEqual([send, code === 'cors-allowed', send ? code : unsent]);
      }
      const isTold = warned.mock.calls.some(
        ([, about]) => Object(about).code === 'PATCH_OPTIONS_CORS_BEHIND_ROUTES',
      );
      expect(isTold).toBe(code === 'cors-mounted-late');
      warned.mockRestore();
    },
  );

  test('what our middleware knows stays in the process', async () => {
    const seen: string[] = [];
    const app = notesApp(corsPreflight({ origin }));
    const { reason, requests } = await explainCors(app, { ...question, origin: 'https://app.example:8443' });
    expect(reason).toContain("The nearest rule is 'https://app.example'.");
    seen.push(...requests);
    expect(seen.join().replaceAll('https://app.example:8443', '')).not.toContain('app.example');
  });

  test('a header that is not allowed is said by the verdict, and not warned of', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const asked = { ...question, headers: 'x-a' };
    const { code } = await explainCors(notesApp(corsPreflight({ origin })), asked);
    const { calls } = warned.mock;
    warned.mockRestore();
    expect({ code, calls }).toEqual({ code: 'cors-header-not-allowed', calls: [] });
  });

  test('fifty questions at once', async () => {
    const app = notesApp(corsPreflight({ origin }));
    const asked = Array.from({ length: 50 }, (_, i) =>
      explainCors(app, {
        ...question,
        origin: i % 2 === 0 ? origin : stranger,
        method: i % 3 === 0 ? 'GET' : 'PATCH',
      }),
    );
    const verdicts = (await Promise.all(asked)).map(({ allowed }) => allowed);
    expect(verdicts).toEqual(Array.from({ length: 50 }, (_, i) => i % 2 === 0));
  });
});

describe('a URL behind a proxy', () => {
  /** Forwards requests, and changes what comes back. */
  async function proxied(
    cors: CorsOptions,
    change: (headers: http.OutgoingHttpHeaders, req: http.IncomingMessage) => number | undefined,
  ): Promise<string> {
    const upstream = new URL(await start(notesApp(corsPreflight(cors))));
    return start((req, res) => {
      const { method, url, headers } = req;
      const forwarded = http.request({
        host: upstream.hostname,
        port: upstream.port,
        method,
        path: url,
        headers,
        agent: false,
      });
      req.pipe(forwarded).on('response', (answer) => {
        const fields: http.OutgoingHttpHeaders = { ...answer.headers };
        const status = change(fields, req) ?? answer.statusCode ?? 502;
        answer.pipe(res.writeHead(status, fields));
      });
    });
  }

  test.each<{
    readonly what: string;
    readonly change: Parameters<typeof proxied>[1];
    readonly code: string;
    readonly get?: string;
  }>([
    { what: 'one that changes nothing', change: () => undefined, code: 'cors-preflight-allowed' },
    {
      what: 'one that strips Access-Control-Allow-Origin',
      change: (headers) => void delete headers['access-control-allow-origin'],
      code: 'cors-no-allow-origin',
      get: 'cors-no-allow-origin',
    },
    {
      what: 'one that adds its own',
      change: (headers) => void Object.assign(headers, { 'access-control-allow-origin': [origin, '*'] }),
      code: 'cors-other-origin',
      get: 'cors-other-origin',
    },
    {
      what: 'one that strips the methods',
      change: (headers) => void delete headers['access-control-allow-methods'],
      code: 'cors-method-not-allowed',
    },
    {
      what: 'one that strips the headers',
      change: (headers) => void delete headers['access-control-allow-headers'],
      code: 'cors-header-not-allowed',
    },
    {
      what: 'one that answers OPTIONS itself',
      change: (_headers, { method }) => (method === 'OPTIONS' ? 405 : undefined),
      code: 'cors-preflight-status',
    },
  ])('$what', async ({ change, code, get = 'cors-allowed' }) => {
    const url = await proxied({ origin }, change);
    expect(await explainCors(url, { ...question, headers: 'if-match' })).toMatchObject({ code });
    expect(await explainCors(url, { ...question, method: 'GET' })).toMatchObject({ code: get });
  });
});

describe('redirects (Fetch, HTTP-redirect fetch)', () => {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'authorization' };
  /** An app that redirects all but preflights, and counts the requests that it gets. */
  function redirecting(status: number, location: string) {
    const sent: string[] = [];
    const app = express().use((req, res) => {
      sent.push(`${req.method} ${req.url}`);
      res.set(headers).set('Access-Control-Allow-Methods', 'PUT');
      if (req.method === 'OPTIONS') res.end();
      else res.writeHead(status, { Location: location }).end();
    });
    return { app, sent };
  }

  test.each<{
    readonly location: string;
    readonly status?: number;
    readonly asked?: Partial<CorsQuestion>;
    readonly next: string;
  }>([
    { location: '/login', next: 'the path /login, with the method GET and the origin https://app.example' },
    { location: 'b?token=SECRET', next: 'the path /notes/b?token=…, with' },
    {
      location: '/b',
      status: 307,
      asked: { method: 'PUT', send: true },
      next: 'the path /b, with the method PUT and',
    },
    {
      location: '/b',
      status: 302,
      asked: { method: 'PUT', send: true },
      next: 'the path /b, with the method PUT and',
    },
    {
      location: '/b',
      status: 302,
      asked: { method: 'POST', send: true },
      next: 'the path /b, with the method GET and',
    },
    {
      location: '/b',
      status: 308,
      asked: { method: 'POST', send: true },
      next: 'the path /b, with the method POST and',
    },
    {
      location: '/b',
      status: 303,
      asked: { method: 'PUT', send: true },
      next: 'the path /b, with the method GET and',
    },
    { location: '/b', status: 303, asked: { method: 'HEAD' }, next: 'the path /b, with the method HEAD and' },
    {
      location: 'https://b.example/c?code=SECRET',
      next: 'https://b.example/c?code=…, with the method GET and the origin null.',
    },
    {
      location: 'https://b.example/c',
      asked: { headers: { authorization: 'Bearer a' } },
      next: 'https://b.example/c, with the method GET and the origin null, without Authorization.',
    },
    // The host of the app itself, by another scheme, is another origin.
    {
      location: 'https://api.example/c',
      asked: { headers: { host: 'api.example' } },
      next: 'https://api.example/c, with the method GET and the origin null.',
    },
    // A page's own origin, too.
    {
      location: 'https://app.example/login',
      next: 'https://app.example/login, with the method GET and the origin null.',
    },
  ])(
    '$status to $location with $asked is followed: ask for $next',
    async ({ location, status = 302, asked, next }) => {
      const { app, sent } = redirecting(status, location);
      const explained = await explainCors(app, { ...question, method: 'GET', ...asked });
      expect(explained).toMatchObject({ allowed: undefined, code: 'cors-redirected', step: undefined });
      expect(explained.reason).toContain(`was answered ${status} with Location: `);
      expect(explained.reason).toContain(
        `The browser continues there, and the answer there decides: ask for ${next}`,
      );
      expect(explained.reason).not.toContain('SECRET');
      // It sends nothing of its own.
      expect(sent.filter((line) => !line.startsWith('OPTIONS'))).toHaveLength(1);
    },
  );

  test.each(['data:,a', 'ftp://a.example', 'http://', 'https://a b', 'http://ann@127.0.0.1/'])(
    '%s is an address that no browser follows, as the reason says',
    async (location) => {
      const answer = await explainCors(redirecting(302, location).app, { ...question, method: 'GET' });
      expect(answer).toMatchObject({ allowed: undefined, code: 'cors-redirected' });
      expect(answer.reason).toMatch(
        /Browsers follow only http: and https: URLs, and none with a user name or a password\.$/,
      );
    },
  );

  test.each([301, 302, 303, 307, 308])('%i with an empty Location is an answer', async (status) => {
    const answer = await explainCors(redirecting(status, '').app, { ...question, method: 'GET' });
    expect(answer).toMatchObject({ allowed: true, code: 'cors-allowed' });
  });

  test.each([300, 304])('and so is %i', async (status) => {
    const answer = await explainCors(redirecting(status, '/b').app, { ...question, method: 'GET' });
    expect(answer).toMatchObject({ allowed: true, code: 'cors-allowed' });
  });

  test.each([{}, { Location: '' }])('a preflight with 302 and %j is an answer, too', async (location) => {
    const app = express().use((_req, res) => {
      res.writeHead(302, { 'Access-Control-Allow-Origin': '*', ...location }).end();
    });
    const answer = await explainCors(app, { origin, method: 'PATCH', path: '/' });
    expect(answer).toMatchObject({ allowed: false, code: 'cors-preflight-status' });
  });

  test('a redirect must pass the CORS check, too', async () => {
    const app = express().get('/a', (_req, res) => void res.redirect('/b'));
    app.get('/b', corsPreflight({ origin }), done);
    const answer = await explainCors(app, { origin, method: 'GET', path: '/a' });
    expect(answer).toMatchObject({ allowed: false, code: 'cors-no-allow-origin' });
    expect(answer.reason).toContain(
      'The request was answered 302 with Location: /b, and without the header.',
    );
    expect(answer.requests).toHaveLength(1);
  });

  test('a session that has expired: the login is no answer of the route', async () => {
    const app = express().use(patchOptions({ cors: { origin, credentials: true } }));
    app.use('/api', (req, res, next) => {
      if (req.headers.cookie === undefined) res.redirect('/login');
      else next();
    });
    app.get('/login', done);
    app.route('/api/me').get(done).put(done);
    for (const method of ['GET', 'PUT']) {
      const asked = { origin, method, path: '/api/me', credentials: true, send: true };
      const { allowed, code, reason } = await explainCors(app, asked);
      expect({ allowed, code }).toEqual({ allowed: undefined, code: 'cors-redirected' });
      expect(reason).toMatch(
        /\/api\/me was answered 302 with Location: \/login\. .*ask for the path \/login, with/,
      );
    }
  });

  describe('of a preflight', () => {
    const moved: RequestHandler = (req, res) => void res.redirect(308, `/new${req.url}?key=SECRET`);

    test.each<{ readonly what: string; readonly middlewares: RequestHandler[]; readonly reason: string }>([
      {
        what: 'behind corsPreflight, no route is visible',
        middlewares: [corsPreflight({ origin }), moved],
        reason:
          'No visible route matches the path, so the preflight went on to your app, which redirects it. ' +
          'Let the page ask for that address, or declare the methods with declareMethods(), or set the option fallbackMethods.',
      },
      {
        what: 'before it',
        middlewares: [moved, corsPreflight({ origin })],
        reason:
          'Let the page ask for that address, or mount corsPreflight(), or patchOptions() with cors, before the redirect.',
      },
    ])('$what', async ({ middlewares, reason }) => {
      const app = express().use(...middlewares);
      const answer = await explainCors(app, { origin, method: 'PUT', path: '/old' });
      expect(answer).toMatchObject({ allowed: false, code: 'cors-preflight-redirected' });
      expect(answer.reason).toContain(
        'The preflight was answered 308 with Location: /new/old?key=…, and browsers do not follow redirects of a preflight. ' +
          reason,
      );
    });

    test('which fallbackMethods and declareMethods mend, as the reason says', async () => {
      for (const mend of [
        express().use(corsPreflight({ origin, fallbackMethods: 'PUT' })),
        express()
          .use(corsPreflight({ origin }))
          .use('/old', declareMethods(['PUT'], moved)),
      ]) {
        const answer = await explainCors(mend.use(moved), {
          origin,
          method: 'PUT',
          path: '/old',
          send: true,
        });
        expect(answer).toMatchObject({ allowed: undefined, code: 'cors-redirected' });
      }
    });
  });
});

describe('passwords, tokens and codes in URLs are shown nowhere', () => {
  /** All that an explanation, or an error, can show: printed, members that are not enumerable included, or serialised. */
  const shown = (value: unknown): string =>
    [
      inspect(value, { depth: 9, showHidden: true, maxStringLength: null, maxArrayLength: null }),
      JSON.stringify(value),
      String(value),
    ].join();
  const refused = async (target: unknown, asked: object): Promise<unknown> => {
    try {
      return await explainCors(target as CorsTarget, { ...question, ...asked } as CorsQuestion);
    } catch (error) {
      return error;
    }
  };

  test.each([
    'https://ann:SECRET@api.example/',
    'https://ann:SECRET@api.example/notes?a=b',
    'https://ann:SE/SECRET@api.example',
    'https://ann:443/SECRET@api.example',
    'https://ann:#SECRET@api.example',
    'https:ann:SECRET@api.example/notes',
    'https:\\ann:SECRET@api.example/notes',
    'ann:SECRET@api.example',
    '//ann:SECRET@api.example',
    'postgres://ann:SECRET@db.example/x',
    'https://api.example/notes?token=SECRET',
    'https://api.example/?SECRET',
    'https://api.example/#SECRET',
    new URL('https://ann:SECRET@api.example/'),
  ])('of the target %p', async (target) => {
    const error = await refused(target, {});
    expect(error).toMatchObject({ code: 'PATCH_OPTIONS_CONFIGURATION' });
    expect(shown(error)).not.toMatch(/SECRET/);
    expect(String(error)).toContain('target: a string ');
  });

  test.each([
    { origin: 'https://ann:SECRET@app.example' },
    { origin: 'https://ann:SECRET@app.example, https://app.example' },
    { path: 'https://ann:SECRET@api.example/notes' },
    { path: 'notes?token=SECRET' },
    { path: '/notes?token=SECRET#a' },
    { headers: { authorization: 'Bearer SECRET\n' } },
    { headers: { host: 'ann:SECRET@api.example' } },
    { headers: 'authorization: Bearer SECRET' },
    { headers: ['cookie=SECRET'] },
    { body: '{"password":"SECRET"}' },
    { url: 'https://ann:SECRET@api.example' },
    { header: 'authorization: SECRET' },
  ])('of the question %p', async (asked) => {
    const error = await refused(express(), asked);
    expect(error).toMatchObject({ code: 'PATCH_OPTIONS_CONFIGURATION' });
    expect(shown(error)).not.toMatch(/SECRET/);
  });

  test.each<{ readonly location: string; readonly legible: string; readonly status?: number }>([
    { location: '/login?token=SECRET&next=/SECRET', legible: '/login?token=…&next=…' },
    { location: '/login?SECRET', legible: '/login?…' },
    { location: '/cb#access_token=SECRET', legible: '/cb#…' },
    { location: 'https://ann:SECRET@127.0.0.1:9/a', legible: 'https://…@127.0.0.1:9/a' },
    { location: '//ann:SECRET@127.0.0.1:9/a', legible: '//…@127.0.0.1:9/a' },
    { location: 'https:ann:SECRET@127.0.0.1:9/a', legible: 'https:…@127.0.0.1:9/a' },
    { location: 'ftp://ann:SECRET@127.0.0.1/a?SECRET', legible: 'ftp://…@127.0.0.1/a?…' },
    { location: 'http://127.0.0.1:9/a?code=SECRET', legible: 'http://127.0.0.1:9/a?code=…' },
    { location: 'http://[?SECRET', legible: 'http://[?…' },
  ])('of the redirect to $location', async ({ location, legible }) => {
    const app = express().use((req, res) => {
      res.set('Access-Control-Allow-Origin', '*');
      if (req.url.startsWith('/notes/1?')) res.writeHead(302, { location }).end();
      else res.status(200).end();
    });
    for (const method of ['GET', 'PATCH']) {
      const explanation = await refused(app, { method, path: '/notes/1?key=SECRET' });
      expect(shown(explanation)).not.toMatch(/SECRET/);
      expect(shown(explanation)).toContain(`location: ${legible}`);
      expect(shown(explanation)).toContain(`${method === 'GET' ? 'GET' : 'OPTIONS'} /notes/1?key=… HTTP/1.1`);
    }
  });

  test('of what was not answered, and of what is not HTTP', async () => {
    const asked = { method: 'GET', path: '/notes/1?key=SECRET', headers: { cookie: 'SECRET' } };
    const bytes = Buffer.from('SECRET').toString('hex');
    for (const answer of [
      '',
      'SECRET\r\n\r\n',
      'HTTP/1.1 200 OK\r\nSet-Cookie: SECRET\r\nbad header\r\n\r\n',
    ]) {
      const url = await start(
        net.createServer((socket) => void socket.once('data', () => socket.end(answer))),
      );
      const explanation = await explainCors(url, { ...question, ...asked, credentials: true });
      expect(explanation.code).toBe('cors-no-response');
      expect(shown(explanation)).not.toMatch(/SECRET/);
      expect(shown(explanation).replaceAll(' ', '')).not.toContain(bytes);
    }
  });
});

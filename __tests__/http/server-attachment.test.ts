import { EventEmitter, once } from 'node:events';
import { createServer, IncomingMessage, request, ServerResponse, type RequestListener } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type Server } from 'node:net';
import tls from 'node:tls';
import { text } from 'node:stream/consumers';
import express from 'express';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsListener } from '../../lib/options-listener';
import { preflight, addNotesRoutes, app1, own } from '../cors/preflight-table';
import { frameworks } from '../support/frameworks';
import { mistakesOf, shown } from '../support/mistakes-of';
import { localhostCertificate } from '../support/localhost-certificate';
import { answerBytes, listen, portOf } from '../support/serving';

type Fields = Readonly<Record<string, string>>;

/** Runs a server of any protocol on a free port for as long as it is used: the client closes each connection. */
async function listening<R>(server: Server, use: (port: number) => Promise<R>): Promise<R> {
  try {
    return await use(await listen(server));
  } finally {
    server.close();
  }
}

const requests: readonly (readonly [method: string, path: string, fields: Fields])[] = [
  ['OPTIONS', '/notes/1', {}],
  ['OPTIONS', '/notes/1', preflight],
  ['OPTIONS', '/nowhere', preflight],
  ['GET', '/notes/1', { origin: app1 }],
  ['GET', '/nowhere', {}],
  ['TRACE', '/notes/1', {}],
];

/** A listener that only takes down what comes to it. */
function recorder(): { seen: string[]; listener: RequestListener } {
  const seen: string[] = [];
  return { seen, listener: ({ method, url }) => void seen.push(`${method} ${url}`) };
}

describe.each(frameworks)('attach() in front of %s', (_name, express) => {
  const appOf = () => addNotesRoutes(express()).use(methodNotAllowed());

  test.each(requests)('answers as the listener itself: %s %s %j', async (method, path, fields) => {
    const wrapped = await listening(createServer(optionsListener(appOf(), { cors: own })), (port) =>
      answerBytes(port, method, path, fields),
    );
    const app = appOf();
    const server = createServer(app);
    optionsListener(app, { cors: own }).attach(server);
    const attached = await listening(server, (port) => answerBytes(port, method, path, fields));
    expect(attached).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(attached).toBe(wrapped);
  });

  test('a server that the app itself has made, and is listening already', async () => {
    const app = appOf();
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    optionsListener(app, { cors: own }).attach(server);
    expect(await answerBytes(portOf(server), 'OPTIONS', '/notes/1', preflight)).toContain(
      'Access-Control-Allow-Methods: ',
    );
    server.close();
  });
});

describe('attach()', () => {
  const appOf = () => addNotesRoutes(express());

  test.each<{
    readonly title: string;
    readonly attach: (server: Server, attach: () => void, add: (listener: RequestListener) => void) => void;
  }>([
    {
      title: 'that were there before',
      attach: (_server, attach, add) => {
        add(recorder().listener);
        attach();
      },
    },
    {
      title: 'that are added later',
      attach: (_server, attach, add) => {
        attach();
        add(recorder().listener);
      },
    },
    {
      title: 'that are put in front of all others later',
      attach: (server, attach) => {
        attach();
        server.prependListener('request', () => undefined);
      },
    },
    {
      title: 'that are removed and called by another in their place, as socket.io does it',
      attach: (server, attach, add) => {
        attach();
        takeOver(server, add);
      },
    },
    {
      title: 'that were taken over before',
      attach: (server, attach, add) => {
        takeOver(server, add);
        attach();
      },
    },
  ])('keeps what it answers from listeners $title, and gives them all else', async ({ attach }) => {
    const app = appOf();
    const server = createServer(app);
    const { seen, listener } = recorder();
    server.on('request', listener);
    const front = optionsListener(app, { cors: own });
    attach(
      server,
      () => void front.attach(server),
      (added) => void server.on('request', added),
    );
    await listening(server, async (port) => {
      expect(await answerBytes(port, 'OPTIONS', '/notes/1', preflight)).toContain(
        'Access-Control-Allow-Methods',
      );
      expect(await answerBytes(port, 'OPTIONS', '/notes/1')).toContain('Allow: ');
      expect(seen).toEqual([]);
      expect(await answerBytes(port, 'GET', '/notes/1')).toMatch(/^HTTP\/1\.1 200 /);
      await answerBytes(port, 'OPTIONS', '/nowhere');
      expect(seen).toEqual(['GET /notes/1', 'OPTIONS /nowhere']);
    });
  });

  function takeOver(server: Server, add: (listener: RequestListener) => void): void {
    const before = server.listeners('request').slice();
    server.removeAllListeners('request');
    add((req, res) => {
      for (const listener of before) Reflect.apply(listener, server, [req, res]);
    });
  }

  test('gives a listener the server as `this`, calls it once a request, and keeps what was added by once()', async () => {
    const server = createServer();
    const calls: unknown[] = [];
    server.on('request', function (this: unknown, _req: IncomingMessage, res) {
      calls.push(this === server);
      res.end();
    });
    const { seen, listener } = recorder();
    server.once('request', listener);
    optionsListener(appOf()).attach(server);
    await listening(server, async (port) => {
      await answerBytes(port, 'GET', '/1');
      await answerBytes(port, 'GET', '/2');
    });
    expect(calls).toEqual([true, true]);
    expect(seen).toEqual(['GET /1']);
  });

  test('waits with the listeners, too, for a predicate that takes its time, and loses no byte of the body', async () => {
    const server = createServer((req, res) => void req.pipe(res));
    const origin = () => new Promise<boolean>((resolve) => setTimeout(resolve, 20, true));
    optionsListener(appOf(), { cors: { origin } }).attach(server);
    const body = 'x'.repeat(300_000);
    await listening(server, async (port) => {
      const sending = request({
        ...{ host: '127.0.0.1', port, method: 'PUT', path: '/notes/1', headers: { origin: app1 } },
      });
      sending.end(body);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      expect(response.headers['access-control-allow-origin']).toBe(app1);
      expect(await text(response)).toBe(body);
    });
  });

  test('leaves upgrade, checkContinue, connect and clientError to who listens to them', async () => {
    const app = appOf();
    const server = createServer(app);
    const events: string[] = [];
    optionsListener(app, { cors: own }).attach(server);
    server.on('upgrade', (_req, socket) => {
      events.push('upgrade');
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    server.on('connect', (_req, socket) => {
      events.push('connect');
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    });
    server.on('clientError', (_error, socket) => {
      events.push('clientError');
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    server.on('checkContinue', (_req, res) => {
      events.push('checkContinue');
      res.writeHead(417).end();
    });
    await listening(server, async (port) => {
      const upgrade = { connection: 'upgrade', upgrade: 'x' };
      expect(await answerBytes(port, 'OPTIONS', '/notes/1', upgrade)).toMatch(/^HTTP\/1\.1 101/);
      expect(await answerBytes(port, 'CONNECT', 'a.example:80')).toMatch(/^HTTP\/1\.1 200/);
      expect(await answerBytes(port, 'GET', '/ x')).toMatch(/^HTTP\/1\.1 400/);
      const expecting = { expect: '100-continue', 'content-length': '0' };
      expect(await answerBytes(port, 'OPTIONS', '/notes/1', expecting)).toMatch(/^HTTP\/1\.1 417/);
    });
    expect(events).toEqual(['upgrade', 'connect', 'clientError', 'checkContinue']);
  });

  test('twice on one server is the same as once, and one call takes it away', async () => {
    const app = appOf();
    const server = createServer(app);
    let asked = 0;
    const origin = (): boolean => {
      asked += 1;
      return true;
    };
    const front = optionsListener(app, { cors: { origin } });
    const detach = front.attach(server);
    expect(front.attach(server)).toBe(detach);
    await listening(server, async (port) => {
      await answerBytes(port, 'OPTIONS', '/notes/1', preflight);
      expect(asked).toBe(1);
      detach();
      expect(await answerBytes(port, 'OPTIONS', '/notes/1', preflight)).not.toContain('Access-Control');
      detach();
      const again = front.attach(server);
      detach();
      expect(front.attach(server)).toBe(again);
      expect(await answerBytes(port, 'OPTIONS', '/notes/1', preflight)).toContain('Access-Control');
    });
  });

  test('on a server that it was given to as a listener is as one of the two', async () => {
    const front = optionsListener(appOf(), { cors: own });
    const alone = await listening(createServer(front), (port) =>
      answerBytes(port, 'GET', '/notes/1', { origin: app1 }),
    );
    const server = createServer(front);
    front.attach(server);
    const both = await listening(server, (port) => answerBytes(port, 'GET', '/notes/1', { origin: app1 }));
    expect(both).toBe(alone);
  });

  test('of two apps on one server: each answers for its own routes, the one attached last comes first', async () => {
    const first = appOf();
    const second = express().put('/other', (_req, res) => void res.end());
    const server = createServer((req, res) => {
      if (req.url === '/other') second(req, res);
      else first(req, res);
    });
    optionsListener(first).attach(server);
    optionsListener(second).attach(server);
    await listening(server, async (port) => {
      expect(await answerBytes(port, 'OPTIONS', '/other')).toContain('Allow: OPTIONS, PUT\r\n');
      expect(await answerBytes(port, 'OPTIONS', '/notes/1')).toContain('Allow: DELETE, GET');
    });
  });

  test('one listener on two servers', async () => {
    const app = appOf();
    const front = optionsListener(app);
    const servers = [createServer(app), createServer(app)] as const;
    const [detach] = servers.map((server) => front.attach(server));
    detach?.();
    const allow = servers.map((server) =>
      listening(server, (port) => answerBytes(port, 'OPTIONS', '/notes/1')),
    );
    const [left, stays] = await Promise.all(allow);
    expect(left).toContain('X-Powered-By');
    expect(stays).not.toContain('X-Powered-By');
  });

  test('beside another that replaces emit: taken away from below, it leaves theirs in place', async () => {
    const app = appOf();
    const server = createServer(app);
    const emit = Reflect.get(server, 'emit');
    const detach = optionsListener(app).attach(server);
    const ours = Reflect.get(server, 'emit');
    let traced = 0;
    const theirs = (...event: unknown[]): unknown => {
      traced += 1;
      return Reflect.apply(ours, server, event);
    };
    Reflect.set(server, 'emit', theirs);
    detach();
    expect(Reflect.get(server, 'emit')).toBe(theirs);
    await listening(server, async (port) => {
      expect(await answerBytes(port, 'OPTIONS', '/notes/1')).toContain('X-Powered-By');
    });
    expect(traced).toBeGreaterThan(0);

    const other = createServer(app);
    optionsListener(app).attach(other)();
    expect(Reflect.get(other, 'emit')).toBe(emit);
    expect(Object.hasOwn(other, 'emit')).toBe(false);

    Reflect.set(other, 'emit', theirs);
    optionsListener(app).attach(other)();
    expect(Reflect.get(other, 'emit')).toBe(theirs);
  });

  test('an event that others make up without a request goes to its listeners', () => {
    const server = createServer();
    optionsListener(appOf()).attach(server);
    expect(server.emit('request')).toBe(false);
    const listener = jest.fn();
    server.on('request', listener);
    expect(server.emit('request')).toBe(true);
    expect(listener).toHaveBeenCalledWith();
    const req = new IncomingMessage(new net.Socket());
    expect(server.emit('request', req, new ServerResponse(req))).toBe(true);
    expect(listener).toHaveBeenLastCalledWith(req, expect.any(ServerResponse));
  });

  test.each<{ readonly title: string; readonly server: () => unknown }>([
    { title: 'an Express app', server: () => express() },
    { title: 'nothing', server: () => undefined },
    { title: 'an emitter', server: () => new EventEmitter() },
    { title: 'a server of connections', server: () => net.createServer() },
    { title: 'a server of TLS connections', server: () => tls.createServer() },
    { title: 'a port', server: () => 3000 },
  ])('refuses $title', ({ server }) => {
    const given = server();
    const front = optionsListener(appOf());
    expect(() => front.attach(given as Server)).toThrow(/^optionsListener\(\)\.attach\(\) received/);
    expect(mistakesOf(() => front.attach(given as Server))).toEqual([
      {
        option: 'server',
        value: shown(given),
        code: 'option-type',
        reason: 'must be an HTTP server',
        fix: 'Pass the return value of http.createServer(), app.listen() of Express, or app.getHttpServer() of Nest.',
      },
    ]);
  });
});

describe('attach() to a server of', () => {
  const routes = express.Router();
  routes.patch('/notes/:id', (_req, res) => void res.end());
  const front = optionsListener((_req, res) => res.writeHead(404).end(), {
    root: routes,
    cors: { origin: app1 },
  });
  const fields = { origin: app1, 'access-control-request-method': 'PATCH' };
  test('https', async () => {
    const server = https.createServer(localhostCertificate, (_req, res) => void res.writeHead(405).end());
    front.attach(server);
    await listening(server, async (port) => {
      const answers: unknown[] = [];
      for (const method of ['OPTIONS', 'GET']) {
        const agent = new https.Agent({ keepAlive: false });
        const head = { host: '127.0.0.1', port, method, path: '/notes/1', headers: fields };
        const options = { ...head, rejectUnauthorized: false, agent };
        const sent = https.request(options).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        answers.push({ status: response.statusCode, ...response.headers });
      }
      expect(answers).toMatchObject([{ 'access-control-allow-methods': 'OPTIONS, PATCH' }, { status: 405 }]);
    });
  });

  test.each<{ readonly title: string; readonly secure: boolean }>([
    { title: 'http2, by its compatible API', secure: false },
    { title: 'http2 over TLS, by its compatible API', secure: true },
  ])('$title', async ({ secure }) => {
    const listener = (_req: unknown, res: http2.Http2ServerResponse): void => {
      res.writeHead(405);
      res.end();
    };
    const server = secure
      ? http2.createSecureServer(localhostCertificate, listener)
      : http2.createServer(listener);
    front.attach(server);
    await listening(server, async (port) => {
      const scheme = secure ? 'https' : 'http';
      const session = http2.connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false });
      const answers: unknown[] = [];
      for (const method of ['OPTIONS', 'GET']) {
        // OPTIONS can have content: without endStream, the client would keep its half of the stream open.
        const head = { ':method': method, ':path': '/notes/1', ...fields };
        const stream = session.request(head, { endStream: true });
        const [answer] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
        stream.resume();
        await once(stream, 'close');
        answers.push({ status: answer[':status'], ...answer });
      }
      session.close();
      expect(answers).toMatchObject([
        { 'access-control-allow-methods': 'OPTIONS, PATCH', 'access-control-allow-origin': app1 },
        { status: 405, 'access-control-allow-origin': app1 },
      ]);
    });
  });
});

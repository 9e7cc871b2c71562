/** `npx patch-options explain`, as a process of its own and inside this one, against servers that are broken in ten ways, and more. */
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type RequestHandler } from 'express';
import { corsPreflight } from '../../lib';
import { runCommand, type Output } from '../../lib/explain/command';
import { localhostCertificate } from '../support/localhost-certificate';
import { isDeep } from '../support/deep-scale';
import { runTypescript } from '../support/run-typescript';
import { listen } from '../support/serving';

const servers: net.Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function start(server: net.Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

interface Ended {
  readonly status: unknown;
  readonly out: string;
  readonly errors: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const child = runTypescript('../../lib/explain/bin.ts', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.stdout === null || child.stderr === null) throw new Error('Nothing is piped.');
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<unknown[]>,
  ]);
  return { status, out, errors };
}

const origin = 'https://app.example';
const done: RequestHandler = (_req, res) => void res.end();

function notesApp(...middlewares: readonly RequestHandler[]): http.Server {
  const app = express().use(...middlewares);
  app.route('/notes/:id').get(done).patch(done);
  return http.createServer(app);
}

const answering = (status: number, fields: Readonly<Record<string, string | string[]>>): http.Server =>
  http.createServer((_req, res) => {
    for (const [name, value] of Object.entries(fields)) res.setHeader(name, value);
    res.writeHead(status).end();
  });
const raw = (answer: (socket: net.Socket) => void): net.Server =>
  net.createServer((socket) => void socket.once('data', () => answer(socket)).on('error', () => undefined));

const patch = ['--method', 'PATCH'];
const any = { 'Access-Control-Allow-Origin': '*' };

interface Row {
  readonly what: string;
  readonly server: net.Server;
  readonly url?: (url: string) => string;
  readonly args?: readonly string[];
  readonly status: 0 | 1 | 2;
  readonly code: string;
  readonly said: RegExp;
}

const rows: readonly Row[] = [
  {
    what: 'that does not run',
    server: http.createServer(),
    url: () => 'http://127.0.0.1:1',
    status: 2,
    code: 'not reached: cors-no-response',
    said: /Nothing listens at 127\.0\.0\.1:1\. Start the server/,
  },
  {
    what: 'whose certificate signs itself',
    server: https.createServer(localhostCertificate, done as never),
    url: (url) => url.replace('http:', 'https:'),
    status: 2,
    code: 'not reached: cors-no-response',
    said: /NODE_EXTRA_CA_CERTS/,
  },
  {
    what: 'of HTTP, asked by TLS',
    server: http.createServer(done as never),
    url: (url) => url.replace('http:', 'https:'),
    status: 2,
    code: 'not reached: cors-no-response',
    said: /does not speak TLS: write 'http:\/\/127/,
  },
  {
    what: 'that closes the connection',
    server: raw((socket) => void socket.destroy()),
    status: 2,
    code: 'not reached: cors-no-response',
    said: /The connection was closed/,
  },
  {
    what: 'of something else than HTTP',
    server: raw((socket) => void socket.end('220 mail.example ESMTP\r\n')),
    status: 2,
    code: 'not reached: cors-no-response',
    said: /does not answer in HTTP\. Check the port/,
  },
  {
    what: 'that hangs',
    server: raw(() => undefined),
    args: ['--timeout', '200'],
    status: 2,
    code: 'not reached: cors-timed-out',
    said: /was not answered in time/,
  },
  {
    what: 'without CORS headers',
    server: notesApp((_req, _res, next) => {
      next();
    }),
    status: 1,
    code: 'refused: cors-no-allow-origin',
    said: /The request was answered 200 without the header/,
  },
  {
    what: 'whose login answers preflights',
    server: answering(401, {}),
    args: patch,
    status: 1,
    code: 'refused: cors-no-allow-origin',
    said: /Preflights carry no credentials/,
  },
  {
    what: 'that redirects preflights',
    server: answering(301, { ...any, Location: 'https://www.api.example/' }),
    args: patch,
    status: 1,
    code: 'refused: cors-preflight-redirected',
    said: /Location: https:\/\/www\.api\.example\/, and browsers do not follow/,
  },
  {
    what: 'whose preflights are answered 404',
    server: answering(404, any),
    args: patch,
    status: 1,
    code: 'refused: cors-preflight-status',
    said: /browsers need a 2xx status/,
  },
  {
    what: 'without the method',
    server: notesApp(corsPreflight({ origin })),
    args: ['--method', 'DELETE'],
    status: 1,
    code: 'refused: cors-method-not-allowed',
    said: /The answer allows GET, HEAD, OPTIONS, PATCH, but not DELETE/,
  },
  {
    what: 'without the header',
    server: notesApp(corsPreflight({ origin })),
    args: [...patch, '--header', 'if-match', '--header', 'x-tenant'],
    status: 1,
    code: 'refused: cors-header-not-allowed',
    said: /The page sends x-tenant\./,
  },
  {
    what: 'with the header twice',
    server: answering(200, { 'Access-Control-Allow-Origin': [origin, origin] }),
    status: 1,
    code: 'refused: cors-other-origin',
    said: /remove one of them/,
  },
  {
    what: 'with a star, asked with credentials',
    server: answering(200, any),
    args: ['--credentials'],
    status: 1,
    code: 'refused: cors-credentials-not-allowed',
    said: /The page sends credentials/,
  },
  {
    what: 'for another origin',
    server: notesApp(corsPreflight({ origin })),
    args: ['--origin', 'http://localhost:5173'],
    status: 1,
    code: 'refused: cors-no-allow-origin',
    said: /The origin is not allowed, or/,
  },
  {
    what: 'that redirects',
    server: answering(302, { ...any, Location: '/login?next=SECRET' }),
    status: 2,
    code: 'not decided: cors-redirected',
    said: /ask for the path \/login\?next=…, with the method GET/,
  },
  {
    what: 'that allows it, but is not asked',
    server: notesApp(corsPreflight({ origin })),
    args: patch,
    status: 0,
    code: 'allowed: cors-preflight-allowed',
    said: /The preflight allows PATCH, so the browser sends it\. The response was not checked/,
  },
  {
    what: 'that allows it',
    server: notesApp(corsPreflight({ origin, allowedHeaders: 'X-Tenant' })),
    args: [...patch, '--send', '--header', 'x-tenant: 7'],
    status: 0,
    code: 'allowed: cors-allowed',
    said: /lets the page send PATCH and read[^]*\n> x-tenant: 7\n[^]*\n< HTTP\/1\.1 200 OK\n/,
  },
];

test.each(rows.map((row, index) => ({ ...row, index })))(
  'a server $what: $status, $code',
  async ({ server, url = String, args = [], status, code, said, index }) => {
    const address = `${url(await start(server))}/notes/1?token=SECRET`;
    // After each change one of each status is a process.
    const isProcess = isDeep() || index === rows.findIndex((row) => row.status === status);
    const ended = await (isProcess
      ? run('explain', address, ...args)
      : runHere(['explain', address, ...args]));
    expect(ended).toMatchObject({ status, errors: '' });
    expect(ended.out.split('\n')[1]).toBe(code);
    expect(ended.out).toMatch(said);
    expect(ended.out).not.toContain('SECRET');
    // A pipe is no terminal.
    expect(ended.out).not.toContain('\u001b');
  },
);

test.each([
  { args: ['--json'], status: 1, allowed: false, code: 'cors-no-allow-origin' },
  { args: ['--json', '--origin', 'https://b.example'], status: 0, allowed: true, code: 'cors-allowed' },
  {
    args: ['--json', '--method', 'POST', '--send', '--origin', 'https://b.example'],
    status: 2,
    allowed: null,
    code: 'cors-redirected',
  },
  { args: ['--json', '--timeout', '1'], status: 2, allowed: false, code: 'cors-timed-out' },
])('$args is one JSON text', async ({ args, status, allowed, code }) => {
  const url = await start(
    http.createServer((req, res) => {
      const allows = req.headers.origin === 'https://b.example' ? { 'Access-Control-Allow-Origin': '*' } : {};
      const moves = req.method === 'POST' ? { Location: '/b' } : {};
      setTimeout(() => res.writeHead(req.method === 'POST' ? 303 : 200, { ...allows, ...moves }).end(), 20);
    }),
  );
  const ended = await runHere(['explain', url, ...args]);
  expect(ended).toMatchObject({ status, errors: '' });
  expect(JSON.parse(ended.out)).toMatchObject({
    allowed,
    code,
    requests: [expect.stringMatching(/^(?:GET|POST) \/ HTTP/)],
  });
});

test.each(['text', 'json'])('what a terminal would interpret is escaped, as %s', async (format) => {
  const url = await start(
    raw((socket) => {
      const head = [
        'HTTP/1.1 302 \u009b31mFound',
        'Access-Control-Allow-Origin: *',
        'Location: /\u009b2J',
        'X-A: a\u0085b',
      ];
      socket.end(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'));
    }),
  );
  const { status, out } = await runHere(['explain', url, ...(format === 'json' ? ['--json'] : [])]);
  expect(status).toBe(2);
  expect(out).toContain('u{9b}2J');
  expect(out).toMatch(/X-A: a\\+u\{85\}b/);
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test.each<{ readonly args: readonly string[]; readonly said: RegExp }>([
  { args: [], said: /^Usage: npx patch-options explain/ },
  { args: ['explain'], said: /^Usage: / },
  { args: ['explain', 'http://a.example', 'http://b.example'], said: /^Usage: / },
  { args: ['check', 'http://a.example'], said: /^Usage: / },
  {
    args: ['explain', 'http://a.example', '--orign', 'x'],
    said: /^Unknown option '--orign'.*\n.*--help names the options\.\n$/,
  },
  {
    args: ['explain', 'localhost:3000/notes'],
    said: /^localhost:3000\/notes is not an http: or https: URL.*Write it with its scheme/,
  },
  {
    args: ['explain', 'https://ann:SECRET@a.example'],
    said: /^https:\/\/…@a\.example is not an http: or https: URL without a user name/,
  },
  {
    args: ['explain', 'http://a.example', '--header', 'x-a: 1', '--header', 'x-b'],
    said: /^Some headers have a value, and some have none/,
  },
  {
    args: ['explain', 'http://a.example', '--origin', 'https://APP.example', '--timeout', 'soon'],
    said: /^explainCors\(\) received invalid options:\n {2}origin: .*Write 'https:\/\/app\.example'.*\n {2}timeout: NaN/,
  },
])('$args is 2, and said at stderr', async ({ args, said }) => {
  const { status, out, errors } = await runHere(args);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(errors).toMatch(said);
  expect(errors).not.toContain('SECRET');
});

test('--help', async () => {
  expect(await runHere(['--help'])).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^Usage: /) as string,
  });
});

test.each([
  {
    has: 'a terminal with colours',
    isTTY: true,
    colours: true,
    begins: '\u001b[32mallowed\u001b[39m: cors-allowed',
  },
  { has: 'one without', isTTY: true, colours: false, begins: 'allowed: cors-allowed' },
  { has: 'a file', isTTY: false, colours: true, begins: 'allowed: cors-allowed' },
])('$has', async ({ isTTY, colours, begins }) => {
  const url = await start(answering(200, any));
  const { out } = await runHere(['explain', url], { isTTY, hasColors: () => colours });
  expect(out.split('\n')[1]).toBe(begins);
});

test('headers of one name are one header', async () => {
  const url = await start(answering(200, { ...any, 'Access-Control-Allow-Headers': 'x-a' }));
  const { out } = await runHere(['explain', url, '--header', 'x-a: 1', '--header', 'x-a: 2:3']);
  expect(out).toContain('\n> x-a: 1, 2:3\n');
});

async function runHere(args: readonly string[], terminal: Partial<Output> = {}): Promise<Ended> {
  const written: [string[], string[]] = [[], []];
  const [out, errors] = written.map((lines) => ({
    ...terminal,
    write: (line: string | Uint8Array) => lines.push(String(line)) > 0,
  }));
  if (out === undefined || errors === undefined) throw new Error('There is nothing to write to.');
  const status = await runCommand(args, out, errors);
  return { status, out: written[0].join(''), errors: written[1].join('') };
}

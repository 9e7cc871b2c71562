/** One question for each way in which a browser keeps a page from an answer, and the one in which it does not. */
import { createServer, type Server } from 'node:http';
import express, { type Request, type RequestHandler, type Response } from 'express';
import onHeaders from 'on-headers';
import { corsPreflight, type CorsOptions } from '../../lib';
import { explainCors, type CorsQuestion, type Explanation } from '../../lib/explain';
import { describeUnlistedHeader, toDebugLine } from '../../lib/cors/diagnostics';
import { refusalDetails } from '../../lib/cors/messages';
import { createPolicy } from '../../lib/cors/policy';
import { runCommand } from '../../lib/explain/command';
import { explainSilence } from '../../lib/explain/messages';

function notesApp(options: CorsOptions): express.Express {
  const app = express();
  app.use(corsPreflight(options));
  app.patch('/notes/:id', () => undefined);
  app.get('/notes/:id', done);
  app.all('/anything', () => undefined);
  app.options('/own', (_req, res) => void res.end());
  app.use('/old', (_req, res) => void res.redirect('/login'));
  return app;
}

const done: RequestHandler = (_req, res) => void res.end();
const origin = 'https://app.example';
const withCredentials: CorsOptions = { origin, credentials: true };

const rows: readonly (readonly [CorsOptions, Partial<CorsQuestion>])[] = [
  [{}, {}],
  [{}, { method: 'GET' }],
  [{}, { method: 'POST' }],
  [{}, { method: 'TRACE' }],
  [{ origin }, { origin: 'https://other.example' }],
  [{ origin }, { origin: 'http://app.example:8080' }],
  [{ origin }, { origin: 'https://other.example', method: 'GET' }],
  [{ origin: () => Promise.reject(new Error('out of order')) }, {}],
  [{ origin: () => new Promise(() => undefined) }, {}],
  [{}, { credentials: true }],
  [{ origin }, { credentials: true }],
  [{}, { path: '/absent' }],
  [{}, { path: '/own' }],
  [{}, { method: 'patch' }],
  [{ methods: 'GET' }, { method: 'patch' }],
  [{}, { method: 'DELETE' }],
  [{}, { method: 'PURGE', path: '/anything' }],
  [{ methods: 'GET' }, {}],
  [{}, { headers: 'x-request-id' }],
  [{ allowedHeaders: '*' }, { headers: 'authorization' }],
  [withCredentials, { headers: 'x-request-id', credentials: true }],
  [{ allowedHeaders: 'requested' }, { headers: 'x'.repeat(5_000) }],
  [{ fallbackMethods: 'GET' }, { path: '/absent' }],
  [{}, { headers: 'x-a', method: 'GET', path: '/own' }],
  [{}, { headers: 'cookie' }],
  [{}, { headers: 'user-agent' }],
  [{}, { method: 'GET', headers: { host: 'app.example' }, origin: 'http://app.example' }],
];

/** Apps without ours, or with ours elsewhere than in front. */
const apps: readonly (readonly [(app: express.Express) => unknown, Partial<CorsQuestion>?])[] = [
  [(app) => app.patch('/notes/:id', done).use(corsPreflight())],
  [(app) => app.get('/notes/:id', done).use(corsPreflight()), { method: 'GET' }],
  [(app) => app.use((_req, res) => void res.sendStatus(401)).use(corsPreflight())],
  [(app) => app.use((_req, res) => void res.sendStatus(500)).use(corsPreflight())],
  ...[401, 405].map(
    (status) =>
      [(app: express.Express) => app.use(answer({ 'Access-Control-Allow-Origin': '*' }, status))] as const,
  ),
  [(app) => app.use(corsPreflight(), () => undefined), { timeout: 50 }],
  [(app) => app.use((_req, res) => void res.redirect('/login'))],
  [(app) => app.use(answer({}))],
  [(app) => app.use(answer({ 'Access-Control-Allow-Origin': 'https://other.example' }))],
  [(app) => app.use(answer({ 'Access-Control-Allow-Origin': '*, *' }))],
  [(app) => app.use(answer({ 'Access-Control-Allow-Origin': origin })), { credentials: true }],
  [
    (app) =>
      app.use(answer({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET;PUT' })),
  ],
  [(app) => app.use(answer({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': 'GET' }))],
  [
    (app) => app.use(answer({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': '*' })),
    { headers: 'if-match' },
  ],
  [(app) => app.use(answer({ 'Access-Control-Allow-Origin': '*' })), { upload: true }],
  [(app) => app.use((_req, res) => void res.destroy())],
  [
    (app) => app.use(corsPreflight(withCredentials), answer({ 'Access-Control-Allow-Credentials': 'false' })),
    { method: 'GET', credentials: true },
  ],
  [
    (app) => {
      const removes: RequestHandler = (_req, res, next) => {
        onHeaders(res, () => {
          res.removeHeader('Access-Control-Allow-Credentials');
        });
        next();
      };
      app.use(removes, corsPreflight(withCredentials), answer({}));
    },
    { method: 'GET', credentials: true },
  ],
  [
    (app) => app.use(answer({ Location: 'data:,a', 'Access-Control-Allow-Origin': '*' }, 302)),
    { method: 'GET' },
  ],
  ...['http://', 'http://ann@127.0.0.1/', 'ftp://127.0.0.1/'].map(
    (location) =>
      [
        (app: express.Express) =>
          app.use(answer({ Location: location, 'Access-Control-Allow-Origin': '*' }, 302)),
        { method: 'GET' },
      ] as const,
  ),
  [(app) => app.use(answer({ Location: '/', 'Access-Control-Allow-Origin': '*' }, 302)), { method: 'GET' }],
  [
    (app) =>
      app.get(
        '/a',
        (_req, res) => void res.set('Access-Control-Allow-Origin', '*').redirect('https://127.0.0.1/b'),
      ),
    { method: 'GET', path: '/a' },
  ],
  [(app) => app.use(corsPreflight(), redirects), { path: '/old', origin }],
  [(app) => app.use(redirects), { method: 'GET', headers: { authorization: 'Bearer a' }, path: '/a' }],
  [(app) => app.use(corsPreflight()).get('/{*path}', done)],
  ...['a=1', 'a=1; SameSite=None', 'a=1; SameSite=None; Secure'].map(
    (cookie) =>
      [
        (app: express.Express) => app.use(corsPreflight(withCredentials), answer({ 'Set-Cookie': cookie })),
        { method: 'GET', credentials: true },
      ] as const,
  ),
  [
    (app) =>
      app
        .use(corsPreflight({ ...withCredentials, maxAge: 0 }))
        .all('/a', answer({ 'Set-Cookie': 'a=1; Secure' })),
    { method: 'PUT', credentials: true, send: true, path: '/a', headers: { host: 'api.example' } },
  ],

  [
    (app) => {
      const answers: RequestHandler = (_req, res, next) => {
        const { writeHead } = res;
        res.writeHead = (() => writeHead.call(res, 500)) as typeof res.writeHead;
        next();
      };
      app.use(answers, corsPreflight()).patch('/notes/:id', done);
    },
  ],
];

function redirects(req: Request, res: Response): void {
  res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'authorization' });
  if (req.method === 'OPTIONS' && req.path !== '/old') res.end();
  else res.redirect(308, 'https://b.example/c?code=1');
}

function answer(headers: Readonly<Record<string, string>>, status = 200): RequestHandler {
  return (_req, res) => {
    res.set(headers).status(status).end();
  };
}

const question = { origin, method: 'PATCH', path: '/notes/1' };

/** What a connection shows where there is no answer, over TLS if it has a code of TLS. */
const silences = [
  { code: 'EPROTO', message: 'wrong version number' },
  ...[
    'EPROTO',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
  ].map((code) => ({ code, message: '' })),
  ...['HPE_INVALID_CONSTANT', 'ENOTFOUND', 'ETIMEDOUT', 'ECONNRESET', 'EMFILE'].map((code) => ({
    code,
    message: '',
  })),
  { code: 'HPE_INVALID_CONSTANT', message: '', speaksTls: true },
].map(({ speaksTls = false, code, message }) => {
  const request = { url: new URL('https://api.example/'), path: '/', method: 'GET', headers: [] };
  const silence = { answer: undefined, report: undefined, inProcess: false, isLate: false };
  const error = Object.assign(new Error(message), { code });
  return explainSilence({ request, ...silence, speaksTls, error }).reason;
});

export async function explanations(): Promise<string[]> {
  const asked = [
    ...rows.map(([options, other]) => explainCors(notesApp(options), { ...question, ...other })),
    ...apps.map(([add, other]) => {
      const app = express();
      add(app);
      return explainCors(app, { ...question, ...other });
    }),
  ];
  const lines = (await Promise.all(asked)).map(toLine);
  const server = notesApp({ origin }).listen(0);
  const url = urlOf(server);
  const others = [
    {},
    { method: 'GET' },
    { method: 'DELETE', origin },
    { path: '/absent', origin },
    { path: '/old', origin },
  ];
  for (const other of others) {
    lines.push(toLine(await explainCors(url, { ...question, origin: 'https://other.example', ...other })));
  }
  const moved = express()
    .use(answer({ Location: '/b', 'Access-Control-Allow-Origin': '*' }, 302))
    .listen(0);
  lines.push(...(await printed(url, urlOf(moved))));
  moved.close();
  server.close();
  server.closeAllConnections();
  lines.push(toLine(await explainCors(url, question)));
  const { error } = await explainCors(createServer(), question);
  lines.push(String(error));
  const { allowedHeaders, credentials } = createPolicy({});
  const request = { method: 'PATCH', url: '/notes/1', origin };
  if (allowedHeaders !== 'requested') {
    const policy = { allowedHeaders, credentials };
    lines.push(describeUnlistedHeader('corsPreflight()', 'baggage', request, policy));
  }
  return [
    ...lines,
    ...silences,
    ...logged(),
    ...Object.entries(refusalDetails).map((entry) => entry.join(': ')),
  ];
}

function urlOf(server: Server): string {
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

/** What the command prints, without the requests. */
async function printed(url: string, moved: string): Promise<string[]> {
  const said: string[] = [];
  const output = { write: (text: string | Uint8Array) => said.push(String(text)) > 0 };
  for (const args of [
    [],
    ['explain', 'localhost:3000'],
    ['explain', url, '--header', 'x-a: 1', '--header', 'x-b'],
    ['explain', url, '--pipe'],
    ['explain', `${url}/notes/1`],
    ['explain', `${url}/notes/1`, '--origin', 'https://b.example', '--header', 'cookie'],
    ['explain', `${url}/notes/1?key=1`, '--method', 'DELETE'],
    ['explain', moved],
    ['explain', 'http://127.0.0.1:1'],
  ])
    await runCommand(args, output, output);
  return said.map((text) =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
      .replaceAll(/^[<>].*\n/gm, '')
      .trim(),
  );
}

/** Said by DEBUG alone. */
function logged(): string[] {
  const policy = createPolicy({});
  const decision = { code: undefined, allowOrigin: '*' };
  const seen = { methods: undefined, headersInFront: undefined, onlyWildcards: false };
  const report = { instance: () => undefined, policy, decision, ...seen };
  const page = { origin, method: 'PATCH', headers: [], credentials: undefined, upload: false };
  const allows = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PATCH' };
  const followed = toDebugLine(
    { page, url: '/notes/1', report: { ...report, preflight: false } },
    { status: 302, headers: { ...allows, location: '/login?token=1' } },
  );
  const judged = [true, false].flatMap((preflight) =>
    [allows, {}].map((headers) =>
      toDebugLine({ page, url: '/notes/1', report: { ...report, preflight } }, { status: 200, headers }),
    ),
  );
  return [...judged, followed];
}

function toLine({ code, step, reason, notes }: Explanation): string {
  const told = `${code}: ${reason}${step === undefined ? '' : ` (${step})`}`;
  return [told, ...notes].join('\n  ').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:…');
}

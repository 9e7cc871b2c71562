import express from 'express';
import request from 'supertest';
import { corsPreflight, optionsListener, type CorsOptions } from '../../lib';

const origin = 'https://app.example';
/** Whenever the words about CORS are loaded. */
const mockLoad = jest.fn();
jest.mock('../../lib/cors/diagnostics', (): unknown => {
  mockLoad();
  return jest.requireActual('../../lib/cors/diagnostics');
});

let warned: jest.SpyInstance;
beforeEach(() => {
  warned = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  warned.mockRestore();
});

function notesApp(options: CorsOptions): express.Express {
  const app = express();
  app.use(corsPreflight(options));
  app.get('/notes/:id', (_req, res) => void res.json({}));
  app.patch('/notes/:id', (_req, res) => void res.json({}));
  return app;
}

async function ask(
  app: express.Express,
  headers: string,
  more: Record<string, string> = {},
  path = '/notes/1',
) {
  const asked = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': headers,
  };
  return request(app)
    .options(path)
    .set({ ...asked, ...more });
}

const messages = (): unknown[] => warned.mock.calls.map(([message]: unknown[]) => message);

test('requests that need no word load none: preflights, refusals, responses', async () => {
  const app = notesApp({ origin });
  for (const page of [origin, 'https://stranger.example']) {
    await ask(app, 'if-match, content-type', { origin: page });
    await ask(app, '', { origin: page }, '/absent');
    await request(app).get('/notes/1').set({ origin: page });
  }
  expect(mockLoad).not.toHaveBeenCalled();
  await ask(app, 'baggage');
  expect(mockLoad).toHaveBeenCalledTimes(1);
});

test('a header that is not allowed: the preflight is answered as before, and the line to write is told', async () => {
  const app = notesApp({ origin, allowedHeaders: ['X-Tenant'] });
  const { ok, headers } = await ask(app, 'if-match,x-csrf-token,x-tenant');
  expect(ok).toBe(true);
  expect(headers['access-control-allow-headers']).not.toContain('x-csrf-token');
  expect(warned.mock.calls).toEqual([
    [
      "A page of 'https://app.example' sends x-csrf-token with PATCH '/notes/1', which corsPreflight() does " +
        'not allow, so the browser refuses the request. If pages may send it, write ' +
        "allowedHeaders: ['X-Tenant', 'x-csrf-token'].",
      { code: 'PATCH_OPTIONS_CORS_HEADER' },
    ],
  ]);
});

test('once for each header, in any case, and at most ten', async () => {
  const app = notesApp({ origin });
  for (let i = 0; i < 2; i++) {
    await ask(app, 'X-A,x-b');
    await ask(app, 'x-a,X-B,x-c');
  }
  expect(messages()).toEqual(
    ['x-a', 'x-b', 'x-c'].map((name) => expect.stringContaining(`sends ${name} with`)),
  );
  const many = Array.from({ length: 40 }, (_, i) => `x-${i}`);
  await ask(app, many.join());
  for (const name of many) await ask(app, name);
  expect(messages()).toHaveLength(10);
});

test.each<{
  readonly what: string;
  readonly options?: CorsOptions;
  readonly headers: string;
  readonly more?: Record<string, string>;
  readonly path?: string;
}>([
  { what: 'a header of the defaults', headers: 'Content-Type, IF-MATCH' },
  { what: 'no header', headers: '' },
  { what: 'commas', headers: ',,,' },
  { what: 'a refused origin', headers: 'x-a', more: { origin: 'https://stranger.example' } },
  {
    what: 'a method that the target does not have',
    headers: 'x-a',
    more: { 'access-control-request-method': 'PUT' },
  },
  { what: 'a path without routes', headers: 'x-a', path: '/absent' },
  { what: 'a star', options: { allowedHeaders: '*' }, headers: 'x-a' },
  { what: 'those that are requested', options: { origin, allowedHeaders: 'requested' }, headers: 'x-a' },
  { what: 'what is no name', headers: 'x y, ä, (a)' },
  { what: 'what no browser asks for', headers: 'cookie, sec-fetch-site, proxy-a' },
  { what: 'a name of 101 characters', headers: 'x'.repeat(101) },
  { what: 'too many names', headers: Array.from({ length: 129 }, (_, i) => `x-${i}`).join() },
])('not of $what', async ({ options = { origin }, headers, more, path }) => {
  await ask(notesApp(options), headers, more, path);
  expect(messages()).toEqual([]);
});

test('of a name of 100 characters, beside { only }: the line to write has both', async () => {
  const name = 'x'.repeat(100);
  await ask(notesApp({ origin, allowedHeaders: { only: ['X-Tenant'] } }), name);
  expect(messages()).toEqual([
    expect.stringContaining(`write allowedHeaders: { only: ['X-Tenant', '${name}'] }.`),
  ]);
});

test("of Authorization beside '*', which needs its name", async () => {
  await ask(notesApp({ allowedHeaders: '*' }), 'authorization,x-a');
  expect(messages()).toEqual([
    expect.stringMatching(/sends authorization .*allowedHeaders: \['\*', 'authorization'\]/),
  ]);
});

test('each instance warns of its own, by the name of what the app has called', async () => {
  const app = express();
  app.patch('/notes/:id', (_req, res) => void res.json({}));
  const listener = optionsListener(app, { cors: { origin } });
  const asked = { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'x-a' };
  await request(listener).options('/notes/1').set(asked);
  expect(messages()).toEqual([expect.stringContaining('which optionsListener() does not allow')]);
});

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import express from 'express';
import type { CorsOptions } from '../../lib/cors/options';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { explainCors, type CorsQuestion } from '../../lib/explain';
import { shortenOriginTimeout } from '../support/origin-timeout';

const origin = 'https://app.example';

let shortened: jest.SpyInstance;
beforeAll(() => {
  shortened = shortenOriginTimeout();
});
afterAll(() => {
  shortened.mockRestore();
});

/** Asks a notes API. */
function explain(options: CorsOptions, question: Partial<CorsQuestion>) {
  const app = express();
  app.use(corsPreflight(options));
  const notes = express.Router();
  notes.get('/:id', (_req, res) => void res.json({}));
  notes.patch('/:id', (_req, res) => void res.json({}));
  app.use('/notes', notes);
  app.get('/list', (_req, res) => void res.json([]));
  app.all('/anything', (_req, res) => void res.json({}));
  app.options('/own', (_req, res) => void res.end());
  return explainCors(app, { origin, method: 'PATCH', path: '/notes/1', ...question });
}

describe('Fetch: the step that fails, in the order in which the browser takes them', () => {
  const own: CorsOptions = { origin };

  test.each<{
    readonly title: string;
    readonly options?: CorsOptions;
    readonly question: Partial<CorsQuestion>;
    readonly code: string;
    readonly step: RegExp;
    readonly reason: RegExp;
  }>([
    {
      title: 'Request constructor',
      question: { method: 'TRACE' },
      code: 'cors-method-forbidden',
      step: /forbidden method/,
      reason: /TRACE/,
    },
    {
      title: 'CORS check step 2 of the preflight',
      question: { origin: 'https://evil.example' },
      code: 'cors-origin-not-allowed',
      step: /^CORS-preflight fetch step 7, CORS check step 2/,
      reason: /matches no rule of the option origin/,
    },
    {
      title: 'CORS check step 2',
      question: { origin: 'https://evil.example', method: 'GET' },
      code: 'cors-origin-not-allowed',
      step: /^CORS check step 2/,
      reason: /matches no rule of the option origin/,
    },
    {
      title: 'a predicate that throws',
      options: {
        origin: () => {
          throw new Error('fault');
        },
      },
      question: {},
      code: 'cors-predicate-failed',
      step: /step 2/,
      reason: /threw/,
    },
    {
      title: 'a predicate that never settles',
      options: { origin: () => new Promise(() => undefined) },
      question: {},
      code: 'cors-predicate-timed-out',
      step: /step 2/,
      reason: /five seconds/,
    },
    {
      title: 'CORS check step 4',
      options: {},
      question: { credentials: true },
      code: 'cors-credentials-not-allowed',
      step: /CORS check step 4/,
      reason: /List the origins/,
    },
    {
      title: 'CORS check step 8',
      question: { credentials: true, method: 'GET' },
      code: 'cors-credentials-not-allowed',
      step: /^CORS check step 8/,
      reason: /credentials: true/,
    },
    {
      title: 'step 7: an ok status',
      question: { path: '/nowhere' },
      code: 'cors-preflight-status',
      step: /step 7: the status 404 is not/,
      reason: /404.*declareMethods.*fallbackMethods/,
    },
    {
      title: 'step 7.5',
      question: { method: 'PUT' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /handle GET, HEAD, OPTIONS, PATCH, but not PUT/,
    },
    {
      title: 'step 7.5, where the policy narrows',
      options: { origin, methods: 'PUT' },
      question: {},
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /option methods does not list PATCH/,
    },
    {
      title: 'step 7.5, where the policy narrows and there is no route',
      options: { origin, methods: 'PUT' },
      question: { method: 'DELETE' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /option methods does not list DELETE\. Add it there, and make sure that a route handles it/,
    },
    {
      title: 'step 7.5, where the policy has it, and there is no route',
      options: { origin, methods: 'GET,PUT' },
      question: { method: 'PUT' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /routes for the path handle GET, HEAD, OPTIONS, PATCH, but not PUT\. Add a route for PUT\./,
    },
    {
      title: 'step 7.5: fetch leaves patch as it is',
      question: { method: 'patch' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /Write 'PATCH'/,
    },
    {
      title: 'step 7.5: Patch, which no route handles either',
      question: { method: 'Patch', path: '/list' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason:
        /^Methods are case-sensitive, .* Write 'PATCH'\. The routes for the path handle GET, HEAD, OPTIONS, but not PATCH\. Add a route for PATCH\.$/,
    },
    {
      title: 'step 7.5: patch, which the policy leaves out',
      options: { origin, methods: 'GET' },
      question: { method: 'patch' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /Write 'PATCH'\. The option methods does not list PATCH\./,
    },
    {
      title: 'step 7.5: an all-verbs route',
      question: { method: 'PURGE', path: '/anything' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /lists only DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY\. Add a route for PURGE\./,
    },
    {
      title: 'step 7.6',
      options: { allowedHeaders: '*' },
      question: { headers: 'x-any, Authorization' },
      code: 'cors-header-not-allowed',
      step: /step 7\.6: Authorization/,
      reason: /allowedHeaders/,
    },
    {
      title: 'step 7.6 without *, and before step 7.7',
      options: { allowedHeaders: { only: ['If-Match'] } },
      question: { headers: 'x-secret, authorization' },
      code: 'cors-header-not-allowed',
      step: /step 7\.6: authorization/,
      reason:
        /^The page sends x-secret, authorization\. Write allowedHeaders: \{ only: \['If-Match', 'x-secret', 'authorization'\] \}\.$/,
    },
    {
      title: 'step 7.7, with headers that the app has added: all that it has to write',
      options: { allowedHeaders: 'X-Request-Id' },
      question: { headers: 'if-match, x-one, x-request-id, x-two' },
      code: 'cors-header-not-allowed',
      step: /step 7\.7: x-one/,
      reason: /^The page sends x-one, x-two\. Write allowedHeaders: \['X-Request-Id', 'x-one', 'x-two'\]\.$/,
    },
    {
      title: 'step 7.7',
      question: { headers: 'if-match, x-secret' },
      code: 'cors-header-not-allowed',
      step: /step 7\.7: x-secret/,
      reason: /allowedHeaders/,
    },
    {
      title: 'step 7.7 on a safelisted method',
      question: { method: 'GET', headers: 'x-secret' },
      code: 'cors-header-not-allowed',
      step: /step 7\.7/,
      reason: /allowedHeaders/,
    },
    {
      title: 'what is no list that is sent back',
      options: { allowedHeaders: 'requested' },
      question: { headers: Array.from({ length: 129 }, (_, i) => `x-${i}`) },
      code: 'cors-headers-too-many',
      step: /CORS check step 2/,
      reason: /128 header names, 16 empty elements or 4096 characters/,
    },
    {
      title: 'step 7.5, where the option fallbackMethods leaves the method out',
      options: { fallbackMethods: 'GET' },
      question: { path: '/nowhere' },
      code: 'cors-method-not-allowed',
      step: /step 7\.5/,
      reason: /the option fallbackMethods does not list PATCH/,
    },
    {
      title: 'step 7, by an OPTIONS handler of the app',
      question: { path: '/own' },
      code: 'cors-method-not-allowed',
      step: /step 7.5/,
      reason: /No visible route matches the path, and the answer of your app allows no method/,
    },
    {
      title: 'step 7.7, by an OPTIONS handler of the app',
      options: { allowedHeaders: '*' },
      question: { path: '/own', method: 'GET', headers: 'x-any' },
      code: 'cors-header-not-allowed',
      step: /step 7.7: x-any/,
      reason:
        /^The page sends x-any\. No visible route matches the path, and the answer of your app allows no headers\. Declare/,
    },
    {
      title: 'an upload is asked for, and its method too',
      question: { path: '/nowhere', method: 'POST', upload: true },
      code: 'cors-preflight-status',
      step: /step 7/,
      reason: /404/,
    },
    {
      title: 'the CORS check of the actual request, by a header that a preflight does not carry',
      options: {
        origin: (_, req) => req.headers['x-tenant'] === undefined,
        allowedHeaders: { only: 'X-Tenant' },
      },
      question: { headers: { 'X-Tenant': '7' }, send: true },
      code: 'cors-origin-not-allowed',
      step: /^CORS check step 2/,
      reason: /matches no rule of the option origin/,
    },
    {
      title: 'the CORS check of a preflight, which does not carry the header',
      options: { origin: (_, req) => req.headers['x-tenant'] === '7', allowedHeaders: { only: 'X-Tenant' } },
      question: { headers: { 'X-Tenant': '7' } },
      code: 'cors-origin-not-allowed',
      step: /^CORS-preflight fetch step 7, CORS check step 2/,
      reason: /matches no rule of the option origin/,
    },
    {
      title: 'step 7.7, of values that are not CORS-safelisted',
      options: { allowedHeaders: { only: [] } },
      question: { method: 'POST', headers: { Accept: 'text/plain', 'Content-Type': 'application/json' } },
      code: 'cors-header-not-allowed',
      step: /step 7\.7: Content-Type/,
      reason: /allowedHeaders/,
    },
  ])('$title', async ({ options = own, question, code, step, reason }) => {
    const explanation = await explain(options, question);
    expect(explanation).toMatchObject({ allowed: false, code });
    expect(explanation.step).toMatch(step);
    expect(explanation.reason).toMatch(reason);
  });

  test.each<{
    readonly title: string;
    readonly options?: CorsOptions;
    readonly question: Partial<CorsQuestion>;
    /** Whether a preflight is sent. Default true. */
    readonly preflight?: boolean;
  }>([
    { title: 'a PATCH with a precondition', question: { headers: 'content-type,if-match' } },
    {
      title: 'header fields of any case and order, padded and split by gateways',
      question: { headers: [' IF-MATCH ,,prefer', '\tContent-Type ,'] },
    },
    {
      title: 'a predicate that reads what the browser sets itself',
      options: { origin: (_, req) => req.headers.host === 'api.example', allowedHeaders: '*' },
      question: { headers: { Host: 'api.example', 'X-Any': '1' } },
    },
    {
      title: 'values that are CORS-safelisted',
      options: { allowedHeaders: { only: [] } },
      question: {
        method: 'POST',
        headers: {
          Accept: 'text/plain',
          'Content-Type': 'text/plain;charset=utf-8',
          'Accept-Language': 'de',
        },
      },
      preflight: false,
    },
    {
      title: 'an upload of which the page hears, without any header',
      question: { method: 'POST', path: '/anything', upload: true },
    },
    {
      title: 'a path whose routes cannot be seen',
      options: { fallbackMethods: ['PATCH'] },
      question: { path: '/nowhere' },
    },
    {
      title: 'headers that are sent back',
      options: { allowedHeaders: 'requested' },
      question: { headers: ['Authorization', 'x-any'] },
    },
    {
      title: 'more headers under * than a browser asks for at once',
      options: { allowedHeaders: '*' },
      question: { headers: Array.from({ length: 150 }, (_, i) => `x-${i}`) },
    },
    { title: 'commas alone', question: { headers: ','.repeat(100) } },
    { title: 'any header field under *', options: { allowedHeaders: '*' }, question: { headers: 'x-any' } },
    {
      title: 'Authorization beside *',
      options: { allowedHeaders: '*, authorization' },
      question: { headers: 'Authorization,x-any' },
    },
    { title: 'credentials', options: { origin, credentials: true }, question: { credentials: true } },
    { title: 'a later yes', options: { origin: () => Promise.resolve(true) }, question: {} },
    {
      title: 'a safelisted method that the policy leaves out',
      options: { origin, methods: 'PATCH' },
      question: { method: 'GET', headers: 'if-match' },
    },
    { title: 'a simple GET', question: { method: 'GET' }, preflight: false },
    // Fetch, normalize a method.
    { title: 'get, which fetch upper-cases', question: { method: 'get' }, preflight: false },
    { title: 'Options, which it upper-cases too', question: { method: 'Options' } },
    { title: 'delete, which it upper-cases too', question: { method: 'delete', path: '/anything' } },
    { title: 'no header fields, said by null', question: { headers: null as never } },
    {
      title: 'a simple GET of a path without routes, whose 404 can be read',
      question: { method: 'GET', path: '/nowhere' },
      preflight: false,
    },
  ])('none fails for $title', async ({ options = own, question, preflight = true }) => {
    const isSent = question.method === undefined ? false : /^(?:get|head)$/i.test(question.method);
    expect(await explain(options, question)).toMatchObject({
      allowed: true,
      preflight,
      code: isSent ? 'cors-allowed' : preflight ? 'cors-preflight-allowed' : 'cors-preflight-not-needed',
      step: undefined,
    });
  });
});

describe('what to write for headers that are not allowed can be written', () => {
  test.each<{ readonly options: CorsOptions; readonly headers: string[]; readonly said: string }>([
    { options: {}, headers: ["it's", 'x-a'], said: `["it's", 'x-a']` },
    { options: { allowedHeaders: ["x'y"] }, headers: ['x-a'], said: `["x'y", 'x-a']` },
    { options: { origin, credentials: true }, headers: ['*', 'x-a'], said: "'requested'" },
    { options: { origin, credentials: true }, headers: ['x-a'], said: "['x-a']" },
    { options: {}, headers: ['*'], said: "['*']" },
    { options: { allowedHeaders: '*' }, headers: ['Authorization'], said: "['*', 'Authorization']" },
    { options: { allowedHeaders: { only: 'x-a' } }, headers: ['x-b'], said: "{ only: ['x-a', 'x-b'] }" },
    { options: {}, headers: ['requested'], said: "'requested'" },
  ])('$headers: $said', async ({ options, headers, said }) => {
    const { reason } = await explain(options, { headers });
    const written = `allowedHeaders: ${said}`;
    expect(reason).toBe(`The page sends ${headers.join(', ')}. Write ${written}.`);
    const allowedHeaders: unknown = runInNewContext(`(${said})`);
    const mended = { ...options, allowedHeaders: structuredClone(allowedHeaders) } as CorsOptions;
    expect(await explain(mended, { headers })).toMatchObject({ code: 'cors-preflight-allowed' });
  });
});

test('what a predicate threw is told', async () => {
  const error = new Error('the directory is down');
  expect(await explain({ origin: () => Promise.reject(error) }, {})).toHaveProperty('error', error);
  expect(await explain({ origin: () => Promise.resolve(false) }, {})).not.toHaveProperty('error');
});

describe('mistakes in a question: all of them, by value, reason and fix', () => {
  test.each<{ readonly title: string; readonly question: unknown; readonly options: string[] }>([
    { title: 'nothing', question: undefined, options: ['options'] },
    { title: 'an empty one', question: {}, options: ['origin', 'method', 'path'] },
    {
      title: 'a wrong name',
      question: { origin, method: 'GET', path: '/', header: 'x-a' },
      options: ['header'],
    },
    {
      title: 'what is no method, no path and no flag',
      question: { origin, method: 'PA TCH', path: 'notes', credentials: 'yes', upload: 1 },
      options: ['method', 'path', 'credentials', 'upload'],
    },
    {
      title: 'the app in the question',
      question: { root: express(), origin, method: 'GET', path: '/' },
      options: ['root'],
    },
    { title: 'a method that is left out', question: { origin, path: '/notes/1' }, options: ['method'] },
    ...[
      `${origin}/`,
      `${origin}/a`,
      `${origin}?a`,
      `${origin}\r\nx: y`,
      `${origin}, ${origin}`,
      `a ${origin}`,
      'https://APP.example',
      'https://app.example:443',
      'https://*.example',
      'http://localhost:*',
      'data:text/plain,a',
      'file:///a',
      'ä',
      '*',
      '',
    ].map((text) => ({
      title: `the origin ${JSON.stringify(text)}`,
      question: { origin: text, method: 'GET', path: '/' },
      options: ['origin'],
    })),
    ...['', 'a', 'https://api.example/a', '/a b', '/a\r\nb', '/ä', '/a#b'].map((path) => ({
      title: `the path ${JSON.stringify(path)}`,
      question: { origin, method: 'GET', path },
      options: ['path'],
    })),
    {
      title: 'headers that cannot be sent',
      question: { origin, method: 'GET', path: '/', headers: { 'x-a': 'a\r\nb', 'x y': '1', host: 'a/b' } },
      options: ['headers["x-a"]', 'headers', 'headers["host"]'],
    },
    {
      title: 'a name that is no name',
      question: { origin, method: 'GET', path: '/', headers: 'x-a, x y' },
      options: ['headers'],
    },
    {
      title: 'a body that is not sent',
      question: { origin, method: 'PATCH', path: '/', body: 'a' },
      options: ['body'],
    },
    {
      title: 'a body of a GET',
      question: { origin, method: 'get', path: '/', body: 'a', send: true },
      options: ['body'],
    },
    {
      title: 'patch, which no server takes',
      question: { origin, method: 'patch', path: '/', send: true },
      options: ['method'],
    },
    ...[0, -1, 1.5, '5', 600_001].map((timeout) => ({
      title: `the timeout ${JSON.stringify(timeout)}`,
      question: { origin, method: 'GET', path: '/', timeout },
      options: ['timeout'],
    })),
    ...[5, true, [5], { 'x-a': 5 }].map((headers) => ({
      title: `headers ${JSON.stringify(headers)}`,
      question: { origin, method: 'GET', path: '/', headers },
      options: ['headers'],
    })),
  ])('$title', async ({ question, options }) => {
    const asking = explainCors(express(), question as CorsQuestion);
    await expect(asking).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_CONFIGURATION',
      subject: 'explainCors()',
      mistakes: options.map((option) => ({ option, fix: expect.stringMatching(/.[.?]/) as string })),
    });
  });
});

describe('what does not answer requests is a mistake', () => {
  test.each([
    undefined,
    null,
    5,
    {},
    createServer(),
    'api.example',
    'ftp://api.example',
    'https://api.example/notes',
    'https://api.example?a',
    'https://ann:secret@api.example',
    new URL('file:///a'),
    '',
  ])('%p', async (target) => {
    await expect(explainCors(target as never, { origin, method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_CONFIGURATION',
      mistakes: [{ option: 'target', fix: expect.stringMatching(/^(?:Pass|Write) /) as string }],
    });
  });
});

describe('notes', () => {
  test.each<{
    readonly title: string;
    readonly options: CorsOptions;
    readonly question: Partial<CorsQuestion>;
    readonly notes: RegExp[];
  }>([
    { title: 'none', options: { origin }, question: {}, notes: [] },
    {
      title: 'of headers that browsers leave out',
      options: { origin },
      question: { headers: 'Cookie, sec-fetch-site, if-match' },
      notes: [/ignore these headers if a script sets them: Cookie, sec-fetch-site\./],
    },
    {
      title: "of Authorization under '*', where Chromium is more generous than Fetch",
      options: { allowedHeaders: '*' },
      question: { headers: 'Authorization' },
      notes: [/Chromium.*'\*' cover Authorization/],
    },
    {
      title: 'not of Authorization under a list',
      options: { allowedHeaders: { only: 'X-One' } },
      question: { headers: 'Authorization' },
      notes: [],
    },
  ])('$title', async ({ options, question, notes }) => {
    const explanation = await explain(options, question);
    expect(explanation.notes).toEqual(notes.map((note) => expect.stringMatching(note) as string));
  });

  // What Chromium does with cookies and preflights is in notes.browser.test.ts.
  test.each([
    {
      host: 'api.example',
      page: 'http://app.example',
      cookies: ['a=1; Secure', 'b=2; SameSite=None'],
      notes: [
        'the cookie a: it is Secure, but the request uses http:.',
        'the cookie b: SameSite=None needs Secure.',
      ],
    },
    {
      host: 'api.app.example',
      page: 'http://app.example',
      cookies: ['a=1', 'b=2; SameSite=Strict'],
      notes: [],
    },
    { host: 'localhost', page: 'http://localhost:5173', cookies: ['a=1; Secure'], notes: [] },
  ])('of the cookies $cookies, from $host to $page', async ({ host, page, cookies, notes }) => {
    const app = express().use(corsPreflight({ origin: () => true, credentials: true }));
    app.all('/', (_req, res) => void res.setHeader('Set-Cookie', cookies).end());
    for (const asked of [{ method: 'GET' }, { method: 'PUT', send: true }]) {
      const question = { ...asked, origin: page, path: '/', credentials: true, headers: { host } };
      const said = (await explainCors(app, question)).notes;
      expect(said.filter((note) => !note.includes('a script sets them'))).toEqual(
        notes.map((note) => `Browsers ignore ${note}`),
      );
    }
  });

  test('none of what is kept of a preflight that is refused, or of an answer that is not there', async () => {
    const refused = await explain({ maxAge: 0, origin: 'https://b.example' }, {});
    expect(refused.notes).toEqual([]);
    expect((await explain({ maxAge: 0 }, {})).notes).toEqual([expect.stringMatching(/Max-Age is 0/)]);
    const app = express().use((_req, res) => void res.destroy());
    expect((await explainCors(app, { origin, method: 'GET', path: '/', credentials: true })).notes).toEqual(
      [],
    );
  });

  test('a simple GET with headers that browsers leave out stays one', async () => {
    expect(await explain({ origin }, { method: 'GET', headers: ['Cookie', 'Sec-X'] })).toMatchObject({
      allowed: true,
      preflight: false,
    });
  });
});

test('docs/cors.md shows what explainCors says', async () => {
  const page = readFileSync(join(__dirname, '../../docs/cors.md'), 'utf8');
  const said = await explain({ origin }, { headers: 'x-request-id' });
  const { code, step, reason } = said;
  const shown = Object.entries({ code, step, reason }).map(
    ([name, text]) => `// ${name}: '${String(text)}'\n`,
  );
  expect(said.allowed).toBe(false);
  expect(page).toContain(shown.join(''));
});

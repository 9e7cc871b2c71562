import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import createRouter from 'router';
import request from 'supertest';
import type { CorsOptions } from '../../../lib/cors/policy/options';
import { corsPreflight } from '../../../lib/cors/cors-preflight';
import type { CorsQuestion } from '../../../lib/cors/explain/explain-question';

const origin = 'https://app.example';

/** A notes API that asks its instance before any request has come. */
function explain(options: CorsOptions, question: Partial<CorsQuestion>) {
  const app = express();
  const cors = corsPreflight(options);
  app.use(cors);
  const notes = express.Router();
  notes.get('/:id', (_req, res) => void res.json({}));
  notes.patch('/:id', (_req, res) => void res.json({}));
  app.use('/notes', notes);
  app.all('/anything', (_req, res) => void res.json({}));
  return cors.explain({ root: app, origin, method: 'PATCH', path: '/notes/1', ...question });
}

describe('Fetch: the step that fails, in the order in which the browser takes them', () => {
  const own: CorsOptions = { origin };

  test.each<[string, CorsOptions, Partial<CorsQuestion>, string, RegExp, RegExp]>([
    ['Request constructor', own, { method: 'TRACE' }, 'cors-method-forbidden', /forbidden method/, /TRACE/],
    [
      'CORS check step 2 of the preflight',
      own,
      { origin: 'https://evil.example' },
      'cors-origin-not-allowed',
      /^CORS-preflight fetch step 7, CORS check step 2/,
      /rules/,
    ],
    [
      'CORS check step 2',
      own,
      { origin: 'https://evil.example', method: 'GET' },
      'cors-origin-not-allowed',
      /^CORS check step 2/,
      /rules/,
    ],
    [
      'an origin with a path is not allowed',
      own,
      { origin: `${origin}/` },
      'cors-origin-not-allowed',
      /step 2/,
      /rules/,
    ],
    ['several origins', own, { origin: `${origin}, ${origin}` }, 'cors-origin-repeated', /step 2/, /joined/],
    [
      'a predicate that throws',
      {
        origin: () => {
          throw new Error('fault');
        },
      },
      {},
      'cors-predicate-failed',
      /step 2/,
      /threw/,
    ],
    [
      'CORS check step 4',
      {},
      { credentials: true },
      'cors-credentials-not-allowed',
      /CORS check step 4/,
      /name the origins/,
    ],
    [
      'CORS check step 8',
      own,
      { credentials: true, method: 'GET' },
      'cors-credentials-not-allowed',
      /^CORS check step 8/,
      /credentials: true/,
    ],
    ['step 7: an ok status', own, { path: '/nowhere' }, 'cors-no-route', /step 7: the status/, /404/],
    [
      'step 7.5',
      own,
      { method: 'PUT' },
      'cors-method-not-allowed',
      /step 7\.5/,
      /handle GET, HEAD, OPTIONS, PATCH, and not PUT/,
    ],
    [
      'step 7.5, where the policy narrows',
      { origin, methods: 'PUT' },
      {},
      'cors-method-not-allowed',
      /step 7\.5/,
      /option methods leaves PATCH out/,
    ],
    [
      'step 7.5, where the policy narrows and there is no route',
      { origin, methods: 'PUT' },
      { method: 'DELETE' },
      'cors-method-not-allowed',
      /step 7\.5/,
      /option methods leaves DELETE out: name it there, and see that a route handles it/,
    ],
    [
      'step 7.5, where the policy has it, and there is no route',
      { origin, methods: 'GET,PUT' },
      { method: 'PUT' },
      'cors-method-not-allowed',
      /step 7\.5/,
      /routes handle GET, HEAD, OPTIONS, PATCH, and not PUT: add a route\./,
    ],
    [
      'step 7.5: fetch leaves patch as it is',
      own,
      { method: 'patch' },
      'cors-method-not-allowed',
      /step 7\.5/,
      /write 'PATCH'/,
    ],
    [
      'step 7.5: an all-verbs route',
      own,
      { method: 'PURGE', path: '/anything' },
      'cors-method-not-allowed',
      /step 7\.5/,
      /lists just DELETE, GET, HEAD, PATCH, POST, PUT: add a route for PURGE\./,
    ],
    [
      'step 7.6',
      { allowedHeaders: '*' },
      { headers: 'x-any, Authorization' },
      'cors-header-not-allowed',
      /step 7\.6: Authorization/,
      /allowedHeaders/,
    ],
    [
      'step 7.6 without *, and before step 7.7',
      { allowedHeaders: ['If-Match'] },
      { headers: 'x-secret, authorization' },
      'cors-header-not-allowed',
      /step 7\.6: authorization/,
      /field authorization: add it/,
    ],
    [
      'step 7.7',
      own,
      { headers: 'if-match, x-secret' },
      'cors-header-not-allowed',
      /step 7\.7: x-secret/,
      /allowedHeaders/,
    ],
    [
      'step 7.7 on a safelisted method',
      own,
      { method: 'GET', headers: 'x-secret' },
      'cors-header-not-allowed',
      /step 7\.7/,
      /allowedHeaders/,
    ],
    [
      'a list past all bounds',
      own,
      { headers: ','.repeat(100) },
      'cors-headers-too-many',
      /step 5/,
      /128 names, 16 empty elements or 8192 characters/,
    ],
    [
      'one name past them',
      own,
      { headers: 'x'.repeat(8_193) },
      'cors-headers-too-many',
      /step 5/,
      /128 names, 16 empty elements or 8192 characters/,
    ],
  ])('%s', async (_title, options, question, code, step, reason) => {
    const explanation = await explain(options, question);
    expect(explanation).toMatchObject({ allowed: false, code });
    expect(explanation.step).toMatch(step);
    expect(explanation.reason).toMatch(reason);
  });

  test.each<[string, CorsOptions, Partial<CorsQuestion>, boolean]>([
    ['a PATCH with a precondition', own, { headers: 'content-type,if-match' }, true],
    [
      'header fields of any case and order, padded and split by gateways',
      own,
      { headers: [' IF-MATCH ,,prefer', '\tContent-Type ,'] },
      true,
    ],
    ['any header field under *', { allowedHeaders: '*' }, { headers: 'x-any' }, true],
    [
      'Authorization beside *',
      { allowedHeaders: '*, authorization' },
      { headers: 'Authorization,x-any' },
      true,
    ],
    ['credentials', { origin, credentials: true }, { credentials: true }, true],
    ['a later yes', { origin: () => Promise.resolve(true) }, {}, true],
    [
      'a safelisted method that the policy leaves out',
      { origin, methods: 'PATCH' },
      { method: 'GET', headers: 'if-match' },
      true,
    ],
    ['a simple GET', own, { method: 'GET' }, false],
    // Fetch, normalize a method.
    ['get, which fetch upper-cases', own, { method: 'get' }, false],
    ['Options, which it upper-cases too', own, { method: 'Options' }, true],
    ['delete, which it upper-cases too', own, { method: 'delete', path: '/anything' }, true],
    ['no header fields, said by null', own, { headers: null as never }, true],
    [
      'a simple GET of a path without routes, whose 404 can be read',
      own,
      { method: 'GET', path: '/nowhere' },
      false,
    ],
  ])('none fails for %s', async (_title, options, question, preflight) => {
    expect(await explain(options, question)).toMatchObject({
      allowed: true,
      preflight,
      code: 'cors-allowed',
      step: undefined,
    });
  });
});

test('what a predicate threw is told', async () => {
  const error = new Error('the directory is down');
  expect(await explain({ origin: () => Promise.reject(error) }, {})).toHaveProperty('error', error);
  expect(await explain({ origin: () => Promise.resolve(false) }, {})).not.toHaveProperty('error');
});

test('an explanation and the answer agree: a predicate sees the preflight', async () => {
  const seen: unknown[] = [];
  const predicate = (...[, req]: Parameters<Extract<CorsOptions['origin'], (...args: never) => unknown>>) => {
    const { method, url, headers } = req;
    return seen.push({ method, url, headers }) > 0;
  };
  await explain({ origin: predicate }, { headers: ['if-match', 'prefer'] });
  expect(seen).toEqual([
    {
      method: 'OPTIONS',
      url: '/notes/1',
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'if-match,prefer',
      },
    },
  ]);
});

describe('whose routes count', () => {
  const question = { origin, method: 'PATCH', path: '/sub/notes/1' };
  const app = () => {
    const outer = express();
    const inner = express();
    const cors = corsPreflight({ origin });
    inner.use(cors);
    inner.patch('/notes/:id', (_req, res) => void res.json({}));
    outer.use('/sub', inner);
    return { outer, cors };
  };

  test('those of the app that a request has come through, from its top', async () => {
    const { outer, cors } = app();
    await request(outer).get('/sub');
    expect(await cors.explain(question)).toMatchObject({ allowed: true });
  });

  test('those of the app that the server calls, where a router leads to the one that handles the request', async () => {
    const { outer: middle, cors } = app();
    const [top, router] = [express(), express.Router()];
    router.use('/deep', middle);
    top.use('/r', router);
    await request(top).get('/r/deep/sub');
    expect(await cors.explain({ ...question, path: '/r/deep/sub/notes/1' })).toMatchObject({ allowed: true });
    expect(await cors.explain(question)).toMatchObject({ code: 'cors-no-route' });
  });

  test.each([5, {}, () => undefined, null])('%p is no root', async (root) => {
    await expect(app().cors.explain({ ...question, root })).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_CONFIGURATION',
      mistakes: [{ option: 'root', value: root }],
    });
  });

  test('those of the option root', async () => {
    const router = createRouter();
    const cors = corsPreflight({ origin, root: router });
    router.use(cors);
    router.patch('/sub/notes/:id', () => undefined);
    expect(await cors.explain(question)).toMatchObject({ allowed: true });
  });

  test('where none is known, the question says so', async () => {
    await expect(app().cors.explain(question)).rejects.toMatchObject({
      code: 'PATCH_OPTIONS_CONFIGURATION',
      mistakes: [{ option: 'root', fix: 'Give the app: explain({ root: app, … }).' }],
    });
  });

  test('where the routes have no say, none need be known', async () => {
    expect(await app().cors.explain({ ...question, method: 'GET' })).toMatchObject({ allowed: true });
    expect(await app().cors.explain({ ...question, origin: 'https://evil.example' })).toMatchObject({
      allowed: false,
    });
  });
});

describe('README.md', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

  test('shows what explain says', async () => {
    const said = await explain({ origin }, { headers: 'x-request-id' });
    const { code, step, reason } = said;
    const shown = Object.entries({ code, step, reason }).map(
      ([name, text]) => `// ${name}: '${String(text)}'\n`,
    );
    expect(said.allowed).toBe(false);
    expect(readme).toContain(shown.join(''));
  });

  test('lists every code that there is', () => {
    const source = readFileSync(join(__dirname, '../../lib/cors/cors-options.ts'), 'utf8');
    const more = readFileSync(join(__dirname, '../../lib/cors/explain.ts'), 'utf8');
    const codes = new Set(
      [...`${source}${more}`.matchAll(/^ {2}\| '(cors-[a-z-]+)'/gm)].map(([, code]) => code),
    );
    const listed = [...readme.matchAll(/`(cors-[a-z-]+)`/g)].map(([, code]) => code);
    expect(codes.size).toBe(12);
    expect(listed.sort()).toEqual([...codes].sort());
  });
});

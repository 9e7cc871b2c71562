import '../support/debug-on';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { format } from 'node:util';
import createDebug from 'debug';
import supertest from 'supertest';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { printable } from '../../lib/config/printable';
import { debugLog } from '../../lib/http/debug-log';
import { methodNotAllowed } from '../../lib/allow/method-not-allowed';
import { optionsHandler } from '../../lib/allow/options-handler';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { frameworks } from '../support/frameworks';
import { serving } from '../support/serving';

describe('What a terminal would obey or hide is escaped', () => {
  test.each([
    { what: 'ESC', given: 'a\u001b[31mb', expected: 'a\\u{1b}[31mb' },
    { what: 'NUL, BEL, BS', given: '\u0000\u0007\b', expected: '\\u{0}\\u{7}\\u{8}' },
    { what: 'line ends and tabs', given: 'a\r\nb\tc', expected: 'a\\u{d}\\u{a}b\\u{9}c' },
    { what: 'DEL', given: '\u007f', expected: '\\u{7f}' },
    { what: 'CSI, of C1', given: '\u009b31m', expected: '\\u{9b}31m' },
    { what: 'all of C1', given: '\u0080\u009f', expected: '\\u{80}\\u{9f}' },
    { what: 'bidi embeddings and overrides', given: '\u202a\u202e', expected: '\\u{202a}\\u{202e}' },
    {
      what: 'bidi isolates and marks',
      given: '\u2066\u2069\u200f\u061c',
      expected: '\\u{2066}\\u{2069}\\u{200f}\\u{61c}',
    },
    {
      what: 'what is not seen',
      given: '\u200b\ufeff\u00ad\u{e0041}',
      expected: '\\u{200b}\\u{feff}\\u{ad}\\u{e0041}',
    },
    { what: 'line and paragraph separators', given: '\u2028\u2029', expected: '\\u{2028}\\u{2029}' },
    { what: 'a lone high surrogate', given: 'a\ud83d', expected: 'a\\u{d83d}' },
    { what: 'a lone low surrogate', given: '\ude00a', expected: '\\u{de00}a' },
    {
      what: 'nothing of other text',
      given: '/caf\u00e9/\u65e5\u672c/\u{1f600}?q="a\\b"',
      expected: '/caf\u00e9/\u65e5\u672c/\u{1f600}?q="a\\b"',
    },
  ])('$what', ({ given, expected }) => {
    expect(printable(given)).toBe(expected);
  });
});

describe('DEBUG=patch-options:*', () => {
  const lines: string[] = [];
  const { log } = createDebug;

  beforeAll(() => {
    createDebug.enable('patch-options:*');
    createDebug.log = (...values: unknown[]) => void lines.push(format(...values));
  });
  afterAll(() => {
    createDebug.disable();
    createDebug.log = log;
  });
  beforeEach(() => void lines.splice(0));

  test('values of every kind', () => {
    const named = { ['e\u009b']: () => undefined }['e\u009b'];
    debugLog('x')(
      '%s %d %s %s %s %s',
      'a\u009b',
      415,
      ['b\u009b'],
      undefined,
      named,
      new Error('c\u009b\u001bd'),
    );
    const [line = ''] = lines;
    expect(line).toMatch(
      /a\\u\{9b\} 415 an array undefined \[Function \(anonymous\)\] Error: c\\u\{9b\}\\u\{1b\}d\n +at /,
    );
    expect(line).not.toMatch(unprintable);
  });

  describe.each(frameworks)(
    'below a mount path, the target is the one that the client sent (%s)',
    (_name, express) => {
      const origin = 'https://a.example';
      const rows: readonly {
        readonly what: string;
        readonly method: 'get' | 'put' | 'patch' | 'options';
        readonly path?: string;
        readonly fields?: Record<string, string>;
        readonly said: RegExp;
      }[] = [
        { what: 'OPTIONS', method: 'options', said: / \/api\/things\/1\?a=b: OPTIONS, / },
        {
          what: 'OPTIONS, left to the app',
          method: 'options',
          path: '/own',
          said: / \/api\/own\?a=b: left to/,
        },
        { what: '405', method: 'put', said: / PUT \/api\/things\/1\?a=b: 405/ },
        {
          what: 'a request of a page',
          method: 'get',
          fields: { origin },
          said: / GET \/api\/things\/1\?a=b from /,
        },
        {
          what: 'a preflight',
          method: 'options',
          fields: { origin, 'access-control-request-method': 'PATCH' },
          said: / preflight for PATCH \/api\/things\/1\?a=b from /,
        },
        {
          what: 'a preflight that goes on',
          method: 'options',
          path: '/own',
          fields: { origin, 'access-control-request-method': 'PATCH' },
          said: / preflight for PATCH \/api\/own\?a=b from /,
        },
        {
          what: 'a media type that no parser reads',
          method: 'patch',
          fields: { 'content-type': 'application/json' },
          said: / \/api\/things\/1\?a=b: no parser reads application\/json/,
        },
        {
          what: 'a PATCH that is refused',
          method: 'patch',
          fields: { 'content-type': 'application/merge-patch+json' },
          said: / \/api\/things\/1\?a=b: 404/,
        },
      ];

      test.each(rows)('$what', async ({ method, path = '/things/1', fields = {}, said }) => {
        const api = express.Router();
        api.use(corsPreflight({ origin }), optionsHandler());
        api.options('/own', (_req, res) => void res.end());
        api.patch('/things/:id', patchHandler(new MemoryStore(), [mergePatch()]));
        api.use(methodNotAllowed());
        const app = express();
        app.use('/api', api);
        await supertest(app)[method](`/api${path}?a=b`).set(fields);
        expect(lines).toContainEqual(expect.stringMatching(said));
        expect(lines.filter((line) => /(?<!\/api)\/(?:things\/1|own)\?/.test(line))).toEqual([]);
      });
    },
  );

  describe.each(frameworks)('that JSON could be read as merge patch is not said (%s)', (_name, express) => {
    test.each([
      { where: 'where there is no merge patch', parser: jsonPatch(), type: 'application/json' },
      { where: 'of what is not JSON', parser: mergePatch(), type: 'text/plain' },
    ])('$where', async ({ parser, type }) => {
      const app = express();
      app.patch('/things/:id', patchHandler(new MemoryStore(), [parser]));
      await supertest(app).patch('/things/1').set('Content-Type', type).expect(415);
      expect(lines).toContainEqual(expect.stringContaining('/things/1: 415'));
      expect(lines.join()).not.toContain('no parser reads');
    });
  });

  /** DEBUG's own colours aside, and the line ends of a stack. */
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const unprintable = /[\u0000-\u0009\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202e]/;

  describe.each(frameworks)('a request that would write to the terminal (%s)', (_name, express) => {
    const json = 'Content-Type: application/merge-patch+json';
    test.each([
      { what: 'the URL of a PATCH', head: ['PATCH /things/1?%9b31m', json], said: /\\u\{9b\}31m: 404/ },
      { what: 'Content-Type', head: ['PATCH /things/1', 'Content-Type: \u009b31m'], said: /"\\u\{9b\}31m"/ },
      { what: 'the key', head: ['PATCH /things/1%9b31m', json], said: /key is \/things\/1\\u\{9b\}31m/ },
      {
        what: 'the URL of what is no merge patch by its name',
        head: ['PATCH /things/1?%9b31m', 'Content-Type: application/json'],
        said: /\\u\{9b\}31m: no parser reads application\/json.* use mergePatch\(\{ json: true \}\)/,
      },
      {
        what: 'the charset',
        head: ['PATCH /things/1', `${json}; charset="\u009b31m"`],
        said: /"\\u\{9b\}31m"/,
      },
      {
        what: 'Content-Encoding',
        head: ['PATCH /things/1', json, 'Content-Encoding: \u009b31m'],
        said: /"\\u\{9b\}31m"/,
      },
      {
        what: 'the URL of OPTIONS',
        head: ['OPTIONS /things/1?%9b31m'],
        said: /\\u\{9b\}31m: OPTIONS, /,
      },
      {
        what: 'that of one that the app answers itself',
        head: ['OPTIONS /own?%9b31m'],
        said: /\\u\{9b\}31m: left to/,
      },
      { what: 'that of a 405', head: ['PUT /things/1?%9b31m'], said: /\\u\{9b\}31m: 405/ },
      {
        what: 'Origin',
        head: ['GET /things/1', 'Origin: https://\u009b31m'],
        said: /from https:\/\/\\u\{9b\}31m/,
      },
      {
        what: 'Access-Control-Request-Method',
        head: ['OPTIONS /things/1', 'Origin: https://a.example', 'Access-Control-Request-Method: \u009b31m'],
        said: /preflight for \\u\{9b\}31m/,
      },
      {
        what: 'Access-Control-Request-Headers',
        head: [
          'OPTIONS /things/1',
          'Origin: https://a.example',
          'Access-Control-Request-Method: PATCH',
          'Access-Control-Request-Headers: \u009b31m',
        ],
        said: /\\u\{9b\}31m is not in/,
      },
      {
        what: 'the error of an origin predicate, which quotes a header',
        head: ['GET /things/1', 'Origin: https://a.example', 'X-Tenant: \u009b31m'],
        said: /function threw or rejected: Error: no \\u\{9b\}31m\n +at /,
      },
    ])('$what', async ({ head, said }) => {
      const app = express();
      // Node refuses such bytes in a URL. Apps decode URLs.
      app.use((req, _res, next) => {
        req.url = req.originalUrl = req.url.replace('%9b', '\u009b');
        next();
      });
      app.use(
        corsPreflight({
          origin: (origin, { headers }) => {
            if (headers['x-tenant'] !== undefined) throw new Error(`no ${headers['x-tenant'].toString()}`);
            return origin === 'https://a.example';
          },
        }),
        optionsHandler(),
      );
      app.options('/own', (_req, res) => void res.end());
      app.patch('/things/:id', patchHandler(new MemoryStore(), [mergePatch()]));
      app.use(methodNotAllowed());
      await serving(app, async (_server, port) => {
        const [line = '', ...fields] = head;
        const socket = connect(port, '127.0.0.1');
        const whole = [
          `${line} HTTP/1.1`,
          'Host: x',
          'Connection: close',
          ...fields,
          'Content-Length: 2',
          '',
          '{}',
        ];
        socket.end(whole.join('\r\n'), 'latin1');
        await Promise.all([once(socket, 'close'), text(socket)]);
      });
      expect(lines.join('\n')).toMatch(said);
      expect(lines.join('\n')).not.toMatch(unprintable);
    });
  });
});

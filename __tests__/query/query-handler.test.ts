import { createServer } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { RequestListener } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import router from 'router';
import { declareRoutes, methodNotAllowed, optionsListener, patchOptions } from '../../lib';
import { jsonQuery, type QueryFormat } from '../../lib/query/query-format';
import { queryHandler } from '../../lib/query/query-handler';
import { frameworks } from '../support/frameworks';
import { serving } from '../support/serving';
import { type ByTag, formats, formQuery, PRESENT, queryTable, type QueryRow, run } from './query-table';

const query = { method: 'QUERY', headers: { 'Content-Type': 'application/json' }, body: '{"tag":"shop"}' };

/** As it is mounted on each kind of router. */
const mounts: Readonly<Record<string, (handler: ReturnType<typeof queryHandler>) => RequestListener>> = {
  ...Object.fromEntries(
    frameworks.map(([name, of]) => [
      name,
      (handler) => of().query?.('/notes', handler) as unknown as RequestListener,
    ]),
  ),
  router: (handler) => {
    const root = router();
    root.query('/notes', handler);
    return (req, res) => {
      root(req, res, () => res.writeHead(500).end());
    };
  },
};

describe.each(Object.entries(mounts).map(([on, mount]) => ({ on, mount })))('on $on', ({ mount }) => {
  describe.each(Object.entries(queryTable).map(([clause, rows]) => ({ clause, rows })))(
    'RFC 10008 $clause',
    ({ rows }) => {
      test.each(Object.entries(rows).map(([title, row]) => ({ title, row })))('$title', ({ row }) =>
        serving(mount(queryHandler(formats, run, row.options)), async (_server, port) => {
          const first = await fetch(`http://127.0.0.1:${port}/notes`, query);
          const tag = first.headers.get('ETag') ?? '';
          await expectAnswer(row, tag, `http://127.0.0.1:${port}/notes`);
        }),
      );
    },
  );
});

async function expectAnswer(row: QueryRow, tag: string, url: string): Promise<void> {
  const { type = 'application/json', body = '{"tag":"shop"}' } = row;
  const headers = Object.entries(row.headers ?? {}).map(([name, value]) => [
    name,
    value.replace(PRESENT, tag),
  ]);
  const response = await fetch(url, {
    method: 'QUERY',
    headers: { ...(type !== null && { 'Content-Type': type }), ...Object.fromEntries(headers) },
    // Bytes, of which fetch makes up no Content-Type.
    body: Buffer.from(body),
  });
  const text = await response.text();
  expect(response.status).toBe(row.status);
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '');
  const content: unknown = isJson ? JSON.parse(text) : text;
  if (Array.isArray(row.content) || typeof row.content === 'string') expect(content).toEqual(row.content);
  else if (row.content !== undefined) expect(content).toMatchObject(row.content as object);
  for (const [name, expected] of Object.entries(row.answers ?? {})) {
    const value = response.headers.get(name);
    expect([name, value === tag ? PRESENT : value]).toEqual([name, expected]);
  }
}

describe('beside the other answers about a target', () => {
  const app = express();
  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  app.query?.('/notes', queryHandler(formats, run));
  app.get('/notes', (_req, res) => void res.json([]));
  app.use(declareRoutes({ '/elsewhere': ['QUERY'] }));
  app.use(methodNotAllowed());

  test.each([
    { by: 'Express', listener: app },
    { by: 'optionsListener', listener: optionsListener(app, { cors: { origin: 'https://app.example' } }) },
  ])('OPTIONS has Allow and Accept-Query, by $by', ({ listener }) =>
    serving(listener as RequestListener, async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/notes`, { method: 'OPTIONS' });
      expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS, QUERY');
      expect(response.headers.get('Accept-Query')).toBe(
        'application/json, application/x-www-form-urlencoded',
      );
      expect(response.headers.get('Accept-Patch')).toBeNull();
    }),
  );

  test('a preflight for QUERY is allowed, Accept-Query exposed, and 405 lists it', () =>
    serving(app, async (_server, port) => {
      const url = `http://127.0.0.1:${port}/notes`;
      const asking = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'QUERY' };
      const preflight = await fetch(url, { method: 'OPTIONS', headers: asking });
      expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, OPTIONS, QUERY');
      const elsewhere = await fetch(`http://127.0.0.1:${port}/elsewhere`, {
        method: 'OPTIONS',
        headers: asking,
      });
      expect(elsewhere.headers.get('Access-Control-Allow-Methods')).toBe('OPTIONS, QUERY');
      const actual = await fetch(url, { ...query, headers: { ...query.headers, ...asking } });
      expect(actual.headers.get('Access-Control-Expose-Headers')).toContain('Accept-Query');
      const refused = await fetch(url, { method: 'DELETE' });
      expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS, QUERY']);
    }));

  test('a media type that begins with a digit is a String, RFC 10008 3', () => {
    const digits = express();
    digits.use(patchOptions());
    const format = { mediaType: ['application/json', '3d/query'], parse: () => ({ tag: 'shop' }) };
    digits.query?.('/', queryHandler([format], run));
    return serving(digits, async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'OPTIONS' });
      expect(response.headers.get('Accept-Query')).toBe('application/json, "3d/query"');
    });
  });
});

describe('faults and events', () => {
  const failing: ErrorRequestHandler = (error: Error, _req, res, next) => {
    if (res.headersSent) next(error);
    else res.status(599).send(error.message);
  };
  const ask = (listener: RequestListener, body = '{"tag":"shop"}') =>
    serving(listener, async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/notes`, { ...query, body });
      return [response.status, await response.text()];
    });
  const appOf = (...handlers: Parameters<typeof queryHandler<ByTag, unknown>>) =>
    express().use(express.Router().query?.('/notes', queryHandler(...handlers)) as never, failing);

  test('what run throws goes to the error handler', async () => {
    expect(await ask(appOf(formats, run), '{"tag":"broken"}')).toEqual([599, 'The index is broken.']);
  });

  test('a result that JSON cannot write is a fault of your app', async () => {
    expect(await ask(appOf(formats, () => undefined))).toEqual([
      599,
      'run returned a value that cannot be written as JSON. Return a JSON value, or null.',
    ]);
  });

  const rejecting = () => Promise.reject(new Error('the database is down'));
  test.each([
    { option: 'contentLocation', options: { contentLocation: rejecting }, shown: 'a promise' },
    { option: 'location', options: { location: () => null }, shown: 'null' },
    { option: 'results["text/csv"]', options: { results: { 'text/csv': rejecting } }, shown: 'a promise' },
    {
      option: 'results["text/csv"]',
      options: { results: { 'text/csv': () => undefined } },
      shown: 'undefined',
    },
  ])(
    '$option that returns $shown is a fault of your app, and ends no process',
    async ({ option, options, shown }) => {
      const [status, text] = await ask(appOf(formats, run, options as never));
      expect([status, text]).toEqual([
        599,
        expect.stringContaining(`The option ${option} returned ${shown}. Return a`),
      ]);
      await setImmediate();
    },
  );

  test('a form that a body parser has read is a fault of your app: its text is lost', async () => {
    const app = express()
      .use(express.urlencoded())
      .use(appOf([formQuery], run));
    await serving(app, async (_server, port) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const response = await fetch(`http://127.0.0.1:${port}/notes`, { ...query, headers, body: 'tag=shop' });
      expect([response.status, await response.text()]).toEqual([
        599,
        expect.stringContaining('Mount the route before the middleware that parses it.'),
      ]);
    });
  });

  test("errors: 'next' hands refusals on, and onRefused is told of them", async () => {
    const told: string[] = [];
    const options = { errors: 'next', onRefused: ({ code }: { code: string }) => told.push(code) } as const;
    expect((await ask(appOf(formats, run, options), '{'))[0]).toBe(599);
    expect(told).toEqual(['query-malformed']);
  });

  test('run is told of the request, and aborted when the client has gone', async () => {
    let aborted: Promise<unknown> | undefined;
    const app = appOf([jsonQuery<ByTag>()], (_query, { req, mediaType, signal }) => {
      expect([req.path, mediaType]).toEqual(['/notes', 'application/json']);
      aborted = new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      controller.abort();
      return aborted;
    });
    const controller = new AbortController();
    await serving(app, async (_server, port) => {
      const asked = fetch(`http://127.0.0.1:${port}/notes`, { ...query, signal: controller.signal });
      await expect(asked).rejects.toThrow();
      await aborted;
    });
  });

  test('run is not called for a client that has gone while its query was parsed', async () => {
    let passedOn: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (passedOn = resolve));
    const ran = jest.fn(run);
    const slow: QueryFormat<ByTag> = {
      mediaType: 'application/json',
      parse: (_content, { request }) =>
        new Promise((resolve) => {
          request.socket.once('close', () => {
            resolve({ tag: 'shop' });
            // The handler goes on in microtasks.
            void setImmediate().then(passedOn);
          });
          controller.abort();
        }),
    };
    const controller = new AbortController();
    await serving(appOf([slow], ran), async (_server, port) => {
      const asked = fetch(`http://127.0.0.1:${port}/notes`, { ...query, signal: controller.signal });
      await expect(asked).rejects.toThrow();
      await over;
    });
    expect(ran).not.toHaveBeenCalled();
  });

  test('an answer that your app gives while run is pending stands, and is no error', async () => {
    const failed = jest.fn();
    let passedOn: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (passedOn = resolve));
    const app = express();
    app.query?.(
      '/notes',
      queryHandler([jsonQuery<ByTag>()], async (_query, { req }) => {
        req.res?.writeHead(503).end('busy');
        await setImmediate();
        void setImmediate().then(passedOn);
        return [];
      }),
    );
    const told: ErrorRequestHandler = (error, _req, _res, next) => {
      failed(error);
      next(error);
    };
    expect(await ask(app.use(told) as RequestListener)).toEqual([503, 'busy']);
    await over;
    expect(failed).not.toHaveBeenCalled();
  });

  test('a request of another method goes on, and one outside a route is an error', async () => {
    const handler = queryHandler(formats, run);
    const app = express().use(handler, (_req, res) => void res.sendStatus(418));
    await serving(app, async (_server, port) => {
      expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(418);
    });
    const plain = createServer((req, res) => {
      handler(req, res, (error) => res.writeHead(500).end(String(error)));
    });
    await serving(plain.listeners('request')[0] as RequestListener, async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, query);
      expect(await response.text()).toContain('must be mounted on a route. Write app.query(path, …).');
    });
  });
});

test.each([
  { given: [[], run], mistakes: ['formats'] },
  { given: [[jsonQuery], 5], mistakes: ['formats[0]', 'run'] },
  { given: [[jsonQuery(), jsonQuery()], run], mistakes: ['formats[1]'] },
  {
    given: [
      formats,
      run,
      { results: { 'text/*': run, 'text/csv': 5 }, cacheControl: '\n', limits: { bytes: -1 } },
    ],
    mistakes: ['limits.bytes', 'cacheControl', 'results', 'results["text/csv"]'],
  },
  { given: [formats, run, { results: [] }], mistakes: ['results'] },
  { given: [formats, run, { result: {} }], mistakes: ['result'] },
])('mistakes are told when it is made: $mistakes', ({ given, mistakes }) => {
  let found: { option: string }[] = [];
  try {
    (queryHandler as (...args: unknown[]) => unknown)(...given);
  } catch (error) {
    found = (error as { mistakes: { option: string }[] }).mistakes;
  }
  expect(found.map(({ option }) => option)).toEqual(mistakes);
});

import express from 'express';
import { patchOnce } from '../../examples/patch-once';
import { jsonPatch } from '../../lib/patch/formats/json-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { CuttingProxy } from '../support/cutting-proxy';
import { serving } from '../support/serving';

const append = (value: number) => [{ op: 'add', path: '/list/-', value }];

/** A server, and a proxy in front of it that cuts one connection in three. */
async function behindProxy<R>(app: express.Express, use: (url: string, proxy: CuttingProxy) => Promise<R>) {
  return serving(app, async (_server, port) => {
    const proxy = await CuttingProxy.start();
    proxy.upstream = port;
    try {
      return await use(`http://127.0.0.1:${proxy.port}/notes/1`, proxy);
    } finally {
      await proxy.close();
    }
  });
}

test('the loop of the README applies each patch once, whatever is lost on the way', async () => {
  const notes = new MemoryStore<{ list: number[] }>();
  await notes.replace('1', null, { list: [] });
  const app = express();
  const options = { key: () => '1', idempotency: 'required' } as const;
  // Each request has a connection of its own, so that each can be cut.
  app.use((_req, res, next) => {
    res.set('Connection', 'close');
    next();
  });
  app.patch('/notes/:id', patchHandler(notes, [jsonPatch()], options));
  await behindProxy(app, async (url, proxy) => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, value) => patchOnce(url, append(value))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(Math.max(...proxy.cuts.values())).toBeGreaterThan(0);
  });
  const list = (await notes.get('1'))?.value.list ?? [];
  expect([...list].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, value) => value));
});

test.each([
  { title: '503 with Retry-After, then 204', answers: ['503 0', '204'], expected: 204 },
  { title: '409 with Retry-After, then 204', answers: ['409 0', '204'], expected: 204 },
  { title: '502 and 504 of a gateway, then 204', answers: ['502', '504', '204'], expected: 204 },
  {
    title: '409 without Retry-After: the patch does not fit, and never will',
    answers: ['409', '204'],
    expected: 409,
  },
  { title: '412', answers: ['412', '204'], expected: 412 },
  { title: '500', answers: ['500', '204'], expected: 500 },
])('$title', async ({ answers, expected }) => {
  const left = [...answers];
  const keys = new Set<string | undefined>();
  const app = express();
  app.patch('/notes/:id', (req, res) => {
    keys.add(req.get('Idempotency-Key'));
    const [status, retryAfter] = left.shift()?.split(' ') ?? [];
    if (retryAfter !== undefined) res.set('Retry-After', retryAfter);
    res.status(Number(status)).end();
  });
  await serving(app, async (_server, port) => {
    const answer = await patchOnce(`http://127.0.0.1:${port}/notes/1`, append(1), { 'If-Match': '*' });
    expect(answer.status).toBe(expected);
  });
  expect(keys.size).toBe(1);
});

describe('Retry-After, RFC 9110 10.2.3', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const timeout = setTimeout;

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    { what: 'seconds', retryAfter: '3', pause: 3_050 },
    { what: 'none', retryAfter: '0', pause: 50 },
    { what: 'a date', retryAfter: 'Sat, 21 Nov 2026 10:01:00 GMT', pause: 60_050 },
    { what: 'a date in an obsolete form', retryAfter: 'Saturday, 21-Nov-26 10:01:00 GMT', pause: 60_050 },
    { what: 'a date that is past', retryAfter: 'Sat, 21 Nov 2026 09:59:00 GMT', pause: 50 },
    { what: 'neither', retryAfter: 'soon', pause: 50 },
    { what: 'more than a timer counts', retryAfter: '9999999', pause: 86_400_050 },
  ])('$what: $retryAfter', async ({ retryAfter, pause }) => {
    jest.spyOn(Date, 'now').mockReturnValue(now);
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const pauses: unknown[] = [];
    const timer = (go: () => void, milliseconds?: number) => (pauses.push(milliseconds), timeout(go, 0));
    const app = express();
    let attempts = 0;
    app.patch('/notes/:id', (_req, res) => {
      if (attempts++ === 0) res.set('Retry-After', retryAfter).status(503);
      res.end();
    });
    await serving(app, async (_server, port) => {
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(timer);
      await patchOnce(`http://127.0.0.1:${port}/notes/1`, append(1));
    });
    expect([attempts, pauses]).toEqual([2, [pause]]);
  });
});

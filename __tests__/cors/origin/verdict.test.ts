import request from 'supertest';
import { corsPreflight } from '../../../lib/cors/cors-preflight';
import type { OriginPredicate } from '../../../lib/cors/policy/options';
import { frameworks } from '../../support/frameworks';

const origin = 'https://app.example';
const preflight = { origin, 'access-control-request-method': 'PATCH' };

describe.each(frameworks)('predicates over %s', (_name, express) => {
  function app(predicate: OriginPredicate) {
    const service = express();
    service.use(corsPreflight({ origin: predicate }));
    service.patch('/', (_req, res) => void res.json({}));
    service.get('/', (_req, res) => void res.json({}));
    return service;
  }

  test.each<[string, OriginPredicate, number, string | undefined]>([
    ['allows', (asked) => asked === origin, 200, origin],
    ['allows later', (asked) => Promise.resolve(asked === origin), 200, origin],
    ['refuses', () => false, 403, undefined],
    ['refuses later', () => Promise.resolve(false), 403, undefined],
    [
      'throws',
      () => {
        throw new Error('fault');
      },
      403,
      undefined,
    ],
    ['rejects', () => Promise.reject(new Error('fault')), 403, undefined],
    ['reads the request', (_asked, req) => req.headers['x-tenant'] === '7', 200, origin],
  ])('a predicate that %s', async (_title, predicate, status, allowed) => {
    const asked = await request(app(predicate))
      .options('/')
      .set({ ...preflight, 'x-tenant': '7' });
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([status, allowed]);
    const actual = await request(app(predicate)).get('/').set({ origin, 'x-tenant': '7' });
    expect([actual.status, actual.headers['access-control-allow-origin']]).toEqual([200, allowed]);
  });

  test.each([
    ['no origin', {}],
    ['an empty one', { origin: '' }],
    ['several', { origin: `${origin}, ${origin}` }],
    ['several, as RFC 6454 7.1 wrote them', { origin: `${origin} ${origin}` }],
    ['one with what is in no origin', { origin: 'https://\u00e9' }],
    ['one that is too long', { origin: `https://${'a'.repeat(1_020)}` }],
    ['null', { origin: 'null' }],
  ])('are not asked about %s', async (_title, fields) => {
    const predicate = jest.fn(() => true);
    const response = await request(app(predicate)).get('/').set(fields);
    expect(response.status).toBe(200);
    expect(response.headers).toHaveProperty('vary', 'Origin');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(predicate).not.toHaveBeenCalled();
  });

  test("requests that are judged at the same time do not get each other's origin", async () => {
    const waiting: (() => void)[] = [];
    const slow: OriginPredicate = (asked) =>
      new Promise((resolve) => {
        waiting.push(() => {
          resolve(asked !== 'https://b.example');
        });
        // All three are waiting: answer the last first.
        if (waiting.length === 3) for (const answer of waiting.reverse()) answer();
      });
    const service = app(slow);
    const origins = ['https://a.example', 'https://b.example', 'https://c.example'];
    const answers = await Promise.all(
      origins.map((asked) => request(service).get('/').set({ origin: asked })),
    );
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'] as unknown)).toEqual([
      'https://a.example',
      undefined,
      'https://c.example',
    ]);
  });

  test('a time limit of the host that has answered meanwhile is not answered again', async () => {
    let decide: (allowed: boolean) => void = () => undefined;
    const handled = jest.fn();
    const service = express();
    service.use((_req, res, next) => {
      next();
      res.status(503).end();
      decide(true);
    });
    service.use(
      corsPreflight({
        origin: () =>
          new Promise((resolve) => {
            decide = resolve;
          }),
      }),
    );
    service.get('/', handled);
    expect((await request(service).options('/').set(preflight)).status).toBe(503);
    expect((await request(service).get('/').set({ origin })).status).toBe(503);
    expect(handled).not.toHaveBeenCalled();
  });
});

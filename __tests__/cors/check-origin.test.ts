import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import request from 'supertest';
import { decideOrigin, originTimeout } from '../../lib/cors/origin';
import { corsPreflight } from '../../lib/cors/cors-preflight';
import { createPolicy } from '../../lib/cors/policy';
import type { OriginPredicate } from '../../lib/cors/options';
import { frameworks } from '../support/frameworks';
import { shortenOriginTimeout } from '../support/origin-timeout';

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

  test.each<{
    readonly title: string;
    readonly predicate: OriginPredicate;
    readonly allowed: boolean;
  }>([
    { title: 'allows', predicate: (asked) => asked === origin, allowed: true },
    {
      title: 'allows later',
      predicate: (asked) => Promise.resolve(asked === origin),
      allowed: true,
    },
    { title: 'refuses', predicate: () => false, allowed: false },
    { title: 'refuses later', predicate: () => Promise.resolve(false), allowed: false },
    {
      title: 'throws',
      predicate: () => {
        throw new Error('fault');
      },
      allowed: false,
    },
    {
      title: 'rejects',
      predicate: () => Promise.reject(new Error('fault')),
      allowed: false,
    },
    {
      title: 'reads the request',
      predicate: (_asked, req) => req.headers['x-tenant'] === '7',
      allowed: true,
    },
  ])('a predicate that $title', async ({ predicate, allowed }) => {
    const service = app(predicate);
    const asked = await request(service)
      .options('/')
      .set({ ...preflight, 'x-tenant': '7' });
    expect(asked.ok).toBe(allowed);
    const actual = await request(service).get('/').set({ origin, 'x-tenant': '7' });
    expect(actual.ok).toBe(true);
    for (const { headers } of [asked, actual])
      expect(headers['access-control-allow-origin']).toBe(allowed ? origin : undefined);
  });

  test.each([
    { title: 'no origin', fields: {} },
    { title: 'an empty one', fields: { origin: '' } },
    { title: 'several', fields: { origin: `${origin}, ${origin}` } },
    { title: 'several, as RFC 6454 7.1 wrote them', fields: { origin: `${origin} ${origin}` } },
    { title: 'several, without a space', fields: { origin: `${origin},${origin}` } },
    { title: 'one with what is in no origin', fields: { origin: 'https://\u00e9' } },
    { title: 'one with that in front', fields: { origin: '\u00e9https://a.example' } },
    { title: 'one that is too long', fields: { origin: `https://${'a'.repeat(1_020)}` } },
    { title: 'null', fields: { origin: 'null' } },
  ])('are not asked about $title', async ({ fields }) => {
    const predicate = jest.fn(() => true);
    const response = await request(app(predicate)).get('/').set(fields);
    expect(response.status).toBe(200);
    expect(response.headers).toHaveProperty('vary', 'Origin');
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
    expect(predicate).not.toHaveBeenCalled();
  });

  test('are asked about one of 1,024 characters, which is longer than any', async () => {
    const long = `https://${'a'.repeat(1_016)}`;
    const response = await request(app(() => true))
      .get('/')
      .set({ origin: long });
    expect(response.headers['access-control-allow-origin']).toBe(long);
  });

  test('a response whose head is sent already goes on to your app', async () => {
    const service = express().use((_req, res, next) => {
      res.status(202).flushHeaders();
      next();
    });
    service.use(corsPreflight({ origin }));
    service.get('/', (_req, res) => void res.end());
    service.options('/', (_req, res) => void res.end('late'));
    const response = await request(service).options('/').set(preflight);
    expect([response.status, response.text]).toEqual([202, 'late']);
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

  test('a time limit of your app that has answered meanwhile is not answered again', async () => {
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

  describe('that never settle', () => {
    let shortened: jest.SpyInstance;
    beforeEach(() => {
      shortened = shortenOriginTimeout();
    });
    afterEach(() => {
      shortened.mockRestore();
    });

    test('are waited for no longer than five seconds: then the origin is refused', async () => {
      const service = app(() => new Promise(() => undefined));
      const refused = await request(service).options('/').set(preflight);
      expect([refused.status, refused.headers['vary']]).toEqual([
        403,
        'Origin, Access-Control-Request-Method',
      ]);
      const { status, headers } = await request(service).get('/').set({ origin });
      expect([status, headers['vary']]).toEqual([200, 'Origin']);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    });

    test.each([
      {
        title: 'allows',
        settle: (resolve: (allowed: boolean) => void) => {
          resolve(true);
        },
      },
      {
        title: 'rejects',
        settle: (_: unknown, reject: (reason: Error) => void) => {
          reject(new Error('late'));
        },
      },
    ])('one that $title after that is not heard', async ({ settle }) => {
      let say: () => void = () => undefined;
      const rejections = jest.fn();
      process.on('unhandledRejection', rejections);
      const service = app(
        () =>
          new Promise((resolve, reject) => {
            say = () => {
              settle(resolve, reject);
            };
          }),
      );
      const { status, headers } = await request(service).get('/').set({ origin });
      say();
      await new Promise((resolve) => setTimeout(resolve, 10));
      process.off('unhandledRejection', rejections);
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(rejections).not.toHaveBeenCalled();
    });

    test('what the host answers meanwhile is for no cache to give to another origin', async () => {
      const service = express();
      service.use((_req, res, next) => {
        next();
        res.status(503).end();
      });
      service.use(corsPreflight({ origin: () => new Promise(() => undefined) }));
      for (const sent of [
        request(service).options('/').set(preflight),
        request(service).get('/').set({ origin }),
      ]) {
        const { status, headers } = await sent;
        expect([status, headers['vary']]).toEqual([503, 'Origin']);
      }
    });

    test('a timer is set only where a predicate has to be waited for, and keeps no process alive', async () => {
      shortened.mockRestore();
      const timers = jest.spyOn(globalThis, 'setTimeout');
      const dispatch = async (predicate: OriginPredicate): Promise<unknown[]> => {
        timers.mockClear();
        const policy = createPolicy({ origin: predicate });
        const req = Object.assign(new IncomingMessage(new Socket()), { headers: { origin } });
        await decideOrigin(policy, req, false);
        return timers.mock.results
          .filter((_, i) => timers.mock.calls[i]?.[1] === originTimeout)
          .map(({ value }) => value as unknown);
      };
      expect(await dispatch(() => true)).toEqual([]);
      const [timer] = (await dispatch(() => Promise.resolve(true))) as NodeJS.Timeout[];
      timers.mockRestore();
      expect(timer?.hasRef()).toBe(false);
    });
  });
});

import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { corsPreflight } from 'patch-options';
import { explainCors, type CorsQuestion } from 'patch-options/explain';
import supertest from 'supertest';
import type { Exchange } from '../../../examples/notes/exchange';
import { ExchangeRecorder } from '../../../examples/notes/exchange-recorder';
import { pageApp } from '../../../examples/notes/page-server';
import { serving } from '../../support/serving';

const api = express();
const cors = corsPreflight({ origin: 'http://127.0.0.1:*' });
api.use(cors);
api.get('/mounted', (_req, res) => void res.set('ETag', '"1"').json({}));
api.use('/mounted', (_req, res) => void res.status(404).end());

function recording() {
  const explain = (question: CorsQuestion) => explainCors(api, question);
  const recorder = new ExchangeRecorder(explain);
  const folders = [join(__dirname, '../../../examples/notes/page/static')];
  const page = pageApp({ api: 'http://127.0.0.1:3000', recorder, explain, folders });
  return { watched: supertest(recorder.watch(api)), recorder, page };
}

const asks = (method: string) => ({ Origin: 'http://127.0.0.1:1', 'Access-Control-Request-Method': method });

describe('ExchangeRecorder', () => {
  function following(recorder: ExchangeRecorder, after?: string): Exchange[] {
    const exchanges: Exchange[] = [];
    recorder.follow(after, (exchange) => exchanges.push(exchange));
    return exchanges;
  }

  test('tells what was asked and answered, by fields that may be shown', async () => {
    const { watched, recorder } = recording();
    const exchanges = following(recorder);
    await watched
      .get('/mounted/?a=1')
      .set({ Cookie: 'secret', Authorization: 'secret', 'If-None-Match': '"2"' });
    expect(exchanges).toMatchObject([
      {
        ...{ method: 'GET', url: '/mounted/?a=1', preflight: false, status: 200, phrase: 'OK' },
        requestFields: [['If-None-Match', '"2"']],
        responseFields: [
          ['ETag', '"1"'],
          ['Vary', 'Origin'],
          ['Content-Type', 'application/json; charset=utf-8'],
        ],
      },
    ]);
    expect(JSON.stringify(exchanges)).not.toContain('secret');
    expect(exchanges[0]).not.toHaveProperty('verdict');
  });

  test.each<{
    readonly title: string;
    readonly method: string;
    readonly fields: Record<string, string>;
    readonly expected: unknown;
  }>([
    {
      title: 'a preflight that lets through',
      method: 'OPTIONS',
      fields: asks('GET'),
      expected: { preflight: true, verdict: { allowed: true } },
    },
    {
      title: 'a preflight that does not',
      method: 'OPTIONS',
      fields: asks('PUT'),
      expected: {
        preflight: true,
        verdict: { allowed: false, code: 'cors-method-not-allowed' },
      },
    },
    {
      title: 'a request that needs none',
      method: 'GET',
      fields: { Origin: 'https://stranger.example' },
      expected: {
        preflight: false,
        status: 200,
        verdict: { allowed: false, code: 'cors-origin-not-allowed' },
      },
    },
  ])('$title: what the browser makes of it', async ({ method, fields, expected }) => {
    const { watched, recorder } = recording();
    const told = new Promise((resolve) => void recorder.follow(undefined, resolve));
    await (method === 'GET' ? watched.get('/mounted') : watched.options('/mounted')).set(fields);
    expect(await told).toMatchObject(expected as object);
  });

  test('a preflight comes before the request that it allowed, though its verdict takes longer', async () => {
    const { watched, recorder } = recording();
    const exchanges = following(recorder);
    const told = new Promise<void>((resolve) => {
      recorder.follow(undefined, ({ method }) => {
        if (method === 'PATCH') resolve();
      });
    });
    await watched.options('/mounted').set(asks('PATCH'));
    await watched.patch('/mounted').set({ Origin: 'http://127.0.0.1:1' });
    await told;
    expect(exchanges.map(({ method }) => method)).toEqual(['OPTIONS', 'PATCH']);
  });

  test('what no browser sends has no verdict, and is told all the same', async () => {
    const { watched, recorder } = recording();
    const told = new Promise((resolve) => void recorder.follow(undefined, resolve));
    await watched.get('/mounted').set({ Origin: 'http://127.0.0.1:1/' });
    expect(await told).not.toHaveProperty('verdict');
  });

  test('gives who comes later the last 50, or what came after the last that was seen', async () => {
    const { watched, recorder } = recording();
    for (let at = 0; at < 52; at++) await watched.get(`/mounted?${at}`);
    const all = following(recorder);
    expect(all.map(({ url }) => url)).toEqual(Array.from({ length: 50 }, (_, at) => `/mounted?${at + 2}`));
    expect(following(recorder, all.at(-2)?.id)).toEqual(all.slice(-1));
    expect(following(recorder, 'of another run')).toEqual(all);
  });

  test('tells nobody who has gone', async () => {
    const { watched, recorder } = recording();
    const exchanges: Exchange[] = [];
    recorder.follow(undefined, (exchange) => exchanges.push(exchange))();
    await watched.get('/mounted');
    expect(exchanges).toEqual([]);
  });
});

describe('pageApp', () => {
  test('lets nothing run or be fetched but its own and the API', async () => {
    const { headers } = await supertest(recording().page).get('/').expect(200);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' http:\/\/127\.0\.0\.1:3000; /,
    );
    expect(policy).toContain(
      "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('names the origins from which the frame that sends requests has its script: in WebKit a sandboxed one has no self', async () => {
    const { headers } = await supertest(recording().page).get('/frame.html').expect(200);
    expect(headers['content-security-policy']).toMatch(
      /; script-src 'self' http:\/\/127\.0\.0\.1:(\d+) http:\/\/localhost:\1; /,
    );
  });

  test('lets no other page have the frame that sends requests', async () => {
    const { headers } = await supertest(recording().page).get('/frame.html').expect(200);
    expect(headers['content-security-policy']).toMatch(
      /frame-ancestors http:\/\/127\.0\.0\.1:(\d+) http:\/\/localhost:\1;/,
    );
  });

  test.each(['/../tsconfig.json', '/%2e%2e/main.ts', '/..%2fmain.ts', '/none'])(
    'GET %s: 404',
    async (path) => {
      const { status } = await supertest(recording().page).get(path);
      expect([403, 404]).toContain(status);
    },
  );

  test('explains what CORS makes of a request', async () => {
    const { body } = await supertest(recording().page)
      .get('/explain')
      .query({ origin: 'http://127.0.0.1:1', method: 'GET', path: '/mounted', headers: 'x-a' })
      .expect(200);
    expect(body).toMatchObject({ allowed: false, code: 'cors-header-not-allowed' });
  });

  test.each(['', 'origin=a&method=GET', 'origin=a&origin=b&method=GET&path=/', 'origin=a&method=GET&path=/'])(
    '/explain?%s: 400',
    async (query) => {
      await supertest(recording().page).get(`/explain?${query}`).expect(400);
    },
  );

  test('says where what was kept ends, and what is new begins', async () => {
    const { watched, page } = recording();
    await serving(page, async (_server, port) => {
      await watched.get('/mounted?1');
      const stream = await openStream(port);
      expect(await stream.block()).toBe('retry: 1000');
      expect(await stream.block()).toMatch(/^id: .*\ndata: .*mounted\?1/);
      expect(await stream.block()).toBe('event: live\ndata: live');
      await watched.get('/mounted?2');
      expect(await stream.block()).toMatch(/^id: .*\ndata: .*mounted\?2/);
      stream.close();
    });
  });

  test('streams the exchanges as they come, from where the last stream ended', async () => {
    const { watched, page } = recording();
    await serving(page, async (_server, port) => {
      await watched.get('/mounted?1');
      const stream = await openStream(port);
      expect((await stream.next()).data.url).toBe('/mounted?1');
      await watched.get('/mounted?2');
      const second = await stream.next();
      expect(second.data.url).toBe('/mounted?2');
      stream.close();

      await watched.get('/mounted?3');
      const again = await openStream(port, { 'Last-Event-ID': second.id });
      expect((await again.next()).data.url).toBe('/mounted?3');
      again.close();
    });
  });
});

describe('the stream of exchanges', () => {
  test('ends for a reader that does not read, and goes on for one that does and for who comes again', async () => {
    const { recorder, page } = recording();
    // What one request leaves in the stream: long enough that no buffer of the system takes all of them.
    await serving(recorder.watch(api), async (_server, apiPort) => {
      await serving(page, async (server, port) => {
        const streams: ServerResponse[] = [];
        server.on('request', (_req, res) => streams.push(res));
        const idle = connect(port, '127.0.0.1');
        idle.write('GET /exchanges HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
        idle.on('error', () => undefined);
        await once(server, 'request');
        const reader = await openStream(port);

        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        let most = 0;
        let sent = 0;
        const seen: string[] = [];
        while (streams[0]?.destroyed === false && sent < 3_000) {
          const path = `/mounted?${sent++}`;
          const headers = { 'If-Match': 'x'.repeat(12_000) };
          const [answer] = (await once(
            get({ agent, host: '127.0.0.1', port: apiPort, path, headers }),
            'response',
          )) as [IncomingMessage];
          await once(answer.resume(), 'end');
          seen.push((await reader.next()).data.url);
          most = Math.max(most, streams[0].writableLength);
        }
        agent.destroy();
        expect(streams[0]?.destroyed).toBe(true);
        expect(most).toBeLessThan(300_000);
        expect(seen).toEqual(Array.from({ length: sent }, (_, at) => `/mounted?${at}`));
        reader.close();

        const first: string[] = [];
        recorder.follow(undefined, ({ url }) => first.push(url))();
        const again = await openStream(port);
        for (const url of first) expect((await again.next()).data.url).toBe(url);
        again.close();
        idle.destroy();
      });
    });
  });
});

/** Server-Sent Events, one by one. */
async function openStream(port: number, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const { body } = await fetch(`http://127.0.0.1:${port}/exchanges`, { headers, signal: abort.signal });
  if (body === null) throw new Error('The stream has no body');
  const chunks = body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  return {
    /** The next block, whatever is in it. */
    async block(): Promise<string> {
      while (!text.includes('\n\n')) text += String((await chunks.next()).value);
      const [block = ''] = text.split('\n\n', 1);
      text = text.slice(block.length + 2);
      return block;
    },
    async next(): Promise<{ id: string; data: Exchange }> {
      for (;;) {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(await this.block()) ?? [];
        if (id !== undefined && data !== undefined) return { id, data: JSON.parse(data) as Exchange };
      }
    },
    close(): void {
      abort.abort();
    },
  };
}

import { once } from 'node:events';
import { request, type IncomingMessage, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { Exchange } from '../../../examples/notes/exchange';
import { ExchangeRecorder } from '../../../examples/notes/exchange-recorder';
import { serving } from '../../support/serving';

interface Sent {
  readonly method?: string;
  readonly chunks?: readonly (Buffer | string)[];
  /** Whether the request never ends. */
  readonly open?: boolean;
}

/** What is recorded of one request to this app, and the content of its answer. */
async function recorded(app: RequestListener, { method = 'POST', chunks = [], open = false }: Sent) {
  const recorder = new ExchangeRecorder(() => Promise.reject(new Error('No origin was sent')));
  const told = new Promise<Exchange>((resolve) => recorder.follow(undefined, resolve));
  return serving(recorder.watch(app), async (_server, port) => {
    const sent = request({ host: '127.0.0.1', port, method, headers: { 'Transfer-Encoding': 'chunked' } });
    sent.on('error', () => undefined);
    for (const chunk of chunks) sent.write(chunk);
    if (!open) sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const content = await buffer(answer);
    sent.destroy();
    return { content: content.toString(), exchange: await told };
  });
}

const echo: RequestListener = (req, res) => void buffer(req).then((content) => res.end(content));
const whole = (text: string) => ({ text, bytes: Buffer.byteLength(text), isWhole: true });
const long = 'x'.repeat(16 * 1_024);
const binary = gzipSync('x');

describe('the body of a request', () => {
  test.each<{
    readonly title: string;
    readonly chunks: readonly (Buffer | string)[];
    readonly body: unknown;
  }>([
    { title: 'text', chunks: ['{"a":', '"é👍\u2028"}'], body: whole('{"a":"é👍\u2028"}') },
    {
      title: 'a character in two chunks',
      chunks: [Buffer.from([0xc3]), Buffer.from([0xa9])],
      body: whole('é'),
    },
    { title: 'a byte order mark', chunks: ['\ufeff{}'], body: whole('\ufeff{}') },
    { title: 'as long as is kept', chunks: [long], body: whole(long) },
    { title: 'longer', chunks: [long, 'yz'], body: { text: long, bytes: long.length + 2, isWhole: false } },
    {
      title: 'longer, and cut within a character',
      chunks: [long.slice(1), 'é'],
      body: { text: long.slice(1), bytes: long.length + 1, isWhole: false },
    },
    { title: 'not text', chunks: [binary], body: { bytes: binary.length, isWhole: true } },
    { title: 'with a zero byte, which no shell takes', chunks: ['a\0b'], body: { bytes: 3, isWhole: true } },
    { title: 'none', chunks: [], body: undefined },
  ])('$title', async ({ chunks, body }) => {
    const { content, exchange } = await recorded(echo, { chunks });
    expect(exchange.requestBody).toEqual(body);
    expect(exchange.responseBody).toEqual(body);
    expect(content).toBe(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString());
  });

  test('reaches an app that reads it later, whole', async () => {
    const late: RequestListener = (req, res) => setTimeout(echo, 50, req, res);
    const { content, exchange } = await recorded(late, { chunks: ['a', 'b'] });
    expect([content, exchange.requestBody]).toEqual(['ab', whole('ab')]);
  });

  test('that had not ended when it was answered is not whole', async () => {
    const app: RequestListener = (req, res) => void once(req, 'data').then(() => res.writeHead(413).end());
    const { exchange } = await recorded(app, { chunks: ['ab'], open: true });
    expect(exchange.requestBody).toEqual({ text: 'ab', bytes: 2, isWhole: false });
  });
});

describe('the body of an answer', () => {
  test.each<{ readonly title: string; readonly app: RequestListener; readonly body: unknown }>([
    {
      title: 'in pieces, in several encodings, with callbacks',
      app: (_req, res) => {
        res.write('a', () => undefined);
        res.write('Yg==', 'base64');
        res.end('é', 'latin1', () => undefined);
      },
      body: { bytes: 3, isWhole: true },
    },
    {
      title: 'whose buffer is written over',
      app: (_req, res) => {
        const shared = Buffer.from('ab');
        res.write(shared, () => {
          shared.fill('z');
          res.end(() => undefined);
        });
      },
      body: whole('ab'),
    },
    { title: 'that 204 has none of', app: (_req, res) => res.writeHead(204).end('x'), body: undefined },
    { title: 'that 304 has none of', app: (_req, res) => res.writeHead(304).end('x'), body: undefined },
    { title: 'that is empty', app: (_req, res) => res.end(''), body: undefined },
  ])('$title', async ({ app, body }) => {
    const { exchange } = await recorded(app, {});
    expect(exchange.responseBody).toEqual(body);
  });

  test('to HEAD is none', async () => {
    const { exchange } = await recorded((_req, res) => res.end('x'), { method: 'HEAD' });
    expect(exchange.responseBody).toBeUndefined();
  });
});

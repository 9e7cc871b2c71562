/** The words of Chromium in docs/cors.md: its console says them where the page says that it does. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { PagesOfSites, type Asked } from '../explain/same-as-chromium';
import { describeInChromium } from '../support/chromium';
import { listen } from '../support/serving';

const page = readFileSync(join(__dirname, '../../docs/cors.md'), 'utf8');
const [, section = ''] = page.split('## Why does the browser refuse?');
const words = [...section.matchAll(/^\| ([^|]+) \|(?: [^|]*\|){3}$/gm)]
  .map(([, cell = '']) => cell)
  .filter((cell) => !/^(?:Chromium|---)/.test(cell));

interface Situation {
  readonly asked?: Partial<Asked>;
  readonly status?: number;
  /** Headers that are others than where the page may read the answer. */
  readonly headers: OutgoingHttpHeaders;
}

const app = 'https://app.example';
const patch: Partial<Asked> = { method: 'PATCH' };
const cookies: Partial<Asked> = { credentials: true };

const situations: Readonly<Record<string, Situation>> = {
  "No 'Access-Control-Allow-Origin' header is present": { headers: { 'Access-Control-Allow-Origin': [] } },
  'It does not have HTTP ok status': { asked: patch, status: 404, headers: {} },
  'Redirect is not allowed for a preflight request': {
    asked: patch,
    status: 302,
    headers: { Location: 'https://login.example/' },
  },
  'Method PATCH is not allowed by Access-Control-Allow-Methods': {
    asked: patch,
    headers: { 'Access-Control-Allow-Methods': 'PUT' },
  },
  'Request header field x-request-id is not allowed by Access-Control-Allow-Headers': {
    asked: { headers: { 'x-request-id': '1' } },
    headers: {},
  },
  "The value of the 'Access-Control-Allow-Origin' header … must not be the wildcard '*'": {
    asked: cookies,
    headers: { 'Access-Control-Allow-Origin': '*' },
  },
  "The value of the 'Access-Control-Allow-Credentials' header … must be 'true'": {
    asked: cookies,
    headers: {},
  },
  'contains multiple values …, but only one is allowed': {
    headers: { 'Access-Control-Allow-Origin': [app, app] },
  },
  'has a value … that is not equal to the supplied origin': {
    headers: { 'Access-Control-Allow-Origin': 'https://site.example' },
  },
  'contains the invalid value': { headers: { 'Access-Control-Allow-Origin': 'app.example' } },
  'Cannot parse Access-Control-Allow-Headers response header field in preflight response': {
    asked: patch,
    headers: { 'Access-Control-Allow-Headers': 'x-a x-b' },
  },
};

/** Whether the parts of a text that ellipses separate are in another one, in their order. */
function contains(text: string, parts: string): boolean {
  const quoted = parts.split('…').map((part) => part.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(quoted.join('.*')).test(text);
}

test('docs/cors.md has these words, and no others', () => {
  expect(words.toSorted()).toEqual(Object.keys(situations).sort());
});

describeInChromium('the console', () => {
  const pages = new PagesOfSites();
  let answer: Situation = { headers: {} };
  const server = createServer((_req: IncomingMessage, res) => {
    res.writeHead(answer.status ?? 200, {
      'Access-Control-Allow-Origin': app,
      'Access-Control-Allow-Methods': 'PATCH',
      ...answer.headers,
    });
    res.end();
  });
  let port: number;

  beforeAll(async () => {
    port = await listen(server);
    await pages.open();
  });
  afterAll(async () => {
    await pages.close();
    server.close();
    server.closeAllConnections();
  });

  test.each(Object.entries(situations))('%s', async (text, situation) => {
    answer = situation;
    const asked: Asked = { method: 'GET', path: '/', ...situation.asked };
    const { allowed, console } = await pages.browse(app, port, [], asked);
    expect(allowed).toBe(false);
    expect(console).toContain('has been blocked by CORS policy: ');
    expect([console, contains(console, text)]).toEqual([console, true]);
    const isPreflight = asked.method === 'PATCH' || asked.headers !== undefined;
    const prefix = "Response to preflight request doesn't pass access control check";
    expect(console.includes(prefix) || / in preflight response\.$/.test(console)).toBe(isPreflight);
  });

  test('an http: address of another host', async () => {
    answer = { headers: {} };
    const { allowed, console } = await pages.browse(
      app,
      port,
      [],
      { method: 'GET', path: '/' },
      'site.example',
    );
    expect([allowed, contains(console, 'Mixed Content: … requested an insecure resource')]).toEqual([
      false,
      true,
    ]);
  });
});

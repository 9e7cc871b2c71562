import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { runInThisContext } from 'node:vm';
import type { Exchange } from '../../../../examples/notes/exchange';
import { asCurl, asFetch } from '../../../../examples/notes/page/copy-as';
import { times } from '../../../support/deep-scale';
import { anyCharacter, fc } from '../../../support/properties';
import { serving } from '../../../support/serving';

const run = promisify(execFile);

function exchange({ body, ...given }: Partial<Exchange> & { readonly body?: string }): Exchange {
  return {
    ...{ id: '1', at: 0, took: 0, preflight: false, method: 'PATCH', url: '/notes/1', requestFields: [] },
    ...{ status: 200, phrase: 'OK', responseFields: [] },
    ...(body !== undefined && { requestBody: { text: body, bytes: Buffer.byteLength(body), isWhole: true } }),
    ...given,
  };
}

/** What a server gets, as far as an exchange tells of it. */
interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends what was copied to a server that keeps what it gets. */
async function received(send: (api: string) => Promise<unknown>): Promise<Received> {
  const all: Received[] = [];
  await serving(
    (req, res) => {
      // As bytes: `text` leaves out a byte order mark.
      void buffer(req).then((body) => {
        all.push({ method: req.method, url: req.url, headers: req.headers, body: body.toString() });
        res.end();
      });
    },
    (_server, port) => send(`http://127.0.0.1:${port}`),
  );
  const [first] = all;
  if (first === undefined || all.length > 1) throw new Error(`${all.length} requests came`);
  return first;
}

const viaCurl = (given: Exchange) =>
  received((api) => run('bash', ['-c', (asCurl(api, given) ?? 'false').replace(/^curl/, 'curl -s')]));
const viaFetch = (given: Exchange) =>
  received((api) => runInThisContext(`(async () => { ${asFetch(api, given) ?? ''} })()`) as Promise<void>);

const json = ['Content-Type', 'application/json-patch+json'] as const;
const nasty = `[{"op":"add","path":"/title","value":"it's \\"$HOME\\" \`id\` \\\\ !! %0A\\n&<img> \u2028é👍"}]\n`;

test.each<{ readonly title: string; readonly sent: Exchange }>([
  {
    title: 'a patch under a condition',
    sent: exchange({ body: nasty, requestFields: [json, ['If-Match', '"a\'b"']] }),
  },
  { title: 'GET', sent: exchange({ method: 'GET', url: '/notes?q=[a]{b}&c=%27' }) },
  { title: 'a path with dots', sent: exchange({ method: 'DELETE', url: '/notes/a/../1' }) },
  { title: 'a method of its own', sent: exchange({ method: 'QUERY', requestFields: [json], body: '{}' }) },
  { title: 'a method without a body', sent: exchange({ method: 'REPORT', url: '/' }) },
])('$title: curl and fetch send it again', async ({ sent }) => {
  for (const [via, normalizes] of [
    [viaCurl, false],
    [viaFetch, true],
  ] as const) {
    const { method, url, headers, body } = await via(sent);
    expect({ method, body }).toEqual({ method: sent.method, body: sent.requestBody?.text ?? '' });
    // Browsers take the dots out of a path, and put nothing like it back.
    expect(url).toBe(normalizes ? new URL(sent.url, 'http://a').href.slice('http://a'.length) : sent.url);
    for (const [name, value] of sent.requestFields) expect(headers[name.toLowerCase()]).toBe(value);
  }
});

test('curl sends what script may not: Origin, and all of a preflight', async () => {
  const fields = [
    ['Origin', 'https://app.example'],
    ['Access-Control-Request-Method', 'PATCH'],
  ] as const;
  const preflight = exchange({ preflight: true, method: 'OPTIONS', requestFields: fields });
  const { method, headers } = await viaCurl(preflight);
  expect(method).toBe('OPTIONS');
  expect(headers).toMatchObject({ origin: 'https://app.example', 'access-control-request-method': 'PATCH' });
  expect(asFetch('http://a', preflight)).toBeUndefined();
  expect(asFetch('http://a', exchange({ requestFields: fields }))).not.toMatch(/Origin|Access-Control/);
});

test('curl adds no type of its own, and keeps a field without a value', async () => {
  const { headers } = await viaCurl(exchange({ body: 'x', requestFields: [['Prefer', '']] }));
  expect(headers).not.toHaveProperty('content-type');
  expect(headers).toMatchObject({ prefer: '' });
});

test('curl does not wait for the body of an answer to HEAD', async () => {
  expect((await viaCurl(exchange({ method: 'HEAD' }))).method).toBe('HEAD');
});

test('OPTIONS * is for curl alone', async () => {
  const { method, url } = await viaCurl(exchange({ method: 'OPTIONS', url: '*' }));
  expect([method, url]).toEqual(['OPTIONS', '*']);
  expect(asFetch('http://a', exchange({ method: 'OPTIONS', url: '*' }))).toBeUndefined();
});

test.each([
  {
    title: 'of which only the beginning is known',
    requestBody: { text: '[', bytes: 20_000, isWhole: false },
  },
  { title: 'that is not text', requestBody: { bytes: 3, isWhole: true } },
])('a body $title is not copied', ({ requestBody }) => {
  const sent = exchange({ requestBody });
  expect([asCurl('http://a', sent), asFetch('http://a', sent)]).toEqual([undefined, undefined]);
});

test('whatever text a body is, a shell and script read it as it was', async () => {
  const anyText = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 200 })
    .filter((one) => !one.includes('\0'));
  await fc.assert(
    fc.asyncProperty(anyText, async (body) => {
      const sent = exchange({ body, requestFields: [json] });
      expect((await viaFetch(sent)).body).toBe(body);
      expect((await viaCurl(sent)).body).toBe(body);
    }),
    { numRuns: times(4, 2_000) },
  );
});

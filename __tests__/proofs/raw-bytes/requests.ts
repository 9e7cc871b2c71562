/** Bytes that are nearly requests: those that an app gets, changed at random. As latin1, one character a byte. */
import { fc } from '../../support/properties';

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('');
const withBody = (head: string, body: string): string =>
  `${head}Host: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const mergePatchHead = lines('PATCH /notes/1 HTTP/1.1', 'Content-Type: application/merge-patch+json');
const jsonPatchHead = lines('PATCH /notes/2 HTTP/1.1', 'Content-Type: application/json-patch+json');

/** What a client may send, one of each kind. */
export const wellFormed: readonly string[] = [
  lines('GET /notes/1 HTTP/1.1', 'Host: x', ''),
  lines('GET http://x/notes/1?a=b#c HTTP/1.1', 'Host: x', 'If-None-Match: W/"1", "2"', ''),
  lines('HEAD /notes/2 HTTP/1.1', 'Host: x', 'Origin: https://app.example', ''),
  lines('OPTIONS /notes/1 HTTP/1.1', 'Host: x', ''),
  lines('OPTIONS * HTTP/1.1', 'Host: x', ''),
  lines(
    ...['OPTIONS /notes/3 HTTP/1.1', 'Host: x', 'Origin: https://app.example'],
    ...['Access-Control-Request-Method: PATCH', 'Access-Control-Request-Headers: content-type,if-match', ''],
  ),
  lines(
    ...['OPTIONS /notes/3 HTTP/1.1', 'Host: x', 'Origin: https://elsewhere.example'],
    ...['Access-Control-Request-Method: PUT', ''],
  ),
  lines('TRACE /notes/1 HTTP/1.1', 'Host: x', ''),
  lines('DELETE /notes/3 HTTP/1.1', 'Host: x', 'If-Match: *', ''),
  lines('GET /notes/1 HTTP/1.0', ''),
  lines('CONNECT x:443 HTTP/1.1', 'Host: x', ''),
  lines('GET /notes/1 HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', ''),
  withBody(mergePatchHead, '{"title":"a","tags":null}'),
  withBody(`${mergePatchHead}${lines('Expect: 100-continue', 'Prefer: return=representation')}`, '{"n":1}'),
  withBody(`${mergePatchHead}${lines('Idempotency-Key: "k1"', 'If-Match: "1", W/"2"')}`, '{"b":2}'),
  withBody(`${mergePatchHead}${lines('Content-Encoding: gzip')}`, '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03'),
  withBody(jsonPatchHead, '[{"op":"add","path":"/a","value":[1]},{"op":"copy","from":"/a","path":"/b"}]'),
  withBody(
    jsonPatchHead,
    '[{"op":"test","path":"/a","value":1e400},{"op":"move","from":"/b","path":"/b/c"}]',
  ),
  withBody(
    lines('PUT /notes/new HTTP/1.1', 'Content-Type: application/json', 'If-None-Match: *'),
    '{"c":[]}',
  ),
  withBody(lines('QUERY /search HTTP/1.1', 'Content-Type: application/json'), '{"tag":"\xc3\xa9"}'),
  lines(
    ...['PATCH /notes/1 HTTP/1.1', 'Host: x', 'Content-Type: application/merge-patch+json'],
    ...['Transfer-Encoding: chunked', 'Trailer: ETag', '', '7;x=y', '{"a":1}', '0', 'ETag: "1"', ''],
  ),
];

/** What parsers stumble over. */
const tokens = [
  ...[
    '\r\n',
    '\r\n\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '"',
    '\\',
    '%',
    '%00',
    '%2F',
    '\xff',
    '\x7f',
  ],
  ...[
    '*',
    '//',
    '/../',
    '/notes/',
    'http://',
    'HTTP/1.0',
    'HTTP/2.0',
    'PRI * HTTP/2.0',
    '0\r\n\r\n',
    'ffffffff\r\n',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '{}',
    'null',
    '-0',
    '1e999',
    '\\ud800',
    '\\u0000',
    '"__proto__":{"x":1}',
    '/__proto__/x',
    '~2',
  ],
  ...[
    '~01',
    '/-',
    '/4294967295',
    'NaN',
    '\xef\xbb\xbf',
    '\xed\xa0\x80',
    'a'.repeat(5_000),
    '['.repeat(300),
    '{"a":'.repeat(50),
  ],
  ...[
    ...[
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Transfer-Encoding: x',
      'Expect: 100-continue',
    ],
    ...[
      'Content-Length: 5',
      'Content-Length: -1',
      'Content-Length: 99999999999999999999',
      'Content-Encoding: br, gzip',
    ],
    ...[
      'Content-Encoding: identity',
      'Content-Type: application/json-patch+json;charset=utf-16',
      'Content-Type: a',
    ],
    ...[
      'Origin: https://app.example',
      'Origin: null',
      'Origin: https://a.app.example',
      'Origin: \xff',
      'Origin: x, y',
    ],
    ...[
      'Access-Control-Request-Method: PATCH',
      'Access-Control-Request-Method: \t',
      'Access-Control-Request-Headers: ,,',
    ],
    ...[
      'Access-Control-Request-Private-Network: true',
      'If-Match: *',
      'If-Match: "',
      'If-None-Match: *, "1"',
      'If-Match: ,',
    ],
    ...[
      'If-Unmodified-Since: Sat, 31 Feb 2026 99:00:00 GMT',
      'If-Modified-Since: 0',
      'Prefer: return=minimal, return=x',
    ],
    ...[
      'Idempotency-Key: "k1"',
      'Idempotency-Key: "\\"',
      'Idempotency-Key: ?1',
      'Accept: */*;q=2',
      'Connection: close',
    ],
    ...[
      'Connection: keep-alive',
      'Upgrade: h2c',
      'Host: [::1',
      'X-HTTP-Method-Override: DELETE',
      ' folded: x',
      'Range: bytes=0-',
    ],
  ].map((line) => `\r\n${line}`),
];

const bytes = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ maxLength, minLength: 1, size: 'max' })
    .map((array) => Buffer.from(array).toString('latin1'));

/** Where it begins, how much of what stands there goes, and what comes in its place. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof(
    { arbitrary: fc.constant(0), weight: 8 },
    { arbitrary: fc.nat(3), weight: 2 },
    { arbitrary: fc.oneof(fc.nat(60), fc.constant(Infinity)), weight: 1 },
  ),
  inserted: fc.oneof(
    { arbitrary: fc.constantFrom(...tokens), weight: 6 },
    { arbitrary: fc.constantFrom(...wellFormed, ''), weight: 1 },
    { arbitrary: bytes(8), weight: 1 },
  ),
  atLineEnd: fc.boolean(),
});

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

function changed(request: string, { at, removed, inserted, atLineEnd }: Change): string {
  const anywhere = Math.floor(at * request.length);
  const lineEnd = request.indexOf('\r\n', anywhere);
  // A whole field belongs between two.
  const from = (atLineEnd || inserted.startsWith('\r\n')) && lineEnd !== -1 ? lineEnd : anywhere;
  return request.slice(0, from) + inserted + request.slice(from + removed);
}

const nearlyRequest = fc
  .tuple(fc.constantFrom(...wellFormed), fc.array(change, { maxLength: 3 }))
  .map(([request, changes]) => changes.reduce(changed, request));

/** What one client sends on one connection, in how many pieces, and how it leaves. */
export const connection = fc.record({
  sent: fc.oneof(
    { arbitrary: nearlyRequest, weight: 8 },
    {
      arbitrary: fc.array(nearlyRequest, { minLength: 2, maxLength: 4 }).map((all) => all.join('')),
      weight: 3,
    },
    { arbitrary: bytes(300), weight: 1 },
  ),
  pieces: fc.constantFrom(1, 1, 1, 2, 5),
  leaves: fc.constantFrom('answered', 'answered', 'answered', 'half-closed', 'at once'),
});

export type Connection = typeof connection extends fc.Arbitrary<infer C> ? C : never;

import { isForbiddenMethod, isSafelistedMethod, normalizeMethod } from '../../lib/http/fetch-methods';
import { pathReference, sentTarget, toPath } from '../../lib/http/target-path';

describe('RFC 9112 3.2: the path of a request target', () => {
  test.each([
    { target: '/notes/1', path: '/notes/1' },
    { target: '/notes/1?a=b?c', path: '/notes/1' },
    { target: '/notes#a?b', path: '/notes' },
    { target: '/notes?a\nb', path: '/notes' },
    { target: '/', path: '/' },
    { target: '?a', path: '/' },
    { target: '', path: '/' },
    { target: '*', path: '*' },
    { target: 'http://a.example/notes?x', path: '/notes' },
    { target: 'HTTP://a.example:80/notes', path: '/notes' },
    { target: 'h2+c-1.x://a.example/notes', path: '/notes' },
    { target: 'http://a.example', path: '/' },
    { target: 'http://a.example?x', path: '/' },
    { target: '/to/http://a.example/notes', path: '/to/http://a.example/notes' },
    { target: '1http://a.example/notes', path: '1http://a.example/notes' },
  ])('$target: $path', ({ target, path }) => {
    expect(toPath(target)).toBe(path);
  });

  test('as the client sent it, where a router has trimmed it', () => {
    expect(sentTarget({ url: '/1', originalUrl: '/notes/1' } as never)).toBe('/notes/1');
    expect(sentTarget({ url: '/1' } as never)).toBe('/1');
  });
});

describe('RFC 3986 4.2: a path in a header refers to this server, and has visible ASCII alone', () => {
  test.each([
    { path: '/notes/1', reference: '/notes/1' },
    { path: '/notes//', reference: '/notes//' },
    { path: '//evil.example/x', reference: '/.//evil.example/x' },
    { path: '/\\evil.example', reference: '/%5Cevil.example' },
    { path: '/caf\u00e9/\u{1f600} x', reference: '/caf%C3%A9/%F0%9F%98%80%20x' },
    { path: '/a\r\nb', reference: '/a%0D%0Ab' },
    { path: '/\ud83d', reference: '/%EF%BF%BD' },
  ])('$path: $reference', ({ path, reference }) => {
    expect(pathReference(path)).toBe(reference);
  });
});

describe('the methods of Fetch', () => {
  const safelisted = ['GET', 'HEAD', 'POST'];
  const normalized = [...safelisted, 'DELETE', 'OPTIONS', 'PUT'];
  const forbidden = ['CONNECT', 'TRACE', 'TRACK'];
  const others = ['PATCH', 'XGET', 'GETX', 'XTRACE', 'TRACEX'];

  test.each([...normalized, ...forbidden, ...others])('%s', (method) => {
    const lower = method.toLowerCase();
    expect(isSafelistedMethod(method)).toBe(safelisted.includes(method));
    expect(normalizeMethod(lower)).toBe(normalized.includes(method) ? method : lower);
    const isForbidden = forbidden.includes(method);
    expect([method, lower].map(isForbiddenMethod)).toEqual([isForbidden, isForbidden]);
  });
});

import {
  arrayIndex,
  formatPointer,
  isAtOrBelow,
  parsePointer,
  quotedPointer,
  tokensIn,
  valueAt,
} from '../../lib/json/pointer';
import { fc } from '../support/properties';

describe('RFC 6901 3: syntax', () => {
  test.each<{ readonly text: string; readonly tokens: string[] | undefined }>([
    { text: '', tokens: [] },
    { text: '/', tokens: [''] },
    { text: '//', tokens: ['', ''] },
    { text: '/a', tokens: ['a'] },
    { text: '/a/', tokens: ['a', ''] },
    { text: '/a~1b', tokens: ['a/b'] },
    { text: '/m~0n', tokens: ['m~n'] },
    { text: '/~01', tokens: ['~1'] },
    { text: '/~0~1', tokens: ['~/'] },
    { text: '/%2F', tokens: ['%2F'] },
    { text: '/ ', tokens: [' '] },
    { text: '/é/😀', tokens: ['é', '😀'] },
    { text: '/\0', tokens: ['\0'] },
    { text: '/__proto__/constructor', tokens: ['__proto__', 'constructor'] },
    { text: 'a', tokens: undefined },
    { text: 'a/b', tokens: undefined },
    { text: '#/a', tokens: undefined },
    { text: ' /a', tokens: undefined },
    { text: '/~', tokens: undefined },
    { text: '/~2', tokens: undefined },
    { text: '/a~/b', tokens: undefined },
    { text: '/~~0', tokens: undefined },
  ])('"$text" is $tokens', ({ text, tokens }) => {
    expect(parsePointer(text)).toEqual(tokens && { text, tokens });
  });

  test('every list of tokens has a pointer, and is what is read from it', () => {
    const token = fc.string({ unit: fc.constantFrom('~', '/', '0', '1', 'a', '-', 'é') });
    fc.assert(
      fc.property(fc.array(token), (tokens) => {
        const text = formatPointer(tokens);
        expect(parsePointer(text)).toEqual({ text, tokens });
      }),
    );
  });
});

describe('where a pointer leads, beside another', () => {
  test.each([
    { pointer: '/a', above: '', is: true },
    { pointer: '/a', above: '/a', is: true },
    { pointer: '/a/b/c', above: '/a/b', is: true },
    { pointer: '/a', above: '/a/b', is: false },
    { pointer: '/a/c', above: '/a/b', is: false },
    { pointer: '/b/b', above: '/a/b', is: false },
    { pointer: '/ab', above: '/a', is: false },
  ])('"$pointer" is at or below "$above": $is', ({ pointer, above, is }) => {
    expect(isAtOrBelow(tokensIn(pointer), tokensIn(above))).toBe(is);
  });

  test.each([
    { pointer: '/ab', quoted: '"/ab"' },
    { pointer: '/abc', quoted: '"/ab…"' },
  ])('is cut in a message: $pointer, $quoted', ({ pointer, quoted }) => {
    expect(quotedPointer(pointer, 3)).toBe(quoted);
  });
});

describe('RFC 6901 4: array indices', () => {
  test.each([
    { token: '0', index: 0 },
    { token: '7', index: 7 },
    { token: '10', index: 10 },
    { token: '4294967295', index: 4294967295 },
    { token: '-', index: -1 },
    { token: '-0', index: -1 },
    { token: '-1', index: -1 },
    { token: '+1', index: -1 },
    { token: '00', index: -1 },
    { token: '01', index: -1 },
    { token: '1e0', index: -1 },
    { token: '1.0', index: -1 },
    { token: '0x1', index: -1 },
    { token: ' 1', index: -1 },
    { token: '1 ', index: -1 },
    { token: '1\n', index: -1 },
    { token: '', index: -1 },
    { token: '١', index: -1 },
    { token: 'length', index: -1 },
  ])('"$token": $index', ({ token, index }) => {
    expect(arrayIndex(token)).toBe(index);
  });
});

describe('RFC 6901 5: evaluation', () => {
  const document: unknown = JSON.parse(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
  );

  test.each<{ readonly pointer: string; readonly value: unknown }>([
    { pointer: '', value: document },
    { pointer: '/foo', value: ['bar', 'baz'] },
    { pointer: '/foo/0', value: 'bar' },
    { pointer: '/', value: 0 },
    { pointer: '/a~1b', value: 1 },
    { pointer: '/c%d', value: 2 },
    { pointer: '/e^f', value: 3 },
    { pointer: '/g|h', value: 4 },
    { pointer: '/i\\j', value: 5 },
    { pointer: '/k"l', value: 6 },
    { pointer: '/ ', value: 7 },
    { pointer: '/m~0n', value: 8 },
  ])('"$pointer": $value', ({ pointer, value }) => {
    expect(valueAt(document, parsePointer(pointer)?.tokens ?? ['none'])).toEqual(value);
  });
});

describe('RFC 6901 7: what is not there', () => {
  const document: unknown = JSON.parse('{"list":[1],"text":"abc","nothing":null,"object":{"own":1}}');

  test.each([
    '/missing',
    '/missing/deeper',
    '/list/1',
    '/list/-',
    '/list/00',
    '/list/length',
    '/list/__proto__',
    '/list/4294967295',
    '/list/99999999999999999999',
    '/text/0',
    '/text/length',
    '/nothing/a',
    '/object/__proto__',
    '/object/constructor',
    '/object/constructor/prototype',
    '/object/hasOwnProperty',
    '/object/toString',
    '/__proto__',
  ])('%s', (pointer) => {
    expect(valueAt(document, parsePointer(pointer)?.tokens ?? [])).toBeUndefined();
  });
});

test.each([
  { pointer: '/a"b', quoted: '"/a\\"b"' },
  { pointer: '/a\u009b31m', quoted: '"/a\\u{9b}31m"' },
  { pointer: '/\u202eevil\u2066', quoted: '"/\\u{202e}evil\\u{2066}"' },
  { pointer: '/é\u{1f600}', quoted: '"/é\u{1f600}"' },
  { pointer: '/'.padEnd(12, 'x'), quoted: '"/xxxxxxxxx…"' },
])('in a message, $pointer is $quoted', ({ pointer, quoted }) => {
  expect(quotedPointer(pointer, 10)).toBe(quoted);
});

import fc from 'fast-check';
import { arrayIndex, formatPointer, parsePointer, valueAt } from '../../../lib/parsers/json/pointer';

describe('RFC 6901 3: syntax', () => {
  test.each<[string, string[] | undefined]>([
    ['', []],
    ['/', ['']],
    ['//', ['', '']],
    ['/a', ['a']],
    ['/a/', ['a', '']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/~0~1', ['~/']],
    ['/%2F', ['%2F']],
    ['/ ', [' ']],
    ['/é/😀', ['é', '😀']],
    ['/\0', ['\0']],
    ['/__proto__/constructor', ['__proto__', 'constructor']],
    ['a', undefined],
    ['a/b', undefined],
    ['#/a', undefined],
    [' /a', undefined],
    ['/~', undefined],
    ['/~2', undefined],
    ['/a~/b', undefined],
    ['/~~0', undefined],
  ])('%j is %j', (text, tokens) => {
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

describe('RFC 6901 4: array indices', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['10', 10],
    ['4294967295', 4294967295],
    ['-', -1],
    ['-0', -1],
    ['-1', -1],
    ['+1', -1],
    ['00', -1],
    ['01', -1],
    ['1e0', -1],
    ['1.0', -1],
    ['0x1', -1],
    [' 1', -1],
    ['1 ', -1],
    ['1\n', -1],
    ['', -1],
    ['١', -1],
    ['length', -1],
  ])('%j', (token, index) => {
    expect(arrayIndex(token)).toBe(index);
  });
});

describe('RFC 6901 5: evaluation', () => {
  const document: unknown = JSON.parse(
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}',
  );

  test.each<[string, unknown]>([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j', (pointer, value) => {
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

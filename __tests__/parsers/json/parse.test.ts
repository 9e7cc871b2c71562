import fc from 'fast-check';
import { readJson } from '../../../lib/parsers/json/parse';
import { refusal } from '../../support/parse-context';

const read = (text: string, depth = 100) => readJson(Buffer.from(text), depth);
const refused = (text: string, depth = 100) => refusal(() => read(text, depth));

describe('RFC 8259 8.1: UTF-8', () => {
  const outer = (...bytes: number[]) => Buffer.from([0x22, ...bytes, 0x22]);

  test.each([
    ['two bytes', outer(0xc3, 0xa9), 'é'],
    ['four bytes', outer(0xf0, 0x9f, 0x98, 0x80), '😀'],
    ['a byte order mark, which a reader may ignore', Buffer.from('\uFEFF[1]'), [1]],
    ['a lone surrogate, escaped', Buffer.from(String.raw`"\ud800"`), '\ud800'],
    ['NUL, escaped', Buffer.from(String.raw`"\u0000"`), '\0'],
  ])('%s', (_, document, value) => {
    expect(readJson(document, 100)).toEqual(value);
  });

  test.each([
    ['a lone continuation byte', outer(0x80)],
    ['a sequence cut short', outer(0xc3)],
    ['an overlong encoding', outer(0xc0, 0xaf)],
    ['an encoded surrogate', outer(0xed, 0xa0, 0x80)],
    ['beyond U+10FFFF', outer(0xf4, 0x90, 0x80, 0x80)],
    ['ISO-8859-1', outer(0xe9)],
    ['UTF-16', Buffer.from('\uFEFF[1]', 'utf16le')],
  ])('%s is malformed', (_, document) => {
    expect(refusal(() => readJson(document, 100))).toEqual({
      status: 400,
      title: 'Bad Request',
      code: 'patch-malformed',
      detail: 'The patch document is not UTF-8, as JSON has to be (RFC 8259 8.1).',
    });
  });
});

describe('RFC 8259 2 to 7: what is no JSON, and where', () => {
  test.each([
    ['', 'is empty. Send one in the format that Content-Type names.'],
    [' ', 'is not JSON: a value was expected (line 1, column 2).'],
    ['\uFEFF', 'is not JSON: a value was expected (line 1, column 1).'],
    ['[1', 'is not JSON: "," or "]" was expected (line 1, column 3).'],
    ['[1,]', 'is not JSON: a value was expected (line 1, column 4).'],
    ['[1 2]', 'is not JSON: "," or "]" was expected (line 1, column 4).'],
    ['{"a":1,}', 'is not JSON: a member name in double quotes was expected (line 1, column 8).'],
    ["{'a':1}", 'is not JSON: a member name in double quotes was expected (line 1, column 2).'],
    ['{"a" 1}', 'is not JSON: ":" was expected (line 1, column 6).'],
    ['{"a":1', 'is not JSON: "," or "}" was expected (line 1, column 7).'],
    ['{"a":}', 'is not JSON: a value was expected (line 1, column 6).'],
    ['{\n  "a": 1,\r\n  "b": x\n}', 'is not JSON: a value was expected (line 3, column 8).'],
    ['[] []', 'is not JSON: the end was expected (line 1, column 4).'],
    ['"abc', 'is not JSON: more of a string, or its closing quote was expected (line 1, column 5).'],
    ['"a\nb"', 'is not JSON: more of a string, or its closing quote was expected (line 1, column 3).'],
    [String.raw`"\x"`, 'is not JSON: an escape sequence was expected (line 1, column 2).'],
    [String.raw`"\u12g4"`, 'is not JSON: an escape sequence was expected (line 1, column 2).'],
    ['tru', 'is not JSON: a value was expected (line 1, column 1).'],
    ['trues', 'is not JSON: the end was expected (line 1, column 5).'],
    ['01', 'is not JSON: the end was expected (line 1, column 2).'],
    ['+1', 'is not JSON: a value was expected (line 1, column 1).'],
    ['1.', 'is not JSON: the end was expected (line 1, column 2).'],
    ['.5', 'is not JSON: a value was expected (line 1, column 1).'],
    ['NaN', 'is not JSON: a value was expected (line 1, column 1).'],
    ['undefined', 'is not JSON: a value was expected (line 1, column 1).'],
    ['/* */1', 'is not JSON: a value was expected (line 1, column 1).'],
    ['\u00a01', 'is not JSON: a value was expected (line 1, column 1).'],
  ])('%j', (text, what) => {
    expect(refused(text)).toEqual({
      status: 400,
      title: 'Bad Request',
      code: 'patch-malformed',
      detail: `The patch document ${what}`,
    });
  });
});

describe('RFC 8259 4: a member name that stands twice would be read in two ways', () => {
  test.each([
    ['{"a":1,"a":1}', 'line 1, column 8'],
    ['{"a":1,"b":{"c":[{"d":0,"d":0}]}}', 'line 1, column 25'],
    [String.raw`{"op":1,"\u006fp":2}`, 'line 1, column 9'],
    [String.raw`{"/":1,"\/":2}`, 'line 1, column 8'],
    ['{"":1,"":1}', 'line 1, column 7'],
    ['{"__proto__":1,"__proto__":1}', 'line 1, column 16'],
  ])('%s', (text, place) => {
    expect(refused(text)).toMatchObject({
      status: 400,
      detail: `The patch document names a member twice in one object: leave one out (${place}).`,
    });
  });

  test.each(['{"a":1,"b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"a","A":1}', '{"toString":1,"__proto__":2}'])(
    '%s is none such',
    (text) => {
      expect(JSON.stringify(read(text))).toBe(text);
    },
  );
});

describe('RFC 8259 6: numbers are doubles', () => {
  test.each([
    ['12345678901234567890', 12345678901234567000],
    ['9007199254740993', 9007199254740992],
    ['-0', -0],
    ['1e-400', 0],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['1E+2', 100],
  ])('%s is %d', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each(['1e400', '-1e400', `1${'0'.repeat(309)}`])('%s would be stored as null', (text) => {
    expect(refused(`[${text}]`)).toMatchObject({
      status: 400,
      detail:
        'The patch document holds a number beyond the range of a double: send it as a string (line 1, column 2).',
    });
  });
});

describe('limits.depth', () => {
  const brackets = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('as many levels as the limit are taken', () => {
    expect(JSON.stringify(read(brackets(100)))).toBe(brackets(100));
  });

  test.each([
    ['one level more', brackets(101), 100, 101],
    ['an object in it', '['.repeat(100) + '{}' + ']'.repeat(100), 100, 101],
    ['never closed', '['.repeat(1_000_000), 100, 101],
    ['no level at all', '[]', 0, 1],
  ])('%s is 413', (_, text, depth, column) => {
    expect(refused(text, depth)).toEqual({
      status: 413,
      title: 'Content Too Large',
      code: 'limit-depth',
      detail: `The patch document nests deeper than the ${depth} levels that are taken (line 1, column ${column}).`,
    });
  });

  test('a scalar has no level', () => {
    expect(read('"[[["', 0)).toBe('[[[');
  });
});

test('the texts that are taken are those that JSON.parse takes, and mean the same', () => {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return 'refused';
    }
  };
  /** The value; or 'refused'; or undefined where it was for a reason that `JSON.parse` does not know. */
  const scan = (text: string): unknown => {
    try {
      return read(text);
    } catch (error) {
      return /twice|range of a double/.test(String(error)) ? undefined : 'refused';
    }
  };
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b"',
      'true',
      'null',
      '0',
      '-',
      '1.5',
      'e3',
      '.',
      '\\',
      '\\u00e9',
    ],
    ...[' ', '\n', '\t', '\u00a0', '\u2028', 'é', '\x1f', '\x7f', '\0', '/', "'"],
  );
  const soup = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const almost = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(3), fc.option(piece))
    .map(([json, at, removed, added]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + (added ?? '') + json.slice(place + removed);
    });
  fc.assert(
    fc.property(fc.oneof(soup, almost), (text) => {
      const value = scan(text);
      if (value !== undefined) expect(value).toEqual(parse(text));
    }),
    { numRuns: 5_000 },
  );
});

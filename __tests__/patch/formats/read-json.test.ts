import { readJson } from '../../../lib/patch/formats/read-json';
import { refusal } from '../../support/parse-context';
import { times } from '../../support/deep-scale';
import { fc } from '../../support/properties';

const read = (text: string, depth = 100) => readJson(Buffer.from(text), depth);
const refused = (text: string, depth = 100) => refusal(() => read(text, depth));

describe('RFC 8259 8.1: UTF-8', () => {
  const outer = (...bytes: number[]) => Buffer.from([0x22, ...bytes, 0x22]);

  test.each([
    { title: 'two bytes', document: outer(0xc3, 0xa9), value: 'é' },
    { title: 'four bytes', document: outer(0xf0, 0x9f, 0x98, 0x80), value: '😀' },
    { title: 'a byte order mark, which a reader may ignore', document: Buffer.from('\uFEFF[1]'), value: [1] },
    { title: 'a lone surrogate, escaped', document: Buffer.from(String.raw`"\ud800"`), value: '\ud800' },
    {
      title: 'the first and the last hexadecimal digits, in either case',
      document: Buffer.from(String.raw`{"\u09aA":"\u09fF"}`),
      value: { '\u09aa': '\u09ff' },
    },
    { title: 'NUL, escaped', document: Buffer.from(String.raw`"\u0000"`), value: '\0' },
  ])('$title', ({ document, value }) => {
    expect(readJson(document, 100)).toEqual(value);
  });

  test.each([
    { what: 'a lone continuation byte', document: outer(0x80) },
    { what: 'a sequence cut short', document: outer(0xc3) },
    { what: 'an overlong encoding', document: outer(0xc0, 0xaf) },
    { what: 'an encoded surrogate', document: outer(0xed, 0xa0, 0x80) },
    { what: 'beyond U+10FFFF', document: outer(0xf4, 0x90, 0x80, 0x80) },
    { what: 'ISO-8859-1', document: outer(0xe9) },
    { what: 'UTF-16', document: Buffer.from('\uFEFF[1]', 'utf16le') },
  ])('$what is malformed', ({ document }) => {
    expect(refusal(() => readJson(document, 100))).toEqual({
      status: 400,
      title: 'Bad Request',
      code: 'patch-malformed',
      detail: 'The patch document is not valid UTF-8. Encode JSON as UTF-8 (RFC 8259 8.1).',
    });
  });
});

describe('RFC 8259 2 to 7: what is no JSON, and where', () => {
  test.each([
    { text: '', what: 'is empty. Send one in the format of the Content-Type.' },
    { text: ' ', what: 'is not valid JSON: expected a value (line 1, column 2).' },
    { text: '\uFEFF', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: '[1', what: 'is not valid JSON: expected "," or "]" (line 1, column 3).' },
    { text: '[1,]', what: 'is not valid JSON: expected a value (line 1, column 4).' },
    { text: '[1 2]', what: 'is not valid JSON: expected "," or "]" (line 1, column 4).' },
    {
      text: '{"a":1,}',
      what: 'is not valid JSON: expected a member name in double quotes (line 1, column 8).',
    },
    {
      text: "{'a':1}",
      what: 'is not valid JSON: expected a member name in double quotes (line 1, column 2).',
    },
    { text: '{"a" 1}', what: 'is not valid JSON: expected ":" (line 1, column 6).' },
    { text: '{"a":1', what: 'is not valid JSON: expected "," or "}" (line 1, column 7).' },
    { text: '{"a":}', what: 'is not valid JSON: expected a value (line 1, column 6).' },
    { text: '{\n  "a": 1,\r\n  "b": x\n}', what: 'is not valid JSON: expected a value (line 3, column 8).' },
    { text: '\n[1,]', what: 'is not valid JSON: expected a value (line 2, column 4).' },
    { text: '[] []', what: 'is not valid JSON: expected the end of the text (line 1, column 4).' },
    {
      text: '"abc',
      what: 'is not valid JSON: expected a closing quote (line 1, column 5).',
    },
    {
      text: '"a\nb"',
      what: 'is not valid JSON: expected a closing quote (line 1, column 3).',
    },
    { text: String.raw`"\x"`, what: 'is not valid JSON: expected an escape sequence (line 1, column 2).' },
    {
      text: String.raw`"\u12g4"`,
      what: 'is not valid JSON: expected an escape sequence (line 1, column 2).',
    },
    {
      // Between the digits and the letters.
      text: String.raw`"\u12:4"`,
      what: 'is not valid JSON: expected an escape sequence (line 1, column 2).',
    },
    { text: 'tru', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: 'trues', what: 'is not valid JSON: expected the end of the text (line 1, column 5).' },
    { text: '01', what: 'is not valid JSON: expected the end of the text (line 1, column 2).' },
    { text: '+1', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: '1.', what: 'is not valid JSON: expected the end of the text (line 1, column 2).' },
    { text: '1e+', what: 'is not valid JSON: expected the end of the text (line 1, column 2).' },
    { text: '.5', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: 'NaN', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: 'undefined', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: '/* */1', what: 'is not valid JSON: expected a value (line 1, column 1).' },
    { text: '\u00a01', what: 'is not valid JSON: expected a value (line 1, column 1).' },
  ])('$text $what', ({ text, what }) => {
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
    { text: '{"a":1,"a":1}', pointer: '/a', place: 'line 1, column 8' },
    { text: '{"a":1,"b":{"c":[{"d":0,"d":0}]}}', pointer: '/b/c/0/d', place: 'line 1, column 25' },
    { text: String.raw`{"op":1,"\u006fp":2}`, pointer: '/op', place: 'line 1, column 9' },
    { text: String.raw`{"/":1,"\/":2}`, pointer: '/~1', place: 'line 1, column 8' },
    { text: '[[],{"":1,"":1}]', pointer: '/1/', place: 'line 1, column 11' },
    { text: '{"__proto__":1,"__proto__":1}', pointer: '/__proto__', place: 'line 1, column 16' },
  ])('$text: $pointer, $place', ({ text, pointer, place }) => {
    const what = `has a duplicate member name in one object at "${pointer}" (${place})`;
    const detail = `The patch document ${what}. Remove one of them.`;
    expect(refused(text)).toMatchObject({ status: 400, pointer, detail });
  });

  test('among many, and among names that look like array indices', () => {
    // More than eight different ones are looked up in another way.
    const name = fc.oneof(
      { arbitrary: fc.nat(60).map(String), weight: 9 },
      { arbitrary: fc.constantFrom('"1', '""1', '1a', 'é', '__proto__'), weight: 1 },
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 25, size: 'max' }), (names) => {
        const members = names.map((written) => `${JSON.stringify(written)}:0`);
        const second = names.findIndex((written, index) => names.indexOf(written) < index);
        const text = `{${members.join(',')}}`;
        if (second < 0) expect(JSON.stringify(read(text))).toHaveLength(text.length);
        else {
          const column = 1 + members.slice(0, second).reduce((sum, { length }) => sum + length + 1, 1);
          expect(refused(text)).toMatchObject({
            pointer: `/${names[second] ?? ''}`,
            detail: expect.stringContaining(`(line 1, column ${column})`) as unknown,
          });
        }
      }),
    );
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
    { text: '9007199254740992', value: 9007199254740992 },
    // As JSON.stringify writes 2^63 and 2^64, though no double is that number.
    { text: '9223372036854776000', value: 2 ** 63 },
    { text: '18446744073709552000', value: 2 ** 64 },
    { text: '-100000000000000000000', value: -1e20 },
    { text: '10000000000000000000000', value: 1e22 },
    { text: '9007199254740993.5', value: 9007199254740994 },
    // In another notation.
    { text: '9007199254740992.0', value: 9007199254740992 },
    { text: '1.5e20', value: 150000000000000000000 },
    { text: '100000000000000000000000E-1', value: 1e22 },
    { text: '0.0012345E30', value: 1.2345e27 },
    { text: '0.10000000000000001', value: 0.1 },
    { text: '-0', value: -0 },
    { text: '1e-400', value: 0 },
    { text: '1.7976931348623157e308', value: Number.MAX_VALUE },
    { text: '1E+2', value: 100 },
  ])('$text is $value', ({ text, value }) => {
    expect(read(text)).toBe(value);
  });

  test.each([
    ...['1e400', '-1e400', '1E+400', '1.5e0309', `1${'0'.repeat(309)}`, `${'9'.repeat(250)}e99`],
    // Fractions, too.
    ...[`1${'0'.repeat(400)}.5`, `${'1'.repeat(400)}.1`, `1${'0'.repeat(399)}1e-1`],
  ])('%s would be stored as null', (text) => {
    const what = 'contains a number at "/0" beyond the range of a double (line 1, column 2)';
    const detail = `The patch document ${what}. Send it as a string.`;
    expect(refused(`[${text}]`)).toMatchObject({ status: 400, pointer: '/0', detail });
  });
});

describe('an integer that a double would change', () => {
  test.each([
    { text: '9007199254740993', pointer: '', becomes: '9007199254740992' },
    { text: '[[], {"a/b":[true, {"~":-9007199254740993}]}]', pointer: '/1/a~1b/1/~0', becomes: '-90071992' },
    { text: '{"\\u0061":12345678901234567890,"b":1}', pointer: '/a', becomes: '12345678901234567000' },
    { text: '[{"a":[[0]],"b":1},[18446744073709551615]]', pointer: '/1/0', becomes: '18446744073709552000' },
    { text: '10000000000000000000001', pointer: '', becomes: '1e+22' },
    { text: `[1,${'9'.repeat(308)}]`, pointer: '/1', becomes: '1e+308' },
    // Doubles hold these, and print other integers: a snowflake id, and 2^63.
    { text: '{"id":653247040368672768}', pointer: '/id', becomes: '653247040368672800' },
    { text: '-9223372036854775808', pointer: '', becomes: '-9223372036854776000' },
    // In another notation.
    { text: '9007199254740993.0', pointer: '', becomes: '9007199254740992' },
    { text: '6.53247040368672769e17', pointer: '', becomes: '653247040368672800' },
    { text: '12345678901234567890E1', pointer: '', becomes: '123456789012345680000' },
    { text: '65324704036867276900e-2', pointer: '', becomes: '653247040368672800' },
  ])('$text is refused with $pointer', ({ text, pointer, becomes }) => {
    expect(refused(text)).toMatchObject({
      ...{ status: 400, code: 'patch-malformed', pointer },
      detail: expect.stringMatching(
        /contains an integer at ".*" that would become .* Send it as a string\./,
      ) as unknown,
    });
    expect(refused(text).detail).toContain(becomes);
  });

  test('any other is taken, and so is whatever JSON.stringify writes', () => {
    const integer = fc.oneof(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.bigInt(-(10n ** 308n), 10n ** 308n));
    fc.assert(
      fc.property(integer, (value) => {
        const isExact = BigInt(Number(value)) === value;
        if (isExact) expect(read(String(value))).toBe(Number(value));
        else if (JSON.stringify(Number(value)) !== String(value))
          expect(refused(`{"a":[${value}]}`)).toMatchObject({ status: 400, pointer: '/a/0' });
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(read(JSON.stringify(value))).toBe(value + 0);
        const whole = Math.trunc(value) + 0;
        expect(read(JSON.stringify(whole))).toBe(whole);
      }),
    );
  });
});

describe('limits.depth', () => {
  const brackets = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  test('as many levels as the limit are taken', () => {
    expect(JSON.stringify(read(brackets(100)))).toBe(brackets(100));
  });

  test.each([
    { what: 'one level more', text: brackets(101), depth: 100, column: 101 },
    { what: 'an object in it', text: '['.repeat(100) + '{}' + ']'.repeat(100), depth: 100, column: 101 },
    { what: 'never closed', text: '['.repeat(1_000_000), depth: 100, column: 101 },
    { what: 'no level at all', text: '[]', depth: 0, column: 1 },
  ])('$what is 413', ({ text, depth, column }) => {
    expect(refused(text, depth)).toEqual({
      status: 413,
      title: 'Content Too Large',
      code: 'limit-depth',
      detail: `The patch document nests deeper than the limit of ${depth} levels (line 1, column ${column}). Send a flatter one.`,
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
      return /duplicate member name|range of a double|an integer/.test(String(error)) ? undefined : 'refused';
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
    { numRuns: times(250, 100_000) },
  );
});

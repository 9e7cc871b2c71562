import { parseStructuredString } from '../../lib/http/structured-string';

describe('an Item of the type String, RFC 9651 3.3.3', () => {
  test.each([
    ['a UUID', '"8e03978e-40d5-43e8-bc93-6894a57f9324"', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['the empty string', '""', ''],
    [
      'every character that needs no escape',
      '" !#$%&\'()*+,-./:;<=>?@[]^_`{|}~"',
      " !#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    ],
    ['escapes', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['a backslash at the end', String.raw`"a\\"`, 'a\\'],
    ['spaces around it', '  "a"  ', 'a'],
    ['1,024 characters, all escaped', `"${'\\"'.repeat(1_024)}"`, '"'.repeat(1_024)],
  ])('%s', (_what, field, expected) => {
    expect(parseStructuredString(field)).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['no quotes', 'abc'],
    ['a UUID without quotes', '8e03978e-40d5-43e8-bc93-6894a57f9324'],
    ['single quotes', "'abc'"],
    ['an open end', '"abc'],
    ['an escape at the end', String.raw`"abc\"`],
    ['an escape of another character', String.raw`"a\bc"`],
    ['a character outside ASCII', '"é"'],
    ['a tab', '"a\tb"'],
    ['DEL', '"\x7f"'],
    ['two, as Node joins two lines', '"a", "b"'],
    ['two without a comma', '"a" "b"'],
    ['something behind it', '"a"b'],
    ['an entity tag', 'W/"a"'],
    ['an Integer', '42'],
    ['an inner list', '("a")'],
    ['a tab in front', '\t"a"'],
    ['over 8,192 characters', `"${'a'.repeat(8_191)}"`],
  ])('not %s', (_what, field) => {
    expect(parseStructuredString(field)).toBeUndefined();
  });
});

describe('its parameters are ignored where they are well-formed, RFC 9651 2.3 and 4.2.3.2', () => {
  test.each([
    ';a',
    '; a',
    ';a=1;b=2',
    ';a=-15',
    ';a=1.5',
    ';a=999999999999999',
    ';*a_b-c.d*=1',
    String.raw`;a="x;\"y"`,
    ';a=Token/1:2*',
    ';a=:YWJj:',
    ';a=?0',
    ';a=@1659578233',
    ';a=%"f%c3%bc"',
    ';a;a;a',
    ';a=1  ',
  ])('%s', (parameters) => {
    expect(parseStructuredString(`"k"${parameters}`)).toBe('k');
  });

  test.each([
    ';',
    ';;a',
    ' ;a',
    ';A',
    ';1',
    ';a=',
    ';a =1',
    ';a= 1',
    ';a=1.',
    ';a=1.2345',
    ';a=1234567890123456',
    ';a=1234567890123.1',
    ';a="x',
    ";a='x'",
    ';a=:YWJj',
    ';a=?2',
    ';a=@1.5',
    ';a=%"%C3"',
    ';a=(1)',
    ';a=é',
    ';a,',
  ])('not %s', (parameters) => {
    expect(parseStructuredString(`"k"${parameters}`)).toBeUndefined();
  });
});

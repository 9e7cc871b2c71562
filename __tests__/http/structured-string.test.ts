import { parseStructuredString } from '../../lib/patch/idempotency';

describe('an Item of the type String, RFC 9651 3.3.3', () => {
  test.each([
    {
      title: 'a UUID',
      field: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
      expected: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
    { title: 'the empty string', field: '""', expected: '' },
    {
      title: 'every character that needs no escape',
      field: '" !#$%&\'()*+,-./:;<=>?@[]^_`{|}~"',
      expected: " !#$%&'()*+,-./:;<=>?@[]^_`{|}~",
    },
    { title: 'escapes', field: String.raw`"a\"b\\c"`, expected: String.raw`a"b\c` },
    { title: 'a backslash at the end', field: String.raw`"a\\"`, expected: 'a\\' },
    { title: 'spaces around it', field: '  "a"  ', expected: 'a' },
    {
      title: '1,024 characters, all escaped',
      field: `"${'\\"'.repeat(1_024)}"`,
      expected: '"'.repeat(1_024),
    },
    { title: '8,192 characters', field: `"${'a'.repeat(8_190)}"`, expected: 'a'.repeat(8_190) },
  ])('$title', ({ field, expected }) => {
    expect(parseStructuredString(field)).toBe(expected);
  });

  test.each([
    { what: 'nothing', field: '' },
    { what: 'no quotes', field: 'abc' },
    { what: 'a UUID without quotes', field: '8e03978e-40d5-43e8-bc93-6894a57f9324' },
    { what: 'single quotes', field: "'abc'" },
    { what: 'an open end', field: '"abc' },
    { what: 'an escape at the end', field: String.raw`"abc\"` },
    { what: 'an escape of another character', field: String.raw`"a\bc"` },
    { what: 'a character outside ASCII', field: '"é"' },
    { what: 'a tab', field: '"a\tb"' },
    { what: 'DEL', field: '"\x7f"' },
    { what: 'two, as Node joins two lines', field: '"a", "b"' },
    { what: 'two without a comma', field: '"a" "b"' },
    { what: 'something behind it', field: '"a"b' },
    { what: 'an entity tag', field: 'W/"a"' },
    { what: 'an Integer', field: '42' },
    { what: 'an inner list', field: '("a")' },
    { what: 'a tab in front', field: '\t"a"' },
    { what: 'over 8,192 characters', field: `"${'a'.repeat(8_191)}"` },
  ])('not $what', ({ field }) => {
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

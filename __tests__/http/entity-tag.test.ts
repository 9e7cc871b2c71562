import fc from 'fast-check';
import { entityTag, parseEntityTags, strongMatch, weakMatch } from '../../lib/http/entity-tag';

describe('RFC 9110 8.8.3: entity tags', () => {
  test('the tag of a stored representation is strong and legal, whatever its version holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (version) => {
        expect(parseEntityTags(entityTag({ version }))).toEqual([entityTag({ version })]);
        expect(entityTag({ version })).toMatch(/^"/);
      }),
    );
  });

  test('two versions have two tags', () => {
    expect(entityTag({ version: 'a' })).not.toBe(entityTag({ version: 'b' }));
  });
});

describe('RFC 9110 13.1.1: the value of If-Match and If-None-Match', () => {
  test.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['W/"a"', ['W/"a"']],
    ['""', ['""']],
    ['"a", "b"', ['"a"', '"b"']],
    ['"a","b" ,\t"c"', ['"a"', '"b"', '"c"']],
    ['"a,b", "c"', ['"a,b"', '"c"']],
    ['"a\\", "b"', ['"a\\"', '"b"']],
    [', "a",, "b",', ['"a"', '"b"']],
    ['"\u00e9"', ['"\u00e9"']],
  ])('%j is %j', (field, expected) => {
    expect(parseEntityTags(field)).toEqual(expected);
  });

  test.each([
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    'w/"a"',
    'W/a',
    '"a" "b"',
    '"a"b',
    '*, "a"',
    '"a", *',
    '"a b"',
    '"a", b',
  ])('%j is no list of entity tags', (field) => {
    expect(parseEntityTags(field)).toBeUndefined();
  });

  test('a hostile value is read in linear time', () => {
    expect(parseEntityTags(`${' ,'.repeat(50_000)}x`)).toBeUndefined();
    expect(parseEntityTags('"a" '.repeat(50_000))).toBeUndefined();
  });
});

describe('RFC 9110 8.8.3.2: comparison', () => {
  test.each([
    ['W/"1"', 'W/"1"', false, true],
    ['W/"1"', 'W/"2"', false, false],
    ['W/"1"', '"1"', false, true],
    ['"1"', '"1"', true, true],
  ])('%s and %s: strong %s, weak %s', (a, b, strong, weak) => {
    expect(strongMatch(a, b)).toBe(strong);
    expect(weakMatch(a, b)).toBe(weak);
  });
});

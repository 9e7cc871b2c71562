import { entityTag, parseEntityTags, strongMatch, weakMatch } from '../../lib/http/entity-tag';
import { growth, maxLinear } from '../support/growth';
import { fc } from '../support/properties';

describe('RFC 9110 8.8.3: entity tags', () => {
  test('the tag of a stored representation is strong and legal, whatever its version holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }), (version) => {
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
    { field: '*', expected: '*' },
    { field: ' * ', expected: '*' },
    { field: '"a"', expected: ['"a"'] },
    { field: 'W/"a"', expected: ['W/"a"'] },
    { field: '""', expected: ['""'] },
    { field: '"a", "b"', expected: ['"a"', '"b"'] },
    { field: '"a","b" ,\t"c"', expected: ['"a"', '"b"', '"c"'] },
    { field: '"a,b", "c"', expected: ['"a,b"', '"c"'] },
    { field: '"a\\", "b"', expected: ['"a\\"', '"b"'] },
    { field: ', "a",, "b",', expected: ['"a"', '"b"'] },
    { field: '"\u00e9"', expected: ['"\u00e9"'] },
    // 5.6.1: #entity-tag sets no minimum, and empty elements count for nothing.
    { field: '', expected: [] },
    { field: ' ', expected: [] },
    { field: ',', expected: [] },
    { field: ', ,\t,', expected: [] },
  ])('"$field" is $expected', ({ field, expected }) => {
    expect(parseEntityTags(field)).toEqual(expected);
  });

  test.each([
    'a',
    ',a',
    '*,',
    '*, *',
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

  test.each([
    { what: 'empty elements before what is none', field: ' ,', end: 'x', tags: undefined },
    { what: 'empty elements', field: ' ,', end: '', tags: [] },
    { what: 'tags without commas', field: '"a" ', end: '', tags: undefined },
  ])('many $what take one pass', ({ field, end, tags }) => {
    const read = (times: number) => parseEntityTags(field.repeat(times) + end);
    expect(read(10_000)).toEqual(tags);
    expect(growth(1_000, read)).toBeLessThan(maxLinear);
  });
});

describe('RFC 9110 8.8.3.2: comparison', () => {
  test.each([
    { a: 'W/"1"', b: 'W/"1"', strong: false, weak: true },
    { a: 'W/"1"', b: 'W/"2"', strong: false, weak: false },
    { a: 'W/"1"', b: '"1"', strong: false, weak: true },
    { a: '"1"', b: '"1"', strong: true, weak: true },
  ])('$a and $b: strong $strong, weak $weak', ({ a, b, strong, weak }) => {
    expect(strongMatch(a, b)).toBe(strong);
    expect(weakMatch(a, b)).toBe(weak);
  });
});

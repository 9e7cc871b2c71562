import fc from 'fast-check';
import { parseFieldList } from '../../lib/http/field-list';

describe('RFC 9110 5.6.1.2: a recipient parses and ignores a reasonable number of empty list elements', () => {
  test.each<[string | string[] | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['b ,\ta', ['b', 'a']],
    [' \t a \t , B ', ['a', 'B']],
    [',a,,b,', ['a', 'b']],
    [' , ', []],
    [
      ['a, b', 'c'],
      ['a', 'b', 'c'],
    ],
    [['', 'a'], ['a']],
    [',,,,,,,,,,,,,,,a', ['a']],
  ])('%j', (lines, elements) => {
    expect(parseFieldList(lines)).toEqual(elements);
  });

  test.each([
    ['more than 16 empty elements', ','.repeat(17)],
    ['more than 128 elements', Array(129).fill('a').join()],
    ['more than 8,192 characters', 'a'.repeat(8_193)],
    ['more than that over all lines', ['a'.repeat(8_000), 'b'.repeat(200)]],
    ['white space without end', `${' '.repeat(9_000)}a`],
  ])('a list with %s is given up', (_title, lines) => {
    expect(parseFieldList(lines)).toBeUndefined();
  });

  test('agrees with split and trim on whatever is short enough', () => {
    const character = fc.constantFrom('a', 'B', '-', ',', ' ', '\t');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: character, maxLength: 5 }), { maxLength: 3 }), (lines) => {
        const elements = lines
          .join()
          .split(',')
          .map((element) => element.trim());
        expect(parseFieldList(lines)).toEqual(elements.filter((element) => element !== ''));
      }),
      { numRuns: 2_000 },
    );
  });
});

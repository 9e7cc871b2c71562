import { parseFieldList } from '../../lib/http/field-list';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';

describe('RFC 9110 5.6.1.2: a recipient parses and ignores a reasonable number of empty list elements', () => {
  test.each<{ readonly lines: string | string[] | undefined; readonly elements: string[] }>([
    { lines: undefined, elements: [] },
    { lines: '', elements: [] },
    { lines: 'a', elements: ['a'] },
    { lines: 'a,b', elements: ['a', 'b'] },
    { lines: 'b ,\ta', elements: ['b', 'a'] },
    { lines: ' \t a \t , B ', elements: ['a', 'B'] },
    { lines: ',a,,b,', elements: ['a', 'b'] },
    { lines: ' , ', elements: [] },
    {
      lines: ['a, b', 'c'],
      elements: ['a', 'b', 'c'],
    },
    { lines: ['', 'a'], elements: ['a'] },
    { lines: ',,,,,,,,,,,,,,,a', elements: ['a'] },
    { lines: ','.repeat(15), elements: [] },
    { lines: Array<string>(20).fill(''), elements: [] },
    { lines: Array(128).fill('a').join(), elements: Array<string>(128).fill('a') },
    { lines: 'a'.repeat(8_192), elements: ['a'.repeat(8_192)] },
  ])('$lines: $elements', ({ lines, elements }) => {
    expect(parseFieldList(lines)).toEqual(elements);
  });

  test.each([
    { title: 'more than 16 empty elements', lines: ','.repeat(16) },
    { title: 'more than 128 elements', lines: Array(129).fill('a').join() },
    { title: 'more than 8,192 characters', lines: 'a'.repeat(8_193) },
    { title: 'more than that over all lines', lines: ['a'.repeat(8_000), 'b'.repeat(200)] },
    { title: 'white space without end', lines: `${' '.repeat(9_000)}a` },
  ])('a list with $title is given up', ({ lines }) => {
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
      { numRuns: times(125, 50_000) },
    );
  });
});

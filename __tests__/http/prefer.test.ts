import { returnPreference } from '../../lib/http/prefer';

describe('RFC 7240 4.2: the return preference', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['return=minimal', 'minimal'],
    ['return=representation', 'representation'],
    ['Return = "representation"', 'representation'],
    ['RETURN=Minimal', 'minimal'],
    ['respond-async, return=minimal; foo="bar"', 'minimal'],
    ['return=representation, return=minimal', 'representation'],
    ['return=everything, return=minimal', undefined],
    ['return', undefined],
    ['returning=minimal', undefined],
    ['foo="a, return=representation, b", wait=3', undefined],
    ['foo="a \\", return=representation', undefined],
    ['foo="unclosed, return=minimal', undefined],
    [', ,return=minimal,', 'minimal'],
  ])('%j asks for %j', (field, expected) => {
    expect(returnPreference(field)).toBe(expected);
  });
});

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
    ['return=', undefined],
    ['return= , return=minimal', undefined],
    ['return="", return=minimal', undefined],
    ['return= \t;foo, return=minimal', undefined],
    ['return= \tminimal\t ;foo', 'minimal'],
    ['return= x y, return=minimal', 'minimal'],
  ])('%j asks for %j', (field, expected) => {
    expect(returnPreference(field)).toBe(expected);
  });

  test.each([
    ['spaces and tabs after =', `return=${' \t'.repeat(50_000)}x y`],
    ['before =', `return${' \t'.repeat(50_000)}x`],
    ['after an empty word', `return=""${' \t'.repeat(50_000)}x`],
    ['after a word', `return=x${' \t'.repeat(50_000)}y`],
  ])('100,000 %s take one pass', (_where, field) => {
    const start = performance.now();
    expect(returnPreference(field)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

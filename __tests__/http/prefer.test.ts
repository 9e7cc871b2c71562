import { returnPreference } from '../../lib/http/prefer';

describe('RFC 7240 4.2: the return preference', () => {
  test.each([
    { field: undefined, expected: undefined },
    { field: '', expected: undefined },
    { field: 'return=minimal', expected: 'minimal' },
    { field: 'return=representation', expected: 'representation' },
    { field: 'Return = "representation"', expected: 'representation' },
    { field: 'RETURN=Minimal', expected: 'minimal' },
    { field: 'respond-async, return=minimal; foo="bar"', expected: 'minimal' },
    { field: 'return=representation, return=minimal', expected: 'representation' },
    { field: 'return=everything, return=minimal', expected: undefined },
    { field: 'return', expected: undefined },
    { field: 'returning=minimal', expected: undefined },
    { field: 'foo="a, return=representation, b", wait=3', expected: undefined },
    { field: 'foo="a \\", return=representation', expected: undefined },
    { field: 'foo="unclosed, return=minimal', expected: undefined },
    { field: ', ,return=minimal,', expected: 'minimal' },
    { field: 'return=', expected: undefined },
    { field: 'return= , return=minimal', expected: undefined },
    { field: 'return="", return=minimal', expected: undefined },
    { field: 'return= \t;foo, return=minimal', expected: undefined },
    { field: 'return= \tminimal\t ;foo', expected: 'minimal' },
    { field: 'return= x y, return=minimal', expected: 'minimal' },
  ])('$field asks for $expected', ({ field, expected }) => {
    expect(returnPreference(field)).toBe(expected);
  });

  test.each([
    { where: 'spaces and tabs after =', field: `return=${' \t'.repeat(200_000)}x y` },
    { where: 'before =', field: `return${' \t'.repeat(200_000)}x` },
    { where: 'after an empty word', field: `return=""${' \t'.repeat(200_000)}x` },
    { where: 'after a word', field: `return=x${' \t'.repeat(200_000)}y` },
  ])('400,000 $where take one pass', ({ field }) => {
    const start = process.cpuUsage();
    expect(returnPreference(field)).toBeUndefined();
    // It takes some milliseconds; in the square of the length, minutes.
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  });
});

import { isCoded } from '../../lib/patch/content';
import { returnPreference } from '../../lib/http/prefer';
import { growth, maxLinear } from '../support/growth';

describe('Content-Encoding', () => {
  describe('RFC 9110 8.4: Content-Encoding = #content-coding', () => {
    test.each([
      { title: 'no header', field: undefined, coded: false },
      { title: 'one', field: 'gzip', coded: true },
      { title: 'several', field: 'gzip, br', coded: true },
      { title: 'an empty list', field: '', coded: false },
      { title: 'empty elements, 5.6.1.2', field: ' , gzip,\t,', coded: true },
      { title: 'nothing but empty elements, 5.6.1.2', field: ',', coded: false },
      { title: 'identity is none', field: 'identity', coded: false },
      { title: 'case does not matter, 8.4.1', field: 'Identity', coded: false },
      { title: 'identity with an empty element', field: 'identity,', coded: false },
      { title: 'identity beside another', field: 'gzip, identity', coded: true },
      { title: 'identity before another', field: 'identity, gzip', coded: true },
      { title: 'more empty elements than are reasonable', field: ','.repeat(20), coded: true },
    ])('$title', ({ field, coded }) => {
      expect(isCoded(field)).toBe(coded);
    });
  });
});

describe('Prefer', () => {
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
      { field: 'return, return=minimal', expected: undefined },
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
      { where: 'after =', start: 'return=', end: 'x y' },
      { where: 'before =', start: 'return', end: 'x' },
      { where: 'after an empty word', start: 'return=""', end: 'x' },
      { where: 'after a word', start: 'return=x', end: 'y' },
    ])('many spaces and tabs $where take one pass', ({ start, end }) => {
      const read = (times: number) => returnPreference(start + ' \t'.repeat(times) + end);
      expect(read(10_000)).toBeUndefined();
      expect(growth(1_000, read)).toBeLessThan(maxLinear);
    });
  });
});

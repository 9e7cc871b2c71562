/** The two texts that the kinds read themselves: numbers with an exponent, and arrays of PostgreSQL. */
import { isExactDecimal, plainDecimal } from '../../lib/rows/columns/plain-decimal';
import { readPostgresArray } from '../../lib/rows/columns/postgres-array';
import { fc } from '../support/properties';

test('any double is written without an exponent, and is the same double', () => {
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(doubles, (value) => {
      const digits = plainDecimal(String(value));
      expect(digits).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Number(digits)).toBe(value + 0);
    }),
  );
});

test('up to 15 digits, a double is the decimal that it was made of; beyond, it may be another', () => {
  const decimals = fc.tuple(fc.bigInt(1n, 10n ** 15n - 1n), fc.integer({ min: -30, max: 30 }));
  fc.assert(
    fc.property(decimals, ([digits, exponent]) => {
      const decimal = plainDecimal(`${digits}e${exponent}`) ?? '';
      const trimmed = decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
      expect(isExactDecimal(Number(decimal))).toBe(true);
      expect(plainDecimal(String(Number(decimal)))).toBe(trimmed);
    }),
  );
  expect([0.1 + 0.2, 2 ** 53, 2 ** 70, 1 / 3].map(isExactDecimal)).toEqual([false, false, false, false]);
});

/** As array_out of PostgreSQL writes it. */
function written(elements: readonly (string | null)[]): string {
  const each = elements.map((element) => {
    if (element === null) return 'NULL';
    const isPlain = /^[^\s,{}"\\]+$/.test(element) && element.toUpperCase() !== 'NULL';
    return isPlain ? element : `"${element.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${each.join()}}`;
}

test('an array is read as PostgreSQL wrote it', () => {
  const hostile = fc.string({
    unit: fc.constantFrom('a', '"', '\\', ',', '{', '}', ' ', '\n', 'N', 'é', '\u{1f600}'),
  });
  const element = fc.oneof(hostile, fc.constantFrom(null, 'NULL', 'null', ''), fc.string());
  fc.assert(
    fc.property(fc.array(element), (elements) => {
      expect(readPostgresArray(written(elements))).toEqual(elements);
    }),
  );
});

test('what is not such an array is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', ',', '"', '\\', 'a', ' ') }), (text) => {
      const elements = readPostgresArray(text);
      if (elements !== undefined) expect(readPostgresArray(written(elements))).toEqual(elements);
    }),
  );
  expect(readPostgresArray(`{"${'\\"a '.repeat(200_000)}"}`)).toHaveLength(1);
});

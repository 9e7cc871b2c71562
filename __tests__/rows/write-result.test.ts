/** What `update` and `delete` may return: the number of rows that matched, or the row. */
import { compileVersion } from '../../lib/rows/row-version';
import { readWriteResult } from '../../lib/rows/write-result';

const row = { slug: 'a', version: 'v' };
const version = compileVersion(undefined as never, 'version');

test.each([
  { what: 'one', result: 1, written: { isMatch: true } },
  { what: 'none', result: 0, written: { isMatch: false } },
  { what: 'the row', result: row, written: { isMatch: true, row } },
])('$what', ({ result, written }) => {
  expect(readWriteResult('update', result, version)).toEqual(written);
});

test.each([
  { what: 'nothing', result: undefined },
  { what: 'null', result: null },
  { what: 'true', result: true },
  { what: 'a text', result: 'UPDATE 1' },
  { what: 'a list', result: [row] },
  { what: 'the result of a driver', result: { rowCount: 1 } },
  { what: 'a row of other columns', result: { count: 7 } },
])('$what is an error that says what to return', ({ result }) => {
  expect(() => readWriteResult('update', result, version)).toThrow(
    /^update\(\) returned .+\. Return the number of rows that matched, or the row with its column version\.$/,
  );
});

test('more than one row is an error', () => {
  expect(() => readWriteResult('delete', 2, version)).toThrow('delete() matched 2 rows');
});

import { shownResult } from '../config/shown-text';
import { isObject } from '../config/object';
import type { RowVersion } from './row-version';
import type { Row } from './rows';

/** The effect of a statement whose condition matches at most one row. */
export interface WriteResult {
  /** Whether a row matched the condition. */
  readonly isMatch: boolean;
  /** The row after the write, if the statement returned it. */
  readonly row?: Row;
}

/**
 * What `update` or `delete` returned: the number of rows that matched, or the row.
 *
 * @throws TypeError if it is neither, or if more than one row matched
 */
export function readWriteResult(
  call: 'update' | 'delete',
  result: unknown,
  version: RowVersion,
): WriteResult {
  if (isRow(result, version)) return { isMatch: true, row: result };
  if (result === 0 || result === 1) return { isMatch: result === 1 };
  if (typeof result === 'number') {
    throw new TypeError(
      `${call}() matched ${result} rows, but the key and the version identify one. ` +
        'Use every column of where in the condition.',
    );
  }
  throw new TypeError(
    `${call}() returned ${shownResult(result)}. Return the number of rows that matched, ` +
      `or the row with its column ${version.columns[0]}.`,
  );
}

/** Without the column of the version, it can be anything that an ORM returns. */
export function isRow(value: unknown, version: RowVersion): value is Row {
  return isObject(value) && Object.hasOwn(value, version.columns[0]);
}

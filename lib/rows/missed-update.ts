import { backOff } from '../stores/contract/retry';
import type { RowReader } from './row-reader';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';

/** How often the row is read again: `find` can read from a replica, which lags behind. */
const mostReads = 8;

/**
 * Checks that an UPDATE that matched no row has lost a race, and not been prevented by the database.
 *
 * @param expected - the version that its condition named
 * @throws Error if the row still has that version
 */
export async function assertOvertaken(
  { rows, version }: RowSettings,
  reader: RowReader,
  where: Row,
  expected: string,
): Promise<void> {
  for (let reads = 0; reads < mostReads; reads++) {
    const row = await reader.find(rows, where);
    if (row === undefined || version.of(row) !== expected) return;
    await backOff(reads);
  }
  throw new Error(
    'UPDATE matched no row, although the row was read again with the same version. ' +
      'Check whether row-level security or a trigger prevents the update.',
  );
}

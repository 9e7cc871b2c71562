import { ProblemError } from '../http/problem';
import type { PatchRequest } from '../http/routed-request';
import { backOff } from '../stores/contract/retry';
import { unwritten } from '../stores/contract/unwritten';
import { isReferenced } from './database-error';
import { inTransaction } from './in-transaction';
import type { RowReader } from './row-reader';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';
import { writtenRow } from './written';

/** How often a deletion is repeated because another write changed the row first. */
const mostLost = 50;

interface RowDeletion {
  readonly key: string;
  readonly where: Row;
  readonly expected: string | undefined;
  readonly req: PatchRequest | undefined;
}

/**
 * Deletes the row of a key on the condition that it still has the version that was read; without `expected`,
 * whatever version that is.
 *
 * @returns whether a row was deleted
 * @throws ProblemError 409 if other rows refer to it
 */
export async function deleteRow(
  settings: RowSettings,
  reader: RowReader,
  { key, where, expected, req }: RowDeletion,
): Promise<boolean> {
  const { rows, values, version } = settings;
  let missed: string | undefined;
  for (let lost = 0; lost < mostLost; lost++) {
    const row = await unwritten(req, () => reader.find(rows, where));
    if (row === undefined || (expected !== undefined && version.of(row) !== expected)) return false;
    if (version.of(row) === missed) throw neverDeleted('was read again with the same version');
    missed = version.of(row);
    const condition = { ...where, ...version.condition(row) };
    const isDeleted = await inTransaction(settings, req, async (inside, tell) => {
      const result = await deletion(() => inside.delete?.(condition));
      if (writtenRow('delete', result, version).count === 0) return false;
      await tell(() => ({ key, before: values.read(row), after: undefined, req }));
      return true;
    });
    if (isDeleted) return true;
    await backOff(lost);
  }
  throw neverDeleted(`was read ${mostLost} times, each time with another version`);
}

/** Runs a DELETE. A reference from other rows becomes a problem for the client. */
async function deletion(send: () => unknown): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    throw isReferenced(error) ? stillReferenced(error) : error;
  }
}

function stillReferenced(error: unknown): ProblemError {
  const detail =
    'Other resources refer to this one, so it cannot be deleted. Delete them, or their references, first.';
  return new ProblemError(409, 'still-referenced', detail, { cause: error });
}

/** @param row - what was seen of the row after the DELETE */
function neverDeleted(row: string): Error {
  return new Error(
    `DELETE matched no row, although the row ${row}. ` +
      'Check whether row-level security or a trigger prevents the deletion.',
  );
}

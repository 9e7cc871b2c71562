import type { PatchRequest } from '../http/routed-request';
import { backOff } from '../stores/contract/retry';
import { inTransaction } from './in-transaction';
import { toStillReferenced } from './refusals';
import type { RowReader } from './row-reader';
import type { RowSettings } from './compile-row-store';
import type { Row } from './rows';
import { readWriteResult } from './write-result';

/** How often a deletion without an expected version is tried, if other writes change the row first. */
const maxTries = 20;

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
  const { rows, values, version, onWrite } = settings;
  for (let tries = 1; tries <= maxTries; tries++) {
    const row = await reader.find(rows, where);
    if (row === undefined || (expected !== undefined && version.read(row) !== expected)) return false;
    const condition = { ...where, ...version.condition(row) };
    const isDeleted = await inTransaction(settings, async (inside, tx) => {
      const result = await deletion(() => inside.delete?.(condition));
      if (!readWriteResult('delete', result, version).isMatch) return false;
      await onWrite?.(tx, { key, before: values.read(row), after: undefined, req });
      return true;
    });
    if (isDeleted || expected !== undefined) return isDeleted;
    await backOff(tries - 1);
  }
  throw new Error(
    `DELETE matched no row in ${maxTries} tries, although each of them read the row again. ` +
      'Check whether row-level security or a trigger prevents the deletion.',
  );
}

/** Runs a DELETE. A reference from other rows becomes a problem for the client. */
async function deletion(send: () => unknown): Promise<unknown> {
  try {
    return await send();
  } catch (error) {
    throw toStillReferenced(error);
  }
}

import { type Pending, createBatch } from '../sql/batch';
import type { ColumnTexts } from '../sql/columns';

/** More keys take a second statement, so that no answer is larger than those of 32 reads. */
const maxKeys = 32;

type PendingRead = Pending<{ readonly key: string }, ColumnTexts | undefined>;

/**
 * Batches the reads of one turn of the event loop into one statement, because the overhead of a statement in
 * the driver and the engine exceeds the cost of a few rows.
 *
 * @param readRows - returns the rows of these keys in any order, with the key as their first column
 */
export function createGroupReader(
  readRows: (keys: readonly string[]) => Promise<readonly ColumnTexts[]>,
): (read: { readonly key: string }) => Promise<ColumnTexts | undefined> {
  const read = async (batch: readonly PendingRead[]): Promise<void> => {
    try {
      const rows = await readRows(batch.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [row[0], row]));
      for (const { key, resolve } of batch) resolve(byKey.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return createBatch((batch) => {
    for (let i = 0; i < batch.length; i += maxKeys) void read(batch.slice(i, i + maxKeys));
  });
}

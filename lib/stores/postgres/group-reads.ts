import { type Pending, batched } from '../sql/batch';
import type { ColumnTexts } from '../sql/columns';

/** Limits what one statement returns to what as many connections would have returned. */
const mostKeys = 32;

type Waiting = Pending<{ readonly key: string }, ColumnTexts | undefined>;

/**
 * Batches the reads of one turn of the event loop into one statement, because the overhead of a statement in
 * the driver and the engine exceeds the cost of a few rows.
 *
 * @param readRows - gives the rows of these keys in any order, with the key as their first column
 */
export function readTogether(
  readRows: (keys: readonly string[]) => Promise<readonly ColumnTexts[]>,
): (wanted: { readonly key: string }) => Promise<ColumnTexts | undefined> {
  const read = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const rows = await readRows(batch.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [row[0], row]));
      for (const { key, resolve } of batch) resolve(byKey.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return batched((batch) => {
    for (let i = 0; i < batch.length; i += mostKeys) void read(batch.slice(i, i + mostKeys));
  });
}

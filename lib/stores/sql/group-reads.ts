import type { Columns } from './columns';
import { type Asked, inTurns } from './turn';

/** So that what one statement brings stays within what as many connections would have brought. */
export const mostKeys = 32;

type Waiting = Asked<{ readonly key: string }, Columns | undefined>;

/**
 * The reads that are asked for in one turn of the event loop, in one statement: what a driver and the engine do for a
 * statement costs more than the rows that clients ask for at once.
 *
 * @param rowsOf - the rows of these keys, the key their first column, in any order
 */
export function readTogether(
  rowsOf: (keys: readonly string[]) => Promise<readonly Columns[]>,
): (wanted: { readonly key: string }) => Promise<Columns | undefined> {
  const read = async (asked: readonly Waiting[]): Promise<void> => {
    try {
      const rows = await rowsOf(asked.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [row[0], row]));
      for (const { key, resolve } of asked) resolve(byKey.get(key));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return inTurns((asked) => {
    for (let i = 0; i < asked.length; i += mostKeys) void read(asked.slice(i, i + mostKeys));
  });
}

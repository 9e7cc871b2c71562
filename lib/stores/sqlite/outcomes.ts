import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';
import type { OutcomeStatements } from './statements';
import type { Columns } from '../sql/columns';

/** The columns of one row; undefined where there is none. */
export type Row = Columns | undefined;

/** Runs a statement and gives its first row. */
export type Run = (sql: string, parameters: string[]) => Row;

/** An outcome with its text made: that calls functions of the host, which a transaction must not hold. */
export type MadeOutcome = Omit<OutcomeToKeep, 'text'> & { readonly text: string };

/**
 * Keeps an outcome, in the transaction of its write.
 *
 * @returns false where its id has one already
 * @throws ProblemError 503 where there is no room
 */
export function keepOutcome(
  run: Run,
  sql: OutcomeStatements,
  key: string,
  { id, text, keep, maxAge }: MadeOutcome,
): boolean {
  if (run(sql.find, [key, id]) !== undefined) return false;
  run(sql.evict, [key, key]);
  const kept = run(sql.keep, [key, id, text, String(maxAge), key, key, String(keep)]);
  if (kept === undefined) throw outcomesFull(Number(run(sql.oldest, [key])?.[0]));
  return true;
}

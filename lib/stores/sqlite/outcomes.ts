import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';
import type { OutcomeStatements } from './statements';
import type { ColumnTexts } from '../sql/columns';

/** The columns of one row; undefined if there is none. */
export type StoredColumns = ColumnTexts | undefined;

/** Runs a statement and gives its first row. */
export type Run = (sql: string, parameters: string[]) => StoredColumns;

/**
 * An outcome with its text already made: that calls functions of the app, which must not run in a
 * transaction.
 */
export type MadeOutcome = Omit<OutcomeToKeep, 'text'> & { readonly text: string };

/**
 * Stores an outcome, in the transaction of its write.
 *
 * @returns false if its id already has one
 * @throws ProblemError 503 if there is no room
 */
export function keepOutcome(
  run: Run,
  sql: OutcomeStatements,
  key: string,
  { id, scope, text, keep, total, maxAge }: MadeOutcome,
): boolean {
  if (run(sql.find, [key, id]) !== undefined) return false;
  const bounds = [key, scope, String(keep), String(total)];
  run(sql.evict, [...bounds, key]);
  run(sql.evictOfScope, [...bounds, key, scope]);
  const kept = run(sql.keep, [...bounds, id, text, String(maxAge)]);
  if (kept === undefined) throw outcomesFull(Number(run(sql.wait, bounds)?.[0]));
  return true;
}

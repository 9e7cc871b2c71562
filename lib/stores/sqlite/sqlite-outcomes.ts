import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';
import { quoted } from '../sql/sql-name';
import type { Columns } from '../sql/text-columns';

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

export type OutcomeStatements = ReturnType<typeof outcomeStatements>;

const format = `'%Y-%m-%dT%H:%M:%fZ', 'now'`;

/** UTC in milliseconds, as `Date.toISOString` writes it. */
export const now = `strftime(${format})`;

/**
 * The outcomes of a table's resources, in a table beside it: a row each, so that a write adds one and rewrites none.
 *
 * Those of a resource are numbered in the order of their writes, and only the oldest are forgotten: so the numbers of
 * the first and the last tell how many there are, and nothing has to be counted.
 */
export function outcomeStatements(table: string) {
  const [resources, outcomes] = [quoted(table), quoted(`${table}_outcomes`)];
  const first = `SELECT number FROM ${outcomes} WHERE key = ? ORDER BY number LIMIT 1`;
  const last = `SELECT number FROM ${outcomes} WHERE key = ? ORDER BY number DESC LIMIT 1`;
  return {
    setup: `CREATE TABLE IF NOT EXISTS ${outcomes} (
  key TEXT NOT NULL REFERENCES ${resources} (key) ON DELETE CASCADE ON UPDATE CASCADE,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (key, number),
  UNIQUE (key, id)
) WITHOUT ROWID`,
    /** For a SELECT of resources, with the id as its parameter: `outcome` is then the text, or null. */
    join: `LEFT JOIN ${outcomes} AS kept ON kept.key = ${resources}.key AND kept.id = ? AND kept.expires > ${now}`,
    find: `SELECT 1 FROM ${outcomes} WHERE key = ? AND id = ? AND expires > ${now}`,
    evict: `DELETE FROM ${outcomes} WHERE key = ? AND number < coalesce((
  SELECT number FROM ${outcomes} WHERE key = ? AND expires > ${now} ORDER BY number LIMIT 1
), ${Number.MAX_SAFE_INTEGER}) RETURNING 1`,
    keep: `INSERT INTO ${outcomes} (key, number, id, outcome, expires)
  SELECT ?, coalesce(last, 0) + 1, ?, ?, strftime(${format}, ? || ' seconds')
  FROM (SELECT (${first}) AS first, (${last}) AS last)
  WHERE coalesce(last - first + 1, 0) < CAST(? AS INTEGER)
  ON CONFLICT (key, id) DO UPDATE SET number = excluded.number, outcome = excluded.outcome, expires = excluded.expires
  RETURNING 1`,
    oldest: `SELECT round((julianday(expires) - julianday('now')) * 86400, 3) FROM ${outcomes} WHERE key = ? ORDER BY number LIMIT 1`,
    forget: `DELETE FROM ${outcomes} WHERE key = ? RETURNING 1`,
  };
}

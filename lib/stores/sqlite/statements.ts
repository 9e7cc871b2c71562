import { quoteName } from '../sql/name';

/** UTC with milliseconds, in the format of `Date.toISOString`. */
const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/**
 * Each write is one conditional statement, so that the comparison and the write are atomic. The parameter
 * `outcomes` is null where they stay as they are.
 */
export function createSqliteStatements(name: string) {
  const table = quoteName(name);
  // Column names are not quoted: SQLite would read a quoted one that does not exist as a string, and report
  // no error. The outcomes come last, because SQLite reads a row only as far as it must.
  return {
    setup: `CREATE TABLE IF NOT EXISTS ${table} (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  version TEXT NOT NULL,
  modified TEXT NOT NULL,
  outcomes TEXT
);
`,
    get: `SELECT value, version, modified FROM ${table} WHERE key = ?`,
    getWithOutcomes: `SELECT value, version, modified, outcomes FROM ${table} WHERE key = ?`,
    insert: `INSERT INTO ${table} (value, version, modified, outcomes, key) VALUES (?, ?, ${now}, ?, ?)
  ON CONFLICT (key) DO NOTHING RETURNING modified`,
    update: `UPDATE ${table} SET value = ?, version = ?, modified = ${now}, outcomes = coalesce(?, outcomes)
  WHERE key = ? AND version = ? RETURNING modified`,
    delete: `DELETE FROM ${table} WHERE key = ? RETURNING 1`,
    deleteVersion: `DELETE FROM ${table} WHERE key = ? AND version = ? RETURNING 1`,
  };
}

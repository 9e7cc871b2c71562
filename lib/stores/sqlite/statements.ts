import { quoted } from '../sql/name';

const format = `'%Y-%m-%dT%H:%M:%fZ', 'now'`;

/** UTC in milliseconds, as `Date.toISOString` writes it. */
const now = `strftime(${format})`;

/** One conditional statement a write, so that the comparison and the write cannot come apart. */
export function statements(name: string) {
  const [table, outcomes] = [quoted(name), outcomeStatements(name)];
  // Column names are not quoted: one that the table does not have would be read as a string, and never be missed.
  return {
    outcomes,
    setup: `CREATE TABLE IF NOT EXISTS ${table} (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  version TEXT NOT NULL,
  modified TEXT NOT NULL
);
${outcomes.setup};
`,
    get: `SELECT value, version, modified FROM ${table} WHERE key = ?`,
    getOutcome: `SELECT value, version, modified, outcome FROM ${table} ${outcomes.join} WHERE ${table}.key = ?`,
    insert: `INSERT INTO ${table} (key, value, version, modified) VALUES (?, ?, ?, ${now})
  ON CONFLICT (key) DO NOTHING RETURNING modified`,
    update: `UPDATE ${table} SET value = ?, version = ?, modified = ${now}
  WHERE key = ? AND version = ? RETURNING modified`,
    delete: `DELETE FROM ${table} WHERE key = ? RETURNING 1`,
    deleteVersion: `DELETE FROM ${table} WHERE key = ? AND version = ? RETURNING 1`,
  };
}

export type OutcomeStatements = ReturnType<typeof outcomeStatements>;

/**
 * The outcomes of a table's resources, in a table beside it: a row each, so that a write adds one and rewrites none.
 *
 * Those of a resource are numbered in the order of their writes, and only the oldest are forgotten: so the numbers of
 * the first and the last tell how many there are, and nothing has to be counted.
 */
function outcomeStatements(table: string) {
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

import { quoted } from '../sql/name';

const format = `'%Y-%m-%dT%H:%M:%fZ', 'now'`;

/** UTC with milliseconds, in the format of `Date.toISOString`. */
const now = `strftime(${format})`;

/** Each write is one conditional statement, so that the comparison and the write are atomic. */
export function createSqliteStatements(name: string) {
  const [table, outcomes] = [quoted(name), outcomeStatements(name)];
  // Column names are not quoted: SQLite would read a quoted one that does not exist as a string, and report
  // no error.
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
    getOutcome: `SELECT value, version, modified, outcome FROM ${table} ${outcomes.join}
  WHERE ${table}.key = ?`,
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
 * The outcomes of a table's resources, in a second table with one row each, so that a write adds one and
 * rewrites none.
 *
 * Outcomes are numbered in the order of their writes, once per resource and once per scope, and only the
 * oldest are deleted. So the first and last number give the count. A write deletes a few expired ones, and
 * more only to make room: deleting ten thousand at once would block for too long.
 */
function outcomeStatements(table: string) {
  const [resources, outcomes] = [quoted(table), quoted(`${table}_outcomes`)];
  const request =
    'request (key, scope, keep, total) AS (VALUES (?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER)))';
  const ofAll = `FROM ${outcomes} WHERE key = request.key`;
  const ofScope = `${ofAll} AND scope = request.scope`;
  const spans = `spans AS (SELECT *,
    (SELECT number ${ofAll} ORDER BY number LIMIT 1) AS first,
    (SELECT number ${ofAll} ORDER BY number DESC LIMIT 1) AS last,
    (SELECT scope_number ${ofScope} ORDER BY scope_number LIMIT 1) AS scope_first,
    (SELECT scope_number ${ofScope} ORDER BY scope_number DESC LIMIT 1) AS scope_last
  FROM request)`;
  // The outcomes before the first that has not expired. It is searched for below a bound, which makes room if
  // the list is full.
  const overAge = (number: string, rows: string, bound: string) => `SELECT coalesce(
    (SELECT ${number} ${rows} AND ${number} < bound AND expires > ${now} ORDER BY ${number} LIMIT 1), bound
  ) FROM (SELECT *, ${bound} AS bound FROM spans) AS request`;
  const secondsLeft = `round((julianday(expires) - julianday('now')) * 86400, 3)`;
  return {
    setup: `CREATE TABLE IF NOT EXISTS ${outcomes} (
  key TEXT NOT NULL REFERENCES ${resources} (key) ON DELETE CASCADE ON UPDATE CASCADE,
  number INTEGER NOT NULL,
  scope TEXT NOT NULL,
  scope_number INTEGER NOT NULL,
  id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  expires TEXT NOT NULL,
  PRIMARY KEY (key, number),
  UNIQUE (key, scope, scope_number),
  UNIQUE (key, id)
) WITHOUT ROWID`,
    /** For a SELECT of resources with the id as its parameter: `outcome` is then the text, or null. */
    join: `LEFT JOIN ${outcomes} AS kept
    ON kept.key = ${resources}.key AND kept.id = ? AND kept.expires > ${now}`,
    find: `SELECT 1 FROM ${outcomes} WHERE key = ? AND id = ? AND expires > ${now}`,
    evict: `WITH ${request}, ${spans}
DELETE FROM ${outcomes} WHERE key = ? AND number < (
  ${overAge('number', ofAll, 'max(first + 10, last - total + 2)')}
) RETURNING 1`,
    evictOfScope: `WITH ${request}, ${spans}
DELETE FROM ${outcomes} WHERE key = ? AND scope = ? AND scope_number < (
  ${overAge('scope_number', ofScope, 'max(scope_first + 10, scope_last - keep + 2)')}
) RETURNING 1`,
    keep: `WITH ${request}, ${spans}
INSERT INTO ${outcomes} (key, number, scope, scope_number, id, outcome, expires)
  SELECT key, coalesce(last, 0) + 1, scope, coalesce(scope_last, 0) + 1, ?, ?,
    strftime(${format}, ? || ' seconds')
  FROM spans
  WHERE coalesce(last - first + 1, 0) < total AND coalesce(scope_last - scope_first + 1, 0) < keep
  ON CONFLICT (key, id) DO UPDATE SET number = excluded.number, scope = excluded.scope,
    scope_number = excluded.scope_number, outcome = excluded.outcome, expires = excluded.expires
  RETURNING 1`,
    /** Seconds until there is room, if there is none. */
    wait: `WITH ${request}, ${spans}
SELECT max(
  coalesce((SELECT ${secondsLeft} FROM ${outcomes} AS kept
    WHERE last - first + 1 >= total AND kept.key = spans.key AND number = first), 0),
  coalesce((SELECT ${secondsLeft} FROM ${outcomes} AS kept
    WHERE scope_last - scope_first + 1 >= keep AND kept.key = spans.key AND kept.scope = spans.scope
      AND scope_number = scope_first), 0)
) FROM spans`,
    probe: `SELECT key, number, scope, scope_number, id, outcome, expires FROM ${outcomes} LIMIT 0`,
    forget: `DELETE FROM ${outcomes} WHERE key = ? RETURNING 1`,
  };
}

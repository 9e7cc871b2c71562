import { createHash } from 'node:crypto';
import { outcomesSuffix, quoted } from '../sql/name';

/** The table in which `PostgresStore` keeps its resources. */
export interface PostgresTable {
  /** The name of the table; any name works, because it is quoted. */
  readonly table: string;
  /**
   * The schema of the table; any name works, because it is quoted. Default: the first schema in the
   * connection's `search_path` that has the table.
   */
  readonly schema?: string;
}

/** The quoted name of the table, for use in statements. */
function quotedTable({
  schema,
  table,
}: Pick<PostgresTable, 'table'> & { schema: string | undefined }): string {
  return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}

/** The text of a statement, and the name under which a connection prepares it. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** The name is a hash of the text: pg refuses a name that is used again with another text. */
export function statement(text: string): PreparedStatement {
  const hash = createHash('sha256').update(text).digest('base64url');
  return { name: `patch-options-${hash.slice(0, 22)}`, text };
}

/** Keys as the text of an array, which every driver passes on: what they make of an array itself differs. */
export function arrayText(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * Each write is one conditional statement. `now()` is the start of its transaction, which is later than that
 * of the expected version, because the writer had read that before. Citus refuses a volatile
 * `clock_timestamp()`.
 */
export function createPostgresStatements(resourcesTable: PostgresTable) {
  const { schema, table } = resourcesTable;
  const name = quotedTable({ schema, table });
  const modified = `floor(extract(epoch FROM "modified") * 1000)::text`;
  const createTable = `CREATE TABLE IF NOT EXISTS ${name} (
  "key" text NOT NULL PRIMARY KEY,
  "value" text NOT NULL,
  "version" text NOT NULL,
  "modified" timestamptz(3) NOT NULL
)`;
  const select = `SELECT "key", "value", "version", ${modified} AS "modified" FROM ${name}`;
  const outcomes = outcomeStatements(resourcesTable, { resources: name, modified });
  return {
    outcomes,
    // A database that is not in UTF-8 refuses the emoji (22P05); SQL_ASCII accepts every byte.
    probes: [`SELECT "key", "value", "version", "modified" FROM ${name} LIMIT 0 -- 😀`, outcomes.probe],
    schemas: schema === undefined ? [] : [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`],
    tables: [createTable, outcomes.setup],
    get: statement(`${select} WHERE "key" = $1`),
    getAny: statement(`${select} WHERE "key" = ANY ($1::text[])`),
    insert: statement(`INSERT INTO ${name} ("key", "value", "version", "modified") VALUES ($1, $2, $3, now())
  ON CONFLICT ("key") DO NOTHING RETURNING ${modified} AS "modified"`),
    update: statement(`UPDATE ${name} SET "value" = $2, "version" = $3, "modified" = now()
  WHERE "key" = $1 AND "version" = $4 RETURNING ${modified} AS "modified"`),
    delete: statement(`DELETE FROM ${name} WHERE "key" = $1 RETURNING 1 AS "deleted"`),
    deleteVersion: statement(
      `DELETE FROM ${name} WHERE "key" = $1 AND "version" = $2 RETURNING 1 AS "deleted"`,
    ),
  };
}

/**
 * The parameters of the two writes are key, value, version, id, text, maxAge, scope; `update` adds the
 * expected version, keep and total.
 *
 * Outcomes are numbered in the order of their writes, once per resource and once per scope, and only the
 * oldest of the resource are deleted. So the first and last number give the count.
 */
function outcomeStatements(
  resourcesTable: PostgresTable,
  { resources, modified }: { resources: string; modified: string },
) {
  const { schema, table } = resourcesTable;
  const outcomes = quotedTable({ schema, table: table + outcomesSuffix });
  const expires = (seconds: string) => `now() + ${seconds}::int * interval '1 second'`;
  const known = `SELECT FROM ${outcomes} WHERE "key" = $1 AND "id" = $4 AND "expires" > now()`;
  const createCount = (name: string, condition: string) =>
    `SELECT "${name}" FROM ${outcomes} WHERE "key" = $1${condition} ORDER BY "${name}"`;
  const isFull = `"last" - "first" + 1 >= $10::bigint`;
  const isScopeFull = `"scope_last" - "scope_first" + 1 >= $9::bigint`;
  const columns = `"key", "number", "scope", "scope_number", "id", "outcome", "expires"`;
  return {
    probe: `SELECT ${columns} FROM ${outcomes} LIMIT 0`,
    setup: `CREATE TABLE IF NOT EXISTS ${outcomes} (
  "key" text NOT NULL REFERENCES ${resources} ("key") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" bigint NOT NULL,
  "scope" text NOT NULL,
  "scope_number" bigint NOT NULL,
  "id" text NOT NULL,
  "outcome" text NOT NULL,
  "expires" timestamptz NOT NULL,
  PRIMARY KEY ("key", "number"),
  UNIQUE ("key", "scope", "scope_number"),
  UNIQUE ("key", "id")
)`,
    get: statement(`SELECT "resource"."key", "value", "version", ${modified} AS "modified", "outcome"
  FROM ${resources} AS "resource"
  LEFT JOIN ${outcomes} AS "kept"
    ON "kept"."key" = "resource"."key" AND "kept"."id" = $2 AND "kept"."expires" > now()
  WHERE "resource"."key" = $1`),

    insert: statement(`WITH "written" AS (
  INSERT INTO ${resources} ("key", "value", "version", "modified") VALUES ($1, $2, $3, now())
  ON CONFLICT ("key") DO NOTHING RETURNING "modified"
), "kept" AS (
  INSERT INTO ${outcomes} (${columns})
  SELECT $1, 1, $7, 1, $4, $5, ${expires('$6')} FROM "written"
)
SELECT ${modified} AS "modified" FROM "written"`),

    // `first` is the oldest outcome that has not expired; those before it are deleted.
    update: statement(`WITH "span" AS (
  SELECT
    (${createCount('number', ' AND "expires" > now()')} LIMIT 1) AS "first",
    (${createCount('number', '')} DESC LIMIT 1) AS "last",
    (${createCount('scope_number', ' AND "scope" = $7 AND "expires" > now()')} LIMIT 1) AS "scope_first",
    (${createCount('scope_number', ' AND "scope" = $7')} DESC LIMIT 1) AS "scope_last"
), "room" AS (
  SELECT * FROM "span"
  WHERE (${isFull}) IS NOT TRUE AND (${isScopeFull}) IS NOT TRUE AND NOT EXISTS (${known})
), "written" AS (
  UPDATE ${resources} SET "value" = $2, "version" = $3, "modified" = now() FROM "room"
  WHERE "key" = $1 AND "version" = $8 RETURNING "modified"
), "forgotten" AS (
  DELETE FROM ${outcomes} USING "room", "written"
  WHERE "key" = $1 AND "number" < coalesce("first", "last" + 1) AND "id" <> $4
), "kept" AS (
  INSERT INTO ${outcomes} (${columns})
  SELECT $1, coalesce("last", 0) + 1, $7, coalesce("scope_last", 0) + 1, $4, $5, ${expires('$6')}
  FROM "room", "written"
  ON CONFLICT ("key", "id") DO UPDATE
  SET "number" = excluded."number", "scope" = excluded."scope", "scope_number" = excluded."scope_number",
    "outcome" = excluded."outcome", "expires" = excluded."expires"
)
SELECT ${modified} AS "modified", NULL AS "seconds" FROM "written"
UNION ALL
SELECT NULL, extract(epoch FROM greatest(
    (SELECT "expires" FROM ${outcomes} WHERE ${isFull} AND "key" = $1 AND "number" = "first"),
    (SELECT "expires" FROM ${outcomes}
      WHERE ${isScopeFull} AND "key" = $1 AND "scope" = $7 AND "scope_number" = "scope_first")
  ) - now())::text
  FROM "span" WHERE (${isFull} OR ${isScopeFull}) AND NOT EXISTS (${known})
    AND EXISTS (SELECT FROM ${resources} WHERE "key" = $1 AND "version" = $8)`),
  };
}

import { createHash } from 'node:crypto';
import { quoted } from '../sql/name';

/** The table of the resources. */
export interface PostgresTable {
  /** The table, in any spelling: it is quoted. */
  readonly table: string;
  /** The schema, quoted too. Default: where the connection's `search_path` finds the table. */
  readonly schema?: string;
}

/** The table's name as statements have it. */
function quotedTable({ schema, table }: PostgresTable): string {
  return schema === undefined ? quoted(table) : `${quoted(schema)}.${quoted(table)}`;
}

/** What the name of the table of outcomes adds to that of the resources. */
export const outcomesSuffix = '_outcomes';

/** What is sent, and the name under which a connection prepares it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The name is the same for the same text and for no other: pg refuses a name that comes again with another text. */
export function statement(text: string): Statement {
  const hash = createHash('sha256').update(text).digest('base64url');
  return { name: `patch-options-${hash.slice(0, 22)}`, text };
}

/**
 * One conditional statement a write. `now()` is the start of the statement's transaction, and as the writer had read the
 * version that it expects before, later than that version's; a volatile `clock_timestamp()` Citus refuses.
 */
export function statements(given: PostgresTable) {
  const { schema } = given;
  const name = quotedTable(given);
  const modified = `floor(extract(epoch FROM "modified") * 1000)::text`;
  const createTable = `CREATE TABLE IF NOT EXISTS ${name} (
  "key" text NOT NULL PRIMARY KEY,
  "value" text NOT NULL,
  "version" text NOT NULL,
  "modified" timestamptz(3) NOT NULL
)`;
  const select = `SELECT "key", "value", "version", ${modified} AS "modified" FROM ${name}`;
  const outcomes = outcomeStatements(given, { resources: name, modified });
  return {
    outcomes,
    // A database that is not in UTF-8 cannot read the emoji, and refuses (22P05); SQL_ASCII takes every byte.
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

/** The two that write have the parameters key, value, version, id, text, maxAge; `update` then the version expected and keep. */
function outcomeStatements(
  resourcesTable: PostgresTable,
  { resources, modified }: { resources: string; modified: string },
) {
  const outcomes = quotedTable({ ...resourcesTable, table: resourcesTable.table + outcomesSuffix });
  const expires = (seconds: string) => `now() + ${seconds}::int * interval '1 second'`;
  const known = `SELECT FROM ${outcomes} WHERE "key" = $1 AND "id" = $4 AND "expires" > now()`;
  return {
    probe: `SELECT "key", "number", "id", "outcome", "expires" FROM ${outcomes} LIMIT 0`,
    setup: `CREATE TABLE IF NOT EXISTS ${outcomes} (
  "key" text NOT NULL REFERENCES ${resources} ("key") ON DELETE CASCADE ON UPDATE CASCADE,
  "number" bigint NOT NULL,
  "id" text NOT NULL,
  "outcome" text NOT NULL,
  "expires" timestamptz NOT NULL,
  PRIMARY KEY ("key", "number"),
  UNIQUE ("key", "id")
)`,
    get: statement(`SELECT "resource"."key", "value", "version", ${modified} AS "modified", "outcome" FROM ${resources} AS "resource"
  LEFT JOIN ${outcomes} AS "kept"
    ON "kept"."key" = "resource"."key" AND "kept"."id" = $2 AND "kept"."expires" > now()
  WHERE "resource"."key" = $1`),

    insert: statement(`WITH "written" AS (
  INSERT INTO ${resources} ("key", "value", "version", "modified") VALUES ($1, $2, $3, now())
  ON CONFLICT ("key") DO NOTHING RETURNING "modified"
), "kept" AS (
  INSERT INTO ${outcomes} ("key", "number", "id", "outcome", "expires")
  SELECT $1, 1, $4, $5, ${expires('$6')} FROM "written"
)
SELECT ${modified} AS "modified" FROM "written"`),

    // `first` is the oldest that is not over its age, and what stands before it is forgotten.
    update: statement(`WITH "span" AS (
  SELECT
    (SELECT "number" FROM ${outcomes} WHERE "key" = $1 AND "expires" > now() ORDER BY "number" LIMIT 1) AS "first",
    (SELECT "number" FROM ${outcomes} WHERE "key" = $1 ORDER BY "number" DESC LIMIT 1) AS "last"
), "room" AS (
  SELECT "first", "last" FROM "span" WHERE coalesce("last" - "first" + 1, 0) < $8::bigint AND NOT EXISTS (${known})
), "written" AS (
  UPDATE ${resources} SET "value" = $2, "version" = $3, "modified" = now() FROM "room"
  WHERE "key" = $1 AND "version" = $7 RETURNING "modified"
), "forgotten" AS (
  DELETE FROM ${outcomes} USING "room", "written"
  WHERE "key" = $1 AND "number" < coalesce("first", "last" + 1) AND "id" <> $4
), "kept" AS (
  INSERT INTO ${outcomes} ("key", "number", "id", "outcome", "expires")
  SELECT $1, coalesce("last", 0) + 1, $4, $5, ${expires('$6')} FROM "room", "written"
  ON CONFLICT ("key", "id") DO UPDATE
  SET "number" = excluded."number", "outcome" = excluded."outcome", "expires" = excluded."expires"
)
SELECT ${modified} AS "modified", NULL AS "seconds" FROM "written"
UNION ALL
SELECT NULL, extract(epoch FROM "expires" - now())::text FROM "span"
  JOIN ${outcomes} ON "key" = $1 AND "number" = "first"
  WHERE "last" - "first" + 1 >= $8::bigint AND NOT EXISTS (${known})
    AND EXISTS (SELECT FROM ${resources} WHERE "key" = $1 AND "version" = $7)`),
  };
}

import { statement } from './postgres-pool';
import { type PostgresTable, quotedTable } from './postgres-table';

/** What the name of the table of outcomes adds to that of the resources. */
export const outcomesSuffix = '_outcomes';

/** The two that write have the parameters key, value, version, id, text, maxAge; `update` then the version expected and keep. */
export function outcomeStatements(
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

import { createHash } from 'node:crypto';
import { quoteName } from '../sql/name';

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

/** The text of a statement, and the name under which a connection prepares it. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** The name is a hash of the text: pg refuses a name that is used again with another text. */
function createStatement(text: string): PreparedStatement {
  const hash = createHash('sha256').update(text).digest('base64url');
  return { name: `patch-options-${hash.slice(0, 22)}`, text };
}

/** The keys as the text of a PostgreSQL array, because drivers differ in how they send a JavaScript array. */
export function toArrayText(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * Each write is one conditional statement. `now()` is the start of its transaction, which is later than that
 * of the expected version, because the writer had read that before. Citus refuses a volatile
 * `clock_timestamp()`. The parameter of `outcomes` is null where they stay as they are.
 */
export function createPostgresStatements({ schema, table }: PostgresTable) {
  const name = schema === undefined ? quoteName(table) : `${quoteName(schema)}.${quoteName(table)}`;
  const modified = `floor(extract(epoch FROM "modified") * 1000)::text AS "modified"`;
  const state = `"key", "value", "version", ${modified}`;
  return {
    // A database that is not in UTF-8 refuses the emoji (22P05); SQL_ASCII accepts every byte.
    probe: `SELECT "key", "value", "version", "modified", "outcomes" FROM ${name} LIMIT 0 -- 😀`,
    schema: schema === undefined ? undefined : `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)}`,
    table: `CREATE TABLE IF NOT EXISTS ${name} (
  "key" text NOT NULL PRIMARY KEY,
  "value" text NOT NULL,
  "version" text NOT NULL,
  "modified" timestamptz(3) NOT NULL,
  "outcomes" text
)`,
    get: createStatement(`SELECT ${state} FROM ${name} WHERE "key" = $1`),
    getAny: createStatement(`SELECT ${state} FROM ${name} WHERE "key" = ANY ($1::text[])`),
    getWithOutcomes: createStatement(`SELECT ${state}, "outcomes" FROM ${name} WHERE "key" = $1`),
    insert: createStatement(`INSERT INTO ${name} ("key", "value", "version", "modified", "outcomes")
  VALUES ($1, $2, $3, now(), $4) ON CONFLICT ("key") DO NOTHING RETURNING ${modified}`),
    update: createStatement(`UPDATE ${name}
  SET "value" = $2, "version" = $3, "modified" = now(), "outcomes" = coalesce($4, "outcomes")
  WHERE "key" = $1 AND "version" = $5 RETURNING ${modified}`),
    delete: createStatement(`DELETE FROM ${name} WHERE "key" = $1 RETURNING 1 AS "deleted"`),
    deleteVersion: createStatement(
      `DELETE FROM ${name} WHERE "key" = $1 AND "version" = $2 RETURNING 1 AS "deleted"`,
    ),
  };
}

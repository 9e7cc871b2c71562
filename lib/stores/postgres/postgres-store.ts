import { createHash } from 'node:crypto';
import { expected, flag, required } from '../../config/expectation';
import { isObject } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { isStorableKey } from '../contract/key';
import { OutcomesByState, type OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  throwIfAborted,
  type VersionedState,
  type WriteContext,
} from '../contract/resource-store';
import { retry } from '../contract/retry';
import { createTextState, newVersion, toJsonText } from '../contract/serialize';
import { wasUndone } from '../engine-error';
import { createBatch, type Pending } from '../sql/batch';
import { type ColumnTexts, createRethrow, nameWithin, quoteName, readColumnTexts } from '../sql/table';

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

/** Options of `PostgresStore`. */
export interface PostgresStoreOptions extends PostgresTable {
  /**
   * Whether each connection prepares the statements, by name. Set it to false behind a pooler that swaps
   * connections between transactions (PgBouncer before 1.21, or without `max_prepared_statements`). Default
   * true.
   */
  readonly prepare?: boolean;
}

/** A `Pool` of pg, or anything else with its method `query`, which runs a statement on any connection. */
export interface PostgresPool {
  query(statement: { name?: string; text: string; values?: (string | null)[] }): Promise<{ rows: unknown[] }>;
}

// The SQL is simple, so that other engines with PostgreSQL's protocol work too. It needs a primary key,
// `= ANY (array)`, `INSERT … ON CONFLICT DO NOTHING RETURNING`, `UPDATE` and `DELETE … WHERE … RETURNING`;
// each write changes one row, found by its key, in its own transaction. There is no extension, advisory lock,
// trigger, sequence or volatile function. Not jsonb: it would lose the order of members, and refuses `\u0000`
// and lone surrogates.
/**
 * Stores resources in a PostgreSQL table. Its columns are `key`, `value` (JSON, as text), `version`,
 * `modified` and `outcomes`. Your app can query it; an UPDATE of its own must set a new `version`. A read and
 * a write take one round trip each; the reads of one turn of the event loop share one.
 */
export class PostgresStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #pool: PostgresPool;
  readonly #sql: ReturnType<typeof createPostgresStatements>;
  readonly #outcomes = new OutcomesByState('the column outcomes');
  readonly #prepare: boolean;
  readonly #rethrow: (error: unknown) => Promise<never>;
  readonly #read = createGroupReader((keys) =>
    keys.length === 1
      ? this.#rows(this.#sql.get, [...keys])
      : this.#rows(this.#sql.getAny, [toArrayText(keys)]),
  );

  /**
   * @param pool - a `Pool` of pg. Your app ends it, and listens to its `error` event
   * @throws ConfigurationError
   */
  constructor(pool: PostgresPool, options: PostgresStoreOptions) {
    const check = new OptionsCheck('new PostgresStore()');
    check.value(
      'pool',
      pool,
      expected(isPostgresPool, {
        code: 'store-client-unknown',
        reason: 'must have a method query',
        fix: 'Pass new Pool(…) of pg.',
      }),
    );
    const settings = check.options(options, expectations);
    check.done();
    this.#pool = pool;
    this.#sql = createPostgresStatements(settings);
    this.#prepare = settings.prepare ?? true;
    this.#rethrow = createRethrow('PostgresStore', settings, isUndefinedTable, () =>
      pool.query({ text: this.#sql.probe }),
    );
  }

  /**
   * Creates the schema and the table if they are missing. Several processes can call it at once. If nothing
   * is missing, it needs only the right to read. Throws PostgreSQL's own error if the table has other columns.
   */
  async setup(): Promise<void> {
    const { probe, table, schema } = this.#sql;
    const send = (text: string) => this.#pool.query({ text });
    // PostgreSQL requires the right to create a schema even if the schema exists, so that is tried last.
    const createTable =
      schema === undefined
        ? () => send(table)
        : () =>
            orCreate(
              () => send(table),
              () => send(schema),
            );
    await retry(() => orCreate(() => send(probe), createTable), isCatalogRace);
  }

  /**
   * Returns the SQL that `setup` runs, for a migration.
   *
   * @throws ConfigurationError
   */
  static setupSql(options: PostgresTable): string {
    const check = new OptionsCheck('PostgresStore.setupSql()');
    const settings = check.options(options, expectations);
    check.done();
    const sql = createPostgresStatements(settings);
    return [sql.schema, sql.table]
      .filter((text) => text !== undefined)
      .map((statement) => `${statement};\n`)
      .join('');
  }

  async get(key: string, context: ReadContext = noContext): Promise<VersionedState<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    throwIfAborted(context);
    const row =
      outcome === undefined
        ? await this.#read({ key })
        : await this.#row(this.#sql.getWithOutcomes, [key], context);
    if (row === undefined) return undefined;
    const [, value = '', version = '', modified, outcomes] = row;
    const state = createTextState<T>(value, version, new Date(Number(modified)));
    return outcome === undefined ? state : this.#outcomes.addOutcome(state, outcomes, outcome.id);
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<VersionedState<T> | undefined> {
    if (!isStorableKey(key, expected)) return undefined;
    const { maxBytes, outcome } = context;
    const value = toJsonText(next, maxBytes);
    const version = newVersion();
    let outcomes: string | null = null;
    if (outcome !== undefined) {
      const next = await this.#outcomes.nextText(this, { key, expected, version }, outcome, context);
      if (next === undefined) return undefined;
      outcomes = next;
    }
    const row =
      expected === null
        ? await this.#row(this.#sql.insert, [key, value, version, outcomes], context)
        : await this.#row(this.#sql.update, [key, value, version, outcomes, expected], context);
    return row && createTextState(value, version, new Date(Number(row[0])));
  }

  /**
   * Deletes a resource and its outcomes.
   *
   * @param expected - the version to delete; any, if left out
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string, context?: StoreContext): Promise<boolean> {
    if (!isStorableKey(key, expected)) return false;
    const row =
      expected === undefined
        ? await this.#row(this.#sql.delete, [key], context)
        : await this.#row(this.#sql.deleteVersion, [key, expected], context);
    return row !== undefined;
  }

  async #row(
    statement: PreparedStatement,
    values: (string | null)[],
    context?: StoreContext,
  ): Promise<ColumnTexts | undefined> {
    const [row] = await this.#rows(statement, values, context);
    return row;
  }

  async #rows(
    statement: PreparedStatement,
    values: (string | null)[],
    context: StoreContext = noContext,
  ): Promise<ColumnTexts[]> {
    const query = this.#prepare ? { ...statement, values } : { text: statement.text, values };
    const send = () => {
      throwIfAborted(context);
      return this.#pool.query(query);
    };
    const { rows } = await retry(send, wasUndone).catch(this.#rethrow);
    return rows.map(readColumnTexts);
  }
}

/** PostgreSQL truncates names to 63 bytes. */
const expectations: Expectations<keyof PostgresStoreOptions> = {
  table: required(nameWithin(63)),
  schema: nameWithin(63, /^pg_/),
  prepare: flag,
};

function isPostgresPool(value: unknown): value is PostgresPool {
  return isObject(value) && typeof Reflect.get(value, 'query') === 'function';
}

/**
 * Each write is one conditional statement. `now()` is the start of its transaction. It is later than the time
 * of the expected version, which the writer had read before. Citus refuses a volatile `clock_timestamp()`.
 * The parameter of `outcomes` is null if they do not change.
 */
function createPostgresStatements({ schema, table }: PostgresTable) {
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

/** The text of a statement, and the name under which a connection prepares it. */
interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** The name is a hash of the text: pg refuses a name that is used again with another text. */
function createStatement(text: string): PreparedStatement {
  const hash = createHash('sha256').update(text).digest('base64url');
  return { name: `patch-options-${hash.slice(0, 22)}`, text };
}

/**
 * Runs a statement. If a table or schema that it names is missing, creates it and runs the statement again.
 */
async function orCreate(run: () => Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
    await create();
    await run();
  }
}

/** Matches SQLSTATE codes (PostgreSQL appendix A). */
const hasCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(String((Object(error) as { code?: unknown }).code));

/** undefined_table, invalid_schema_name */
const isUndefinedTable = hasCode('42P01', '3F000');

/**
 * The errors of `IF NOT EXISTS` when several processes run it at once: unique_violation in the catalogue,
 * duplicate_table, duplicate_schema, duplicate_object, "tuple concurrently updated".
 */
const isCatalogRace = hasCode('23505', '42P07', '42P06', '42710', 'XX000', '40001');

/**
 * Batches the reads of one turn of the event loop into one statement, because the overhead of a statement in
 * the driver and the engine exceeds the cost of a few rows.
 *
 * @param readRows - returns the rows of these keys in any order, with the key as their first column
 */
function createGroupReader(
  readRows: (keys: readonly string[]) => Promise<readonly ColumnTexts[]>,
): (read: { readonly key: string }) => Promise<ColumnTexts | undefined> {
  const read = async (batch: readonly PendingRead[]): Promise<void> => {
    try {
      const rows = await readRows(batch.map(({ key }) => key));
      const byKey = new Map(rows.map((row) => [row[0], row]));
      for (const { key, resolve } of batch) resolve(byKey.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return createBatch((batch) => {
    for (let i = 0; i < batch.length; i += maxKeys) void read(batch.slice(i, i + maxKeys));
  });
}

/** More keys take a second statement, so that no answer is larger than the answers to 32 reads. */
const maxKeys = 32;

type PendingRead = Pending<{ readonly key: string }, ColumnTexts | undefined>;

/** The keys as the text of a PostgreSQL array, because drivers differ in how they send a JavaScript array. */
function toArrayText(keys: readonly string[]): string {
  return `{${keys.map((key) => `"${key.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

import { expected, flag, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { createTextState, toJsonText } from '../contract/serialize';
import { isStorableKey } from '../contract/key';
import { isUndefinedTable, isPostgresPool, isCatalogRace, type PostgresPool } from './pool';
import type { OutcomeStore } from '../contract/outcome-store';
import { OutcomesByState } from '../contract/outcomes-by-state';
import { createGroupReader } from './group-reads';
import {
  toArrayText,
  createPostgresStatements,
  type PostgresTable,
  type PreparedStatement,
} from './statements';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type VersionedState,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { createRethrow } from '../sql/missing-table';
import { nameWithin } from '../sql/name';
import { type ColumnTexts, readColumnTexts } from '../sql/columns';
import { retry } from '../contract/retry';
import { newVersion } from '../contract/version';
import { isLostRace } from '../engine-error';

/** Options of `PostgresStore`. */
export interface PostgresStoreOptions extends PostgresTable {
  /**
   * Whether each connection prepares the statements, by name. Set it to false behind a pooler that swaps
   * connections between transactions (PgBouncer before 1.21, or without `max_prepared_statements`). Default
   * true.
   */
  readonly prepare?: boolean;
}

// The SQL is simple, so that other engines with PostgreSQL's protocol work too. It needs a primary key,
// `= ANY (array)`, `INSERT … ON CONFLICT DO NOTHING RETURNING`, `UPDATE` and `DELETE … WHERE … RETURNING`;
// each write changes one row, found by its key, in its own transaction. There is no extension, advisory lock,
// trigger, sequence or volatile function. Not jsonb: it would lose the order of members, and refuses `\u0000`
// and lone surrogates.
/**
 * Stores resources in a PostgreSQL table. Its columns are `key`, `value` (JSON, as text), `version`,
 * `modified` and `outcomes`. Your app can query it; an UPDATE of its own must set a new `version`. Reading and
 * writing take one round trip each; the reads of one turn of the event loop share theirs.
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
    // PostgreSQL requires the right to create a schema even if it exists already, so that is tried last.
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
    const { rows } = await retry(send, isLostRace).catch(this.#rethrow);
    return rows.map(readColumnTexts);
  }
}

/** Runs a statement, and if something that it names is missing, creates that and runs it again. */
async function orCreate(run: () => Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
    await create();
    await run();
  }
}

/** PostgreSQL truncates names to 63 bytes. */
const expectations: Expectations<keyof PostgresStoreOptions> = {
  table: required(nameWithin(63)),
  schema: nameWithin(63, /^pg_/),
  prepare: flag,
};

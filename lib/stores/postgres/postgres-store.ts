import { expected, flag, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { storedText, toJsonText } from '../contract/serialize';
import { isStorableKey } from '../contract/key';
import { isUndefinedTable, isPostgresPool, isCatalogRace, type PostgresPool } from './pool';
import { outcomesFull, type OutcomeStore } from '../contract/outcome-store';
import { readTogether } from '../sql/group-reads';
import {
  arrayText,
  createPostgresStatements,
  type PostgresTable,
  type PreparedStatement,
} from './statements';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { createRethrow } from '../sql/missing-table';
import { nameWithin, outcomesSuffix } from '../sql/name';
import { runSteps } from '../sql/setup';
import { type ColumnTexts, textColumns } from '../sql/columns';
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

// The SQL is simple, so that other engines with PostgreSQL's protocol work too. It always needs a primary
// key, a UNIQUE, a foreign key with ON DELETE and ON UPDATE CASCADE (the latter not on Citus's distribution
// column), `= ANY (array)`, `INSERT … ON CONFLICT DO NOTHING RETURNING`, `UPDATE` and
// `DELETE … WHERE … RETURNING`; each write changes one row, found by its key, in its own transaction.
// Outcomes need several writes in one WITH, two of them to one table (CockroachDB refuses that with 0A000),
// `UPDATE … FROM`, `DELETE … USING` and `INSERT … ON CONFLICT DO UPDATE`. There is no extension, advisory
// lock, trigger, sequence or volatile function. Not jsonb: it would lose the order of members, and refuses
// `\u0000` and lone surrogates.
/**
 * Stores resources in a PostgreSQL table. Its columns are `key`, `value` (JSON, as text), `version` and
 * `modified`. Your app can query it; an UPDATE of its own must set a new `version`. Outcomes are in
 * `<table>_outcomes` and are deleted with their resource. Reading and writing take one round trip each; the
 * reads of one turn of the event loop share theirs.
 */
export class PostgresStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #pool: PostgresPool;
  readonly #sql: ReturnType<typeof createPostgresStatements>;
  readonly #prepare: boolean;
  readonly #rethrow: (error: unknown) => Promise<never>;
  readonly #read = readTogether((keys) =>
    keys.length === 1
      ? this.#rows(this.#sql.get, [...keys])
      : this.#rows(this.#sql.getAny, [arrayText(keys)]),
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
    this.#rethrow = createRethrow('PostgresStore', settings, isUndefinedTable, async () => {
      for (const text of this.#sql.probes) await pool.query({ text });
    });
  }

  /**
   * Creates the missing schema and tables. Several processes can call it at once. If none is missing, it
   * needs only the right to read.
   */
  async setup(): Promise<void> {
    const { probes, tables, schemas } = this.#sql;
    const engine = { send: (text: string) => this.#pool.query({ text }), isMissing: isUndefinedTable };
    // PostgreSQL requires the right to create a schema even if it exists already, so that step runs last.
    await retry(() => runSteps(engine, probes, tables, schemas), isCatalogRace);
  }

  /**
   * Returns the SQL that `setup` runs, for a migration.
   *
   * @throws ConfigurationError
   */
  static setupSql(table: PostgresTable): string {
    const check = new OptionsCheck('PostgresStore.setupSql()');
    const settings = check.options(table, expectations);
    check.done();
    const { schemas, tables } = createPostgresStatements(settings);
    return [...schemas, ...tables].map((statement) => `${statement};\n`).join('');
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    throwIfAborted(context);
    const row =
      outcome === undefined
        ? await this.#read({ key })
        : await this.#row(this.#sql.outcomes.get, [key, outcome.id], context);
    if (row === undefined) return undefined;
    const [, value = '', version = '', modified, kept] = row;
    return storedText(value, version, new Date(Number(modified)), kept);
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    if (!isStorableKey(key, expected)) return undefined;
    const { maxBytes, outcome } = context;
    const value = toJsonText(next, maxBytes);
    const version = newVersion();
    const values = [key, value, version];
    if (outcome !== undefined) {
      values.push(outcome.id, outcome.text(version), String(outcome.maxAge), outcome.scope);
    }
    if (expected !== null) values.push(expected);
    if (expected !== null && outcome !== undefined) {
      values.push(String(outcome.keep), String(outcome.total));
    }
    const { insert, update } = outcome === undefined ? this.#sql : this.#sql.outcomes;
    const row = await this.#row(expected === null ? insert : update, values, context);
    if (row === undefined) return undefined;
    const [modified, seconds] = row;
    if (modified === undefined) throw outcomesFull(Number(seconds));
    return storedText(value, version, new Date(Number(modified)));
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
    values: string[],
    context?: StoreContext,
  ): Promise<ColumnTexts | undefined> {
    const [row] = await this.#rows(statement, values, context);
    return row;
  }

  async #rows(
    statement: PreparedStatement,
    values: string[],
    context: StoreContext = noContext,
  ): Promise<ColumnTexts[]> {
    const query = this.#prepare ? { ...statement, values } : { text: statement.text, values };
    const send = () => {
      throwIfAborted(context);
      return this.#pool.query(query);
    };
    const { rows } = await retry(send, isLostRace).catch(this.#rethrow);
    return rows.map(textColumns);
  }
}

/** PostgreSQL truncates names to 63 bytes, and the name of the table of outcomes is longer. */
const expectations: Expectations<keyof PostgresStoreOptions> = {
  table: required(nameWithin(63 - outcomesSuffix.length)),
  schema: nameWithin(63, /^pg_/),
  prepare: flag,
};

import { OptionsCheck } from '../../configuration';
import { storedText, toJsonText } from '../contract/serialize';
import { isHeld } from '../contract/key';
import { isMissing, isPostgresPool, isSerializationFailure, isSetupRace, type PostgresPool } from './pool';
import { outcomesFull, type OutcomeStore } from '../contract/outcome-store';
import { readTogether } from '../sql/group-reads';
import { arrayText, outcomesSuffix, statements, type PostgresTable, type Statement } from './statements';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { checkName } from '../sql/name';
import { type Columns, textColumns } from '../sql/columns';
import { retry } from '../contract/retry';
import { newVersion } from '../contract/version';

/** Options of `PostgresStore`. */
export interface PostgresStoreOptions extends PostgresTable {
  /**
   * Whether each connection prepares the statements, by name. False behind a pooler that swaps connections between
   * transactions (PgBouncer before 1.21, or without `max_prepared_statements`). Default true.
   */
  readonly prepare?: boolean;
}

// It asks for little, so that engines which speak PostgreSQL's protocol serve as well. Always: a primary key, a UNIQUE,
// a foreign key with ON DELETE and ON UPDATE CASCADE (the latter not on what Citus distributes by), `= ANY (array)`,
// `INSERT … ON CONFLICT DO NOTHING RETURNING`, `UPDATE` and `DELETE … WHERE … RETURNING`, each write one row found by its
// key in a transaction of its own. For outcomes: several writes in one WITH, of which two are to one table (CockroachDB
// refuses that with 0A000), `UPDATE … FROM`, `DELETE … USING` and `INSERT … ON CONFLICT DO UPDATE`.
// No extension, no advisory lock, no trigger, no sequence, and no volatile function.
// jsonb would lose the order of members, and refuses `\u0000` and lone surrogates.
/**
 * Resources in a table of PostgreSQL. The columns are `key`, `value` (JSON, as text), `version` and `modified`, for the
 * host to query; an UPDATE by hand needs a new `version`. Outcomes are in `<table>_outcomes`, and go with
 * their resource. One round trip to read, which the reads of one turn of the event loop share, and one to write.
 */
export class PostgresStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #pool: PostgresPool;
  readonly #sql: ReturnType<typeof statements>;
  readonly #prepare: boolean;
  readonly #read = readTogether((keys) =>
    keys.length === 1
      ? this.#rows(this.#sql.get, [...keys])
      : this.#rows(this.#sql.getAny, [arrayText(keys)]),
  );

  /**
   * @param pool - ended by the host, who also listens to its `error` event
   * @throws ConfigurationError
   */
  constructor(pool: PostgresPool, options: PostgresStoreOptions) {
    const check = new OptionsCheck('new PostgresStore()');
    if (!isPostgresPool(pool)) {
      check.mistake('pool', pool, {
        code: 'store-client-unknown',
        reason: 'has no method query',
        fix: 'Give a Pool of pg.',
      });
    }
    const own = checkTable(check, options);
    check.flags(own, ['prepare']);
    check.done();
    this.#pool = pool;
    this.#sql = statements(own);
    this.#prepare = own.prepare ?? true;
  }

  /** Creates the schema and tables that are missing; several may at once. Where none is it needs no right but to read. */
  async setup(): Promise<void> {
    const { probes, tables, schemas } = this.#sql;
    // Where something that `texts` name is missing, `needed` makes it, and may in its turn need the rest.
    const run = async (texts: readonly string[], needed?: readonly string[], ...rest: string[][]) => {
      try {
        for (const text of texts) await this.#pool.query({ text });
      } catch (error) {
        if (needed === undefined || !isMissing(error)) throw error;
        await run(needed, ...rest);
        await run(texts);
      }
    };
    // PostgreSQL asks for the right to create a schema before it looks whether it is there.
    await retry(() => run(probes, tables, schemas), isSetupRace, patience);
  }

  /**
   * The SQL that `setup` runs.
   * @throws ConfigurationError
   */
  static setupSql(table: PostgresTable): string {
    const check = new OptionsCheck('PostgresStore.setupSql()');
    const own = checkTable(check, table);
    check.done();
    const { schemas, tables } = statements(own);
    return [...schemas, ...tables].map((statement) => `${statement};\n`).join('');
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    if (!isHeld(key)) return undefined;
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
    if (!isHeld(key, expected)) return undefined;
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
   * @param expected - the version to delete; left out, whichever it is
   * @returns whether there was one
   */
  async delete(key: string, expected?: string): Promise<boolean> {
    if (!isHeld(key, expected)) return false;
    const row =
      expected === undefined
        ? await this.#row(this.#sql.delete, [key])
        : await this.#row(this.#sql.deleteVersion, [key, expected]);
    return row !== undefined;
  }

  async #row(statement: Statement, values: string[], context?: StoreContext): Promise<Columns | undefined> {
    const [row] = await this.#rows(statement, values, context);
    return row;
  }

  async #rows(statement: Statement, values: string[], context: StoreContext = noContext): Promise<Columns[]> {
    const query = this.#prepare ? { ...statement, values } : { text: statement.text, values };
    const send = () => {
      throwIfAborted(context);
      return this.#pool.query(query);
    };
    const { rows } = await retry(send, isSerializationFailure, patience);
    return rows.map(textColumns);
  }
}

/** For how many milliseconds a statement is sent again that others were in the way of. */
const patience = 1_000;

const optionNames: readonly (keyof PostgresStoreOptions)[] = ['table', 'schema', 'prepare'];

/** PostgreSQL keeps 63 bytes of a name, and the table of outcomes has a longer one. */
function checkTable<O extends PostgresTable>(check: OptionsCheck, given: O): O {
  const options = check.names(given, optionNames);
  const { table, schema } = options;
  checkName(check, 'table', table, undefined, 63 - outcomesSuffix.length);
  if (schema !== undefined) checkName(check, 'schema', schema, /^pg_/, 63);
  return options;
}

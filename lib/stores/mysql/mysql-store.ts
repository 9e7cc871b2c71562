import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { isStorableKey } from '../contract/key';
import type { OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { retry } from '../contract/retry';
import { assertFits, storedText, toJsonText } from '../contract/serialize';
import { newVersion } from '../contract/version';
import { AutocommitError } from '../sql/autocommit';
import type { ColumnTexts } from '../sql/columns';
import { readTogether } from '../sql/group-reads';
import { createRethrow } from '../sql/missing-table';
import { promised } from '../sql/mysql-client';
import { mysqlNameWithin, outcomesSuffix } from '../sql/name';
import { runSteps } from '../sql/setup';
import { bytes, MysqlConnections } from './connections';
import {
  isMissingTable,
  isMysqlPool,
  isSetupRace,
  isRolledBack,
  type MysqlCallbackPool,
  type MysqlPool,
} from './pool';
import { type MysqlStoreOptions, padded, createMysqlStatements } from './statements';
import { MysqlWriter, type MysqlWrite } from './writer';

/**
 * Stores resources in a table of MariaDB or MySQL. Its columns are `key` (bytes of UTF-8), `value` (JSON, as
 * text), `version` and `modified` (in UTC). Your app can query it; an UPDATE of its own must set a new
 * `version`. Outcomes are in `<table>_outcomes` and are deleted with their resource. A read takes one round
 * trip, shared by the reads of one turn of the event loop, and a write takes one; a write with an outcome
 * takes five, in a transaction.
 */
export class MysqlStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #connections: MysqlConnections;
  readonly #sql: ReturnType<typeof createMysqlStatements>;
  readonly #writer: MysqlWriter;
  readonly #rethrow: (error: unknown) => Promise<never>;
  readonly #read = readTogether((keys) =>
    this.#connections.rows(this.#sql.get(keys.length), padded(keys).map(bytes)),
  );
  #mostBytes: number | undefined;

  /**
   * @param pool - a `Pool` of mysql2/promise or mysql2, which your app ends
   * @throws ConfigurationError
   */
  constructor(pool: MysqlPool | MysqlCallbackPool, options: MysqlStoreOptions) {
    const check = new OptionsCheck('new MysqlStore()');
    check.value(
      'pool',
      pool,
      expected(isMysqlPool, {
        code: 'store-client-unknown',
        reason: 'is not a pool of mysql2',
        fix: 'Pass createPool() of mysql2/promise.',
      }),
    );
    const settings = check.options(options, expectations);
    check.done();
    this.#connections = new MysqlConnections(promised<MysqlPool>(pool));
    this.#sql = createMysqlStatements(settings);
    this.#writer = new MysqlWriter(this.#connections, this.#sql);
    this.#rethrow = createRethrow('MysqlStore', settings, isMissingTable, async () => {
      for (const text of this.#sql.probes) await this.#connections.rows(text, []);
    });
  }

  /**
   * Creates the missing database and tables. Several processes can call it at once. If none is missing, it
   * needs only the right to read.
   *
   * @throws AutocommitError
   */
  async setup(): Promise<void> {
    const { autocommit, probes, tables, schemas } = this.#sql;
    const [setting] = await this.#connections.rows(autocommit, []);
    if (setting?.[0] === '0') throw new AutocommitError('reading');
    const engine = { send: (text: string) => this.#connections.rows(text, []), isMissing: isMissingTable };
    // MySQL checks the right to create before it checks whether the table exists.
    await retry(() => runSteps(engine, probes, tables, schemas), isSetupRace);
  }

  /**
   * Returns the SQL that `setup` runs, for a migration.
   * @throws ConfigurationError
   */
  static setupSql(table: MysqlStoreOptions): string {
    const check = new OptionsCheck('MysqlStore.setupSql()');
    const settings = check.options(table, expectations);
    check.done();
    const { schemas, tables } = createMysqlStatements(settings);
    return [...schemas, ...tables].map((statement) => `${statement};\n`).join('');
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    throwIfAborted(context);
    const reading = outcome === undefined ? this.#read({ key }) : this.#readWithOutcome(key, outcome.id);
    const row = await reading.catch(this.#rethrow);
    if (row === undefined) return undefined;
    const [, value, version = '', modified, kept] = row;
    if (value === undefined) throw new TypeError(tooLong);
    return storedText(value, version, new Date(Number(modified)), kept);
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    if (!isStorableKey(key, expected)) return undefined;
    const { maxBytes, outcome, request } = context;
    const value = toJsonText(next, maxBytes);
    if (value.length > surelyAccepted) {
      this.#mostBytes ??= await this.#askMostBytes();
      assertFits(value, this.#mostBytes);
    }
    const write = { key, expected, value, version: newVersion(), request };
    const send = () => {
      throwIfAborted(context);
      return outcome === undefined
        ? this.#writer.write(write)
        : this.#writer.writeWithOutcome(write, outcome);
    };
    const written = await retry(send, isRolledBack).catch(this.#rethrow);
    if (written === undefined) return undefined;
    return storedText(value, write.version, written.modified ?? (await this.#modifiedAt(write)));
  }

  /**
   * Deletes a resource and its outcomes.
   *
   * @param expected - the version to delete; if left out, any version
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    throwIfAborted(context);
    if (!isStorableKey(key, expected)) return false;
    const send = () =>
      expected === undefined
        ? this.#connections.write(this.#sql.delete, [bytes(key)])
        : this.#connections.write(this.#sql.deleteVersion, [bytes(key), bytes(expected)]);
    const { count } = await retry(send, isRolledBack).catch(this.#rethrow);
    return count > 0;
  }

  /** The row has been written, so an error here must not say that it has not. */
  async #modifiedAt({ key, version }: MysqlWrite): Promise<Date | undefined> {
    const reading = this.#connections.rows(this.#sql.modified, [key, version].map(bytes));
    const [row] = await reading.catch((): ColumnTexts[] => []);
    return row && new Date(Number(row[0]));
  }

  async #readWithOutcome(key: string, id: string): Promise<ColumnTexts | undefined> {
    const [row] = await this.#connections.rows(this.#sql.outcomes.get, [id, bytes(key)]);
    return row;
  }

  async #askMostBytes(): Promise<number> {
    const [row] = await this.#connections.rows(this.#sql.limit, []);
    return Number(row?.[0]) - besideTheValue;
  }
}

/** The length of a text, in UTF-16, that every server accepts unless it is configured to the bare minimum. */
const surelyAccepted = 250_000;

/** Room in a packet for what is beside the value: the key and an outcome. */
const besideTheValue = 65_536;

const tooLong =
  'A stored value is longer than max_allowed_packet, which has been lowered since the value was written. ' +
  'Raise it again.';

/**
 * Names in MySQL have up to 64 characters. The foreign key of the outcomes has the longest one, and needs a
 * further character while the table is made.
 */
const expectations: Expectations<keyof MysqlStoreOptions> = {
  table: required(mysqlNameWithin(63 - `${outcomesSuffix}_ibfk_1`.length)),
  schema: mysqlNameWithin(64),
};

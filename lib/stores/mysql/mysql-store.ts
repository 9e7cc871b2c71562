import { OptionsCheck } from '../../configuration';
import { isStorableKey } from '../contract/key';
import type { OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type OutcomeToKeep,
  type ReadContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { retry } from '../contract/retry';
import { assertFits, storedText, toJsonText } from '../contract/serialize';
import { newVersion } from '../contract/version';
import { AutocommitError } from '../sql/autocommit';
import type { Columns } from '../sql/columns';
import { readTogether } from '../sql/group-reads';
import { promised } from '../sql/mysql-client';
import { checkMysqlName } from '../sql/name';
import { runSteps } from '../sql/setup';
import { bytes, MysqlConnections, type RunWrite, type Written } from './connections';
import { type Place, placeIn } from './outcomes';
import {
  isDuplicate,
  isMissing,
  isMysqlPool,
  isSetupRace,
  isUndone,
  type MysqlCallbackPool,
  type MysqlPool,
} from './pool';
import { type MysqlStoreOptions, outcomesSuffix, padded, spanParameters, statements } from './statements';

/** A requested write. */
interface Write {
  readonly key: string;
  readonly expected: string | null;
  readonly value: string;
  readonly version: string;
}

/**
 * Resources in a table of MariaDB or MySQL. The columns are `key` (bytes of UTF-8), `value` (JSON, as text), `version` and `modified`
 * (in UTC), which your app can query; if you write to them by hand, write a new `version`. Outcomes are in `<table>_outcomes`, and are
 * deleted with their resource. A read takes one round trip, shared by the reads of one turn of the event loop, and a write takes one;
 * a write with an outcome takes five, in a transaction.
 */
export class MysqlStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #connections: MysqlConnections;
  readonly #sql: ReturnType<typeof statements>;
  readonly #read = readTogether((keys) =>
    this.#connections.rows(this.#sql.get(keys.length), padded(keys).map(bytes)),
  );
  #mostBytes: number | undefined;

  /**
   * @param pool - of mysql2/promise or mysql2; ended by the app
   * @throws ConfigurationError
   */
  constructor(pool: MysqlPool | MysqlCallbackPool, options: MysqlStoreOptions) {
    const check = new OptionsCheck('new MysqlStore()');
    if (!isMysqlPool(pool)) {
      check.mistake('pool', pool, {
        code: 'store-client-unknown',
        reason: 'is not a pool of mysql2',
        fix: 'Give createPool() of mysql2/promise.',
      });
    }
    const own = checkTable(check, options);
    check.done();
    this.#connections = new MysqlConnections(promised<MysqlPool>(pool));
    this.#sql = statements(own);
  }

  /**
   * Creates the database and tables that are missing; safe to call concurrently. If nothing is missing, it only needs the right to
   * read.
   *
   * @throws AutocommitError
   */
  async setup(): Promise<void> {
    const { autocommit, probes, tables, schemas } = this.#sql;
    const [setting] = await this.#connections.rows(autocommit, []);
    if (setting?.[0] === '0') throw new AutocommitError('reading');
    const engine = { send: (text: string) => this.#connections.rows(text, []), isMissing };
    // MySQL checks the right to create before it checks whether the table exists.
    await retry(() => runSteps(engine, probes, tables, schemas), isSetupRace, maxRetryTime);
  }

  /**
   * Returns the SQL that `setup` runs, for a migration.
   * @throws ConfigurationError
   */
  static setupSql(table: MysqlStoreOptions): string {
    const check = new OptionsCheck('MysqlStore.setupSql()');
    const own = checkTable(check, table);
    check.done();
    const { schemas, tables } = statements(own);
    return [...schemas, ...tables].map((statement) => `${statement};\n`).join('');
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    throwIfAborted(context);
    const row =
      outcome === undefined ? await this.#read({ key }) : await this.#readWithOutcome(key, outcome.id);
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
    const { maxBytes, outcome } = context;
    const value = toJsonText(next, maxBytes);
    if (value.length > surelyAccepted) assertFits(value, (this.#mostBytes ??= await this.#askMostBytes()));
    const write = { key, expected, value, version: newVersion() };
    const send = () => {
      throwIfAborted(context);
      return outcome === undefined
        ? this.#write(write, this.#connections.write)
        : this.#writeWithOutcome(write, outcome);
    };
    const written = await retry(send, isUndone, maxRetryTime);
    if (written === undefined) return undefined;
    return storedText(value, write.version, written.modified ?? (await this.#modifiedAt(write)));
  }

  /**
   * @param expected - the version to delete; if left out, any version
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string): Promise<boolean> {
    if (!isStorableKey(key, expected)) return false;
    const send = () =>
      expected === undefined
        ? this.#connections.write(this.#sql.delete, [bytes(key)])
        : this.#connections.write(this.#sql.deleteVersion, [bytes(key), bytes(expected)]);
    return (await retry(send, isUndone, maxRetryTime)).count > 0;
  }

  /** Of a row that has been written: so no error may say that it has not. */
  async #modifiedAt({ key, version }: Write): Promise<Date | undefined> {
    const reading = this.#connections.rows(this.#sql.modified, [key, version].map(bytes));
    const [row] = await reading.catch((): Columns[] => []);
    return row && new Date(Number(row[0]));
  }

  /** @returns undefined if the version is another, or the key exists already */
  async #write({ key, expected, value, version }: Write, run: RunWrite): Promise<Written | undefined> {
    try {
      const written = await (expected === null
        ? run(this.#sql.insert, [key, value, version].map(bytes))
        : run(this.#sql.update, [value, version, key, expected].map(bytes)));
      return written.count === 0 ? undefined : written;
    } catch (error) {
      if (expected === null && isDuplicate(error)) return undefined;
      throw error;
    }
  }

  /**
   * The existing outcomes are read before the transaction, so that it holds locks for only three statements. Every outcome comes with
   * a new version, so none has been added while the version is still the expected one.
   */
  async #writeWithOutcome(write: Write, outcome: OutcomeToKeep): Promise<Written | undefined> {
    const { id, scope, maxAge } = outcome;
    const place = await this.#placeOf(write, outcome);
    if (place === undefined) return undefined;
    const [key, text] = [bytes(write.key), bytes(outcome.text(write.version))];
    const { number, scopeNumber } = place;
    return this.#connections.transaction(async (run) => {
      const written = await this.#write(write, run);
      if (written === undefined) return undefined;
      await run(this.#sql.outcomes.keep, [
        ...[key, String(number), scope, String(scopeNumber), id, text, String(maxAge)],
      ]);
      return written;
    });
  }

  /** @returns undefined if nothing is to be written: the version is another, or there is an outcome of that id */
  async #placeOf({ key, expected }: Write, outcome: OutcomeToKeep): Promise<Place | undefined> {
    if (expected === null) return { number: 1, scopeNumber: 1 };
    const { id, scope } = outcome;
    const parameters = spanParameters<string | Buffer>(bytes(key), id, scope, bytes(expected));
    const [span] = await this.#connections.rows(this.#sql.outcomes.span, parameters);
    const place = span && placeIn(span, outcome);
    if (place?.isOver === true) {
      await this.#connections.write(this.#sql.outcomes.forget, [bytes(key), String(place.first), id]);
    }
    return place;
  }

  async #readWithOutcome(key: string, id: string): Promise<Columns | undefined> {
    const [row] = await this.#connections.rows(this.#sql.outcomes.get, [id, bytes(key)]);
    return row;
  }

  async #askMostBytes(): Promise<number> {
    const [row] = await this.#connections.rows(this.#sql.limit, []);
    return Number(row?.[0]) - besideTheValue;
  }
}

/** For how many milliseconds a statement is retried that conflicts with others. */
const maxRetryTime = 1_000;

/** The length of a text, in UTF-16, that every server accepts unless it is configured to the bare minimum. */
const surelyAccepted = 250_000;

/** Room in a packet for what is beside the value: the key and an outcome. */
const besideTheValue = 65_536;

const tooLong =
  'A value is longer than max_allowed_packet of the server, which has been lowered since it was written. Raise it again.';

const optionNames: readonly (keyof MysqlStoreOptions)[] = ['table', 'schema'];

/**
 * Names in MySQL have up to 64 characters. The foreign key of the outcomes has the longest one, and needs a further character while
 * the table is made.
 */
function checkTable(check: OptionsCheck, given: MysqlStoreOptions): MysqlStoreOptions {
  const options = check.names(given, optionNames);
  const { table, schema } = options;
  checkMysqlName(check, 'table', table, 63 - `${outcomesSuffix}_ibfk_1`.length);
  if (schema !== undefined) checkMysqlName(check, 'schema', schema, 64);
  return options;
}

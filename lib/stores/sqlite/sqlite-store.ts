import { expected, flag, required, valued } from '../../config/expectation';
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
import {
  assertNoTransaction,
  hasWalResetFault,
  isBusy,
  isMistake,
  isSqliteHandle,
  type SqliteHandle,
} from '../sql/sqlite-handle';
import { type ColumnTexts, createRethrow, nameWithin, quoteName, readColumnTexts } from '../sql/table';
import { createGroupCommit } from './group-commit';

/** Options of `SqliteStore`. */
export interface SqliteStoreOptions {
  /** The name of the table; any name works, because it is quoted. */
  readonly table: string;
  /**
   * How many milliseconds the store retries, without blocking, while another connection holds the lock. After
   * that, it throws SQLite's own error. `PRAGMA busy_timeout` applies first, and blocks the process. Default
   * 5,000.
   */
  readonly busyTimeout?: number;
  /**
   * Accepts a file in WAL mode with a SQLite release that can lose commits to it (before 3.51.3, except
   * 3.50.7 and
   * 3.44.6: https://sqlite.org/wal.html#walresetbug). Default false.
   */
  readonly acceptWalResetFault?: boolean;
}

/**
 * Stores resources in a SQLite table. Its columns are `key`, `value` (JSON), `version`, `modified` (in the
 * format of `toISOString`) and `outcomes`. Your app can query it; an UPDATE of its own must set a new
 * `version`.
 *
 * First set `journal_mode = WAL` and `synchronous = FULL`. Open a separate handle for the store: while your
 * app has a transaction open on it, the store cannot write, and throws an OpenTransactionError after
 * `busyTimeout`.
 */
export class SqliteStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #db: SqliteHandle;
  readonly #busyTimeout: number;
  readonly #sql: ReturnType<typeof createSqliteStatements>;
  readonly #outcomes = new OutcomesByState('the column outcomes');
  readonly #write: ReturnType<typeof createGroupCommit>;
  readonly #rethrow: (error: unknown) => Promise<never>;
  readonly #prepared = new Map<string, ReturnType<SqliteHandle['prepare']>>();

  /**
   * @param db - an open database, which your app closes
   * @throws ConfigurationError with every mistake; also for a file in UTF-16, and for a release that needs
   *   `acceptWalResetFault`
   */
  constructor(db: SqliteHandle, options: SqliteStoreOptions) {
    const { table, busyTimeout = 5_000 } = checkOptions(db, options);
    this.#db = db;
    this.#busyTimeout = busyTimeout;
    this.#sql = createSqliteStatements(table);
    this.#rethrow = createRethrow('SqliteStore', { table }, isMistake, async () => {
      await Promise.resolve(db.prepare(this.#sql.get));
    });
    this.#write = createGroupCommit(db, (act) => this.#whenFree(act));
  }

  /** Creates the table if it is missing. Throws SQLite's own error if it has other columns. */
  async setup(): Promise<void> {
    await this.#whenFree(() => {
      assertNoTransaction(this.#db);
      this.#db.exec(this.#sql.setup);
    });
    await this.#whenFree(() => this.#row(this.#sql.getWithOutcomes, ['']));
  }

  /**
   * Returns the SQL that `setup` runs, for a migration.
   *
   * @throws ConfigurationError
   */
  static setupSql(options: Pick<SqliteStoreOptions, 'table'>): string {
    const check = new OptionsCheck('SqliteStore.setupSql()');
    const { table } = check.options(options, expectations);
    check.done();
    return createSqliteStatements(table).setup;
  }

  async get(key: string, context: ReadContext = noContext): Promise<VersionedState<T> | undefined> {
    if (!isStorableKey(key)) return undefined;
    const { outcome } = context;
    const sql = outcome === undefined ? this.#sql.get : this.#sql.getWithOutcomes;
    const row = await this.#whenFree(() => this.#row(sql, [key]), context);
    if (row === undefined) return undefined;
    const [value = '', version = '', modified = '', outcomes] = row;
    const state = createTextState<T>(value, version, new Date(modified));
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
    const run = () =>
      expected === null
        ? this.#row(this.#sql.insert, [value, version, outcomes, key])
        : this.#row(this.#sql.update, [value, version, outcomes, key, expected]);
    const row = await this.#write({ run, context });
    return row && createTextState(value, version, new Date(row[0] ?? ''));
  }

  /**
   * Deletes a resource and its outcomes.
   *
   * @param expected - the version to delete; any, if left out
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    if (!isStorableKey(key, expected)) return false;
    const run = () =>
      expected === undefined
        ? this.#row(this.#sql.delete, [key])
        : this.#row(this.#sql.deleteVersion, [key, expected]);
    const row = await this.#write({ run, context });
    return row !== undefined;
  }

  /**
   * The first row. Statements are prepared on first use: before `setup` there is no table to prepare them
   * for.
   */
  #row(sql: string, parameters: (string | null)[]): ColumnTexts | undefined {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) this.#prepared.set(sql, (statement = this.#db.prepare(sql)));
    const [row] = statement.all(...parameters).map(readColumnTexts);
    return row;
  }

  async #whenFree<R>(act: () => R, context: StoreContext = noContext): Promise<R> {
    const attempt = (): R => {
      throwIfAborted(context);
      return act();
    };
    const start = performance.now();
    const isOver = () => performance.now() - start >= this.#busyTimeout;
    return retry(attempt, isBusy, isOver).catch(this.#rethrow);
  }
}

function checkOptions(db: unknown, options: SqliteStoreOptions): SqliteStoreOptions {
  const check = new OptionsCheck('new SqliteStore()');
  check.value(
    'db',
    db,
    expected(isSqliteHandle, {
      code: 'store-client-unknown',
      reason: 'must be an open database',
      fix: 'Pass new DatabaseSync(file) of node:sqlite or new Database(file) of better-sqlite3.',
    }),
  );
  const settings = check.options(options, expectations);
  if (isSqliteHandle(db)) {
    const [row] = db
      .prepare('SELECT sqlite_version(), * FROM pragma_journal_mode(), pragma_encoding()')
      .all();
    const [version = '', mode, encoding = 'UTF-8'] = readColumnTexts(row);
    if (encoding !== 'UTF-8') {
      const fix = "Create the file with PRAGMA encoding = 'UTF-8'.";
      check.mistake('db', encoding, {
        code: 'sqlite-encoding',
        reason: 'is an encoding that cannot store every text',
        fix,
      });
    }
    if (settings.acceptWalResetFault !== true && mode === 'wal' && hasWalResetFault(version)) {
      const reason = 'is a SQLite release that can lose commits to a file in WAL mode';
      const fix = 'Upgrade to 3.51.3 or later, use another journal_mode, or set acceptWalResetFault: true.';
      check.mistake('db', version, { code: 'sqlite-wal-reset', reason, fix });
    }
  }
  check.done();
  return settings;
}

const expectations: Expectations<keyof SqliteStoreOptions> = {
  table: required(nameWithin(Infinity, /^sqlite_/i)),
  busyTimeout: valued(
    (value) => Number.isFinite(value) && Number(value) >= 0,
    'Write 5000 for five seconds, 0 for no retry.',
    'must be a number of milliseconds',
  ),
  acceptWalResetFault: flag,
};

/**
 * Each write is one conditional statement, so that the comparison and the write are atomic. The parameter
 * `outcomes` is null if they do not change.
 */
function createSqliteStatements(name: string) {
  const table = quoteName(name);
  // Column names are not quoted: SQLite would read a quoted name that does not exist as a string, and report
  // no error. The outcomes come last, because SQLite reads a row only as far as it must.
  return {
    setup: `CREATE TABLE IF NOT EXISTS ${table} (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  version TEXT NOT NULL,
  modified TEXT NOT NULL,
  outcomes TEXT
);
`,
    get: `SELECT value, version, modified FROM ${table} WHERE key = ?`,
    getWithOutcomes: `SELECT value, version, modified, outcomes FROM ${table} WHERE key = ?`,
    insert: `INSERT INTO ${table} (value, version, modified, outcomes, key) VALUES (?, ?, ${now}, ?, ?)
  ON CONFLICT (key) DO NOTHING RETURNING modified`,
    update: `UPDATE ${table} SET value = ?, version = ?, modified = ${now}, outcomes = coalesce(?, outcomes)
  WHERE key = ? AND version = ? RETURNING modified`,
    delete: `DELETE FROM ${table} WHERE key = ? RETURNING 1`,
    deleteVersion: `DELETE FROM ${table} WHERE key = ? AND version = ? RETURNING 1`,
  };
}

/** UTC with milliseconds, in the format of `Date.toISOString`. */
const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

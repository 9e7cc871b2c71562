import { setTimeout as delay } from 'node:timers/promises';
import { OptionsCheck } from '../configuration';
import { storedText, toJsonText } from './json-text';
import { isHeld } from './key';
import { type ResourceStore, type StoreContext, type Stored, throwIfAborted } from './resource-store';
import { checkName, type NameRules, quoted } from './sql-name';
import {
  assertNoTransaction,
  hasWalResetFault,
  isBusy,
  isSqliteHandle,
  type SqliteHandle,
  textColumns,
} from './sqlite-handle';
import { newVersion } from './version';

export interface SqliteStoreOptions {
  /** The table, in any spelling: it is quoted. */
  readonly table: string;
  /**
   * Milliseconds for which an operation is tried again, without blocking the process, while another connection holds
   * the lock; then SQLite's own error is thrown. This comes after `PRAGMA busy_timeout`, for which SQLite itself
   * waits and the process stands still. Default 5,000.
   */
  readonly busyTimeout?: number;
  /** Take a file in WAL mode also under a release of SQLite with the WAL-reset fault. Default false. */
  readonly acceptWalResetFault?: boolean;
}

/**
 * Resources in a table of an SQLite database that the host opened, with `node:sqlite` or better-sqlite3, in this process
 * and any number of others.
 *
 * The table is the host's to query, for its lists; to write to it, leave `version` out of no UPDATE: every write needs
 * a new one.
 *
 * | column | holds |
 * |---|---|
 * | `key` | TEXT, the primary key |
 * | `value` | TEXT, the value as JSON |
 * | `version` | TEXT |
 * | `modified` | TEXT, UTC in milliseconds, as `Date.toISOString` writes it |
 *
 * A handle of the store's own is best: while the host has a transaction open on it, nothing is written, for its ROLLBACK
 * would undo what was acknowledged; after `busyTimeout` an OpenTransactionError is thrown.
 *
 * Set before the store is made, once per connection: `PRAGMA journal_mode = WAL` (readers and the writer do not wait for
 * each other) and `PRAGMA synchronous = FULL` (what was acknowledged outlives a loss of power, not only of the process).
 */
export class SqliteStore<T = unknown> implements ResourceStore<T> {
  readonly #db: SqliteHandle;
  readonly #busyTimeout: number;
  readonly #sql: ReturnType<typeof statements>;
  readonly #prepared = new Map<string, ReturnType<SqliteHandle['prepare']>>();

  /**
   * @param db - open, and closed by the host
   * @throws ConfigurationError for a table name that cannot be one, and for a file in WAL mode under a release of SQLite
   *   with the WAL-reset fault (https://sqlite.org/wal.html#walresetbug)
   */
  constructor(db: SqliteHandle, options: SqliteStoreOptions) {
    check(db, options);
    this.#db = db;
    this.#busyTimeout = options.busyTimeout ?? 5_000;
    this.#sql = statements(quoted(options.table));
  }

  /** Creates the table where it is missing; throws SQLite's own error where one of other columns has the name. */
  async setup(): Promise<void> {
    await this.#whenFree(() => this.#db.exec(this.#sql.setup));
    await this.get('');
  }

  /**
   * The SQL that `setup` runs, for hosts that migrate by hand.
   * @throws ConfigurationError for a name that cannot be a table's
   */
  static setupSql({ table }: Pick<SqliteStoreOptions, 'table'>): string {
    const check = new OptionsCheck('SqliteStore.setupSql()');
    checkName(check, 'table', table, nameRules);
    check.done();
    return `${statements(quoted(table)).setup};\n`;
  }

  async get(key: string, context: StoreContext = {}): Promise<Stored<T> | undefined> {
    if (!isHeld(key)) return undefined;
    const row = await this.#row(this.#sql.get, [key], context);
    if (row === undefined) return undefined;
    const [value = '', version = '', modified = ''] = row;
    return storedText(value, version, new Date(modified));
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: StoreContext = {},
  ): Promise<Stored<T> | undefined> {
    if (!isHeld(key, expected)) return undefined;
    const value = toJsonText(next, context.maxBytes);
    const version = newVersion();
    const row =
      expected === null
        ? await this.#written(this.#sql.insert, [key, value, version], context)
        : await this.#written(this.#sql.update, [value, version, key, expected], context);
    return row && storedText(value, version, new Date(row[0] ?? ''));
  }

  /**
   * @param expected - delete only while the version is this one; left out, whatever it is
   * @returns whether there was something to delete
   */
  async delete(key: string, expected?: string): Promise<boolean> {
    if (!isHeld(key, expected)) return false;
    const row =
      expected === undefined
        ? await this.#written(this.#sql.delete, [key])
        : await this.#written(this.#sql.deleteVersion, [key, expected]);
    return row !== undefined;
  }

  async #written(
    sql: string,
    parameters: string[],
    context: StoreContext = {},
  ): Promise<string[] | undefined> {
    const [row] = await this.#whenFree(() => {
      assertNoTransaction(this.#db);
      return this.#statement(sql).all(...parameters);
    }, context);
    return row === undefined ? undefined : textColumns(row);
  }

  async #row(sql: string, parameters: string[], context: StoreContext = {}): Promise<string[] | undefined> {
    const [row] = await this.#whenFree(() => this.#statement(sql).all(...parameters), context);
    return row === undefined ? undefined : textColumns(row);
  }

  /** Prepared when first asked for: before `setup` there is no table to prepare it for. */
  #statement(sql: string): ReturnType<SqliteHandle['prepare']> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared = this.#db.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  async #whenFree<R>(act: () => R, context: StoreContext = {}): Promise<R> {
    const until = performance.now() + this.#busyTimeout;
    for (let pause = 1; ; pause = Math.min(2 * pause, 64)) {
      throwIfAborted(context);
      try {
        return act();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= until) throw error;
      }
      await delay(pause * Math.random());
    }
  }
}

const nameRules: NameRules = { maxBytes: Infinity, reserved: /^sqlite_/i };

function check(db: unknown, options: SqliteStoreOptions): void {
  const check = new OptionsCheck('new SqliteStore()');
  check.names(options, ['table', 'busyTimeout', 'acceptWalResetFault']);
  checkName(check, 'table', options.table, nameRules);
  const { busyTimeout = 0 } = options;
  if (!Number.isFinite(busyTimeout) || busyTimeout < 0) {
    check.mistake('busyTimeout', busyTimeout, 'is no length of time', 'Give milliseconds, 0 for no wait.');
  }
  if (!isSqliteHandle(db)) {
    const fix = 'Give the open database of node:sqlite or better-sqlite3.';
    check.mistake('db', db, 'is no database handle', fix);
  } else if (options.acceptWalResetFault !== true) {
    const [row] = db.prepare('SELECT sqlite_version(), journal_mode FROM pragma_journal_mode()').all();
    const [version = '', mode] = textColumns(row);
    if (mode === 'wal' && hasWalResetFault(version)) {
      const reason = `is a release of SQLite that can lose commits to a file in WAL mode`;
      const fix = 'Take 3.51.3 or later, another journal_mode, or the option acceptWalResetFault: true.';
      check.mistake('db', version, reason, fix);
    }
  }
  check.done();
}

/** One conditional statement a write, so that the comparison and the write cannot come apart. */
function statements(table: string) {
  const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  // Column names are not quoted: one that the table does not have would be read as a string, and never be missed.
  return {
    setup: `CREATE TABLE IF NOT EXISTS ${table} (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  version TEXT NOT NULL,
  modified TEXT NOT NULL
)`,
    get: `SELECT value, version, modified FROM ${table} WHERE key = ?`,
    insert: `INSERT INTO ${table} (key, value, version, modified) VALUES (?, ?, ?, ${now})
  ON CONFLICT (key) DO NOTHING RETURNING modified`,
    update: `UPDATE ${table} SET value = ?, version = ?, modified = ${now}
  WHERE key = ? AND version = ? RETURNING modified`,
    delete: `DELETE FROM ${table} WHERE key = ? RETURNING 1`,
    deleteVersion: `DELETE FROM ${table} WHERE key = ? AND version = ? RETURNING 1`,
  };
}

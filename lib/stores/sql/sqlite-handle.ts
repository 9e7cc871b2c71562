import { isObject } from '../../config/object';
import { wasUndone } from '../engine-error';

/** An open SQLite database of `node:sqlite`, better-sqlite3 or a driver with the same interface. */
export interface SqliteHandle {
  exec(sql: string): unknown;
  // Not `get`, even for one row: it stops at the first row, and if the statement's commit then fails
  // (SQLITE_BUSY under a reader, a full disk), both drivers drop that error and return the row as if it had
  // been stored.
  prepare(sql: string): { all(...parameters: (string | null)[]): unknown[] };
}

export function isSqliteHandle(value: unknown): value is SqliteHandle {
  return (
    isObject(value) && ['exec', 'prepare'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}

/**
 * Your app has a transaction open on the SQLite handle of a store, and did not end it within `busyTimeout`. Nothing
 * was written. Give the store a handle of its own.
 */
export class OpenTransactionError extends Error {
  override readonly name = 'OpenTransactionError';
  readonly code = 'PATCH_OPTIONS_OPEN_TRANSACTION';

  constructor() {
    super(
      'The store cannot write while your app has a transaction open on the same handle. ' +
        'Open a separate handle for the store.',
    );
  }
}

/**
 * A write inside a transaction of the app would be acknowledged, and then lost by its ROLLBACK.
 * better-sqlite3 reports an open one as `inTransaction`, node:sqlite (22.16) as `isTransaction`.
 *
 * @throws OpenTransactionError
 */
export function assertNoTransaction(db: object): void {
  const { inTransaction, isTransaction } = db as { inTransaction?: unknown; isTransaction?: unknown };
  if (inTransaction === true || isTransaction === true) throw new OpenTransactionError();
}

/** The statements that begin, commit and roll back a unit of work. */
type Bracket = readonly [begin: string, done: string, undo: string];

export const transaction: Bracket = ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK'];

export const savepoint: Bracket = [
  'SAVEPOINT patch_options',
  'RELEASE patch_options',
  'ROLLBACK TO patch_options; RELEASE patch_options',
];

/**
 * Runs `act`, which does not await, in a transaction or savepoint. If it returns undefined or throws, nothing
 * is written.
 */
export function within<R>(db: Pick<SqliteHandle, 'exec'>, [begin, done, undo]: Bracket, act: () => R): R {
  db.exec(begin);
  try {
    const result = act();
    db.exec(result === undefined ? undo : done);
    return result;
  } catch (error) {
    try {
      db.exec(undo);
    } catch {
      // SQLite has already rolled back, as it does if the disk is full.
    }
    throw error;
  }
}

export function isOpenTransaction(error: unknown): boolean {
  return error instanceof OpenTransactionError;
}

/** Whether another connection held the lock, or the app this handle, for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  return isOpenTransaction(error) || wasUndone(error);
}

type DriverError = Partial<Record<'code' | 'errcode', unknown>>;

/**
 * Whether a constraint of the app refused the statement, or the commit to which it was deferred.
 * better-sqlite3 has SQLite's name of the error as `code`, node:sqlite its number as `errcode`. The name of
 * an extended error code begins with the name of the primary one, and its lowest byte is the number of the
 * primary one.
 */
export function isConstraint(error: unknown): boolean {
  const { code, errcode } = Object(error) as DriverError;
  return String(code).startsWith('SQLITE_CONSTRAINT') || (Number(errcode) & 0xff) === 19;
}

/** SQLITE_ERROR, which SQLite gives to any mistake in the SQL, such as a table that does not exist. */
export function isMistake(error: unknown): boolean {
  const { code, errcode } = Object(error) as DriverError;
  return code === 'SQLITE_ERROR' || errcode === 1;
}

/**
 * Whether this SQLite release can lose or damage committed transactions when two connections to one file in
 * WAL mode write and checkpoint at the same moment: all before 3.51.3, except the backports 3.50.7 and
 * 3.44.6.
 * @see https://sqlite.org/wal.html#walresetbug
 */
export function hasWalResetFault(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const isBackport = major === 3 && ((minor === 44 && patch >= 6) || (minor === 50 && patch >= 7));
  return major * 1e6 + minor * 1e3 + patch < 3_051_003 && !isBackport;
}

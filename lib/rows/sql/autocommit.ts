/** Thrown if autocommit is off over a pool of mysql2, whose reads would be stale. */
export class AutocommitError extends Error {
  override readonly name = 'AutocommitError';
  readonly code = 'PATCH_OPTIONS_AUTOCOMMIT';

  constructor() {
    super(
      'The connection has autocommit off, so it would keep reading the state of its first read. ' +
        'Give the store a pool of its own, with autocommit on.',
    );
  }
}

/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const [inTransaction, autocommit] = [1, 2];

/**
 * A connection without autocommit keeps reading the state of its first read.
 *
 * @param result - the result of a statement of mysql2 that reads no rows
 * @throws AutocommitError
 */
export function assertAutocommit(result: unknown): void {
  if (hasStatus(result, autocommit) === false) throw new AutocommitError();
}

/** Whether the app has a transaction open on the connection, as the result of a statement says; or autocommit off. */
export function isInTransaction(result: unknown): boolean {
  return hasStatus(result, inTransaction) !== false || hasStatus(result, autocommit) === false;
}

/** Undefined if the result says nothing. */
function hasStatus(result: unknown, flag: number): boolean | undefined {
  const { serverStatus } = Object(result) as { readonly serverStatus?: unknown };
  return typeof serverStatus === 'number' ? (serverStatus & flag) !== 0 : undefined;
}

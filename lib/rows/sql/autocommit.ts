/**
 * Thrown if autocommit is off over mysql2: a write was left in a transaction that nothing commits, or reads
 * would be stale.
 */
export class AutocommitError extends Error {
  override readonly name = 'AutocommitError';
  readonly code = 'PATCH_OPTIONS_AUTOCOMMIT';

  /** @param at - whether a write was not committed, or nothing was written yet. Default: `'writing'`. */
  constructor(at: 'writing' | 'reading' = 'writing') {
    const reason =
      at === 'writing'
        ? 'A write was not committed: ' +
          'its connection has autocommit off, or has a transaction of your app open.'
        : 'The connection has autocommit off, so it would keep reading the state of its first read.';
    super(`${reason} Give the store a pool of its own, with autocommit on.`);
  }
}

/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const [inTransaction, autocommit] = [1, 2];

/**
 * A write that the server answered inside an open transaction would be acknowledged, and then lost; and a
 * connection without autocommit keeps reading the state of its first read.
 *
 * @param written - the result of a write of mysql2
 * @param within - whether the write is in a transaction that is committed next
 * @throws AutocommitError
 */
export function assertAutocommit(written: unknown, within: 'a transaction' | 'none'): void {
  const { serverStatus } = Object(written) as { readonly serverStatus?: unknown };
  if (typeof serverStatus !== 'number') return;
  const isOff = (serverStatus & autocommit) === 0;
  if (isOff || (within === 'none' && (serverStatus & inTransaction) !== 0)) throw new AutocommitError();
}

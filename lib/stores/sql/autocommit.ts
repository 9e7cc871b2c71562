/** Thrown where a write over mysql2 was left in a transaction that nothing commits. */
export class AutocommitError extends Error {
  override readonly name = 'AutocommitError';
  readonly code = 'PATCH_OPTIONS_AUTOCOMMIT';

  constructor() {
    super(
      'A write was not committed: its connection has autocommit off, or a transaction of your app open. ' +
        'Give the store a pool of its own, with autocommit on.',
    );
  }
}

/** SERVER_STATUS_IN_TRANS of the protocol. */
const inTransaction = 1;

/**
 * A write that the server has answered within a transaction would be acknowledged, and then lost.
 *
 * @param written - as mysql2 gives it of a write
 * @throws AutocommitError
 */
export function assertCommitted(written: unknown): void {
  const { serverStatus } = Object(written) as { readonly serverStatus?: unknown };
  if (typeof serverStatus === 'number' && (serverStatus & inTransaction) !== 0) throw new AutocommitError();
}

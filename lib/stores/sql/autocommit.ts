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

/** Flags of the protocol: SERVER_STATUS_IN_TRANS, SERVER_STATUS_AUTOCOMMIT. */
const [inTransaction, autocommit] = [1, 2];

/**
 * A write that the server has answered within a transaction would be acknowledged, and then lost; and a connection without
 * autocommit reads for ever what was there when it first read.
 *
 * @param written - as mysql2 gives it of a write
 * @param within - whether it stands in a transaction that is committed next
 * @throws AutocommitError
 */
export function assertAutocommit(written: unknown, within: 'a transaction' | 'none'): void {
  const { serverStatus } = Object(written) as { readonly serverStatus?: unknown };
  if (typeof serverStatus !== 'number') return;
  const isOff = (serverStatus & autocommit) === 0;
  if (isOff || (within === 'none' && (serverStatus & inTransaction) !== 0)) throw new AutocommitError();
}

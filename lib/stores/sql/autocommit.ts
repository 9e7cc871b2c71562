/** Thrown if a write over mysql2 was left in a transaction that nothing commits: autocommit is off. */
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
 * A write that the server answered inside an open transaction would be acknowledged, and then lost; and a connection without
 * autocommit keeps reading the state of its first read.
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

import { warnOnce } from '../config/process-warning';
import { ProblemError } from '../http/problem';

/** The cause of the 503 of a write that took longer than the option `timeout` of the store. */
export class WriteTimeoutError extends Error {
  override readonly name = 'WriteTimeoutError';
  readonly code = 'PATCH_OPTIONS_WRITE_TIMEOUT';
}

export function tooLong(timeout: number, hasBegun: boolean): ProblemError {
  const message = hasBegun
    ? `The write of a row was not over after ${timeout} ms, and is rolled back. ${whoWaits} ` +
      'If the write only needs more time, raise the option timeout.'
    : `No transaction for the write of a row had begun after ${timeout} ms. If all connections of the pool were ` +
      'in use, raise its size, or shorten the transactions that hold them.';
  return writeTimeout(message);
}

/** What can wait for the end of the write that waits for it. */
export const whoWaits =
  'If onWrite, or a hook or an extension of the ORM, writes to the same row, uses the pool or begins a transaction of ' +
  'its own, pass it the transaction: it may be waiting for this write to end.';

/** @param message - for the app: what the write waited for, and what helps */
export function writeTimeout(message: string, cause?: unknown): ProblemError {
  tellOfTimeout(message);
  const detail = 'The write took too long, and nothing was written. Try again later.';
  return new ProblemError(503, 'write-timeout', detail, {
    headers: { 'Retry-After': '1' },
    cause: new WriteTimeoutError(message, { cause }),
  });
}

const tellOfTimeout = warnOnce('PATCH_OPTIONS_WRITE_TIMEOUT', (message: string) => message);

/**
 * Whether a write took too long. What it waits for can go on, such as `onWrite`, and its statements must not get into
 * the next transaction on the same connection: so that connection is closed.
 */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof WriteTimeoutError;
}

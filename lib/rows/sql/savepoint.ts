import type { Awaitable } from '../../config/object';

/** Runs a part of a transaction that the app has begun. If it fails, only this part is rolled back. */
export async function inSavepoint(
  send: (text: string) => Awaitable<unknown>,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
    await send('RELEASE SAVEPOINT patch_options');
  } catch (error) {
    // After a deadlock, MySQL has rolled back the whole transaction, and the savepoint is gone.
    await Promise.resolve(send('ROLLBACK TO SAVEPOINT patch_options')).catch(() => undefined);
    throw error;
  }
}

export const beginSavepoint = 'SAVEPOINT patch_options';

/**
 * The error of a write over a single connection on which no transaction is open.
 *
 * @param pool - the call that creates a pool with that driver
 */
export function noTransaction(driver: 'pg' | 'mysql2', pool: string, cause?: unknown): TypeError {
  return new TypeError(
    `A write over one connection of ${driver} joins the transaction that your app has begun on it, but there is none. ` +
      `Pass ${pool}, or begin a transaction.`,
    { cause },
  );
}

/** The statements around a part of a transaction that the app has begun. */
export const savepoint = {
  begin: 'SAVEPOINT patch_options',
  done: 'RELEASE SAVEPOINT patch_options',
  undo: 'ROLLBACK TO SAVEPOINT patch_options',
} as const;

/**
 * The error of a write over one connection on which no transaction is open.
 *
 * @param pool - what makes a pool with that driver
 */
export function noTransaction(driver: 'pg' | 'mysql2', pool: string, cause?: unknown): TypeError {
  return new TypeError(
    `A write over one connection of ${driver} joins the transaction that your app has begun on it, and there is none. ` +
      `Pass ${pool}, or begin a transaction.`,
    { cause },
  );
}

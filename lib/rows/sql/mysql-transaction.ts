import { isTimeout } from '../write-timeout';

/** The methods of a pooled mysql2 connection that a transaction calls. */
export interface TransactionConnection {
  query(sql: string): PromiseLike<unknown>;
  beginTransaction(): PromiseLike<void>;
  commit(): PromiseLike<void>;
  rollback(): PromiseLike<void>;
  release(): void;
  destroy(): void;
}

/** A pool of such connections. */
export interface ConnectionPool<C extends TransactionConnection> {
  getConnection(): PromiseLike<C>;
}

/**
 * Runs `act` on one connection. If it throws, a transaction that is open on the connection is rolled back.
 */
export async function onConnection<C extends TransactionConnection, R>(
  pool: ConnectionPool<C>,
  act: (connection: C) => Promise<R>,
): Promise<R> {
  const connection = await pool.getConnection();
  try {
    const result = await act(connection);
    connection.release();
    return result;
  } catch (error) {
    await giveBack(connection, error);
    throw error;
  }
}

/**
 * A connection whose transaction may still be open must not return to the pool. One to a server that has
 * become a replica is closed, as pools of mysql2 do: the next one may lead to the new primary.
 */
async function giveBack(connection: TransactionConnection, error: unknown): Promise<void> {
  if (isTimeout(error)) {
    connection.destroy();
    return;
  }
  try {
    await connection.rollback();
    if (isReadOnly(error)) connection.destroy();
    else connection.release();
  } catch {
    connection.destroy();
  }
}

/**
 * ER_OPTION_PREVENTS_STATEMENT, as under read_only, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
 * ER_READ_ONLY_MODE
 */
function isReadOnly(error: unknown): boolean {
  return [1290, 1792, 1836].includes(Number((Object(error) as { errno?: unknown }).errno));
}

import type { Pool } from 'pg';

/** A pool with the listeners of the pages: a connection that the engine ends must not end the process. */
export function surviving(pool: Pool): Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

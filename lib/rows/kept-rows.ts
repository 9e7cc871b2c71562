import type { Rows } from './rows';

/**
 * Makes the rows of each table of a connection once, and keeps them as long as the connection: the option `rows` asks
 * for them with each request.
 */
export function keepRows<D extends object, R extends Rows>(
  make: (db: D, table: string) => R,
): (db: D, table: string) => R {
  const kept = new WeakMap<D, Map<string, R>>();
  return (db, table) => {
    const tables = kept.get(db) ?? new Map<string, R>();
    const rows = tables.get(table) ?? make(db, table);
    // Not before: the connection may be a mistake.
    kept.set(db, tables.set(table, rows));
    return rows;
  };
}

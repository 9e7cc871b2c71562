import type { Columns } from '../columns/column';
import { type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { TableName } from './statement';
import { type PostgresConnection, type SqliteConnection, tableRows } from './table-rows';

/** Options of `tableStore`: those of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns> = TableName &
  Omit<RowStoreOptions<C>, 'find' | 'update' | 'insert' | 'delete' | 'dialect' | 'transaction' | 'onWrite'>;

/**
 * `rowStore` over a bare driver: a `Pool` of pg, better-sqlite3 or node:sqlite.
 *
 * ```ts
 * const notes = tableStore(pool, { table: 'notes', columns: { title: 'string' }, key: 'slug', version: 'version' });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function tableStore<const C extends Columns, const O extends TableStoreOptions<C>>(
  db: PostgresConnection | SqliteConnection,
  options: O & TableStoreOptions<C>,
): RowStore<C, O & { delete: () => unknown }> {
  const { table, schema, ...rest }: TableStoreOptions = options;
  return rowStore({ ...tableRows(db, { table, schema }), ...rest }) as never;
}

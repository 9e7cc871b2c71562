import type { PatchRequest } from '../../http/middleware';
import type { Columns, ValueOfColumn } from '../columns/column-options';
import { type Hides, type KeepsOutcomes, type RowStore, rowStore } from '../row-store';
import type { RowStoreOptions } from '../row-store-options';
import type { BuilderRows, Rows } from '../rows';
import type { TableName } from './statement';
import { type TableConnection, tableRows } from './table-rows';

/** Options of `tableStore`: those of `rowStore`, and the table. */
export type TableStoreOptions<C extends Columns = Columns, Tx = unknown> = TableName &
  Omit<RowStoreOptions<C, Tx>, keyof Rows>;

/**
 * Creates a store over a table of your app, through a driver: a `Pool` of pg or mysql2, PGlite, better-sqlite3,
 * libSQL or node:sqlite. It is `rowStore` with its own SQL. Where the connection comes later than the handlers, is
 * replaced, or depends on the request, pass a function that returns it, `(req) => poolOf(req)`: mistakes that
 * depend on it are then the error of the first request. `req` is undefined if your app calls the store itself.
 *
 * ```ts
 * const notes = tableStore(pool, {
 *   table: 'notes',
 *   columns: { title: 'string' },
 *   key: 'slug',
 * });
 * ```
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function tableStore<const C extends Columns, Tx, const O extends TableStoreOptions<C, Tx>>(
  db: TableConnection | ((req: PatchRequest | undefined) => TableConnection),
  options: O & TableStoreOptions<C, Tx>,
): RowStore<
  { -readonly [Member in keyof C]: ValueOfColumn<C[Member], Member, unknown> },
  'delete' | KeepsOutcomes<O> | Hides<C>
> {
  const { table, schema, ...rest }: TableStoreOptions = options as TableStoreOptions;
  if (typeof db !== 'function') return rowStore({ ...tableRows(db, { table, schema }), ...rest }) as never;
  const known = new WeakMap<object, BuilderRows>();
  const findRows = (connection: TableConnection): BuilderRows => {
    const rows = known.get(connection) ?? tableRows(connection, { table, schema });
    known.set(connection, rows);
    return rows;
  };
  return rowStore({ rows: (req: PatchRequest | undefined) => findRows(db(req)), ...rest }) as never;
}

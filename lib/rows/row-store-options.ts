import type { PatchRequest } from '../http/middleware';
import type { Columns, ValueOf } from './columns/column-options';
import type { ColumnKinds, DeclaredForms, Row, Rows } from './rows';

/** One write, as the option `onWrite` receives it. */
export interface RowWrite<T> {
  /** The key of the resource in the store. */
  readonly key: string;
  /** The value before the write; undefined if the row was created. */
  readonly before: T | undefined;
  /** The value after the write, as the database returns it; undefined if the row was deleted, or `find` hides it now. */
  readonly after: T | undefined;
  /** The request that writes; undefined if your app calls the store itself. */
  readonly req: PatchRequest | undefined;
}

/** Options of `rowStore`. `Schema` has the types of the JSON of the columns that the ORM knows. */
export interface RowStoreOptions<C extends Columns = Columns, Tx = unknown, Schema = unknown>
  extends Rows, DeclaredForms {
  /**
   * The members that clients see, each with the kind of its column, or true for what the schema of the ORM says.
   * Clients cannot reach any other column. The key and the outcomes are not members, unless they are listed as
   * read-only.
   */
  readonly columns: C;
  readonly columnKinds?: ColumnKinds<Schema> | undefined;
  /**
   * The column that identifies the resource, of text or listed as a whole number, a date, a day or a time, or
   * the columns of a key such as `['org', 'id']`, which the option `key` of `patchHandler` joins in the same
   * order. Or a function that maps a key to the columns and values of its row. The function returns undefined
   * for an invalid key: `(key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined)`. Accept only one
   * spelling of each key.
   */
  readonly key: string | readonly string[] | ((key: string) => Row | undefined);
  /**
   * `'xmin'`: PostgreSQL's own version of a row is the state, and a write is one conditional UPDATE, without a lock
   * or a transaction, where each column that it changes is a string, an integer or a boolean. For Drizzle, Knex,
   * Kysely and `tableStore`. A write of any other column of the row is then a new state, too. Default: the state is
   * the content of `columns`.
   */
  readonly version?: 'xmin';
  /**
   * The column of a whole number that your app's own writes compare and increment, such as `lock_version`: each
   * write of the store increments it too. Not with an ORM that counts it itself. Default none.
   */
  readonly counter?: string;
  /** The column for the time of the last write, which the store sets, for Last-Modified. Default none. */
  readonly modified?: string;
  /**
   * A nullable text column for the outcomes of requests with an Idempotency-Key, which are stored in the same
   * write. Default none: the store keeps no outcomes.
   */
  readonly outcomes?: string;
  /**
   * How many milliseconds a write can take, from the wait for a connection until its commit. After that it is rolled
   * back, and answered 503 with Retry-After. Not for drivers of SQLite that are synchronous, nor for the single UPDATE of
   * `version: 'xmin'`. Default 5000.
   */
  readonly timeout?: number;
  /**
   * Called with every write of the store, for writes of your app in the same transaction, which is `tx`: if it
   * throws, both are rolled back. It must use `tx` for all its statements. It can be called again, if the database
   * rolls the transaction back because of another one. Default none.
   */
  readonly onWrite?: (tx: Tx, write: RowWrite<ValueOf<C, Schema>>) => unknown;
}

/** Options of `rowStore` where the connection comes later than the handlers, or depends on the request. */
export type LaterRowStoreOptions<C extends Columns = Columns, Tx = unknown> = Omit<
  RowStoreOptions<C, Tx>,
  keyof Rows | keyof DeclaredForms
> & {
  /**
   * Returns the rows of the table, such as `() => prismaRows(prisma, 'note')`, or those of the tenant of a request:
   * `(req) => knexRows(knexOf(req), 'notes')`. Called at each use; `req` is undefined if your app calls the
   * store itself. The rows of all connections have the same columns, in the same kind of database.
   */
  readonly rows: (
    req: PatchRequest | undefined,
  ) => Rows & Required<Pick<Rows, 'insert' | 'delete'>> & DeclaredForms;
};

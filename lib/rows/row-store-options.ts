import type { PatchRequest } from '../http/routed-request';
import type { Columns, ValueOf } from './columns/column-options';
import type { VersionOption } from './row-version';
import type { Awaitable, DeclaredForms, Row, Rows } from './rows';

/** One write, as the option `onWrite` receives it. */
export interface RowWrite<T> {
  /** The key of the resource in the store. */
  readonly key: string;
  /** The value before the write, without members that cannot be read; undefined if the row was created. */
  readonly before: T | undefined;
  /** The value after the write, as the database returns it; undefined if the row was deleted. */
  readonly after: T | undefined;
  /** The request that writes; undefined if your app calls the store itself. */
  readonly req: PatchRequest | undefined;
}

/** Options of `rowStore`. */
export interface RowStoreOptions<C extends Columns = Columns, Tx = unknown> extends Rows, DeclaredForms {
  /**
   * The members that clients see, each with the kind of its column. Clients cannot reach any other column.
   * The key, the version and the outcomes are not members, unless they are listed as read-only.
   */
  readonly columns: C;
  /**
   * The column that identifies the resource, of text or listed as a whole number, a date, a day or a time, or
   * the columns of a key such as `['org', 'id']`, which the option `key` of `patchHandler` joins in the same
   * order. Or a function that maps a key to the columns and values of its row. The function returns undefined
   * for an invalid key: `(key) => (/^[1-9]\d*$/.test(key) ? { id: Number(key) } : undefined)`. Accept only one
   * spelling of each key.
   */
  readonly key: string | readonly string[] | ((key: string) => Row | undefined);
  /**
   * How a new state is recognised. A text column: the store writes a new version into it on every write. Or
   * `{ counter: 'revision', id: 'id' }`: a whole number that your app's own writes increment too, with an id
   * that is never reused (`AUTOINCREMENT` in SQLite). Or `{ generated: 'xmin' }`: a value that the database
   * generates, if `update` returns the row.
   */
  readonly version: VersionOption;
  /** The column for the time of the last write, which the store sets, for Last-Modified. Default none. */
  readonly modified?: string;
  /**
   * A nullable text column for the outcomes of requests with an Idempotency-Key, which are stored in the same
   * write. Default none: the store keeps no outcomes.
   */
  readonly outcomes?: string;
  /**
   * Runs each write in a transaction, which must be committed when the returned promise resolves:
   * `(run) => prisma.$transaction((tx) => run(prismaRows(tx.note), tx))`. Required unless `update` and
   * `insert` return the row, and for lists in PostgreSQL. Default: each write is one statement.
   */
  // With `tx: Tx` here, TypeScript would infer Tx before it reads onWrite, where the app declares it.
  readonly transaction?: (run: (rows: Rows, tx: unknown) => Promise<void>) => Awaitable<unknown>;
  /**
   * Called with every write of the store, for writes of your app in the same transaction: if it throws, both
   * are rolled back. Needs `transaction`. Default none.
   */
  readonly onWrite?: (tx: Tx, write: RowWrite<ValueOf<C>>) => unknown;
}

/** Options of `rowStore` where the connection comes later than the handlers. */
export type LaterRowStoreOptions<C extends Columns = Columns, Tx = unknown> = Omit<
  RowStoreOptions<C, Tx>,
  keyof Rows | keyof DeclaredForms
> & {
  /** Returns the rows of the table, such as `() => prismaRows(prisma.note)`. Called with the first request. */
  readonly rows: () => Rows & Required<Pick<Rows, 'insert' | 'delete'>> & DeclaredForms;
};

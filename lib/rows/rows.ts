import type { Awaitable } from '../config/object';
import type { ColumnKind } from './columns/kind';

/** A row or some of its columns, by the names that the ORM uses. */
export type Row = Readonly<Record<string, unknown>>;

/** The database for whose types values are written. */
export type Dialect = 'postgres' | 'sqlite' | 'mysql';

/**
 * The form of a date, a day or a time in an ORM or a driver: a `Date`; ISO 8601, such as
 * `2026-11-22T10:00:00.000Z`; an SQL literal in UTC without a zone, such as `2026-11-22 10:00:00`; or
 * milliseconds since the epoch.
 */
export type ColumnForm = 'Date' | 'iso' | 'sql' | 'milliseconds';

/** The form of dates, days and times in columns, by the names that the ORM uses. */
export interface DeclaredForms {
  /**
   * The form in which the ORM reads and writes dates, days and times, by column: `'Date'`, `'iso'`, `'sql'`
   * or `'milliseconds'`. For columns that are left out, it is a Date, or the form that the driver of
   * `dialect` takes.
   */
  readonly columnForms?: Readonly<Record<string, ColumnForm>> | undefined;
}

/** The definition of a column in the schema of an ORM. */
export interface SchemaColumn {
  /** The type of the column, as the schema writes it. */
  readonly type: string;
  /** Undefined if the type has none. */
  readonly kind?: ColumnKind | undefined;
  /** The values of an enum of strings. */
  readonly values?: readonly string[] | undefined;
  /** True for the primary key, and for columns that the database or the ORM generates. */
  readonly readOnly?: boolean | undefined;
  /** The part of the ORM that converts the value of the column, such as `a transformer`. */
  readonly convertedBy?: string | undefined;
}

declare const types: unique symbol;

/** The definitions of columns in the schema of an ORM; `T` has the types of their JSON. */
export type ColumnKinds<T = unknown> = Readonly<Record<string, SchemaColumn>> & { readonly [types]?: T };

/** The type of PostgreSQL that a column is read as. */
export type CastType = 'text' | 'text[]';

/** The value in the set of an UPDATE for a column that keeps its value: `SET title = title`. */
export const unchanged: unique symbol = Symbol('unchanged');

/**
 * One table, as `rowStore` needs it: made by `prismaRows`, `drizzleRows`, `knexRows`, `kyselyRows`,
 * `typeormRows`, `sequelizeRows`, `mikroormRows` or `tableRows`, or functions of your own. A `where` maps
 * columns to the value that each must have, null for NULL; unless a function says otherwise, they are the
 * columns of the key.
 */
export interface Rows {
  /**
   * Reads the row that matches `where`: undefined or null if there is none. The row has all of `columns`,
   * with null for NULL.
   *
   * @param columns - the columns that are needed
   * @param casts - the columns whose values a driver may change, each with the type to which your own SQL can
   *   cast it: decimals, 64-bit integers, days and dates that are `storedAs` text to `text`; lists of these,
   *   of strings and of UUIDs to `text[]`. The store can read a column with and without the cast.
   * @param isLocked - whether `lock` has locked the row in this transaction. In MySQL, the read must then
   *   lock, too (`FOR UPDATE`): in a transaction at REPEATABLE READ that has already read, any other read
   *   shows an old state
   */
  find(
    where: Row,
    columns: readonly string[],
    casts?: ReadonlyMap<string, CastType>,
    isLocked?: boolean,
  ): Awaitable<unknown>;

  /**
   * Sets columns: `UPDATE … SET set WHERE where`. Left out only if there is `save`.
   *
   * @returns the number of rows that matched `where`
   */
  update?(where: Row, set: Row): Awaitable<unknown>;

  /**
   * Sets columns in the entity of an ORM, and saves it as your app does, so that its hooks and validators
   * run. It is called instead of `update`. Default none.
   *
   * @param row - the row as `find` returned it before: in the same transaction, if there is one
   * @returns the entity as it was saved, because setters and hooks may have changed the values; undefined or
   *   null if there is no such row
   */
  save?(where: Row, set: Row, row: Row): Awaitable<unknown>;

  /**
   * Inserts a row, and rejects if its key exists already. If it is left out, the store creates nothing. Its
   * result is ignored.
   */
  insert?(row: Row): Awaitable<unknown>;

  /**
   * Deletes the row. If it is left out, the store has no `delete`.
   *
   * @param row - the row as `find` returned it before: in the same transaction, if there is one
   * @returns the number of rows that matched `where`
   */
  delete?(where: Row, row: Row): Awaitable<unknown>;

  /**
   * Locks the row until the transaction is over, in a separate statement on this table alone, such as
   * `SELECT 1 FROM notes WHERE slug = $1 FOR NO KEY UPDATE` in PostgreSQL and `FOR UPDATE` in MySQL. Leave it
   * out only if the transaction itself keeps other writers out, as in SQLite.
   *
   * @returns whether there is such a row: a list of rows, or their number
   */
  lock?(where: Row): Awaitable<unknown>;

  /**
   * Runs each write in a transaction, which is committed when the returned promise resolves, and rolled back
   * if `run` rejects: `(run) => knex.transaction((trx) => run(knexRows(trx, 'notes'), trx))`. In MySQL, it
   * must have the isolation level READ COMMITTED. Default: the transaction of `prismaRows` and the like;
   * functions of your own need one.
   */
  // With `tx: Tx` here, TypeScript would infer Tx before it reads `onWrite`, where the app declares it.
  transaction?(run: (rows: Rows, tx: unknown) => Promise<void>): Awaitable<unknown>;

  /**
   * The same for a connection that all requests share and whose statements return at once, as in SQLite: `run`
   * returns at once too, so no statement of another request gets into the transaction. Default none.
   */
  transactionSync?(run: (rows: Rows, tx: unknown) => void): void;

  /**
   * `UPDATE … SET set WHERE where RETURNING columns`, in one statement: only for `version: 'xmin'`, whose
   * `where` contains it. A column that `set` maps to `unchanged` keeps its value. Default none:
   * `version: 'xmin'` is then a configuration error.
   *
   * @returns the row that matched, or a list of the rows that matched
   */
  updateReturning?(
    where: Row,
    set: Row,
    columns: readonly string[],
    casts?: ReadonlyMap<string, CastType>,
  ): Awaitable<unknown>;

  /**
   * The database, if values are passed to the driver unchanged: JSON is then written as text, as are lists in
   * SQLite and MySQL, and dates and booleans in SQLite, which have no types for them. Leave it out if the ORM
   * knows the types of its columns.
   */
  readonly dialect?: Dialect;

  /**
   * The columns that the ORM knows, by the names that it uses, each with its name in the database. A column
   * in the options that is missing here is a configuration error. Leave it out if the ORM does not know its
   * columns.
   */
  readonly columnNames?: Readonly<Record<string, string>> | undefined;

  /**
   * The types of the columns, by the names that the ORM uses, for columns without a kind in the options.
   * Leave it out if the ORM does not know them.
   */
  readonly columnKinds?: ColumnKinds | undefined;
}

/** The rows of a query builder or a driver, which pass values on unchanged. */
export type BuilderRows = Omit<Rows, 'save'> &
  Required<Pick<Rows, 'update' | 'insert' | 'delete' | 'dialect'>>;

/** The rows of an ORM, which knows the columns and their types. `T` has the types of their JSON. */
export type OrmRows<T = unknown> = Omit<Rows, 'dialect' | 'save' | 'columnKinds'> &
  Required<Pick<Rows, 'update' | 'insert' | 'delete' | 'columnNames'>> &
  Required<DeclaredForms> & { readonly columnKinds: ColumnKinds<T> | undefined };

/** The rows of an ORM that saves entities. */
export type EntityRows<T = unknown> = Omit<OrmRows<T>, 'update'> & Required<Pick<Rows, 'save'>>;

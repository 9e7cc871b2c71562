/** A row or some of its columns, by the names that the ORM uses. */
export type Row = Readonly<Record<string, unknown>>;

/** A value, a promise or another thenable, such as the query builder of an ORM. */
export type Awaitable<T> = T | PromiseLike<T>;

/** The database whose types values are written for. */
export type Dialect = 'postgres' | 'sqlite' | 'mysql';

/**
 * The form of a date, a day or a time in an ORM or a driver: a `Date`; ISO 8601, as
 * `2026-11-22T10:00:00.000Z`; a literal of SQL, in UTC without a zone, as `2026-11-22 10:00:00`; or
 * milliseconds since the epoch.
 */
export type ColumnForm = 'Date' | 'iso' | 'sql' | 'milliseconds';

/** The form of dates, days and times in columns, by the names that the ORM uses. */
export interface DeclaredForms {
  /**
   * The form in which the ORM reads and writes dates, days and times, by column: `'Date'`, `'iso'`, `'sql'`
   * or `'milliseconds'`. Left out of it, or if there is none, it is a Date, or what the driver of `dialect`
   * takes.
   */
  readonly columnForms?: Readonly<Record<string, ColumnForm>> | undefined;
}

/** The type of PostgreSQL that a column is read as. */
export type CastType = 'text' | 'text[]';

/**
 * One table, as `rowStore` needs it: made by `prismaRows`, `drizzleRows`, `knexRows`, `kyselyRows`,
 * `typeormRows`, `sequelizeRows`, `mikroormRows` or `tableRows`, or four functions of your own. A `where`
 * maps columns to the value that each must have, null for NULL.
 */
export interface Rows {
  /**
   * Reads the row that matches `where`: undefined or null if there is none. The row has all of `columns`, with
   * null for NULL.
   *
   * @param columns - the columns that are needed
   * @param casts - those of them whose values a driver may change, each with the type that SQL of your own
   *   can cast it to: decimals, 64-bit integers, days and dates that are declared `as` text to `text`, and
   *   lists of them, of strings and of UUIDs to `text[]`. The store reads both.
   */
  find(where: Row, columns: readonly string[], casts?: ReadonlyMap<string, CastType>): Awaitable<unknown>;

  /**
   * Sets columns in one statement that contains the condition: `UPDATE … SET set WHERE where`. An ORM's
   * `save`, or an update that reads first and then writes by the primary key alone, loses updates.
   *
   * @returns the row as it now is, with the column of the version; or the number of rows that matched
   *   `where`, where `transaction` is given, in which the store then reads the row again
   */
  update(
    where: Row,
    set: Row,
    columns: readonly string[],
    casts?: ReadonlyMap<string, CastType>,
  ): Awaitable<unknown>;

  /**
   * Inserts a row; rejects if its key exists already. Left out, the store creates nothing.
   *
   * @param where - the columns of the key
   * @returns the row as it now is; anything else, where `transaction` is given
   */
  insert?(
    row: Row,
    columns: readonly string[],
    casts?: ReadonlyMap<string, CastType>,
    where?: Row,
  ): Awaitable<unknown>;

  /**
   * Deletes the row in one statement that contains the condition. Left out, the store has no `delete`.
   *
   * @returns the number of rows that matched `where`
   */
  delete?(where: Row): Awaitable<unknown>;

  /**
   * The database, if values are passed to the driver unchanged: JSON is then written as text, as are lists in
   * SQLite and MySQL, and dates and booleans in SQLite, which have no types for them. Left out if the ORM
   * knows the types of its columns.
   */
  readonly dialect?: Dialect;

  /**
   * Whether `update` and `insert` return the row in the same statement. If not, the store needs
   * `transaction`, in which it reads the row again, and `version` cannot be `{ generated }`. Default false.
   */
  readonly returning?: boolean;

  /**
   * The columns that the ORM knows, by the names that it uses, each with its name in the database. A column
   * in the options that is missing here is a mistake. Left out if the ORM does not know them.
   */
  readonly columnNames?: Readonly<Record<string, string>> | undefined;
}

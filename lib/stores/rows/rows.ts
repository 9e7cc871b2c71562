/** A row, or a part of one, by the names that the ORM has for the columns. */
export type Row = Readonly<Record<string, unknown>>;

/** Thenables that are no promises too, as the query builders of ORMs are. */
export type Awaitable<T> = T | PromiseLike<T>;

/** How a database holds what its columns have no type for. */
export type Dialect = 'postgres' | 'sqlite' | 'mysql';

/**
 * One table, as `rowStore` asks for it: what `prismaRows`, `drizzleRows`, `knexRows` and `tableRows` make, or four functions of
 * your own. A `where` names columns and the value that each has to have, null for NULL.
 */
export interface Rows {
  /**
   * The row that `where` names: undefined or null where there is none.
   *
   * @param columns - all that are needed of it
   */
  find(where: Row, columns: readonly string[]): Awaitable<unknown>;

  /**
   * Sets columns in one statement, with the condition in it: `UPDATE … SET set WHERE where`. An ORM's `save`, and an update that
   * reads first and then writes by the primary key alone, loses updates.
   *
   * @returns whatever the ORM gives back, if it tells the number of rows that met `where`; or the row, as it now reads
   */
  update(where: Row, set: Row, columns: readonly string[]): Awaitable<unknown>;

  /** Adds a row; rejects where a key is there already. Left out, the store creates nothing. */
  insert?(row: Row, columns: readonly string[]): Awaitable<unknown>;

  /** Deletes in one statement, as `update` sets. Left out, the store has no `delete`. */
  delete?(where: Row): Awaitable<unknown>;

  /**
   * Where values reach the driver as they are given here: JSON is then written as text, lists too in SQLite and MySQL, and in SQLite
   * dates and booleans, as these have no types for them. Left out where the ORM knows the types of its columns.
   */
  readonly dialect?: Dialect;
}

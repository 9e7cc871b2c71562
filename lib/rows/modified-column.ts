import { ColumnValueError } from './columns/codec';
import { date } from './columns/date';
import type { ColumnForm, Dialect, Row } from './rows';

/** The compiled column of the time of the last write. */
export interface ModifiedColumn {
  readonly name: string;
  /**
   * The time of the last write; empty if the column is NULL, because the row was last written before it was
   * added.
   */
  readonly read: (row: Row) => { readonly modified?: Date };
  /**
   * The current time, in the form that the column uses; of a row that was last written in this millisecond, the next one:
   * the time moves with each write, as clients can take it for the state that they have seen (`stateMembers`).
   */
  readonly now: (row: Row | undefined) => Row;
}

export function modifiedColumn(name: string, form: ColumnForm, dialect: Dialect | undefined): ModifiedColumn {
  const codec = date({ dialect, form });
  const read = (row: Row): { readonly modified?: Date } => {
    const inside = row[name] ?? null;
    try {
      return inside === null ? {} : { modified: new Date(codec.read(inside)) };
    } catch (error) {
      throw error instanceof ColumnValueError ? error.nameColumn(name) : error;
    }
  };
  return {
    name,
    read,
    now: (row) => ({ [name]: codec.write(timeAfter(row && read(row).modified).toISOString()) }),
  };
}

/** How far the clock of another process can be ahead. */
const maxSkew = 60_000;

/** @param earlier - the time of the last write */
function timeAfter(earlier = new Date(NaN)): Date {
  const now = Date.now();
  const time = earlier.getTime() >= now && earlier.getTime() < now + maxSkew ? earlier.getTime() + 1 : now;
  // One without a fraction would not be known to have one.
  return new Date(time % 1_000 === 0 ? time + 1 : time);
}

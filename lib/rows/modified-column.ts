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
  /** The current time, in the form that the column uses. */
  readonly now: () => Row;
}

export function modifiedColumn(name: string, form: ColumnForm, dialect: Dialect | undefined): ModifiedColumn {
  const codec = date({ dialect, form });
  return {
    name,
    read: (row) => {
      const inside = row[name] ?? null;
      try {
        return inside === null ? {} : { modified: new Date(codec.read(inside)) };
      } catch (error) {
        throw error instanceof ColumnValueError ? error.nameColumn(name) : error;
      }
    },
    now: () => ({ [name]: codec.write(new Date().toISOString()) }),
  };
}

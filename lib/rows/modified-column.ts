import { date } from './columns/date';
import type { ColumnForm, DeclaredForms, Dialect, Row } from './rows';

/** The compiled column of the time of the last write. */
export interface ModifiedColumn {
  readonly name: string;
  /**
   * The time of the last write; empty if the column is NULL, because the row was last written before it was
   * added.
   */
  readonly of: (row: Row) => { readonly modified?: Date };
  /** The current time, in the form that the column uses. */
  readonly now: (row: Row | undefined) => Row;
}

/** @param as - that of the member which shows the column, if there is one */
export function modifiedColumn(
  name: string,
  as: ColumnForm | undefined,
  { dialect, columnForms = {} }: DeclaredForms & { readonly dialect?: Dialect },
): ModifiedColumn {
  const declared = columnForms[name];
  // In a column without a time zone, the time of a write may be that of the hour before, when clocks go back;
  // a date of a client would be refused.
  const form = dialect === 'postgres' && declared === undefined ? 'Date' : undefined;
  const reading = date({ dialect, declared, as: form });
  const writing = date({ dialect, declared, as: as ?? form });
  return {
    name,
    of: (row) => {
      const inside = row[name] ?? null;
      return inside === null ? {} : { modified: new Date(reading.read(inside)) };
    },
    now: (row) => ({ [name]: writing.write(new Date().toISOString(), row?.[name]) }),
  };
}

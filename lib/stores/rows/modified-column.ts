import { date } from './columns/date';
import type { Dialect, Row } from './rows';

/** The column of the time of the last write, made ready. */
export interface ModifiedColumn {
  readonly name: string;
  /** Empty where the column is NULL: nobody has written since it was added. */
  readonly of: (row: Row) => { readonly modified?: Date };
  /** The present time, in the form in which the column has it. */
  readonly now: (row: Row | undefined) => Row;
}

export function modifiedColumn(name: string, dialect: Dialect | undefined): ModifiedColumn {
  const codec = date(dialect);
  return {
    name,
    of: (row) => {
      const inside = row[name] ?? null;
      return inside === null ? {} : { modified: new Date(codec.read(inside)) };
    },
    now: (row) => ({ [name]: codec.write(new Date().toISOString(), row?.[name]) }),
  };
}

/** The columns of a row, null as undefined. */
export type Columns = readonly (string | undefined)[];

/** All as text, in the order of the SELECT: rows are objects, or arrays where the host set that. */
export function textColumns(row: unknown): Columns {
  return Object.values(Object(row) as object).map((value) => (value === null ? undefined : String(value)));
}

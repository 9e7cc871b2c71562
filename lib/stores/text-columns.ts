/** The columns of a row, all text, null as undefined, in the order of the SELECT: rows are objects, or arrays where the host set that. */
export function textColumns(row: unknown): (string | undefined)[] {
  return Object.values(Object(row) as object).map((value) => (value === null ? undefined : String(value)));
}

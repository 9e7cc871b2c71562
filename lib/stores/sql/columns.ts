/** The columns of a row, null as undefined. */
export type ColumnTexts = readonly (string | undefined)[];

/**
 * All columns as text, in the order of the SELECT. Rows are objects, or arrays if the app has configured
 * that.
 */
export function readColumnTexts(row: unknown): ColumnTexts {
  return Object.values(Object(row) as object).map((value) => (value === null ? undefined : String(value)));
}

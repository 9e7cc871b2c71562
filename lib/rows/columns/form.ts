import type { ColumnForm, Dialect } from '../rows';

/** The forms that the option `as` can name. */
export const columnForms: readonly ColumnForm[] = ['Date', 'iso', 'sql', 'milliseconds'];

/** How the driver takes the values of a column. */
export interface ColumnTypes {
  readonly dialect: Dialect | undefined;
  /** The form of dates, days and times. */
  readonly form: ColumnForm;
}

/** Milliseconds since the epoch. Drivers return 64-bit integers as a BigInt, or as digits. */
export function readMilliseconds(inside: unknown): number | undefined {
  const isNumeral = typeof inside === 'string' && /^-?\d+$/.test(inside);
  return typeof inside === 'number' || typeof inside === 'bigint' || isNumeral ? Number(inside) : undefined;
}

export function isText(form: ColumnForm | undefined): boolean {
  return form === 'iso' || form === 'sql';
}

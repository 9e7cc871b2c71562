import type { ColumnForm, Dialect } from '../rows';

/** The forms that the option `as` can name. */
export const columnForms: readonly ColumnForm[] = ['Date', 'iso', 'sql', 'milliseconds'];

/** What is known of the form of a column before a row shows it. */
export interface ColumnForms {
  readonly dialect?: Dialect | undefined;
  /** The option `as` of the column. */
  readonly as?: ColumnForm | undefined;
  /** What the ORM declares. */
  readonly declared?: ColumnForm | undefined;
}

/**
 * The form in which a value is written. The row has it; but what an ORM declares comes before a Date in the
 * row, because Drizzle reads days of MySQL as Dates that it would write in another time zone.
 *
 * @param present - the current value in the row; undefined or null if there is none
 */
export function chooseForm(
  present: unknown,
  { as, declared }: ColumnForms,
  otherwise: ColumnForm,
): ColumnForm {
  if (typeof present !== 'string' && as === undefined && declared !== undefined) return declared;
  return findForm(readMilliseconds(present, as) ?? present) ?? as ?? declared ?? otherwise;
}

/** Milliseconds since the epoch. Drivers return 64-bit integers as a BigInt, or as digits. */
export function readMilliseconds(inside: unknown, as: ColumnForm | undefined): number | undefined {
  if (typeof inside === 'number' || typeof inside === 'bigint') return Number(inside);
  const isNumeral = as === 'milliseconds' && typeof inside === 'string' && /^-?\d+$/.test(inside);
  return isNumeral ? Number(inside) : undefined;
}

function findForm(present: unknown): ColumnForm | undefined {
  if (typeof present === 'number') return 'milliseconds';
  if (typeof present === 'string') return isSqlText(present) ? 'sql' : 'iso';
  return present instanceof Date ? 'Date' : undefined;
}

/** Whether it is a date and time without a zone, as in `2026-11-22 10:00:00`. */
export function isSqlText(text: string): boolean {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(text);
}

export function isText(form: ColumnForm | undefined): boolean {
  return form === 'iso' || form === 'sql';
}

/**
 * Whether a day or a date in the year 1 to 99 would be read as one of the last century: mysql2 makes such
 * Dates. The documentation of MySQL begins with the year 1000.
 */
export function isMisreadYear(value: string, { dialect, as, declared }: ColumnForms): boolean {
  return dialect === 'mysql' && (as ?? declared ?? 'Date') === 'Date' && value.startsWith('00');
}

export const misreadYear = 'must not be before the year 100';

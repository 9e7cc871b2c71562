/**
 * How the values of a column stand in the database, and as JSON outside. NULL never reaches it: that is `null` outside.
 *
 * ```ts
 * const day: ColumnCodec<string> = {
 *   fault: (value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? undefined : 'must be a date, as 2026-11-22'),
 *   read: (inside) => String(inside).slice(0, 10),
 *   write: (outside) => outside,
 * };
 * ```
 */
export interface ColumnCodec<Outside = unknown> {
  /** What is wrong with a client's value: a client reads it after the member's pointer. Undefined: it fits. */
  readonly fault: (value: unknown) => string | undefined;

  /** Gives what clients see, as JSON has it. */
  readonly read: (inside: unknown) => Outside;

  /**
   * Gives what the ORM, or the driver, takes.
   *
   * @param outside - of which `fault` has found nothing
   * @param present - what stands in the row now; undefined or null where nothing does
   */
  write(outside: Outside, present: unknown): unknown;
}

/** What a column holds that its kind has no value for: the fault is in the database, or in the kind that was declared. */
export class ColumnValueError extends TypeError {
  override readonly name = 'ColumnValueError';
  readonly code = 'PATCH_OPTIONS_COLUMN_VALUE';

  constructor(inside: unknown, kind: string, fix = 'Declare the kind that it has.') {
    super(`A column contains a ${typeOf(inside)}, but is declared as ${kind}. ${fix}`);
  }

  /** The same with the name of the column. */
  of(column: string): this {
    this.message = this.message.replace('A column', () => `The column ${column}`);
    return this;
  }
}

/** Not the value itself: it is the app's data, and errors go to logs. */
function typeOf(value: unknown): string {
  return typeof value === 'object' ? (value?.constructor.name ?? 'null') : typeof value;
}

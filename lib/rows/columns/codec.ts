import { isThenable } from '../../config/object';
import { inspectResult, nameType } from '../../config/inspect';

/**
 * Converts the values of a column between the database and the JSON that clients see. NULL is never passed to
 * it: clients see it as `null`.
 *
 * ```ts
 * const cents: ColumnCodec<string> = {
 *   fault: (value) =>
 *     typeof value === 'string' && /^\d{1,9}\.\d\d$/.test(value)
 *       ? undefined
 *       : 'must be an amount, such as "12.50"',
 *   read: (inside) => (Number(inside) / 100).toFixed(2),
 *   write: (outside) => Number(outside.replace('.', '')),
 * };
 * ```
 */
export interface ColumnCodec<Outside = unknown> {
  /**
   * Returns the mistake in a client's value, as a phrase after the member's pointer ("must be a date");
   * undefined if it is valid.
   */
  readonly fault: (value: unknown) => string | undefined;

  /**
   * Converts a value of the database into the JSON that clients see. If it throws, the member cannot be
   * shown.
   */
  readonly read: (inside: unknown) => Outside;

  /**
   * Converts a client's value into what the ORM or the driver accepts.
   *
   * @param outside - a value that `fault` has accepted
   */
  write(outside: Outside): unknown;
}

/** The codec of a kind. */
export interface KindCodec<Outside = unknown> extends ColumnCodec<Outside> {
  /**
   * Whether the value that was read back is the value that was sent, apart from the rounding of its column.
   * If this is left out, the value that the database has made of it is shown.
   */
  readonly isKept?: (sent: unknown, stored: unknown) => boolean;
}

/** Thrown if a codec returns an invalid result: a mistake in the app, unlike a value that cannot be read. */
export class CodecResultError extends TypeError {}

/** A codec of the app that throws if it returns a promise, which would be stored or shown as `{}`. */
export function checkCodec(codec: ColumnCodec, member: string): ColumnCodec {
  const fail = (name: keyof ColumnCodec, result: unknown, fix: string): never => {
    throw new CodecResultError(
      `${name} of the codec of columns.${member} returned ${inspectResult(result)}. Return ${fix}.`,
    );
  };
  const value = (name: keyof ColumnCodec, result: unknown): unknown =>
    isThenable(result) ? fail(name, result, 'the value itself') : result;
  return {
    fault: (outside) => {
      const fault: unknown = codec.fault(outside);
      return fault === undefined || typeof fault === 'string'
        ? fault
        : fail('fault', fault, 'the mistake in the value, or undefined');
    },
    read: (inside) => value('read', codec.read(inside)),
    write: (outside) => value('write', codec.write(outside)),
  };
}

/** The codec of a column, or of list elements, with a list of allowed values. */
export function limitCodec(codec: KindCodec, values: readonly string[] | undefined): KindCodec {
  if (values === undefined) return codec;
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  return {
    ...codec,
    fault: (value) => {
      const isAmong = values.some((allowed) => allowed === value);
      return isAmong ? codec.fault(value) : `must be ${values.length > 1 ? 'one of ' : ''}${list}`;
    },
  };
}

/**
 * Names infinity, a zero date and an invalid Date; for any other value only the type, because the value can
 * be a secret.
 */
function shownInside(inside: unknown): string {
  if (isInfinite(inside)) return String(inside).toLowerCase();
  if (isZeroDate(inside)) return `the date ${inside.slice(0, 10)}`;
  return inside instanceof Date && Number.isNaN(inside.getTime()) ? 'an invalid Date' : nameType(inside);
}

/** Whether a value is an infinite date of PostgreSQL, which node-postgres returns as a number or as text. */
export function isInfinite(inside: unknown): boolean {
  return [Infinity, -Infinity, 'infinity', '-infinity'].includes(inside as number);
}

/** Whether a value is a date that only MySQL and MariaDB can store, such as 0000-00-00 or 2026-00-00. */
export function isZeroDate(inside: unknown): inside is string {
  return typeof inside === 'string' && /^(?:0000-\d\d-\d\d|\d{4}-(?:00-\d\d|\d\d-00))(?!\d)/.test(inside);
}

/**
 * A row contains a value that does not fit the kind in `columns`: your app wrote it, or the driver returns
 * another form. The message names the column, the kind and the remedy. Correct the data, or the kind.
 */
export class ColumnValueError extends TypeError {
  override readonly name = 'ColumnValueError';
  readonly code = 'PATCH_OPTIONS_COLUMN_VALUE';

  constructor(inside: unknown, kind: string, fix = 'Declare the kind that fits its values.') {
    super(`A column contains ${shownInside(inside)}, but is declared as ${kind}. ${fix}`);
  }

  /** Adds the name of the column to the message. */
  nameColumn(column: string): this {
    this.message = this.message.replace('A column', () => `The column ${column}`);
    return this;
  }
}

import type { ColumnForm, Dialect } from '../rows';
import { ColumnValueError, isInfinite, isZeroDate, type KindCodec } from './codec';

/** The forms that the option `storedAs` can name. */
export const columnForms: readonly ColumnForm[] = ['Date', 'iso', 'sql', 'milliseconds'];

/** The way in which the driver takes the values of a column. */
export interface ColumnTypes {
  readonly dialect: Dialect | undefined;
  /** The form of dates, days and times. */
  readonly form: ColumnForm;
}

export function isText(form: ColumnForm | undefined): boolean {
  return form === 'iso' || form === 'sql';
}

/**
 * Clients see an RFC 3339 date-time, in UTC when it is read. The database keeps its own form: a Date,
 * milliseconds since the epoch, or text, which is taken for UTC if it has no zone.
 */
export function date({ dialect, form }: ColumnTypes): KindCodec<string> {
  return {
    fault: (value) =>
      typeof value === 'string' && zone.test(value) && parseInstant(value) !== undefined
        ? undefined
        : 'must be an RFC 3339 date and time, such as "2026-11-22T10:00:00Z"',
    read: (inside) => {
      const instant = readForm(inside, form) ?? NaN;
      if (!isInRange(instant))
        throw new ColumnValueError(
          inside,
          `date stored as '${form}'`,
          findFixInDays(inside, dialect, 'date') ?? findFix(inside, form),
        );
      return new Date(instant).toISOString();
    },
    write: (outside) => {
      const instant = new Date(parseInstant(outside) ?? NaN);
      if (form === 'milliseconds') return instant.getTime();
      if (form === 'Date') return instant;
      const iso = instant.toISOString();
      // PostgreSQL would take text without a zone for a time in the session's time zone.
      return form === 'sql' && dialect !== 'postgres' ? iso.replace('T', ' ').replace(/(\.000)?Z$/, '') : iso;
    },
    // A column can round fractions of a second.
    isKept: (sent, stored) =>
      Math.abs((parseInstant(String(sent)) ?? NaN) - (parseInstant(String(stored)) ?? NaN)) < 1_000,
  };
}

function readForm(inside: unknown, form: ColumnForm): number | undefined {
  if (form === 'milliseconds') return readMilliseconds(inside);
  if (typeof inside === 'string')
    return isText(form) || /:.*[Zz+-]/.test(inside) ? parseInstant(inside) : undefined;
  return inside instanceof Date && form === 'Date' ? inside.getTime() : undefined;
}

/** Milliseconds since the epoch. Drivers return 64-bit integers as a BigInt, or as digits. */
function readMilliseconds(inside: unknown): number | undefined {
  const isNumeral = typeof inside === 'string' && /^-?\d+$/.test(inside);
  return typeof inside === 'number' || typeof inside === 'bigint' || isNumeral ? Number(inside) : undefined;
}

/**
 * The fix for infinity of PostgreSQL, and for the zero date of MySQL, which mysql2 turns into an invalid
 * Date; undefined for any other value.
 */
function findFixInDays(
  inside: unknown,
  dialect: Dialect | undefined,
  kind: 'date' | 'day',
): string | undefined {
  const fix = `Store NULL instead, and declare the column as '${kind}?', or store a ${kind} that exists.`;
  if (isInfinite(inside)) return `RFC 3339 has no form for it. ${fix}`;
  const isInvalid = inside instanceof Date && Number.isNaN(inside.getTime());
  if (isZeroDate(inside) || (isInvalid && dialect === 'mysql'))
    return `Its year, month or day is zero, as in 0000-00-00. ${fix}`;
  return undefined;
}

function findFix(inside: unknown, form: ColumnForm): string {
  // Drizzle and TypeORM also pass on an invalid Date; Prisma makes one of an offset with seconds.
  if (inside instanceof Date && form === 'Date')
    return (
      'The Date is invalid, such as one made of 0000-00-00, or not in the years 1 to 9999. Correct the value; or, ' +
      'if the driver or the ORM could not read it, set the time zone of the connection to UTC.'
    );
  return typeof inside === 'string' && form === 'Date'
    ? 'Let the driver return Dates (mysql2: without dateStrings), ' +
        "or declare the column as { kind: 'date', storedAs: 'sql' } if the text is in UTC."
    : 'Let the driver return that form, ' +
        "or declare the one that it returns, such as { kind: 'date', storedAs: 'iso' }.";
}

const dateTime = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-][\d:]{2,8})?$/;

const zone = /^\d{4}-.*[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Milliseconds since the epoch; undefined if it is not a date, such as February 30, or not in the years 1 to
 * 9999. A leap second becomes the second after it.
 */
export function parseInstant(text: string): number | undefined {
  const [, day = '', hours, minutes, seconds, fraction = '', offset] = dateTime.exec(text) ?? [];
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = (hour * 60 + minute) * 60 + second - parseOffset(offset);
  const instant = midnight + time * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return isInRange(instant) ? instant : undefined;
}

/** The range of dates whose year has four digits in UTC. */
const first = Date.parse('0001-01-01T00:00:00.000Z');

const last = Date.parse('9999-12-31T23:59:59.999Z');

function isInRange(instant: number): boolean {
  return instant >= first && instant <= last;
}

/**
 * Seconds east of UTC, NaN if it is not an offset. PostgreSQL has offsets with seconds, for dates before time
 * zones were introduced.
 */
function parseOffset(zoned = 'Z'): number {
  if (/^z$/i.test(zoned)) return 0;
  const [, sign, hour, minute = 0, second = 0] = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(zoned) ?? [];
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return NaN;
  return (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds);
}

/**
 * Clients see an RFC 3339 full-date. Drivers return it as text, or as a Date at the midnight that begins it.
 */
export function day({ dialect, form }: ColumnTypes): KindCodec<string> {
  return {
    fault: (value) =>
      typeof value === 'string' && toMidnight(value) !== undefined
        ? undefined
        : 'must be a day of the calendar, such as "2026-11-22"',
    read: (inside) => {
      const milliseconds = form === 'milliseconds' ? readMilliseconds(inside) : undefined;
      const text = readDay(milliseconds === undefined ? inside : new Date(milliseconds));
      if (text !== undefined && toMidnight(text) !== undefined) return text;
      const fix =
        dialect === 'mysql' && inside instanceof Date
          ? "Set timezone: 'Z' or dateStrings: ['DATE'] for the pool, " +
            'or declare the kind that fits its values.'
          : 'Declare the kind that fits its values' +
            `${typeof inside === 'number' ? ", or storedAs: 'milliseconds'" : ''}.`;
      throw new ColumnValueError(inside, 'day', findFixInDays(inside, dialect, 'day') ?? fix);
    },
    write: (outside) => {
      const midnight = new Date(toMidnight(outside) ?? NaN);
      if (form === 'milliseconds') return midnight.getTime();
      // A driver would write the day of the Date in its own time zone.
      return form === 'Date' && dialect === undefined ? midnight : outside;
    },
    isKept: (sent, stored) => sent === stored,
  };
}

const fullDate = /^\d{4}-\d\d-\d\d$/;

/** The time of its midnight in UTC, in milliseconds; undefined if it is not a day of the calendar. */
export function toMidnight(text: string): number | undefined {
  return fullDate.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
}

/** A day, or its midnight in UTC, as Prisma writes it in SQLite. */
const midnightText = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00:00(?:\.0+)?(?:Z|[+-]00(?::?00)?)?)?$/;

export function readDay(inside: unknown): string | undefined {
  if (typeof inside === 'string') return midnightText.exec(inside)?.[1];
  if (!(inside instanceof Date)) return undefined;
  if (inside.getTime() % 86_400_000 === 0) return inside.toISOString().slice(0, -14);
  // The first moment of the day in the time zone of the process, which is later than midnight if the clocks
  // change then. The constructor of Date, and Date.UTC, would take the years 0 to 99 for years of the last
  // century.
  const [local, utc] = [new Date(2000, 0, 1), new Date(0)];
  local.setFullYear(inside.getFullYear(), inside.getMonth(), inside.getDate());
  utc.setUTCFullYear(inside.getFullYear(), inside.getMonth(), inside.getDate());
  return local.getTime() === inside.getTime() ? utc.toISOString().slice(0, -14) : undefined;
}

/**
 * Clients see an RFC 3339 partial-time, without zeros at the end of a fraction: MySQL writes as many as the
 * column has, PostgreSQL writes none. A leap second is refused, because PostgreSQL would store the next
 * minute.
 */
export function time({ dialect, form }: ColumnTypes): KindCodec<string> {
  return {
    fault: (value) =>
      typeof value === 'string' && partialTime.test(value)
        ? undefined
        : 'must be a time of day, such as "10:00:00", with at most 6 decimals',
    read: (inside) => {
      const text = inside instanceof Date ? readTimeOfDay(inside) : inside;
      if (typeof text !== 'string' || !(partialTime.test(text) || endOfDay.test(text)))
        throw new ColumnValueError(inside, 'time', 'It must be from 00:00:00 to 24:00:00, without a zone.');
      return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
    },
    write: (outside) =>
      form === 'Date' && dialect === undefined ? new Date(`1970-01-01T${outside}Z`) : outside,
  };
}

const partialTime = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/;

/**
 * The end of a day. It is not a partial-time, but a value of the type time: PostgreSQL rounds up to it if the
 * column cannot keep a fraction.
 */
const endOfDay = /^24:00:00(?:\.0+)?$/;

/** Prisma returns a time as a Date on the first day of the epoch, in UTC. */
function readTimeOfDay(date: Date): string | undefined {
  if (date.getTime() === 86_400_000) return '24:00:00';
  const isFirstDay = date.getTime() >= 0 && date.getTime() < 86_400_000;
  return isFirstDay ? date.toISOString().slice(11, -1) : undefined;
}

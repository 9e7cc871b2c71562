import type { ColumnForm, Dialect } from '../rows';
import { ColumnValueError, isInfinite, isZeroDate, type KindCodec } from './codec';
import { type ColumnTypes, isText, readMilliseconds } from './form';

/**
 * Clients see an RFC 3339 date-time, in UTC when it is read. The database keeps its own form: a Date,
 * milliseconds since the epoch, or text, which is taken for UTC where it has no zone.
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
          `date as '${form}'`,
          findFixInDays(inside, dialect, 'date') ?? findFix(inside, form),
        );
      return new Date(instant).toISOString();
    },
    write: (outside) => {
      const instant = new Date(parseInstant(outside) ?? NaN);
      if (form === 'milliseconds') return instant.getTime();
      if (form === 'Date') return instant;
      const iso = instant.toISOString();
      // PostgreSQL would take text without a zone for a time in that of the session.
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

/**
 * The fix for infinity of PostgreSQL, and for the zero date of MySQL, of which mysql2 makes an invalid Date;
 * undefined for any other value.
 */
export function findFixInDays(
  inside: unknown,
  dialect: Dialect | undefined,
  kind: 'date' | 'day',
): string | undefined {
  const fix = `Store NULL instead, and declare the column as '${kind}?', or store a ${kind} that exists.`;
  if (isInfinite(inside)) return `RFC 3339 cannot write it. ${fix}`;
  const isInvalid = inside instanceof Date && Number.isNaN(inside.getTime());
  if (isZeroDate(inside) || (isInvalid && dialect === 'mysql'))
    return `Its year, month or day is zero, as in 0000-00-00. ${fix}`;
  return undefined;
}

function findFix(inside: unknown, form: ColumnForm): string {
  // Drizzle and TypeORM pass on an invalid Date too; Prisma makes one of an offset in seconds.
  if (inside instanceof Date && form === 'Date')
    return (
      'The Date is invalid, such as one made of 0000-00-00, or not in the years 1 to 9999. Correct the value; or, ' +
      'if the driver or the ORM could not read it, set the time zone of the connection to UTC.'
    );
  return typeof inside === 'string' && form === 'Date'
    ? 'Let the driver return Dates (mysql2: without dateStrings), ' +
        "or declare the column as { kind: 'date', as: 'sql' } if the text is in UTC."
    : 'Let the driver return that form, ' +
        "or declare the one that it returns, such as { kind: 'date', as: 'iso' }.";
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

/** The range that four digits of a year allow in UTC. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

function isInRange(instant: number): boolean {
  return instant >= first && instant <= last;
}

/**
 * Seconds east of UTC, NaN if it is not an offset. PostgreSQL has offsets with seconds, from before there
 * were time zones.
 */
function parseOffset(zoned = 'Z'): number {
  if (/^z$/i.test(zoned)) return 0;
  const [, sign, hour, minute = 0, second = 0] = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(zoned) ?? [];
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return NaN;
  return (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds);
}

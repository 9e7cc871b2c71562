import { type ColumnCodec, ColumnValueError, UnwritableValueError } from './codec';
import { chooseForm, type ColumnForms, isMisreadYear, isText, misreadYear, readMilliseconds } from './form';

/**
 * Clients see an RFC 3339 date-time, in UTC when it is read. The database keeps its own form: a Date,
 * milliseconds since the epoch, or text, which SQLite writes in UTC without a zone. Text without a zone is
 * refused for MySQL unless the app has said that it is UTC, by `as`: the pool was asked for it
 * (`dateStrings`), and only the app knows its zone.
 */
export function date(forms: ColumnForms): ColumnCodec<string> {
  const { dialect, as } = forms;
  return {
    fault: (value) => {
      const instant = typeof value === 'string' && zone.test(value) ? parseInstant(value) : undefined;
      if (instant === undefined) {
        return 'must be an RFC 3339 date and time, such as "2026-11-22T10:00:00Z"';
      }
      return isMisreadYear(new Date(instant).toISOString(), forms) ? misreadYear : undefined;
    },
    read: (inside) => {
      if (isText(as) && inside instanceof Date) {
        const fix = "Configure the driver to return text, or remove the option 'as'.";
        throw new ColumnValueError(inside, `date as '${as}'`, fix);
      }
      if (dialect === 'mysql' && !isText(as) && typeof inside === 'string' && !zone.test(inside)) {
        const fix =
          'Remove the option dateStrings of the pool, ' +
          "or declare the column as { kind: 'date', as: 'sql' } if the text is in UTC.";
        throw new ColumnValueError(inside, 'date', fix);
      }
      const read = inside instanceof Date ? inside : new Date(toInstant(inside, as) ?? NaN);
      if (Number.isNaN(read.getTime()))
        throw new ColumnValueError(inside, 'date', inside instanceof Date ? invalidDate : undefined);
      return read.toISOString();
    },
    write: (outside, present) => {
      const instant = new Date(parseInstant(outside) ?? NaN);
      const form = chooseForm(present, forms, dialect === 'sqlite' ? 'iso' : 'Date');
      if (form === 'milliseconds') return instant.getTime();
      const iso = instant.toISOString();
      if (form === 'Date') {
        if (dialect !== 'postgres') return instant;
        // The column has a time zone.
        if (as !== undefined) return isChangedByPg(instant, false) ? iso : instant;
        if (isChangedByPg(instant, !isRepeated(present))) throw new UnwritableValueError(ambiguousTime);
        return instant;
      }
      // PostgreSQL would take text without a zone for a time in that of the session.
      return form === 'sql' && dialect !== 'postgres' ? iso.replace('T', ' ').replace(/(\.000)?Z$/, '') : iso;
    },
  };
}

/** mysql2 makes one of 0000-00-00, and Prisma of a timestamptz with an offset in seconds. */
const invalidDate =
  'The Date is invalid, because the driver or the ORM cannot read the value. ' +
  'Correct it, or set the time zone of the connection to UTC.';

export const ambiguousTime =
  "must not be a time that is ambiguous in the server's time zone, as when clocks go back";

/**
 * Whether node-postgres would write another instant: it writes a Date in the time zone of the process, with
 * an offset in minutes.
 *
 * @param isLocal - whether the column has no time zone. It keeps only the local time, which is that of two
 *   instants when clocks go back, and would be read as the first
 */
export function isChangedByPg(date: Date, isLocal: boolean): boolean {
  return hasOffsetInSeconds(date) || (isLocal && isRepeated(date));
}

/** Whether it is the second of two instants with the same local time. */
function isRepeated(present: unknown): boolean {
  if (!(present instanceof Date)) return false;
  const first = new Date(present);
  first.setHours(present.getHours());
  return first.getTime() < present.getTime();
}

/** Before there were time zones. */
function hasOffsetInSeconds(date: Date): boolean {
  return date.getSeconds() !== date.getUTCSeconds();
}

function toInstant(inside: unknown, as: ColumnForms['as']): number | undefined {
  return readMilliseconds(inside, as) ?? (typeof inside === 'string' ? readInstant(inside) : undefined);
}

/** PostgreSQL has years before and after those of four digits, and rounds a fraction up to the year 10000. */
const form =
  /^(\d{4,6})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|z|[+-]\d\d(?::?\d\d(?::\d\d)?)?)?( BC)?$/;
const zone = /^\d{4}-.*[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Milliseconds since the epoch; undefined if it is not a date that every engine supports. */
export function parseInstant(text: string): number | undefined {
  const instant = readInstant(text);
  return instant !== undefined && instant >= first && instant <= last ? instant : undefined;
}

/** The range that four digits of a year allow in UTC. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since the epoch; undefined if it is not a date, such as February 30. A leap second becomes the
 * second after it.
 */
export function readInstant(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, ...parts] = match;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(parts[8] === undefined ? year : 1 - year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const milliseconds = Number(`0.${parts[6] ?? 0}`) * 1_000;
  const offset = parseOffset(parts[7]);
  if (offset === undefined) return undefined;
  return date.setUTCHours(hour, minute, second - offset, Math.floor(milliseconds));
}

/** Seconds east of UTC. PostgreSQL has offsets with seconds, from before there were time zones. */
function parseOffset(zoned = 'Z'): number | undefined {
  const [, sign, hour, minute = 0, second = 0] = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(zoned) ?? [];
  if (sign === undefined) return 0;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (sign === '-' ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds);
}

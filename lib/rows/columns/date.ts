import { type ColumnCodec, ColumnValueError } from './codec';
import type { Dialect } from '../rows';

/**
 * Clients see an RFC 3339 date-time, in UTC when it is read. The database keeps its own form: a Date,
 * milliseconds since the epoch, or text, which SQLite writes in UTC without a zone. Text without a zone is
 * refused for MySQL: the pool was asked for it (`dateStrings`), and only the app knows its zone.
 */
export function date(dialect: Dialect | undefined): ColumnCodec<string> {
  return {
    fault: (value) =>
      typeof value === 'string' && zone.test(value) && parseInstant(value) !== undefined
        ? undefined
        : 'must be an RFC 3339 date and time, such as "2026-11-22T10:00:00Z"',
    read: (inside) => {
      const read = inside instanceof Date ? inside : new Date(toMilliseconds(inside) ?? NaN);
      if (dialect === 'mysql' && typeof inside === 'string' && !zone.test(inside)) {
        throw new ColumnValueError(
          inside,
          'date',
          'Remove the option dateStrings of the pool, or declare the column as string.',
        );
      }
      if (Number.isNaN(read.getTime())) throw new ColumnValueError(inside, 'date');
      return read.toISOString();
    },
    write: (outside, present) => {
      const instant = new Date(parseInstant(outside) ?? NaN);
      if (typeof present === 'number' || typeof present === 'bigint') return instant.getTime();
      if (typeof present !== 'string' && dialect !== 'sqlite') return instant;
      const iso = instant.toISOString();
      const likeSqlite = dialect === 'sqlite' && typeof present === 'string' && present[10] === ' ';
      return likeSqlite ? iso.replace('T', ' ').replace(/(\.000)?Z$/, '') : iso;
    },
  };
}

function toMilliseconds(inside: unknown): number | undefined {
  if (typeof inside === 'string') return parseInstant(inside);
  return typeof inside === 'number' || typeof inside === 'bigint' ? Number(inside) : undefined;
}

const form = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|z|[+-]\d\d(?::?\d\d)?)?$/;
const zone = /[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/;

/**
 * Milliseconds since the epoch; undefined if it is not a date, such as February 30. A leap second becomes the
 * second after it.
 */
function parseInstant(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, ...parts] = match;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const milliseconds = Number(`0.${parts[6] ?? 0}`) * 1_000;
  const offset = parseOffset(parts[7]);
  if (offset === undefined) return undefined;
  const instant = date.setUTCHours(hour, minute - offset, second, Math.floor(milliseconds));
  return instant >= first && instant <= last ? instant : undefined;
}

/** The range that four digits of a year allow in UTC, and that every engine supports. */
const first = Date.parse('0001-01-01T00:00:00.000Z');
const last = Date.parse('9999-12-31T23:59:59.999Z');

/** Minutes east of UTC. */
function parseOffset(zoned = 'Z'): number | undefined {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zoned) ?? [];
  if (sign === undefined) return 0;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

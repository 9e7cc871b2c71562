import { ColumnValueError, type KindCodec } from './codec';
import type { ColumnTypes } from './form';

const partialTime = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/;

/**
 * The end of a day, which is not a partial-time, but a value of the type time: PostgreSQL rounds a fraction
 * that the column cannot keep up to it.
 */
const endOfDay = /^24:00:00(?:\.0+)?$/;

/**
 * Clients see an RFC 3339 partial-time, without zeros at the end of a fraction: MySQL writes as many as the
 * column has, and PostgreSQL none. A leap second is refused, because PostgreSQL would store the next minute.
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

/** Prisma returns a time as one of the first day of the epoch, in UTC. */
function readTimeOfDay(date: Date): string | undefined {
  if (date.getTime() === 86_400_000) return '24:00:00';
  const isFirstDay = date.getTime() >= 0 && date.getTime() < 86_400_000;
  return isFirstDay ? date.toISOString().slice(11, -1) : undefined;
}

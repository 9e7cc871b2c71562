import { ColumnValueError, type KindCodec } from './codec';
import { findFixInDays, parseInstant } from './date';
import { type ColumnTypes, readMilliseconds } from './form';

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
            `${typeof inside === 'number' ? ", or as: 'milliseconds'" : ''}.`;
      throw new ColumnValueError(inside, 'day', findFixInDays(inside, dialect, 'day') ?? fix);
    },
    write: (outside) => {
      const midnight = new Date(toMidnight(outside) ?? NaN);
      if (form === 'milliseconds') return midnight.getTime();
      // A driver would write the day of the Date in a time zone of its own.
      return form === 'Date' && dialect === undefined ? midnight : outside;
    },
    isKept: (sent, stored) => sent === stored,
  };
}

const fullDate = /^\d{4}-\d\d-\d\d$/;

/** Milliseconds of its midnight in UTC; undefined if it is not a day of the calendar. */
export function toMidnight(text: string): number | undefined {
  return fullDate.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
}

/** A day, or its midnight in UTC, as Prisma writes it in SQLite. */
const midnightText = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00:00(?:\.0+)?(?:Z|[+-]00(?::?00)?)?)?$/;

export function readDay(inside: unknown): string | undefined {
  if (typeof inside === 'string') return midnightText.exec(inside)?.[1];
  if (!(inside instanceof Date)) return undefined;
  if (inside.getTime() % 86_400_000 === 0) return inside.toISOString().slice(0, -14);
  // The first moment of the day where the process is, which is later than midnight where clocks change then.
  // The constructor of Date and Date.UTC would take the years 0 to 99 for those of the last century.
  const [local, utc] = [new Date(2000, 0, 1), new Date(0)];
  local.setFullYear(inside.getFullYear(), inside.getMonth(), inside.getDate());
  utc.setUTCFullYear(inside.getFullYear(), inside.getMonth(), inside.getDate());
  return local.getTime() === inside.getTime() ? utc.toISOString().slice(0, -14) : undefined;
}

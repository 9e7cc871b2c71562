import { type ColumnCodec, ColumnValueError } from './codec';
import { parseInstant } from './date';
import { chooseForm, type ColumnForms, isMisreadYear, misreadYear, readMilliseconds } from './form';

/** Clients see an RFC 3339 full-date. Drivers return it as text, or as a Date at the midnight that begins it. */
export function day(forms: ColumnForms): ColumnCodec<string> {
  const { dialect } = forms;
  return {
    fault: (value) => {
      if (typeof value !== 'string' || toMidnight(value) === undefined) {
        return 'must be a day of the calendar, such as "2026-11-22"';
      }
      if (isMisreadYear(value, forms)) return misreadYear;
      return isLeftOut(value, forms) ? leftOutDay : undefined;
    },
    read: (inside) => {
      const text = readDay(inside, forms);
      if (text !== undefined && toMidnight(text) !== undefined) return text;
      const fix =
        dialect === 'mysql' && inside instanceof Date
          ? "Set timezone: 'Z' or dateStrings: ['DATE'] for the pool, or declare the kind that fits its values."
          : undefined;
      throw new ColumnValueError(inside, 'day', fix);
    },
    write: (outside, present) => {
      const midnight = new Date(toMidnight(outside) ?? NaN);
      const form = chooseForm(present, forms, dialect === undefined ? 'Date' : 'iso');
      if (form === 'milliseconds') return midnight.getTime();
      // A driver would write the day of the Date in a time zone of its own.
      if (form === 'Date' && dialect === undefined) {
        return present instanceof Date && isLocal(present) ? localMidnight(midnight) : midnight;
      }
      const [, , rest = ''] = (typeof present === 'string' && midnightText.exec(present)) || [];
      return `${outside}${rest}`;
    },
  };
}

export const leftOutDay = 'must be a day that exists in the time zone of the server';

const fullDate = /^\d{4}-\d\d-\d\d$/;

/** Milliseconds of its midnight in UTC; undefined if it is not a day of the calendar. */
function toMidnight(text: string): number | undefined {
  return fullDate.test(text) ? parseInstant(`${text}T00:00:00Z`) : undefined;
}

/** A day, or its midnight in UTC, as Prisma writes it in SQLite. */
const midnightText = /^(\d{4}-\d\d-\d\d)([T ]00:00:00(?:\.0+)?(?:Z|[+-]00(?::?00)?)?)?$/;

function readDay(inside: unknown, { as }: ColumnForms): string | undefined {
  const milliseconds = readMilliseconds(inside, as);
  const date = milliseconds === undefined ? inside : new Date(milliseconds);
  if (typeof date === 'string') return midnightText.exec(date)?.[1];
  if (!(date instanceof Date)) return undefined;
  if (isUtcMidnight(date)) return date.toISOString().slice(0, -14);
  return milliseconds === undefined && isLocal(date) ? localDay(date) : undefined;
}

function isUtcMidnight(date: Date): boolean {
  return date.getTime() % 86_400_000 === 0;
}

/**
 * Whether it is the first moment of one day in the time zone of the process, and not midnight in UTC: not of
 * two, as in Samoa, which left out a day.
 */
function isLocal(date: Date): boolean {
  if (isUtcMidnight(date)) return false;
  const first = startOfDay(date.getFullYear(), date.getMonth(), date.getDate());
  const before = startOfDay(date.getFullYear(), date.getMonth(), date.getDate() - 1);
  return first.getTime() === date.getTime() && before.getTime() !== date.getTime();
}

/** Whether the driver would return the same Date for it and for the day before or after it. */
function isLeftOut(value: string, { dialect, as, declared }: ColumnForms): boolean {
  if (dialect === undefined || dialect === 'sqlite' || (as ?? declared) !== undefined) return false;
  const midnight = localMidnight(new Date(toMidnight(value) ?? NaN));
  return isLeftOutHere(value) || (!isUtcMidnight(midnight) && !isLocal(midnight));
}

/** Whether the time zone of the process has left a day out: a Date for it would be one of the next. */
export function isLeftOutHere(value: string): boolean {
  const midnight = toMidnight(value);
  return midnight !== undefined && localDay(localMidnight(new Date(midnight))) !== value;
}

function localDay(date: Date): string {
  const utc = new Date(0);
  utc.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
  return utc.toISOString().slice(0, -14);
}

function localMidnight(midnight: Date): Date {
  return startOfDay(midnight.getUTCFullYear(), midnight.getUTCMonth(), midnight.getUTCDate());
}

/** The constructor of Date would take the years 0 to 99 for those of the last century. */
function startOfDay(year: number, month: number, dayOfMonth: number): Date {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month, dayOfMonth);
  return date;
}

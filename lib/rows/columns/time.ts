import { ColumnValueError, type KindCodec, UnwritableValueError } from './codec';
import { chooseForm, type ColumnForms } from './form';

const partialTime = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?$/;

/**
 * The end of a day, which is not a partial-time, but a value of the type time: PostgreSQL rounds a fraction
 * that the column cannot keep up to it.
 */
const endOfDay = /^24:00:00(?:\.0+)?$/;

/** The microseconds of PostgreSQL and MySQL, which would round a longer fraction. */
const mostDecimals = 6;

/**
 * Clients see an RFC 3339 partial-time, without zeros at the end of a fraction: MySQL writes as many as the
 * column has, and PostgreSQL none. A leap second is refused, because PostgreSQL would store the next minute.
 */
export function time(forms: ColumnForms): KindCodec<string> {
  return {
    fault: (value) => {
      if (typeof value !== 'string' || !partialTime.test(value)) {
        return 'must be a time of day, such as "10:00:00"';
      }
      return countDecimals(value) > mostDecimals ? `must have at most ${mostDecimals} decimals` : undefined;
    },
    settle: withoutZeros,
    read: (inside) => {
      const text = inside instanceof Date ? readTimeOfDay(inside) : inside;
      if (typeof text === 'string' && (partialTime.test(text) || endOfDay.test(text)))
        return withoutZeros(text);
      throw new ColumnValueError(inside, 'time', 'It must be from 00:00:00 to 24:00:00, without a zone.');
    },
    write: (outside, present) => {
      const { dialect } = forms;
      const form = chooseForm(present, forms, dialect === undefined ? 'Date' : 'iso');
      if (form !== 'Date' || dialect !== undefined) return outside;
      if (countDecimals(withoutZeros(outside)) > 3)
        throw new UnwritableValueError('must have at most 3 decimals');
      return new Date(`1970-01-01T${outside}Z`);
    },
  };
}

function countDecimals(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Prisma returns a time as one of the first day of the epoch, in UTC. */
function readTimeOfDay(date: Date): string | undefined {
  if (date.getTime() === 86_400_000) return '24:00:00';
  const isFirstDay = date.getTime() >= 0 && date.getTime() < 86_400_000;
  return isFirstDay ? date.toISOString().slice(11, -1) : undefined;
}

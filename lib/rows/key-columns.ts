import { hasNames, isThenable } from '../config/object';
import { inspectResult } from '../config/inspect';
import { splitKey } from '../stores/contract/key';
import { ColumnValueError } from './columns/codec';
import type { Column } from './columns/column';
import { parseInstant, readDay, toMidnight } from './columns/date';
import { hasForms } from './columns/kind';
import type { ColumnKinds, DeclaredForms, Dialect, Row } from './rows';

/** The compiled option `key`. */
export interface KeyColumns {
  /**
   * The column values that identify the row; undefined if there can be no row with that key.
   *
   * @throws TypeError if the function of the app does not return columns
   */
  readonly toWhere: (key: string) => Row | undefined;
  /** Whether the row that the database found has the key in the same spelling. */
  readonly isSpelledAs: (where: Row, row: Row) => boolean;
}

interface KeyOptions extends DeclaredForms {
  readonly key?: string | readonly string[] | ((key: string) => Row | undefined) | undefined;
  readonly dialect?: Dialect | undefined;
  readonly columnKinds?: ColumnKinds | undefined;
}

export function compileKey({ key = [], ...types }: KeyOptions, columns: readonly Column[]): KeyColumns {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const find = (name: string) => byName.get(name);
  const kindOf = (name: string): unknown => {
    const { columnKinds = {} } = types;
    const schemaKind = Object.hasOwn(columnKinds, name) ? columnKinds[name]?.kind : undefined;
    return find(name)?.kind ?? schemaKind;
  };
  const toWhere =
    typeof key === 'function' ? (text: string) => checkWhere(key(text)) : whereReader(key, find, kindOf);
  return {
    toWhere: (text) => {
      const where = toWhere(text);
      const typed = Object.entries(where ?? {}).map(([name, value]) => {
        return [name, toTyped(name, value, find(name), types)] as const;
      });
      return where && typed.every(([, value]) => value !== undefined) ? Object.fromEntries(typed) : undefined;
    },
    isSpelledAs: (where, row) =>
      Object.entries(where).every(([name, value]) => isSpelled(name, value, row[name], find(name))),
  };
}

/**
 * Creates the function that reads column values from a key: the key is the text of one column, or the joined
 * texts of several.
 */
function whereReader(
  key: string | readonly string[],
  find: (name: string) => Column | undefined,
  kindOf: (name: string) => unknown,
): (key: string) => Row | undefined {
  const names = [key].flat();
  return (text) => {
    const texts = typeof key === 'string' ? [text] : splitKey(text, names.length);
    if (texts === undefined) return undefined;
    const values = names.map((name, i) => {
      const part = texts[i] ?? '';
      const kind = kindOf(name);
      if (kind === 'integer') return readWholeNumber(part);
      return kind === 'bigint' && !isBigint(part) ? undefined : readValue(part, find(name));
    });
    if (values.includes(undefined)) return undefined;
    return Object.fromEntries(names.map((name, i) => [name, values[i]]));
  };
}

/** The value of a column that is not an integer: ORMs with types refuse a text for a date. */
function readValue(text: string, column: Column | undefined): unknown {
  if (column === undefined || !isDateColumn(column)) return text;
  const { codec } = column;
  if (codec.fault(text) !== undefined) return undefined;
  const value = codec.write(text);
  return codec.read(value) === text ? value : undefined;
}

/** Accepts only the spelling of `String(number)`: `7`, not `07`. */
function readWholeNumber(text: string): number | undefined {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : undefined;
}

/** Whether it is a 64-bit integer, with or without a sign: for other texts Prisma throws. */
function isBigint(text: string): boolean {
  if (!/^(?:0|-?[1-9]\d{0,19})$/.test(text)) return false;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value;
}

function isDateColumn({ kind }: Column): boolean {
  return kind !== undefined && hasForms(kind);
}

/**
 * The columns that the option `key` returned.
 *
 * @throws TypeError for anything without columns, such as a promise, or if a column is undefined: some ORMs
 *   would find every row with it, or insert a row that is not found again
 */
function checkWhere(where: Row | undefined): Row | undefined {
  if (where === undefined) return where;
  const columns = hasNames(where) && !isThenable(where) ? Object.entries(where) : [];
  const [missing] = columns.find(([, value]) => value === undefined) ?? [];
  if (columns.length > 0 && missing === undefined) return where;
  throw new TypeError(
    `The option key returned ${missing === undefined ? inspectResult(where) : `${missing}: undefined`}. ` +
      'Return the columns of the row, each with its value, such as { id: 7 }, or undefined.',
  );
}

/**
 * A date in the form that the ORM or the driver takes.
 *
 * @returns undefined if it is not a date
 * @throws TypeError for a Date instead of a text: a driver would write its day or time in the driver's own
 *   time zone, and find no row, or another one
 */
function toTyped(
  name: string,
  value: unknown,
  column: Column | undefined,
  { columnForms = {}, dialect }: KeyOptions,
): unknown {
  const declared = Object.hasOwn(columnForms, name) ? columnForms[name] : undefined;
  const form = column !== undefined && isDateColumn(column) ? column.form : declared;
  if (value instanceof Date) {
    if ((form ?? (dialect === undefined ? 'Date' : 'iso')) === 'Date')
      return Number.isNaN(value.getTime()) ? undefined : value;
    throw new TypeError(
      `The option key returned a Date for the column ${name}, which would be written in another time zone. ` +
        "Return text, such as '2026-11-22', or name the column in key, and list it in columns with its kind.",
    );
  }
  if (typeof value !== 'string' || form !== 'Date' || dialect !== undefined) return value;
  const instant = toMidnight(value) ?? readInstant(value);
  return instant === undefined ? undefined : new Date(instant);
}

/**
 * A row whose key has another spelling is another resource, even if a collation ignores letter case, accents
 * and spaces.
 */
function isSpelled(name: string, value: unknown, stored: unknown, column: Column | undefined): boolean {
  if (stored === value) return true;
  if (typeof value === 'boolean') return readBit(stored) === Number(value);
  if (column !== undefined && isDateColumn(column)) {
    const [asked, found] = [value, stored].map((inside) => tryToRead(column, inside));
    const isSql = column.kind === 'date' && column.form === 'sql';
    const isCanonical = typeof value !== 'string' || value === asked || isSql;
    if (isCanonical && asked !== undefined && found !== undefined) return asked === found;
  }
  if (stored instanceof Date) return isSameDate(name, value, stored);
  return spelling(stored) === (spelling(value) ?? value);
}

function tryToRead({ codec }: Column, inside: unknown): unknown {
  try {
    return codec.read(inside);
  } catch (error) {
    if (error instanceof ColumnValueError) return undefined;
    throw error;
  }
}

/**
 * A driver turns a day into a Date at midnight, in UTC or in the time zone of the process.
 *
 * @throws TypeError if the two are the same to the database, but not to the driver
 */
function isSameDate(name: string, value: unknown, stored: Date): boolean {
  const isText = typeof value === 'string';
  if (!isText && !(value instanceof Date)) return false;
  const instant = isText ? readInstant(value) : value.getTime();
  if (instant === stored.getTime()) return true;
  const [day, storedDay] = [
    isText && toMidnight(value) === undefined ? undefined : readDay(value),
    readDay(stored),
  ];
  if (day !== undefined && day === storedDay) return true;
  if (day === undefined && (instant === undefined || storedDay !== undefined)) return false;
  throw new TypeError(
    `The column ${name} of the key is read as another date than the one that the database compared. ` +
      'Set the time zone of the connection to UTC, or to that of the process.',
  );
}

/** Milliseconds since the epoch; undefined for a text that is not in the spelling that clients see. */
function readInstant(text: string): number | undefined {
  const instant = parseInstant(text);
  return instant !== undefined && new Date(instant).toISOString() === text ? instant : undefined;
}

/** SQLite and MySQL have no booleans: they are read back as 1 or 0, a BIT(1) as a byte. */
function readBit(value: unknown): number | undefined {
  const bit: unknown = value instanceof Uint8Array && value.length === 1 ? value[0] : value;
  return typeof bit === 'number' || typeof bit === 'bigint' ? Number(bit) : undefined;
}

/** A number in a key can be read back as a BigInt or as text. UUIDs in MySQL are often bytes. */
function spelling(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

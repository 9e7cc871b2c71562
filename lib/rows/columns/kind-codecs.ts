import { isObject } from '../../config/object';
import { isEqualJson } from '../../json/value';
import { isEngineText } from '../../stores/contract/key';
import type { Dialect } from '../rows';
import { type ColumnCodec, ColumnValueError, type KindCodec, limitCodec } from './codec';
import { type ColumnTypes, date, day, isText, time } from './date';
import type { Kind } from './kind';

/** The codec of a kind, for the types of the column. */
export function createCodec(kind: Kind, types: ColumnTypes): KindCodec {
  const { dialect } = types;
  const codecs: Record<Kind, KindCodec> = {
    ...{ string: text(dialect), number, integer, boolean: boolean(dialect), uuid },
    ...{ date: date(types), day: day(types), time: time(types) },
    ...{ decimal: decimal(dialect), bigint: bigint(types), json: json(dialect) },
  };
  return codecs[kind];
}

const text = (dialect: Dialect | undefined): ColumnCodec<string> => ({
  fault: (value) =>
    typeof value !== 'string' ? 'must be a string' : isEngineText(value) ? undefined : notEngineText,
  read: (inside) => {
    if (typeof inside === 'string') return inside;
    // SQLite stores '7' as an integer unless the column is declared as text, even in a column that is
    // declared as STRING.
    if (dialect === 'sqlite' && (typeof inside === 'bigint' || Number.isFinite(inside)))
      return String(inside);
    throw new ColumnValueError(inside, 'string');
  },
  write: (outside) => outside,
});

/** PostgreSQL refuses NUL, and a lone surrogate would be stored as another character. */
const notEngineText = 'must be well-formed Unicode without the character U+0000';

const number: ColumnCodec<number> = {
  // JSON.parse reads 1e400 as Infinity.
  fault: (value) => (Number.isFinite(value) ? undefined : 'must be a number'),
  read: (inside) => toNumber(inside, 'number', Number.isFinite),
  write: (outside) => outside,
};

const integer: ColumnCodec<number> = {
  fault: (value) => (Number.isSafeInteger(value) ? undefined : 'must be a whole number'),
  read: (inside) => toNumber(inside, 'integer', Number.isSafeInteger),
  write: (outside) => outside,
};

/** Drivers return some numbers as text or as a BigInt. */
function toNumber(inside: unknown, kind: Kind, isIn: (value: number) => boolean): number {
  const isNumeral = typeof inside === 'string' && inside.trim() !== '';
  const value =
    typeof inside === 'number' ? inside : isNumeral || typeof inside === 'bigint' ? Number(inside) : NaN;
  if (isIn(value)) return value;
  throw new ColumnValueError(inside, kind, fixNumber(inside, 'Declare it as decimal or bigint.'));
}

/** @param fix - the fix for any value but a Date */
function fixNumber(inside: unknown, fix: string): string {
  return inside instanceof Date ? 'Declare it as date (or day, time).' : fix;
}

const boolean = (dialect: Dialect | undefined): ColumnCodec<boolean> => ({
  fault: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  read: (inside) => {
    if (typeof inside === 'boolean') return inside;
    // BIT(1) of MySQL is a byte.
    const bit: unknown = inside instanceof Uint8Array && inside.length === 1 ? inside[0] : inside;
    if (bit === 0 || bit === 1 || bit === 0n || bit === 1n) return Number(bit) === 1;
    throw new ColumnValueError(inside, 'boolean');
  },
  write: (outside) => (dialect === 'sqlite' ? Number(outside) : outside),
});

const decimal = (dialect: Dialect | undefined): KindCodec<string> => ({
  fault: (value) =>
    typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)
      ? undefined
      : 'must be a decimal number in a string, such as "12.50"',
  read: (inside) => {
    // Prisma returns a Decimal of decimal.js, whose toString can write an exponent.
    const toFixed: unknown = isObject(inside) ? Reflect.get(inside, 'toFixed') : undefined;
    const digits = String(typeof toFixed === 'function' ? Reflect.apply(toFixed, inside, []) : inside);
    // The driver may have rounded a number; SQLite, however, stores the double itself.
    const isExact = typeof inside !== 'number' || dialect === 'sqlite';
    if (isExact && /^-?\d+(\.\d+)?$/.test(digits)) return digits;
    const fix = 'Configure the driver to return decimals as text, or declare the column as number.';
    throw new ColumnValueError(inside, 'decimal', fixNumber(inside, fix));
  },
  write: (outside) => outside,
});

/** Text and JSON have no integers of that size, so the digits are written there. */
const bigint = ({ form }: ColumnTypes): ColumnCodec<string> => ({
  fault: (value) => {
    const isNumeral =
      typeof value === 'string' && value.length <= 20 && /^(0|-?[1-9]\d*)$/.test(value) && BigInt(value);
    return isNumeral !== false && isNumeral >= -maxBigint - 1n && isNumeral <= maxBigint
      ? undefined
      : 'must be a 64-bit integer in a string, such as "12"';
  },
  read: (inside) => {
    // Beyond 2^53 a number has already been rounded.
    if (typeof inside === 'bigint' || Number.isSafeInteger(inside)) return String(inside);
    if (typeof inside === 'string' && /^-?\d+$/.test(inside)) return inside;
    const fix = 'Configure the driver to return 64-bit integers as BigInt.';
    throw new ColumnValueError(inside, 'bigint', fixNumber(inside, fix));
  },
  write: (outside) => (isText(form) ? outside : BigInt(outside)),
});

const maxBigint = 2n ** 63n - 1n;

/** A UUID of any version. By RFC 9562 (4), clients can send either letter case, and lower case is written. */
const uuid: KindCodec<string> = {
  fault: (value) =>
    typeof value === 'string' && uuidForm.test(value)
      ? undefined
      : 'must be a UUID, such as "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"',
  read: (inside) => {
    if (typeof inside === 'string' && uuidForm.test(inside)) return inside;
    throw new ColumnValueError(inside, 'uuid');
  },
  write: (outside) => outside.toLowerCase(),
};

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const json = (dialect: Dialect | undefined): KindCodec => ({
  fault: (value) => (hasEngineTextOnly(value) ? undefined : `${notEngineText}, in every string`),
  read: (inside) => {
    // SQLite stores "1" as an integer in a column that is not declared as text.
    if (typeof inside === 'bigint') return Number(inside);
    return isJsonText(dialect) && typeof inside === 'string' ? parseJson(inside) : inside;
  },
  write: (outside) => (dialect === undefined ? outside : JSON.stringify(outside)),
  isKept: (sent, stored) => isEqualJson(sent, stored),
});

/**
 * Whether JSON is stored as text: SQLite has no other type, and drivers of MySQL convert it in different
 * ways.
 */
export function isJsonText(dialect: Dialect | undefined): boolean {
  return dialect === 'sqlite' || dialect === 'mysql';
}

/**
 * Whether a value has neither U+0000 nor lone surrogates, which jsonb refuses. `JSON.stringify` escapes only
 * these in this way.
 */
function hasEngineTextOnly(value: unknown): boolean {
  const jsonText = JSON.stringify(value);
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(jsonText);
}

/** @throws ColumnValueError */
function parseJson(inside: string): unknown {
  try {
    return JSON.parse(inside);
  } catch (error) {
    throw Object.assign(new ColumnValueError(inside, 'json'), { cause: error });
  }
}

/** The elements of a list. */
interface Elements {
  readonly kind: Kind;
  /** Whether elements can be NULL. */
  readonly isNullable: boolean;
  /** The only values that elements can have. */
  readonly values: readonly string[] | undefined;
}

/** The codec of a list of one kind: a PostgreSQL array, or JSON. */
export function listCodec({ kind, isNullable, values }: Elements, types: ColumnTypes): KindCodec {
  const { dialect, form } = types;
  const asText = isJsonText(dialect);
  // In JSON, as in an array, a decimal number has been parsed as a double.
  const elementDialect = kind === 'decimal' ? undefined : dialect;
  const element = limitCodec(createCodec(kind, { dialect: elementDialect, form }), values);
  const declared = `${kind}${isNullable ? '?' : ''}[]`;
  const isNull = (value: unknown): boolean => isNullable && value === null;
  // A driver that does not know the array may have split or trimmed its texts.
  const isKept = kind === 'string' ? Object.is : (element.isKept ?? (() => true));
  return {
    fault: (value) => {
      if (!Array.isArray(value)) return 'must be an array';
      const faults = value.map((one) => (isNull(one) ? undefined : element.fault(one)));
      const fault = faults.find((elementFault) => elementFault !== undefined);
      return fault && `each element ${fault}`;
    },
    read: (inside) => {
      const list = asText && typeof inside === 'string' ? parseJson(inside) : inside;
      if (!Array.isArray(list)) throw new ColumnValueError(inside, declared, fixList(inside));
      return list.map((one: unknown) => {
        if (isNull(one)) return one;
        // In a list of JSON, null is a value.
        if (one !== null || kind === 'json') return element.read(one);
        const fix = `Declare the column as '${kind}?[]' if its elements can be NULL.`;
        throw new ColumnValueError(one, declared, fix);
      });
    },
    write: (outside) => {
      const list = (outside as unknown[]).map((one) => (isNull(one) ? one : element.write(one)));
      return asText ? JSON.stringify(list) : list;
    },
    isKept: (sent, stored) => {
      if (!Array.isArray(sent) || !Array.isArray(stored) || sent.length !== stored.length) return false;
      return sent.every((one, index) => {
        const other: unknown = stored[index];
        return one === null || other === null ? one === other : isKept(one, other);
      });
    },
  };
}

function fixList(inside: unknown): string | undefined {
  if (typeof inside !== 'string') return undefined;
  return (
    'The driver does not know the type of the array, so it returns text. Select it as an array of text ' +
    '(tags::text[]), or let pg parse its type, whose oid is in pg_type: ' +
    'types.setTypeParser(oid, types.getTypeParser(1009)).'
  );
}

/** The JSON types of the column kinds, as clients see them. */
export interface KindValues {
  /** A string. */
  string: string;
  /** A finite double. */
  number: number;
  /** A whole number from -(2^53 - 1) to 2^53 - 1. */
  integer: number;
  /** True or false. */
  boolean: boolean;
  /** An RFC 3339 date and time, such as `2026-11-22T10:00:00.000Z`. */
  date: string;
  /** An RFC 3339 full-date, such as `2026-11-22`. */
  day: string;
  /** An RFC 3339 partial-time, such as `10:00:00` or `10:00:00.123`. */
  time: string;
  /** A decimal number of any length as a string, such as `'12.50'`. */
  decimal: string;
  /** A signed 64-bit integer as a string, such as `'12'`. */
  bigint: string;
  /** A UUID, such as `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`. */
  uuid: string;
  /** Any JSON value. */
  json: unknown;
}

/** The name of a column kind; `KindValues` lists the JSON type of each. */
export type Kind = keyof KindValues;

/**
 * The kind of a column: `'string'`, or `'string?'` if NULL is allowed, `'string[]'` for a list, `'string[]?'`
 * for a list or NULL, `'string?[]'` for a list whose elements can be NULL.
 */
export type ColumnKind = `${Kind}${'' | '[]' | '?[]'}${'' | '?'}`;

/** The name of the kind of a column in a schema, with the suffixes for a list and for NULL. */
export function toColumnKind(kind: Kind, isList: boolean, isNullable: boolean): ColumnKind {
  return `${kind}${isList ? '[]' : ''}${isNullable ? '?' : ''}`;
}

/** The parts of a kind's name: `'string?[]'` is a list of strings or NULL. */
interface ParsedKind {
  readonly base: Kind;
  readonly list: { readonly hasNulls: boolean } | undefined;
  readonly isNullable: boolean;
}

/** @returns undefined if it is not a kind */
export function parseKind(kind: string): ParsedKind | undefined {
  const [, base = '', element, list, mark] = /^(\w+?)(?:(\?)?(\[\]))?(\?)?$/.exec(kind) ?? [];
  if (!isKind(base)) return undefined;
  return {
    base,
    list: list === undefined ? undefined : { hasNulls: element === '?' },
    isNullable: mark === '?',
  };
}

export const kinds: readonly Kind[] = [
  ...(['string', 'number', 'integer', 'boolean', 'date', 'day', 'time'] as const),
  ...(['decimal', 'bigint', 'uuid', 'json'] as const),
];

function isKind(name: string): name is Kind {
  return (kinds as readonly string[]).includes(name);
}

/** Whether drivers have several forms for the kind, of which the option `storedAs` names one. */
export function hasForms(kind: Kind): boolean {
  return kind === 'date' || kind === 'day' || kind === 'time';
}

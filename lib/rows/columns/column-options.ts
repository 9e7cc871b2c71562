import type { ColumnForm } from '../rows';
import type { ColumnCodec } from './codec';
import type { Kind, KindValues } from './kinds';

/**
 * The kind of a column: `'string'`, or `'string?'` if NULL is allowed, `'string[]'` for a list, `'string[]?'`
 * for a list or NULL, `'string?[]'` for a list whose elements can be NULL.
 */
export type ColumnKind = `${Kind}${'' | '[]' | '?[]'}${'' | '?'}`;

/** Options of one column, if its kind alone is not enough. */
export interface ColumnOptions {
  /** The name of a kind, or your own codec. */
  readonly kind: ColumnKind | ColumnCodec;
  /**
   * The only values that clients can send, for a string or the elements of a list of strings. Default any.
   */
  readonly values?: readonly string[];
  /**
   * The form in which the ORM or the driver reads and writes a date, a day or a time: `'Date'`, `'iso'` for
   * text such as `2026-11-22T10:00:00.000Z`, `'sql'` for text in UTC without a zone such as
   * `2026-11-22 10:00:00`, or `'milliseconds'`. Default: what the ORM declares, or else what the driver does.
   * Over Knex, Kysely and SQL on SQLite, which has no types for dates and days, it is required.
   */
  readonly as?: ColumnForm;
  /** True if clients can see the member, but not change it. Default false. */
  readonly readOnly?: boolean;
  /** True if clients can set the member, but not see it, such as a password. Default false. */
  readonly writeOnly?: boolean;
  /** Whether the column can be NULL, for a codec; a kind says so with `?`. Default false. */
  readonly nullable?: boolean;
  /** The name of the column in the database or the ORM. Default: the name of the member. */
  readonly column?: string;
}

/** The members that clients see, each with the kind or the options of its column. */
export type Columns = Readonly<Record<string, ColumnKind | ColumnOptions>>;

type ValueOfKind<K> = K extends `${infer Inner}?`
  ? ValueOfKind<Inner> | null
  : K extends `${infer Inner extends Kind}[]`
    ? KindValues[Inner][]
    : K extends `${infer Inner extends Kind}?[]`
      ? (KindValues[Inner] | null)[]
      : K extends Kind
        ? KindValues[K]
        : K extends ColumnCodec<infer Outside>
          ? Outside
          : never;

/** The JSON of a kind of strings that has only some values. */
type ValueAmong<K, V> = K extends `${infer Inner}[]?`
  ? ValueAmong<`${Inner}[]`, V> | null
  : K extends 'string?[]'
    ? (V | null)[]
    : K extends 'string[]'
      ? V[]
      : K extends 'string?'
        ? V | null
        : V;

type ValueOfColumn<C> = C extends {
  readonly kind: infer K extends string;
  readonly values: readonly (infer V)[];
}
  ? ValueAmong<K, V> | (C extends { readonly nullable: true } ? null : never)
  : C extends { readonly kind: infer K; readonly nullable: true }
    ? ValueOfKind<K> | null
    : C extends { readonly kind: infer K }
      ? ValueOfKind<K>
      : ValueOfKind<C>;

/** The type of the JSON value of a row. */
export type ValueOf<C extends Columns> = { -readonly [Member in keyof C]: ValueOfColumn<C[Member]> };

/** The type of what clients see of a row, without the columns that are `writeOnly`. */
export type ShownValue<C extends Columns> = {
  -readonly [M in keyof C as C[M] extends { readonly writeOnly: true } ? never : M]: ValueOfColumn<C[M]>;
};

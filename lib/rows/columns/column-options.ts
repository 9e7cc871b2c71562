import type { ColumnForm } from '../rows';
import type { ColumnCodec } from './codec';
import type { ColumnKind, Kind, KindValues } from './kind';

/** Options of one column, if its kind alone is not enough. */
export interface ColumnOptions {
  /**
   * The name of a kind, or your own codec. Default: the kind in the schema of the ORM. Required over Knex,
   * Kysely and SQL, and with the option `rows`.
   */
  readonly kind?: ColumnKind | ColumnCodec;
  /**
   * The only values that clients can send, for a string or the elements of a list of strings. Default any.
   */
  readonly values?: readonly string[];
  /**
   * The form in which the ORM or the driver reads and writes a date, a day or a time: `'Date'`, `'iso'` for
   * text such as `2026-11-22T10:00:00.000Z`, `'sql'` for text in UTC without a zone such as
   * `2026-11-22 10:00:00`, or `'milliseconds'`. Default: the form that the ORM declares, or else that the
   * driver uses. Required over Knex, Kysely and SQL on SQLite, which has no types for dates and days.
   */
  readonly storedAs?: ColumnForm;
  /**
   * True if clients can see the member, but not change it. Default false; without a kind, true for the
   * primary key and for columns that the database or the ORM generates.
   */
  readonly readOnly?: boolean;
  /** True if clients can set the member, but not see it, such as a password. Default false. */
  readonly writeOnly?: boolean;
  /**
   * Whether the column can be NULL, if `kind` is your own codec; a named kind has a `?` instead. Default
   * false.
   */
  readonly nullable?: boolean;
  /** The name of the column in the database or the ORM. Default: the same as the member name. */
  readonly column?: string;
}

/**
 * The members that clients see, each with the kind or the options of its column, or `true` to use the
 * definition in the ORM's schema.
 */
export type Columns = Readonly<Record<string, true | ColumnKind | ColumnOptions>>;

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

/** The JSON of a string kind with a list of `values`. */
type ValueAmong<K, V> = K extends `${infer Inner}[]?`
  ? ValueAmong<`${Inner}[]`, V> | null
  : K extends 'string?[]'
    ? (V | null)[]
    : K extends 'string[]'
      ? V[]
      : K extends 'string?'
        ? V | null
        : V;

/** The JSON of a column whose kind comes from the schema. */
type ValueInSchema<C, Member, Schema> = (
  C extends { readonly column: infer Name } ? Name : Member
) extends infer Name
  ? Name extends keyof Schema
    ? C extends { readonly values: readonly (infer V)[] }
      ? ([Extract<Schema[Name], readonly unknown[]>] extends [never] ? V : V[]) | Extract<Schema[Name], null>
      : Schema[Name]
    : unknown
  : never;

/**
 * The JSON type of a column; `Schema` has the JSON type of each column of the ORM, for columns without a
 * kind.
 */
export type ValueOfColumn<C, Member, Schema> = C extends true
  ? ValueInSchema<C, Member, Schema>
  : C extends string
    ? ValueOfKind<C>
    : C extends { readonly kind: infer K }
      ? | (C extends { readonly kind: string; readonly values: readonly (infer V)[] }
            ? ValueAmong<K, V>
            : ValueOfKind<K>)
        | (C extends { readonly nullable: true } ? null : never)
      : ValueInSchema<C, Member, Schema> | (C extends { readonly nullable: true } ? null : never);

/**
 * The type of the JSON value of a row; `Schema` has the JSON type of each column of the ORM, for columns
 * without a kind.
 */
export type ValueOf<C extends Columns, Schema = unknown> = {
  -readonly [Member in keyof C]: ValueOfColumn<C[Member], Member, Schema>;
};

/** The type of the JSON value of a row that clients see: without the columns that are `writeOnly`. */
export type ShownValue<C extends Columns, Schema = unknown> = Omit<ValueOf<C, Schema>, WriteOnlyMember<C>>;

/** The members that clients can set, but not see. */
export type WriteOnlyMember<C> = {
  [Member in keyof C]: C[Member] extends { readonly writeOnly: true } ? Member : never;
}[keyof C];

/**
 * The JSON type that clients see for a value of an ORM, such as string for a Date. For any other object, such
 * as the app's own JSON, it is unknown.
 */
export type JsonOf<T> = 0 extends 1 & T
  ? unknown
  : unknown extends T
    ? unknown
    : [Exclude<T, Scalar | undefined | Listed>] extends [never]
      ? ScalarJson<T>
      : unknown;

/** Values without members in JSON. The last is a decimal of decimal.js. */
type Scalar = string | number | boolean | bigint | null | Date | { toFixed(): string };

type Listed = readonly (Scalar | undefined)[];

type ScalarJson<T> = T extends null | undefined
  ? null
  : T extends boolean
    ? boolean
    : T extends `${infer Text}`
      ? Text
      : T extends number
        ? number
        : T extends readonly (infer Element)[]
          ? ScalarJson<Element>[]
          : string;

/** The same for each column of a row; unknown if the ORM does not name the columns. */
export type JsonOfRow<Row> = {
  [Name in keyof Row & string as string extends Name ? never : Name]: JsonOf<Row[Name]>;
};

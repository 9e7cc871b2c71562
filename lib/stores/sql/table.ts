import type { Expectation } from '../../config/expectation';
import type { Issue } from '../../config/mistake';
import { isEngineText } from '../contract/key';

/**
 * The name of a table or schema in an engine. Names are quoted, so every name works that the two parameters
 * do not exclude.
 *
 * @param reserved - matches the names that the engine reserves
 * @param maxBytes - of UTF-8
 */
export function nameWithin(maxBytes = Infinity, reserved?: RegExp): Expectation {
  return { findIssue: (name) => findTableNameIssue(name, maxBytes, reserved) };
}

function findTableNameIssue(name: unknown, maxBytes: number, reserved?: RegExp): Issue | undefined {
  if (typeof name !== 'string' || name === '') {
    const code = name === '' ? 'store-name-invalid' : 'option-type';
    return { code, reason: 'must be a non-empty string', fix: "Write a name such as 'notes'." };
  }
  if (!isEngineText(name)) return invalid('contains NUL or a lone surrogate', 'Remove that character.');
  if (reserved?.test(name))
    return invalid('begins with a prefix that the database reserves', 'Choose another name.');
  if (Buffer.byteLength(name) > maxBytes)
    return invalid(`is longer than ${maxBytes} bytes`, 'Choose a shorter name.');
  return undefined;
}

function invalid(reason: string, fix: string): Issue {
  return { code: 'store-name-invalid', reason, fix };
}

/** A delimited identifier of standard SQL (ISO 9075-2, 5.2). */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted name in MySQL and MariaDB: in backticks, which do not depend on sql_mode. */
export function backtickName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The columns of a row, with undefined for null. */
export type ColumnTexts = readonly (string | undefined)[];

/**
 * All columns as text, in the order of the SELECT. Rows are objects, or arrays if the app has configured
 * that.
 */
export function readColumnTexts(row: unknown): ColumnTexts {
  return Object.values(Object(row) as object).map((value) => (value === null ? undefined : String(value)));
}

/**
 * Creates a function that throws the engine's error again, or a MissingTableError if a table of the store is
 * missing, rather than a table that a trigger of your app uses.
 *
 * @param isMissing - whether the error can mean a missing table
 * @param probe - reads from the tables of the store, and rejects if one is missing
 */
export function createRethrow(
  store: string,
  { schema, table }: { readonly schema?: string; readonly table: string },
  isMissing: (error: unknown) => boolean,
  probe: () => Promise<unknown>,
): (error: unknown) => Promise<never> {
  const qualified = schema === undefined ? table : `${schema}.${table}`;
  return async (error) => {
    if (!isMissing(error)) throw error;
    try {
      await probe();
    } catch (reason) {
      throw new MissingTableError(
        store,
        qualified,
        String(Reflect.get(Object(reason) as object, 'message')),
        error,
      );
    }
    throw error;
  };
}

/**
 * A table of a `SqliteStore` or `PostgresStore` does not exist, and nothing was written. Await `store.setup()` once
 * when your app starts, or run `setupSql()` as a migration. The engine's error is the `cause`.
 */
export class MissingTableError extends Error {
  override readonly name = 'MissingTableError';
  readonly code = 'PATCH_OPTIONS_MISSING_TABLE';

  /**
   * @param store - its class
   * @param reason - the message of the engine, which names the missing table
   */
  constructor(store: string, table: string, reason: string, cause: unknown) {
    super(
      `${store} of the table "${table}": setup() was not called for this database (${reason}). ` +
        `Await store.setup() once when your app starts, or run ${store}.setupSql() as a migration.`,
      { cause },
    );
  }
}

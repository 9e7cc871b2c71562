import { outcomesSuffix } from './name';

/** Thrown by a store whose tables do not exist, or not all of them. Nothing was written. */
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

/**
 * Creates a function that throws the engine's error again: as a MissingTableError if it says that a table of
 * the store is missing, and not one that a trigger of your app uses.
 */
export function createRethrow(
  store: string,
  { schema, table }: { readonly schema?: string; readonly table: string },
  isMissing: (error: unknown) => boolean,
): (error: unknown) => never {
  const qualified = schema === undefined ? table : `${schema}.${table}`;
  // MySQL names the schema alone if that is missing, too.
  const names = [table, table + outcomesSuffix, schema ?? table];
  return (error) => {
    const message = isMissing(error) ? String(Reflect.get(Object(error) as object, 'message')) : '';
    if (names.some((name) => isNamed(name, message))) {
      throw new MissingTableError(store, qualified, message, error);
    }
    throw error;
  };
}

/**
 * Whether a message names a table, in the language of the server: `"notes"`, `« notes »`, `'app.notes'`,
 * `no such table: main.notes`.
 */
function isNamed(name: string, message: string): boolean {
  const parts = message.toLowerCase().split(name.toLowerCase());
  return parts.some(
    (before, i) =>
      /[^\p{L}\p{N}_$\s-]\s*$/u.test(before) && /^(?:[^\p{L}\p{N}_$.-]|$)/u.test(parts[i + 1] ?? '.'),
  );
}

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
 * Creates a function that throws the engine's error again: as a MissingTableError if a table of the store is
 * missing, and not one that a trigger of your app uses.
 *
 * @param isMissing - whether the error can mean that
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

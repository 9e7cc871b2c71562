import { isObject } from '../../config/object';

/** A `Pool` of pg, or anything else with its method `query`, which runs a statement on any connection. */
export interface PostgresPool {
  query(statement: { name?: string; text: string; values?: (string | null)[] }): Promise<{ rows: unknown[] }>;
}

export function isPostgresPool(value: unknown): value is PostgresPool {
  return isObject(value) && typeof Reflect.get(value, 'query') === 'function';
}

/** Matches SQLSTATE codes (PostgreSQL appendix A). */
const hasCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(String((Object(error) as { code?: unknown }).code));

/** undefined_table, invalid_schema_name */
export const isUndefinedTable = hasCode('42P01', '3F000');

/**
 * The errors of `IF NOT EXISTS` when several processes run it at once: unique_violation in the catalogue,
 * duplicate_table, duplicate_schema, duplicate_object, "tuple concurrently updated".
 */
export const isCatalogRace = hasCode('23505', '42P07', '42P06', '42710', 'XX000', '40001');

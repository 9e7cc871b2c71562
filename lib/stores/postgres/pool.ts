import { isObject } from '../../configuration';

/** What is asked of a `Pool` of pg: one statement, on any connection. */
export interface PostgresPool {
  query(statement: { name?: string; text: string; values?: string[] }): Promise<{ rows: unknown[] }>;
}

export function isPostgresPool(value: unknown): value is PostgresPool {
  return isObject(value) && typeof Reflect.get(value, 'query') === 'function';
}

/** SQLSTATE codes, PostgreSQL appendix A, by what they mean here. */
const is =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(String((Object(error) as { code?: unknown }).code));

/** undefined_table, invalid_schema_name */
export const isMissing = is('42P01', '3F000');

/**
 * What `IF NOT EXISTS` says to all but the first of those who ask at once: unique_violation in the catalogue,
 * duplicate_table, duplicate_schema, duplicate_object, "tuple concurrently updated".
 */
export const isSetupRace = is('23505', '42P07', '42P06', '42710', 'XX000', '40001');

/**
 * Under an isolation level above READ COMMITTED, the host's default perhaps, a statement that meets another's write
 * is undone as a whole instead of looking again: so it is sent again.
 */
export const isSerializationFailure = is('40001');

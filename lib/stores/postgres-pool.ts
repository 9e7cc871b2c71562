import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '../configuration';

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
    codes.includes(codeOf(error));

const codeOf = (error: unknown): string => String(Reflect.get(Object(error) as object, 'code'));

export const postgresErrors = {
  /** undefined_table, invalid_schema_name */
  isMissing: is('42P01', '3F000'),
  /**
   * What `IF NOT EXISTS` says to all but the first of those who ask at once: unique_violation in the catalogue,
   * duplicate_table, duplicate_schema, duplicate_object, "tuple concurrently updated".
   */
  isSetupRace: is('23505', '42P07', '42P06', '42710', 'XX000', '40001'),
  /**
   * Under an isolation level above READ COMMITTED, the host's default perhaps, a statement that meets another's write
   * is undone as a whole instead of looking again: so it is sent again.
   */
  isSerializationFailure: is('40001'),
  /** Class 22: the values given are at fault. */
  isDataException: (error: unknown): boolean => codeOf(error).startsWith('22'),
};

/** Tries up to ten times, with pauses that double at random, while it fails in a way that `passes`: a second in all. */
export async function again<R>(act: () => Promise<R>, passes: (error: unknown) => boolean): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt === 10 || !passes(error)) throw error;
    }
    await delay(2 ** attempt * 2 * Math.random());
  }
}

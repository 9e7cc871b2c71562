import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '../../configuration';

/** What is asked of a `Pool` of pg: one statement, on any connection. */
export interface PostgresPool {
  query(statement: { name?: string; text: string; values?: string[] }): Promise<{ rows: unknown[] }>;
}

export function isPostgresPool(value: unknown): value is PostgresPool {
  return isObject(value) && typeof Reflect.get(value, 'query') === 'function';
}

/** What is sent, and the name under which a connection prepares it. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The name is the same for the same text and for no other: pg refuses a name that comes again with another text. */
export function statement(text: string): Statement {
  const hash = createHash('sha256').update(text).digest('base64url');
  return { name: `patch-options-${hash.slice(0, 22)}`, text };
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

import { type Expectation, expected, typed } from '../../config/expectation';
import type { TimestampSource } from '../library-rows';
import type { SchemaColumn } from '../rows';

/** Whether it is a text that can name a table or an entity. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The table in the text of a SELECT for MySQL, with the name that a plugin or a mapper has given it. */
export function readTableName(select: string): TimestampSource['table'] | undefined {
  const [, schema, table] = /^select \* from (?:`(.+?)`\.)?`([^`]+)`(?: where .*)?$/.exec(select) ?? [];
  return table === undefined ? undefined : { schema, table };
}

/** @param adapter - such as `knexRows(knex` */
export function tableNameFor(adapter: string): Expectation {
  return typed(isName, `Name the table, as in ${adapter}, 'notes').`, 'must be a table name');
}

/**
 * Expects that an ORM is not used over SQLite, where all requests share one connection, so that their
 * statements would get into the transaction of a write.
 */
export function notOnSqlite(readDialect: () => string | undefined): Expectation {
  return expected(() => !/sqlite|libsql|sqljs/i.test(readDialect() ?? ''), {
    code: 'option-value',
    reason: 'uses SQLite, where statements of other requests would get into the transaction of a write',
    fix: 'Use Drizzle, Knex, Kysely, or tableStore() with the driver.',
  });
}

/** The definitions of relations, which have no column of their own. */
export function relationsNamed(names: readonly string[]): Readonly<Record<string, SchemaColumn>> {
  return Object.fromEntries(names.map((name) => [name, { type: 'relation' }]));
}

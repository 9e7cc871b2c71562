import { typed, type Expectation } from '../../config/expectation';
import type { TimestampSource } from '../library-rows';

/** Whether an object, or a class, has these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return hasMembers && names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Whether it is a text that can name a table, or an entity. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What `update` and `insert` return of the rows that RETURNING gives: the row, or else their number. */
export function readReturnedRow(rows: unknown): unknown {
  return Array.isArray(rows) ? (rows.length === 1 ? (rows[0] as unknown) : rows.length) : rows;
}

/** The table in the text of a SELECT for MySQL, where a plugin or a mapper has given it its name. */
export function readTableName(select: string): TimestampSource['table'] | undefined {
  const [, schema, table] = /^select \* from (?:`(.+?)`\.)?`([^`]+)`(?: where .*)?$/.exec(select) ?? [];
  return table === undefined ? undefined : { schema, table };
}

/** @param adapter - such as `knexRows(knex` */
export function tableNameFor(adapter: string): Expectation {
  return typed(isName, `Name the table, as in ${adapter}, 'notes').`, 'must be a table name');
}

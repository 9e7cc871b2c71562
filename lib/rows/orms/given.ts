import type { OptionsCheck } from '../../config/options-check';

/** Whether an object, or a class, has these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return hasMembers && names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Whether it is a text that can name a table, or an entity. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** @param adapter - such as `knexRows(knex` */
export function checkTableName(check: OptionsCheck, table: unknown, adapter: string): void {
  if (isName(table)) return;
  check.mistake('table', table, {
    code: 'option-type',
    reason: 'must be a table name',
    fix: `Name the table, as in ${adapter}, 'notes').`,
  });
}

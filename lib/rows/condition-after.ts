import type { Row } from './rows';

/**
 * The condition that matches the row after an UPDATE, by its key. A trigger may have changed the version,
 * which is the first of the columns.
 */
export function conditionAfter(where: Row, set: Row, [version]: readonly string[]): Row {
  const others = Object.keys(where).filter((column) => column !== version);
  const unchanged = others.length > 0 ? others : Object.keys(where);
  return Object.fromEntries(
    unchanged.map((column) => [column, Object.hasOwn(set, column) ? set[column] : where[column]]),
  );
}

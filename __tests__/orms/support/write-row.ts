import type { Row, Rows } from '../../../lib/rows';

/** Writes as the rows of the ORM do: an UPDATE, or an entity that is saved. */
export function writeRow(rows: Rows, where: Row, set: Row): unknown {
  return rows.save === undefined ? rows.update?.(where, set) : rows.save(where, set, {});
}

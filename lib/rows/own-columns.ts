import type { WriteContext } from '../stores/contract/resource-store';
import { ColumnOutcomes } from './outcomes-column';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';

/** What the store sets in a write, in addition to the client's changes. */
export interface OwnColumns {
  /** The version, and if they are declared the time of the write and the outcomes. */
  readonly set: Row;
  /** Undefined if only the database knows it. */
  readonly version: string | undefined;
}

/**
 * @param row - undefined if it is being created
 * @returns undefined if the request already has an outcome, so that nothing must be written
 * @throws ProblemError 503 if there is no room for its outcome
 */
export function ownColumns(
  { version, modified, outcomes: column }: RowSettings,
  { outcome }: WriteContext,
  row: Row | undefined,
): OwnColumns | undefined {
  const next = version.next(row);
  const set = { ...next.set, ...modified?.now() };
  if (column === undefined || outcome === undefined || next.version === undefined) return { ...next, set };
  const kept = ColumnOutcomes.read(column, row?.[column]);
  if (kept.find(outcome.id) !== undefined) return undefined;
  return { ...next, set: { ...set, [column]: kept.with(outcome, next.version) } };
}

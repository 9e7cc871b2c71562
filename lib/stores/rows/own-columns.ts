import type { WriteContext } from '../contract/resource-store';
import { KeptOutcomes } from './outcomes-column';
import type { RowSettings } from './row-store-options';
import type { Row } from './rows';

/** What the store itself sets in a write, beside what the client changes. */
export interface OwnColumns {
  /** The version, and as far as they are declared the time of the write and the outcomes. */
  readonly set: Row;
  /** Undefined where only the database knows it. */
  readonly version: string | undefined;
}

/**
 * @param row - undefined where it is to be made
 * @returns undefined where the request has an outcome already: nothing is to be written
 * @throws ProblemError 503 where there is no room for its outcome
 */
export function ownColumns(
  { version, modified, outcomes: column }: RowSettings,
  { outcome }: WriteContext,
  row: Row | undefined,
): OwnColumns | undefined {
  const next = version.next(row);
  const set = { ...next.set, ...modified?.now(row) };
  if (column === undefined || outcome === undefined || next.version === undefined) return { ...next, set };
  const kept = KeptOutcomes.read(column, row?.[column]);
  if (kept.find(outcome.id) !== undefined) return undefined;
  return { ...next, set: { ...set, [column]: kept.with(outcome, next.version) } };
}

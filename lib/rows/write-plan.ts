import type { JsonObject } from '../json/value';
import { OutcomeList } from '../stores/contract/outcome-list';
import type { WriteContext } from '../stores/contract/resource-store';
import type { RowSettings } from './compile-row-store';
import type { Row } from './rows';

/** A write on the condition that the row is still the one that was read, or that there is still none. */
export interface WritePlan {
  readonly key: string;
  /** The columns of the key. */
  readonly where: Row;
  /** The row that was read, and what clients see of it; undefined if the row is new. */
  readonly row: Row | undefined;
  readonly before: JsonObject | undefined;
  /** What clients are to see after the write, and the columns that are written of it. */
  readonly value: JsonObject;
  readonly changes: Row;
  /** The columns that the store writes: the version, and if they are declared the time and the outcomes. */
  readonly storeColumns: Row;
  /** The version of the outcome that is stored with the write. */
  readonly outcomeVersion: string | undefined;
}

/**
 * @param next - the value to store
 * @returns undefined if the request already has an outcome, so that nothing must be written
 * @throws ProblemError 422 for a value that the columns do not take, 503 if there is no room for its outcome
 */
export function planWrite(
  { values, version, modified, outcomes: column }: RowSettings,
  { key, where, row }: Pick<WritePlan, 'key' | 'where' | 'row'>,
  next: unknown,
  { outcome }: WriteContext,
): WritePlan | undefined {
  const before = row && values.read(row);
  const value = values.fit(next, before, where);
  const changes = values.changes(value, before);
  const nextVersion = version.next(row);
  const storeColumns = { ...nextVersion.set, ...modified?.now() };
  const plan = { key, where, row, before, value, changes, storeColumns, outcomeVersion: undefined };
  if (column === undefined || outcome === undefined || nextVersion.version === undefined) return plan;
  const list = OutcomeList.parse(`the column ${column}`, row?.[column]).with(outcome, nextVersion.version);
  if (list === undefined) return undefined;
  const withOutcome = { ...storeColumns, [column]: list.toString() };
  return { ...plan, storeColumns: withOutcome, outcomeVersion: nextVersion.version };
}

import { hasNames } from '../config/object';
import type { PatchRequest } from '../http/routed-request';
import { ProblemError } from '../http/problem';
import type { JsonObject } from '../json/value';
import { invalidResult } from '../stores/contract/invalid-result';
import type { Stored } from '../stores/contract/resource-store';
import { retry } from '../stores/contract/retry';
import { unreadableMembers } from '../stores/contract/unreadable';
import { isLostRace, readMeaning } from '../stores/engine-error';
import { inTransaction } from './in-transaction';
import { toRefusal } from './refusals';
import type { RowReader } from './row-reader';
import type { RowSettings } from './compile-row-store';
import type { Row, Rows } from './rows';
import { isRow, readWriteResult } from './write-result';
import type { WritePlan } from './write-plan';

/**
 * Carries out a write, and reads back what the database has made of it, with defaults, rounding and triggers:
 * in the statement itself, or in its transaction. A write that cannot be shown is undone: by the rollback, or
 * where there is no transaction, by a second write on the version just made.
 *
 * @returns undefined if the row is no longer the one that was read
 * @throws ProblemError 409 or 422 for what the database refuses, stores under another key, or stores in a
 *   form that cannot be read back
 */
export async function writeRow(
  settings: RowSettings,
  reader: RowReader,
  plan: WritePlan,
  req: PatchRequest | undefined,
): Promise<Stored<JsonObject> | undefined> {
  const { rows, transaction, onWrite } = settings;
  /** What the statement was refused with, in the last run of the transaction. */
  let refused: { readonly error: unknown } | undefined;
  const writing = inTransaction(settings, async (inside, tx) => {
    refused = undefined;
    const row = await send(settings, reader, inside, plan).catch((error: unknown) => {
      refused = { error };
      throw error;
    });
    if (row === undefined) return undefined;
    const stored = reader.toStored(row);
    const fault = findFault(settings, plan, row, stored);
    if (fault !== undefined && transaction !== undefined) throw fault;
    if (fault === undefined)
      await onWrite?.(tx, { key: plan.key, before: plan.before, after: stored.value, req });
    return { row, stored, fault };
  });
  const result = await writing.catch(async (error: unknown) => {
    if (refused === undefined) throw error;
    const { where, row, changes, storeColumns } = plan;
    const write = { changes, storeColumns, ...(row === undefined && { key: where }) };
    // Only now, when it is rolled back: the transaction held the lock of the row.
    throw await toRefusal(refused.error, settings, write, () => refusesStoreColumns(settings, plan));
  });
  if (result?.fault === undefined) return result?.stored;
  await undo(settings, rows, plan, result.row);
  throw result.fault;
}

/** Sends the statement. @returns the row after it; undefined if it matched none */
async function send(
  settings: RowSettings,
  reader: RowReader,
  rows: Rows,
  plan: WritePlan,
): Promise<Row | undefined> {
  const { version, values, casts, transaction } = settings;
  const { where, row, before, changes, storeColumns } = plan;
  const columns = reader.columnsWith(where);
  let returned: Row | undefined;
  if (row === undefined || before === undefined) {
    const result = await rows.insert?.({ ...changes, ...where, ...storeColumns }, columns, casts, where);
    returned = isRow(result, version) || (rows.returning && hasNames(result)) ? (result as Row) : undefined;
  } else {
    const changed = { ...changes, ...storeColumns };
    // An UPDATE must set something, also where the database generates the version.
    const set = Object.keys(changed).length > 0 ? changed : (values.chooseUnchanged(before) ?? where);
    const condition = { ...where, ...version.condition(row) };
    const result = readWriteResult('update', await rows.update(condition, set, columns, casts), version);
    if (!result.isMatch) return undefined;
    returned = result.row;
  }
  const call = row === undefined ? 'insert' : 'update';
  if (returned !== undefined) return reader.checkRow(rows, call, returned, where);
  if (transaction === undefined) {
    throw new TypeError(
      `${call}() did not return the row, and there is no transaction in which it could be read again. ` +
        `Return the row with its column ${version.columns[0]}, or add transaction.`,
    );
  }
  const found = await reader.findOfAnySpelling(rows, where);
  if (found !== undefined) return found;
  // Before the commit no other request could have deleted the row, so it was stored under another key.
  if (row === undefined) throw keyStoredDifferently(where);
  throw new Error(
    'The row that was written is not found in its transaction, so the write was not committed. ' +
      'Make find and update of the transaction use the same connection.',
  );
}

/** Why a write must be undone, although the database has accepted it. */
function findFault(
  { key, version, values }: RowSettings,
  { where, row, value, changes, outcomeVersion }: WritePlan,
  after: Row,
  stored: Stored<JsonObject>,
): Error | undefined {
  if (row === undefined && !key.isSpelledAs(where, after)) return keyStoredDifferently(where);
  if (outcomeVersion !== undefined && outcomeVersion !== stored.version) {
    return new TypeError(
      `The column ${version.columns[0]} does not keep the version that was written, so no outcome can be ` +
        'stored with it. Remove the trigger that changes it, or make it a text column of 36 characters.',
    );
  }
  const faults = values.findMisread(value, changes, stored.value);
  if (faults.length === 0) return undefined;
  const cause = unreadableMembers(stored)?.find(({ pointer }) => pointer === faults[0]?.pointer)?.reason;
  return Object.assign(invalidResult(faults), { cause });
}

/** If another write came in between, nothing of this one is left to undo. */
async function undo(
  { version, values }: RowSettings,
  rows: Rows,
  { where, row, before, changes, storeColumns }: WritePlan,
  after: Row,
): Promise<void> {
  const key = Object.fromEntries(Object.keys(where).map((name) => [name, after[name] ?? where[name]]));
  const condition = { ...key, ...version.condition(after) };
  if (row === undefined || before === undefined) {
    if (rows.delete === undefined) {
      throw new Error(
        'A row was inserted that cannot be shown, and the store has no delete to undo that. Add transaction.',
      );
    }
    await retry(() => Promise.resolve(rows.delete?.(condition)), isLostRace);
    return;
  }
  const earlierStoreColumns = Object.keys(storeColumns).map((name) => [name, row[name] ?? null] as const);
  const earlier = {
    ...values.toEarlierColumns(before, row, Object.keys(changes)),
    ...Object.fromEntries(earlierStoreColumns),
    ...version.next(after).set,
  };
  await retry(() => Promise.resolve(rows.update(condition, earlier, version.columns)), isLostRace);
}

/**
 * Whether the database refuses the columns of the store alone, such as a version that its column is too short
 * for. They are written in a transaction that is rolled back. Without one, the condition is a version that no
 * row has: PostgreSQL refuses a value that does not fit its column even if no row matches.
 */
async function refusesStoreColumns(
  settings: RowSettings,
  { where, row, storeColumns }: WritePlan,
): Promise<boolean> {
  const { transaction, version } = settings;
  if (Object.keys(storeColumns).length === 0) return false;
  const [column] = version.columns;
  const condition = transaction ? row && version.condition(row) : { [column]: storeColumns[column] ?? null };
  const rollback = new Error();
  try {
    await inTransaction(settings, async (inside) => {
      await inside.update({ ...where, ...condition }, storeColumns, version.columns);
      throw rollback;
    });
  } catch (error) {
    return readMeaning(error) !== undefined;
  }
  return false;
}

/** A CHAR column cuts off spaces, and an integer column stores '007' as 7. */
function keyStoredDifferently(where: Row): ProblemError {
  const key = Object.values(where)
    .map((value) => (value instanceof Date ? value.toISOString() : String(value)))
    .join(', ');
  const detail =
    `The database would not store the key ${JSON.stringify(key.slice(0, 200))} as it is written. ` +
    'Write it as the database does, such as 7 instead of 007.';
  return new ProblemError(422, 'invalid-key', detail);
}

import { ProblemError } from '../http/problem';
import type { JsonObject } from '../json/value';
import { invalidResult } from '../stores/contract/invalid-result';
import type { Stored } from '../stores/contract/resource-store';
import { retry } from '../stores/contract/retry';
import { unreadableMembers } from '../stores/contract/unreadable';
import { isLostRace } from '../stores/engine-error';
import type { OwnColumns } from './own-columns';
import { OvertakenError } from './refusals';
import { isSpelledAs, type RowReader } from './row-reader';
import type { RowSettings } from './row-store-options';
import type { Row, Rows } from './rows';

/** A row that has just been written. */
export interface JustWritten {
  readonly rows: Rows;
  readonly where: Row;
  /** The row after the write, if the statement returned it. */
  readonly returned: Row | undefined;
  /** What the client has sent, and the columns that were written of it. */
  readonly next: JsonObject;
  readonly changes: Row;
  readonly own: OwnColumns;
  readonly isNew: boolean;
}

/**
 * Reads back what was written, with the defaults, rounding and triggers of the database.
 *
 * @throws ProblemError 422 if the key of a new row is not the one that was asked for, or if a change cannot
 *   be read back before it is committed
 */
export async function readBack(
  settings: RowSettings,
  reader: RowReader,
  written: JustWritten,
): Promise<Stored<JsonObject>> {
  const { version, modified, transaction } = settings;
  const { rows, where, returned, own: storeColumns, isNew } = written;
  const isCommitted = transaction === undefined;
  const { row, failure } =
    returned === undefined ? await readAgain(reader, rows, where, isCommitted) : { row: returned };
  const isOwn =
    row !== undefined && (storeColumns.version === undefined || version.of(row) === storeColumns.version);
  // Before the commit no other request can have deleted the row, so it was stored under another key.
  const isMissing = row === undefined && !isCommitted;
  if (isNew && (isMissing || (isOwn && !isSpelledAs(pickKnown(where, row), row))))
    throw storedOtherwise(where);
  if (isOwn) {
    const stored = reader.stored(row);
    if (!isCommitted) assertKept(written, stored, settings);
    return stored;
  }
  const reason = new OvertakenError(failure);
  if (storeColumns.version === undefined) throw reason;
  return {
    value: undefined as never,
    version: storeColumns.version,
    unreadable: [{ pointer: '', reason }],
    ...modified?.of(storeColumns.set),
  };
}

/** @throws ProblemError 422 for a change that is not read back as it was sent */
function assertKept(
  { next, changes }: JustWritten,
  stored: Stored<JsonObject>,
  { values }: RowSettings,
): void {
  const faults = values.notKept(next, changes, stored.value);
  if (faults.length === 0) return;
  const cause = unreadableMembers(stored)?.find(({ pointer }) => pointer === faults[0]?.pointer)?.reason;
  throw Object.assign(invalidResult(faults), { cause });
}

interface Found {
  readonly row: Row | undefined;
  readonly failure?: { readonly cause: unknown };
}

/**
 * If the write is committed already, a failure must not be thrown: the write would be repeated, or taken for
 * refused.
 */
async function readAgain(reader: RowReader, rows: Rows, where: Row, isCommitted: boolean): Promise<Found> {
  const read = () => reader.findOfAnySpelling(rows, where);
  if (!isCommitted) return { row: await read() };
  try {
    return { row: await retry(read, isLostRace) };
  } catch (cause) {
    return { row: undefined, failure: { cause } };
  }
}

/** The key columns that the statement returned. */
function pickKnown(where: Row, row: Row): Row {
  return Object.fromEntries(Object.entries(where).filter(([name]) => Object.hasOwn(row, name)));
}

/** A CHAR column cuts off spaces, and an integer column stores '007' as 7. */
function storedOtherwise(where: Row): ProblemError {
  const key = Object.values(where).map(String).join(', ');
  const detail =
    `The database would not store the key ${JSON.stringify(key.slice(0, 200))} as it is written. ` +
    'Write it as the database does, such as 7 instead of 007.';
  return new ProblemError(422, 'invalid-key', detail);
}

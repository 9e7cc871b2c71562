import { debugLog } from '../../http/debug-log';
import { ProblemError } from '../../http/problem';
import { formatPointer } from '../../parsers/json/pointer';
import { invalidResult } from '../contract/invalid-result';
import { isNullRefusal, isRefusedValue, isUniqueViolation } from './database-error';
import { isSameColumn, refusedColumns } from './refused-column';
import type { Row } from './rows';

const debug = debugLog('patch');

/** A write that the database refused. */
export interface RefusedWrite {
  /** The columns that were written of the client's members. */
  readonly changes: Row;
  /** The columns that the store wrote. */
  readonly own: Row;
  /** The columns of the key, if the row is new. */
  readonly key?: Row;
  /** The members that clients see, by their columns. */
  readonly members: ReadonlyMap<string, string>;
  /** The columns that clients can write. */
  readonly writable: readonly string[];
}

/**
 * The problem for a client whose UPDATE or INSERT the database refused. Other errors stay as they are, and so do those that
 * the client cannot avoid: of the store's own columns, and of a column without a value that clients cannot write.
 */
export function refusalOf(error: unknown, write: RefusedWrite): unknown {
  const isUnique = isUniqueViolation(error);
  if (!isUnique && !isRefusedValue(error)) return error;
  const columns = refusedColumns(error, { ...write.key, ...write.changes });
  const named = namedColumns(columns, write);
  if (columns.length > 0 && named.length === 0) {
    const isOwn = among(Object.keys(write.own), columns).length > 0;
    if (isOwn || isNullRefusal(error)) return error;
  }
  const [column, ...others] = named.length > 0 ? named : changedColumn(write);
  const member = others.length > 0 ? undefined : write.members.get(column ?? '');
  const pointer = member === undefined ? undefined : formatPointer([member]);
  debug('the database refused a write: %s', error instanceof Error ? error.message : error);
  if (isUnique) {
    const detail = 'Another resource already has this value, which must be unique. Choose a different value.';
    return new ProblemError(409, 'unique-violation', detail, {
      cause: error,
      ...(pointer !== undefined && { extensions: { pointer } }),
    });
  }
  const detail = 'is out of range, or violates a constraint of the table';
  const problem = invalidResult([pointer === undefined ? { detail } : { detail, pointer }]);
  return Object.assign(problem, { cause: error });
}

/**
 * Those of the columns of a constraint that the client has written, such as the email in UNIQUE (tenant, email); else the one
 * column that it has left out.
 */
function namedColumns(
  columns: readonly string[],
  { changes, key = {}, writable }: RefusedWrite,
): readonly string[] {
  // A new row's changes contain its key, if clients see it.
  const members = Object.keys(changes).filter((name) => !Object.hasOwn(key, name));
  const written = [members, Object.keys(key)]
    .map((names) => among(names, columns))
    .find(({ length }) => length > 0);
  return written ?? (columns.length === 1 ? among(writable, columns) : []);
}

function among(names: readonly string[], columns: readonly string[]): readonly string[] {
  const same = names.filter((name) => columns.includes(name));
  return same.length > 0
    ? same
    : names.filter((name) => columns.some((column) => isSameColumn(name, column)));
}

/** If the database names no column, only that of a single change can be meant: a new row has a key, too. */
function changedColumn({ changes, key }: RefusedWrite): readonly string[] {
  return key === undefined ? Object.keys(changes) : [];
}

/** The problem for a client whose DELETE the database refused. */
export function stillReferenced(error: unknown): ProblemError {
  const detail =
    'Other resources refer to this one, so it cannot be deleted. Delete them, or their references, first.';
  return new ProblemError(409, 'still-referenced', detail, { cause: error });
}

/** @param row - what was seen of the row after the DELETE */
export function neverDeleted(row: string): Error {
  return new Error(
    `DELETE matched no row, although the row ${row}. Check whether row-level security or a trigger prevents the deletion.`,
  );
}

export function isUniqueRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'unique-violation';
}

/**
 * The row was written, but another write changed it before it could be read back, or reading it failed, so its value is
 * unknown. Only the body of the answer is missing.
 */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'PATCH_OPTIONS_OVERTAKEN';

  /** @param options - with the `cause`, if reading the row failed */
  constructor(options?: ErrorOptions) {
    super(
      options === undefined
        ? 'The row was written, but another write changed it before it could be read back. Read it again for its current value.'
        : 'The row was written, but reading it back failed. Read it again for its current value.',
      options,
    );
  }
}

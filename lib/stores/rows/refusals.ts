import { debugLog } from '../../http/debug-log';
import { ProblemError } from '../../http/problem';
import { formatPointer } from '../../parsers/json/pointer';
import { invalidResult } from '../contract/invalid-result';
import { isNullRefusal, isRefusedValue, isUniqueViolation } from './database-error';
import { isSameColumn, refusedColumn } from './refused-column';
import type { Row } from './rows';

const debug = debugLog('patch');

/** A write that the database refused. */
export interface RefusedWrite {
  /** The columns that were written of the client's members. */
  readonly changes: Row;
  /** The columns that the store wrote. */
  readonly own: Row;
  readonly isNew: boolean;
  /** The members that clients can write, by their columns. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * The problem for a client whose UPDATE or INSERT the database refused. Other errors stay as they are, and so do those that
 * the client cannot avoid: of the store's own columns, and of a column without a value that clients cannot write.
 */
export function refusalOf(error: unknown, write: RefusedWrite): unknown {
  const isUnique = isUniqueViolation(error);
  if (!isUnique && !isRefusedValue(error)) return error;
  const column = refusedColumn(error);
  const isNamed = (name: string) => column !== undefined && isSameColumn(name, column);
  const named = [...write.members.keys()].find(isNamed);
  if (column !== undefined && named === undefined) {
    if (isNullRefusal(error) || Object.keys(write.own).some(isNamed)) return error;
  }
  const member = write.members.get(named ?? onlyColumn(write) ?? '');
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

/** Most constraints name no column. Then only that of a single change can be meant: a new row has a key, too. */
function onlyColumn({ changes, isNew }: RefusedWrite): string | undefined {
  const [column, ...others] = Object.keys(changes);
  return others.length > 0 || isNew ? undefined : column;
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

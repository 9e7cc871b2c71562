import { debugLog } from '../http/debug-log';
import { ProblemError } from '../http/problem';
import { formatPointer } from '../json/pointer';
import { invalidResult } from '../stores/contract/invalid-result';
import { findFault, isRefusedValue, isUniqueViolation } from './database-error';
import { refusedMember, type RefusedWrite } from './refused-member';
import type { RowSettings } from './row-store-options';
import { UnstorableValueError } from './unstorable-value';

const debug = debugLog('patch');

/**
 * The problem for a client whose UPDATE or INSERT the database refused. Other errors stay as they are, and so
 * do those that the client cannot avoid.
 */
export function toRefusal(error: unknown, settings: RowSettings, write: RefusedWrite): unknown {
  if (error instanceof UnstorableValueError) return unstorableValue(error, settings);
  const isUnique = isUniqueViolation(error);
  if (!isUnique && !isRefusedValue(error)) return error;
  const { isOfApp, ...at } = refusedMember(error, settings, write);
  if (isOfApp) return error;
  debug('the database refused a write: %s', error instanceof Error ? error.message : error);
  if (isUnique) {
    const detail = 'Another resource already has this value, which must be unique. Choose a different value.';
    return new ProblemError(409, 'unique-violation', detail, { cause: error, extensions: { ...at } });
  }
  return Object.assign(invalidResult([{ detail: findFault(error), ...at }]), { cause: error });
}

function unstorableValue(
  { column, path, detail }: UnstorableValueError,
  { members }: RowSettings,
): ProblemError {
  return invalidResult([{ pointer: formatPointer([members.get(column) ?? column, ...path]), detail }]);
}

export function isUniqueRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'unique-violation';
}

/**
 * The row was written, but another write changed it before it could be read back, or reading it failed, so
 * its value is unknown. Only the body of the answer is missing.
 */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'PATCH_OPTIONS_OVERTAKEN';

  /** @param options - with the `cause`, if reading the row failed */
  constructor(options?: ErrorOptions) {
    super(
      options === undefined
        ? 'The row was written, but another write changed it before it could be read back. ' +
            'Read it again for its current value.'
        : 'The row was written, but reading it back failed. Read it again for its current value.',
      options,
    );
  }
}

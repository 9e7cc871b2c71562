import { ProblemError } from '../../http/problem';
import { formatPointer } from '../../parsers/json/pointer';
import { invalidResult } from '../contract/invalid-result';
import { isRefusedValue, isUniqueViolation } from './database-error';

/** What an UPDATE or an INSERT of these members was refused with, as the client is told of it; a fault stays what it is. */
export function refusalOf(error: unknown, members: readonly string[]): unknown {
  // The database names a constraint, and where it is one of a single column that is all that was written.
  const [pointer] = members.length === 1 ? [formatPointer(members)] : [];
  if (isUniqueViolation(error)) {
    const detail = 'Another resource already has this value, which must be unique. Choose another.';
    return new ProblemError(409, 'unique-violation', detail, {
      cause: error,
      ...(pointer !== undefined && { extensions: { pointer } }),
    });
  }
  if (!isRefusedValue(error)) return error;
  const detail = 'is out of range, or violates a constraint of the table';
  const problem = invalidResult([pointer === undefined ? { detail } : { detail, pointer }]);
  return Object.assign(problem, { cause: error });
}

/** What a DELETE was refused with. */
export function stillReferenced(error: unknown): ProblemError {
  const detail =
    'Other resources refer to this one, so it cannot be deleted. Delete them, or what refers to it, first.';
  return new ProblemError(409, 'still-referenced', detail, { cause: error });
}

export function isUniqueRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'unique-violation';
}

/** What was written cannot be shown: another has written to the row since. Only the body of an answer is lost by it. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
  readonly code = 'PATCH_OPTIONS_OVERTAKEN';

  constructor() {
    super(
      'The row was written, but another writer changed it before it could be read back, so its value is unknown.',
    );
  }
}

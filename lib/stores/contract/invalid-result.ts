import { pointerMember, shortened } from '../../http/pointer-member';
import { ProblemError } from '../../http/problem';
import { memberOf } from '../../prototype-pollution';

/** One reason why a value is invalid. */
export interface InvalidMember {
  /** What is wrong, for people to read; the client receives it. */
  readonly detail: string;
  /** The JSON Pointer of the invalid member. */
  readonly pointer?: string;
}

/** The limits on what a problem document shows of an app's list of errors: entries, and characters. */
const shown = { most: 20, pointers: 4_000, detail: 500 };

/** A 422 for an invalid value, with a pointer to each invalid member. */
export function invalidResult(invalid: readonly InvalidMember[]): ProblemError {
  return invalidMembers('invalid-result', 'The resource would be invalid', invalid);
}

/** A 422 with a pointer to each invalid member. */
export function invalidMembers(
  code: string,
  sentence: string,
  invalid: readonly InvalidMember[],
): ProblemError {
  let room = shown.pointers;
  const errors = invalid.slice(0, shown.most).map((error) => {
    const named = pointerMember(memberOf(error, 'pointer'), room);
    room -= named.pointer?.length ?? 0;
    return { detail: shortened(error.detail, shown.detail), ...named };
  });
  const [first] = errors;
  const pointer = invalid[0] && memberOf(invalid[0], 'pointer');
  const where = pointer === undefined ? '' : ` at ${JSON.stringify(shortened(pointer, 200))}`;
  const detail = `${sentence}${where}: ${first?.detail ?? 'it was refused without a reason.'}`;
  const extensions = { errors, ...(invalid.length > errors.length && { total: invalid.length }) };
  return new ProblemError(422, code, detail, { extensions });
}

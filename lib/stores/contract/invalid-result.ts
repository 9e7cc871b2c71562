import { ProblemError } from '../../http/problem';
import { memberOf } from '../../prototype-pollution';

/** One reason why a value is invalid. */
export interface InvalidMember {
  /** What is wrong, for people to read; the client receives it. */
  readonly detail: string;
  /** The JSON Pointer of the invalid member. */
  readonly pointer?: string;
}

/** The limits on what a problem document shows of an app's list of errors: entries, and characters of each. */
const shown = { most: 20, pointer: 200, detail: 500 };

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
  const errors = invalid.slice(0, shown.most).map((error) => {
    const pointer = memberOf(error, 'pointer');
    const detail = cut(error.detail, shown.detail);
    return pointer === undefined ? { detail } : { detail, pointer: shownPointer(pointer) };
  });
  const [first] = errors;
  const pointer = first && memberOf(first, 'pointer');
  const where = pointer === undefined ? '' : ` at ${JSON.stringify(pointer)}`;
  const detail = `${sentence}${where}: ${first?.detail ?? 'it was refused without a reason.'}`;
  const extensions = { errors, ...(invalid.length > errors.length && { total: invalid.length }) };
  return new ProblemError(422, code, detail, { extensions });
}

/** A JSON Pointer, shortened for a problem document. */
export function shownPointer(pointer: string): string {
  return cut(pointer, shown.pointer);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

import { ProblemError } from '../../http/problem';
import { memberOf } from '../../prototype-pollution';

/** What is wrong with a value. */
export interface InvalidMember {
  readonly detail: string;
  /** A JSON Pointer. */
  readonly pointer?: string;
}

/** What a problem document shows of a list that an app's validator makes, and of each entry in characters. */
const shown = { most: 20, pointer: 200, detail: 500 };

/** 422 for a value that is not to be stored, with a pointer to each member that is why. */
export function invalidResult(invalid: readonly InvalidMember[]): ProblemError {
  return invalidMembers('invalid-result', 'The resource would be invalid', invalid);
}

/** 422, with a pointer to each member that is why. */
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
  const detail = `${sentence}${where}: ${first?.detail ?? 'it was refused.'}`;
  const extensions = { errors, ...(invalid.length > errors.length && { total: invalid.length }) };
  return new ProblemError(422, code, detail, { extensions });
}

/** As long as a problem document has it. */
export function shownPointer(pointer: string): string {
  return cut(pointer, shown.pointer);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

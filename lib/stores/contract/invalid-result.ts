import { readMember } from '../../config/prototype-pollution';
import { pointerMember } from '../../http/pointer-member';
import { ProblemError } from '../../http/problem';
import { quotedPointer } from '../../json/pointer';

/** One reason why a value is invalid. */
export interface InvalidMember {
  /** The error, for people to read. The client receives it. */
  readonly detail: string;
  /** The JSON Pointer of the invalid member. */
  readonly pointer?: string;
}

/**
 * Errors that are created while they are iterated. `length` is their number; left out if clients must not
 * learn it.
 */
export type InvalidMembers = Iterable<InvalidMember> & { readonly length?: number };

/** The limits of an app's list of errors in a problem document: entries, and characters. */
const maxShown = { entries: 20, pointers: 4_000, detail: 500 };

/** A 422 for an invalid value, with a pointer to each invalid member. */
export function invalidResult(invalid: InvalidMembers): ProblemError {
  return invalidMembers('invalid-result', 'The resource would be invalid', invalid);
}

/**
 * A refusal with a pointer to each invalid member.
 *
 * @param invalid - iterated only as far as it is shown: each pointer repeats the names on its path, so all of
 *   them together can be thousands of times larger than the request
 */
export function invalidMembers(
  code: string,
  sentence: string,
  invalid: InvalidMembers,
  status = 422,
): ProblemError {
  const first = takeFirst(maxShown.entries, invalid);
  let room = maxShown.pointers;
  const errors = first.map((error) => {
    const pointerOrNone = pointerMember(readMember(error, 'pointer'), room);
    room -= pointerOrNone.pointer?.length ?? 0;
    return { detail: shorten(error.detail, maxShown.detail), ...pointerOrNone };
  });
  const pointer = first[0] && readMember(first[0], 'pointer');
  const where = pointer === undefined ? '' : ` at ${quotedPointer(pointer, 200)}`;
  const detail = `${sentence}${where}: ${errors[0]?.detail ?? 'it was refused without a reason.'}`;
  const total = readMember(invalid, 'length') ?? 0;
  const extensions = { errors, ...(total > errors.length && { total }) };
  return new ProblemError(status, code, detail, { extensions });
}

function takeFirst<E>(max: number, elements: Iterable<E>): E[] {
  const first: E[] = [];
  for (const element of elements) {
    if (first.push(element) === max) break;
  }
  return first;
}

/** A text of the app, shortened to fit into a sentence. */
function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

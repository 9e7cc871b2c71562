import { pointerMember } from '../http/pointer-member';
import { ProblemError } from '../http/problem';
import { quotedPointer } from '../json/pointer';
import { invalidMembers } from '../stores/contract/invalid-result';

/** The refusals of PATCH and of the other methods of `resource`. */

/** RFC 9110 14.5 */
export function partialPut(): ProblemError {
  const detail =
    'A partial PUT with Content-Range is not supported. ' +
    'Send the whole representation without Content-Range, or use PATCH.';
  return new ProblemError(400, 'content-range', detail);
}

export function targetNotFound(): ProblemError {
  return new ProblemError(
    404,
    'target-not-found',
    'The resource does not exist. Check the URL, or create the resource first.',
  );
}

export function tooManyRaces(): ProblemError {
  const detail =
    'The resource kept changing while this request was processed, and nothing was written. ' +
    'Retry after the time in Retry-After.';
  return new ProblemError(409, 'lost-race', detail, { headers: { 'Retry-After': '1' } });
}

export function readOnly(pointer: string): ProblemError {
  const member = quotedPointer(pointer, 200);
  const detail = `The request changes ${member}, which is read-only. Remove that change.`;
  return new ProblemError(422, 'read-only', detail, { extensions: { ...pointerMember(pointer) } });
}

/** With the option `unwritable`: everything that the document names was left out. */
export function nothingWritable(pointer: string): ProblemError {
  const detail =
    `The request changes only members that cannot be written, such as ${quotedPointer(pointer, 200)}. ` +
    'Change other members.';
  return new ProblemError(422, 'read-only', detail, { extensions: { ...pointerMember(pointer) } });
}

/** The right to change these members is denied to this request; `readOnly` is what nobody can change. */
export function memberForbidden(pointers: readonly string[]): ProblemError {
  const errors = pointers.map((pointer) => ({
    pointer,
    detail: 'you are not allowed to change this member',
  }));
  return invalidMembers('member-forbidden', 'The change is forbidden', errors, 403);
}

/** `authorize` receives the complete list or none. */
export function tooManyChanges(limit: number): ProblemError {
  const detail =
    `The request changes too much: the JSON Pointers of its changes exceed the limit of ${limit} bytes. ` +
    'Split the request.';
  return new ProblemError(413, 'limit-changes', detail);
}

/** The same answer whether or not the resource exists, so that it reveals neither. */
export function notPermitted(method: string): ProblemError {
  return new ProblemError(
    403,
    'forbidden',
    `You are not allowed to ${method} this resource. Ask its owner for access.`,
  );
}

export function forbidden(): ProblemError {
  const detail =
    'You are not allowed to make this change. Ask the owner of the resource for permission, or change less.';
  return new ProblemError(403, 'forbidden', detail);
}

import { pointerMember } from '../http/pointer-member';
import { ProblemError } from '../http/problem';
import { quotedPointer } from '../json/pointer';
import { invalidMembers } from '../stores/contract/invalid-result';

/** The refusals of PATCH and the other methods of `resource`, in the order of the checks. */

// The request.

/** The header that lists the accepted formats. */
type Accepted = Readonly<Record<string, string>>;

/** A header value in quotation marks, shortened, because it can have thousands of characters. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

export function unsupportedMediaType(
  contentType: string | undefined,
  mediaTypes: readonly string[],
  accepted: Accepted,
): ProblemError {
  const sent =
    contentType === undefined
      ? 'The request has no Content-Type'
      : `The media type ${quoted(contentType)} is not supported`;
  const detail = `${sent}. Send one of: ${mediaTypes.join(', ')}.`;
  return new ProblemError(415, 'unsupported-media-type', detail, { headers: { ...accepted } });
}

export function unsupportedCharset(charset: string, accepted: Accepted): ProblemError {
  const detail = `The charset ${quoted(charset)} is not supported. Send UTF-8, without a charset parameter.`;
  return new ProblemError(415, 'unsupported-charset', detail, { headers: { ...accepted } });
}

/**
 * RFC 9110 12.5.3: Accept-Encoding shows that the coding was refused; Accept-Patch would mean that the media
 * type was.
 */
export function unsupportedCoding(coding: string): ProblemError {
  const detail =
    `The content coding ${quoted(coding)} is not supported. Send the body without Content-Encoding. ` +
    'In the app, decode it in front of the handler, for example by express.raw().';
  return new ProblemError(415, 'unsupported-content-coding', detail, {
    headers: { 'Accept-Encoding': 'identity' },
  });
}

export function contentTooLarge(limit: number): ProblemError {
  return new ProblemError(
    413,
    'limit-bytes',
    `The body is larger than the limit of ${limit} bytes. Send a smaller one.`,
  );
}

/** The refusal of a body that the app has parsed. The JSON parsers also report the position. */
export function contentTooDeep(limit: number): ProblemError {
  const detail = `The body nests deeper than the limit of ${limit} levels. Send a flatter one.`;
  return new ProblemError(413, 'limit-depth', detail);
}

export function brokenBody(cause: unknown): ProblemError {
  const detail = 'The body is incomplete. Send it again.';
  return new ProblemError(400, 'body-broken', detail, { cause });
}

// Idempotency-Key, with the status codes of draft-ietf-httpapi-idempotency-key-header 2.7.

export function keyRequired(): ProblemError {
  const detail =
    'Idempotency-Key is missing. Send a unique string in double quotes, such as a UUID: ' +
    'Idempotency-Key: "…".';
  return new ProblemError(400, 'idempotency-key-required', detail);
}

export function keyMalformed(): ProblemError {
  const detail =
    'Idempotency-Key must be a non-empty ASCII string in double quotes, such as a UUID: ' +
    'Idempotency-Key: "…".';
  return new ProblemError(400, 'idempotency-key-malformed', detail);
}

export function keyReused(): ProblemError {
  const detail =
    'This Idempotency-Key was already used for a request with another method, document, media type, ' +
    'precondition or target URI. Send this request with a new key.';
  return new ProblemError(422, 'idempotency-key-reused', detail);
}

export function requestInFlight(): ProblemError {
  const detail =
    'The first request with this Idempotency-Key is still in progress. Retry after the time in Retry-After.';
  return new ProblemError(409, 'idempotency-key-in-flight', detail, { headers: { 'Retry-After': '1' } });
}

// The target, and the change.

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

/** With the option `unwritable`: every member that the document names was left out. */
export function nothingWritable(pointer: string): ProblemError {
  const detail =
    `The request changes only members that cannot be written, such as ${quotedPointer(pointer, 200)}. ` +
    'Change other members.';
  return new ProblemError(422, 'read-only', detail, { extensions: { ...pointerMember(pointer) } });
}

/** This request has no right to change these members. Members in `readOnly` cannot be changed by anybody. */
export function memberForbidden(pointers: readonly string[]): ProblemError {
  const errors = pointers.map((pointer) => ({
    pointer,
    detail: 'you are not allowed to change this member',
  }));
  return invalidMembers('member-forbidden', 'The change is forbidden', errors, 403);
}

/** `changed` of `authorize` must be complete, so a list that is too long is refused. */
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
    `You are not allowed to ${method} this resource. Ask for permission.`,
  );
}

export function forbidden(): ProblemError {
  const detail = 'You are not allowed to make this change. Ask for permission, or change less.';
  return new ProblemError(403, 'forbidden', detail);
}

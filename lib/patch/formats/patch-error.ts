import { pointerMember } from '../../http/pointer-member';
import { ProblemError } from '../../http/problem';
import type { Problems } from '../../http/problem-codes';
import type { JsonError } from '../../json/json-error';

// The reasons why a document cannot be applied, and their status codes (RFC 5789 2.2).
//
// - malformed: it is not a valid document of its media type (a patch or the representation of a PUT)
// - conflict: it is valid, but does not fit the current state (a missing path, an index out of range)
// - test: a `test` operation failed
// - hidden-member: it writes to a hidden member, or would remove one
// - patch-kind: it is a merge patch, and not of the same kind as the value that it is applied to
// - element-key: it is a keyed merge patch, and would change the key of an element
// - limit-*: it exceeds the limit of that name: `limits.operations` and so on
const statuses = {
  'patch-malformed': 400,
  'representation-malformed': 400,
  'patch-conflict': 409,
  'patch-test-failed': 409,
  'hidden-member': 422,
  'patch-kind': 422,
  'element-key': 422,
  'limit-operations': 413,
  'limit-depth': 413,
  'limit-copied': 413,
  'limit-shifted': 413,
} as const satisfies Partial<Problems>;

/**
 * Why a document cannot be applied (RFC 5789 2.2). `hidden-member`: it writes to a member in the option
 * `hidden`. `patch-kind`: it is a merge patch, and not of the same kind as the value that it is applied to.
 * `element-key`: it would change the key of an element. `limit-*`: it exceeds the limit of that name.
 */
export type PatchErrorCode = keyof typeof statuses;

/** The location of an error in a patch document. */
export interface PatchErrorLocation {
  /** The zero-based index of the failed JSON Patch operation. */
  readonly operation?: number;
  /** The JSON Pointer as the client wrote it; left out if it has more than 1,000 characters. */
  readonly pointer?: string;
}

/**
 * Thrown by patch parsers for a document that cannot be applied. The client receives the detail: it can quote
 * the document, but must never contain stored values.
 */
export class PatchError extends ProblemError {
  override readonly name = 'PatchError';

  constructor(code: PatchErrorCode, detail: string, location: PatchErrorLocation = {}) {
    super(statuses[code], code, detail, { extensions: { ...location } });
  }
}

/**
 * An error in JSON that a client has sent, with its status code.
 *
 * @param malformed - the code if the JSON text itself is malformed
 */
export function toPatchError(
  error: JsonError,
  malformed: PatchErrorCode = 'patch-malformed',
): PatchError | JsonError {
  const { message, operation, pointer } = error;
  const code = error.code === 'json-malformed' ? malformed : error.code;
  // `null-member` is not an error of the client.
  if (!isPatchErrorCode(code)) return error;
  const location = { ...(operation !== undefined && { operation }), ...pointerMember(pointer) };
  return new PatchError(code, message, location);
}

function isPatchErrorCode(code: string): code is PatchErrorCode {
  return Object.hasOwn(statuses, code);
}

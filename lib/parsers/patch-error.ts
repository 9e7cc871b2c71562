import { ProblemError } from '../http/problem';

// Why a patch document cannot be applied, and the status that says so (RFC 5789 2.2).
//
// - malformed: the document is not one of its media type; a representation is what PUT sends, a query what QUERY does
// - conflict: it is, but not for the resource's present state (a path that is not there, an index out of range)
// - test: a `test` operation found something else
// - hidden-member: it writes what the app hides, or would take that along
// - limit-*: it would cost more than the app allows; the name is the option's, `limits.operations` and so on
const statusOf = {
  'patch-malformed': 400,
  'representation-malformed': 400,
  'query-malformed': 400,
  'patch-conflict': 409,
  'patch-test-failed': 409,
  'hidden-member': 422,
  'limit-operations': 413,
  'limit-depth': 413,
  'limit-copied': 413,
  'limit-shifted': 413,
} as const;

/**
 * Why it cannot be applied (RFC 5789 2.2); `hidden-member`: it writes what the option `hidden` keeps out of reach;
 * `limit-*`: it costs more than the limit of that name.
 */
export type PatchErrorCode = keyof typeof statusOf;

/** Where in the document the fault is. */
export interface PatchErrorPlace {
  /** Its zero-based index. */
  readonly operation?: number;
  /** As the client wrote it; cut after 1,000 characters. */
  readonly pointer?: string;
}

/** A document that cannot be applied. The detail is sent: it may quote the document, never the stored value. */
export class PatchError extends ProblemError {
  override readonly name = 'PatchError';

  constructor(code: PatchErrorCode, detail: string, place: PatchErrorPlace = {}) {
    super(statusOf[code], code, detail, { extensions: { ...place } });
  }
}

/**
 * The mistake in a JSON text, or in a patch and the value that it is applied to.
 *
 * - `json-malformed`: the text is not JSON, or is ambiguous
 * - `patch-malformed`: the patch is not valid for any value
 * - `patch-conflict`: it is valid, but does not fit the value (a missing path, an index out of range)
 * - `patch-test-failed`: a `test` operation failed
 * - `patch-kind`: a keyed merge patch lacks an object, `true` or null where it must have one
 * - `element-key`: a keyed merge patch would change the key of an element
 * - `null-member`: a merge patch cannot set a member to null
 * - `not-json`: an argument contains a value that JSON cannot hold, such as NaN or a Map
 * - `limit-*`: it exceeds the limit of that name
 */
export type JsonErrorCode =
  | 'json-malformed'
  | 'patch-malformed'
  | 'patch-conflict'
  | 'patch-test-failed'
  | 'patch-kind'
  | 'element-key'
  | 'null-member'
  | 'not-json'
  | 'limit-operations'
  | 'limit-depth'
  | 'limit-copied'
  | 'limit-shifted';

/**
 * Not `instanceof`: `patch-options/json` is a module of its own in bundles without the condition `node`, and
 * so is this class.
 */
export function isJsonError(error: unknown): error is JsonError {
  return error instanceof Error && error.name === 'JsonError' && 'code' in error;
}

/** An error in JSON. It has no status code, which depends on the purpose of the JSON. */
export class JsonError extends Error {
  override readonly name = 'JsonError';

  constructor(
    /** The kind of error. It stays the same when messages are reworded. */
    readonly code: JsonErrorCode,
    message: string,
    /** The zero-based index of the operation of a JSON Patch. */
    readonly operation?: number,
    /** The JSON Pointer of the operation, as the patch has it, or of the place in the JSON. */
    readonly pointer?: string,
  ) {
    super(message);
  }
}

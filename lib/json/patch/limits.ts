/** Limits on a JSON Patch. */
export interface JsonPatchLimits {
  /** The largest number of operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** The deepest nesting of the result, in levels; at most 1,000. Default 100. */
  readonly depth: number;
  /** The largest number of bytes of JSON that the `copy` operations of one JSON Patch can add. Default 1 MiB. */
  readonly bytes: number;
}

export const defaultJsonPatchLimits: JsonPatchLimits = {
  operations: 1_000,
  depth: 100,
  bytes: 1_048_576,
};

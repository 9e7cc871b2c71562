/** Limits on a JSON Patch. */
export interface JsonPatchLimits {
  /** The largest number of operations in one JSON Patch. Default 1,000. */
  readonly operations: number;
  /** The deepest nesting of the result, in levels; at most 1,000. Default 100. */
  readonly depth: number;
  /**
   * The largest number of bytes of JSON that the `copy` operations of one JSON Patch can add. Default 1 MiB.
   */
  readonly copied: number;
  /**
   * The largest number of array elements that the insertions and removals of one JSON Patch can shift.
   * Default 10,000,000, which costs about as much as parsing a patch of 1 MiB, and allows an insertion into
   * any array of up to 16 MiB.
   */
  readonly shifted: number;
}

export const defaultJsonPatchLimits: JsonPatchLimits = {
  operations: 1_000,
  depth: 100,
  copied: 1_048_576,
  shifted: 10_000_000,
};

/** A conflict of `save`: the form and someone else have changed the same members, in different ways. */
export interface Conflict<T = unknown> {
  /** The value that the form started with. */
  readonly base: T;
  /** The value of the form. */
  readonly mine: T;
  /** The current value of the resource. */
  readonly theirs: T;
  /** JSON Pointers into `base` to the members that both have changed. */
  readonly paths: readonly string[];
  /** All changes of both, merged; at `paths`, with the values of `mine`. */
  readonly withMine: T;
  /** All changes of both, merged; at `paths`, with the values of `theirs`. */
  readonly withTheirs: T;
}

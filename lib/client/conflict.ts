/** A conflict of `save`: the form and someone else have changed the same members, in different ways. */
export interface Conflict<T = unknown> {
  /** The value that the form started with. */
  readonly base: T;
  /** The value of the form. */
  readonly mine: T;
  /** The current value of the resource. */
  readonly theirs: T;
  /**
   * JSON Pointers into `base` to the members and elements that both have changed, each once. An element that
   * `base` does not have is named by its list, and so are two different orders of a list.
   */
  readonly paths: readonly string[];
  /** All changes of both, merged; at `paths`, with the values of `mine`. */
  readonly withMine: T;
  /** All changes of both, merged; at `paths`, with the values of `theirs`. */
  readonly withTheirs: T;
}

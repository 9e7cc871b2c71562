/** Three states of a resource, and where two changes of it meet. */
export interface Conflict<T = unknown> {
  /** What the form began with. */
  readonly base: T;
  /** What it holds now. */
  readonly mine: T;
  /** What the resource is now. */
  readonly theirs: T;
  /** JSON Pointers into `base` to the places that both have changed. */
  readonly paths: readonly string[];
  /** What both have changed, in one value; in the places of `paths` it is mine. */
  readonly withMine: T;
  /** The same, but in the places of `paths` it is theirs. */
  readonly withTheirs: T;
}

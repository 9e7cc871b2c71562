/** One stored representation and the opaque version that names its present state. */
export interface Stored<T> {
  readonly value: T;
  /** Any string, whatever it holds; `entityTag` makes a legal strong entity tag of it. */
  readonly version: string;
  /** When it was written, by the engine's clock. Left out, `Last-Modified` and `If-Unmodified-Since` have no say. */
  readonly modified?: Date;
}

/** What a store is told beside the key. */
export interface StoreContext {
  /** Aborted when the client has gone: what has not been written yet need not be. */
  readonly signal?: AbortSignal;
  /** A store that serialises refuses a value over this many bytes with a 413 problem of the code `limit-result`. */
  readonly maxBytes?: number;
}

/**
 * Where resources live. Two operations, so that any engine with a conditional write can be one.
 *
 * Values are JSON, and come back as they were given (`-0` may come back as 0). A key that the engine cannot hold is
 * absent, not an exception. What a caller does to a value that it was given, or has given, never changes the store.
 */
export interface ResourceStore<T = unknown> {
  /** The present state, or undefined where there is none. */
  get(key: string, context?: StoreContext): Promise<Stored<T> | undefined>;

  /**
   * Writes `next` only while the version is still `expected` (null: only while the key is absent), atomically per key,
   * and returns what it wrote; undefined: the version was another, and nothing was written.
   *
   * Every successful replace makes a version that this key never had, also after delete and re-create, also where the
   * value is equal: so an entity tag that a client matched is never sent again for another state.
   */
  replace(
    key: string,
    expected: string | null,
    next: T,
    context?: StoreContext,
  ): Promise<Stored<T> | undefined>;
}

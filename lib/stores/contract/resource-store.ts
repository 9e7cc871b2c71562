import type { PatchRequest } from '../../http/middleware';

/**
 * The state of a resource. It is identified by a version, which every write changes; or, if the store has no
 * versions, by its content: two states are then the same if their values are equal.
 */
export interface Stored<T> {
  /**
   * The value, which is JSON. In the result of `replace`, a store can know the version that it wrote but no
   * longer the value: reading the value then throws, and the answer has no body.
   */
  readonly value: T;
  /**
   * Any string; `entityTag` makes a valid entity tag of it. Only a store whose `versions` is false leaves it
   * out: the state is then its content, and `entityTag` of `resource` makes the entity tag from the value
   * that clients see.
   */
  readonly version?: string;
  /**
   * The value without members that differ between two reads of one state, such as a default that is computed
   * at each read. If there is no version, the entity tag is made from it, and handlers compare states
   * by it. Default: the value.
   */
  readonly stable?: unknown;
  /**
   * For the store alone, such as the row that the value was read from: `replace` and `delete` get the state
   * back as `context.current`, and handlers do not read this member.
   */
  readonly handle?: unknown;
  /**
   * The time of the last write, by the engine's clock. If left out, `If-Unmodified-Since` and
   * `If-Modified-Since` are ignored.
   */
  readonly modified?: Date;
  /** The outcome stored under the id in `context.outcome`; only from `get` of an `OutcomeStore`. */
  readonly outcome?: string;
}

/** The value by which a state is identified if it has no version. */
export function stableValue(state: Stored<unknown>): unknown {
  return state.stable ?? state.value;
}

/** A state of a store that writes versions. */
export interface VersionedState<T> extends Stored<T> {
  readonly version: string;
}

/**
 * A state that was looked up. It is the result of `replace` or `delete` if the resource is not in the state
 * that the write is conditional on.
 */
export interface FoundState<T> {
  /**
   * The state that the resource is in, as `get` returns it; undefined if there is none. Not to be confused with
   * `current` in the context of the write: the state that was expected.
   */
  readonly current: Stored<T> | undefined;
}

/** The context that every call of a store receives. */
export interface StoreContext {
  /**
   * The request for which the store is called, if there is one: for writes of the app, such as an audit row.
   * A store, or a store that wraps another, only passes it on.
   */
  readonly request?: PatchRequest;
  /**
   * Aborted when the client disconnects. If it is aborted before a write, the store throws its reason and
   * writes nothing; later it can be ignored.
   */
  readonly signal?: AbortSignal;
  /**
   * The largest value in bytes of UTF-8. A store that serialises refuses a larger one with a `ProblemError`
   * 413 `limit-result` and writes nothing.
   */
  readonly maxBytes?: number;
  /** Throws the signal's reason if it is aborted. Cheaper than reading `signal`, which creates one. */
  throwIfAborted?(): void;
}

/**
 * The context of a caller that passes none. It inherits nothing, not even what other code has added to
 * Object.prototype.
 */
export const noContext: ReadContext & WriteContext = Object.freeze(Object.create(null) as object);

/** @throws the signal's reason, if it is aborted */
export function throwIfAborted(context: StoreContext): void {
  if (context.throwIfAborted !== undefined) context.throwIfAborted();
  else context.signal?.throwIfAborted();
}

/** The context of `get`. */
export interface ReadContext extends StoreContext {
  /** The id of the request whose outcome is wanted; only for an `OutcomeStore`. */
  readonly outcome?: { readonly id: string };
}

/** The context of `delete`. */
export interface DeleteContext extends StoreContext {
  /**
   * The state that the write is conditional on: the very object that `get` or `replace` returned. Handlers
   * and `change` always pass it. A store with versions need not read it: `expected` is its version. Not to be
   * confused with `current` in the result of the write: the state that was found.
   */
  readonly current?: Stored<unknown>;
}

/** The context of `replace`. */
export interface WriteContext extends DeleteContext {
  /** The outcome to store with the value; only for an `OutcomeStore`. */
  readonly outcome?: PendingOutcome;
}

/**
 * The argument `expected` of a write that is conditional on a state. Without versions it is an empty text,
 * and `current` of the context is the condition.
 */
export function expectedVersion({ version = '' }: Stored<unknown>): string {
  return version;
}

/** The outcome of a request, to be stored if the request writes. */
export interface PendingOutcome {
  /** The id of the request: 1 to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  /**
   * Returns the text to store, for the version being written, if there is one: well-formed Unicode without
   * NUL.
   */
  readonly text: (version?: string) => string;
  /** The scope of the idempotency key, as a hash: 1 to 64 letters, digits, `-` and `_`. */
  readonly scope: string;
  /** How many outcomes of this scope a resource can have. */
  readonly keep: number;
  /** How many outcomes a resource can have, for all scopes together. */
  readonly total: number;
  /** How many seconds the outcome is kept. */
  readonly maxAge: number;
}

/**
 * Where resources are stored: any engine with a conditional write. `storeConformance` from
 * `patch-options/testing` tests each clause, also of `OutcomeStore`.
 *
 * - **Values** are JSON and are read back unchanged, including member order, NUL and lone surrogates; only
 *   `-0` can become 0. Modifying a value that was passed in or returned never changes the store. A store with
 *   columns need not hold every value: it refuses a value that it cannot hold with a `ProblemError` 422, and
 *   a duplicate of a unique value with 409.
 * - **Keys** are compared by code points: letter case, trailing spaces and Unicode composition matter. Every
 *   key of 1 to 1,024 bytes of UTF-8 without NUL and lone surrogates works. Any other key either works too,
 *   or is absent: `get` and `replace` then return undefined, and never another key's resource. If keys have a
 *   special form, such as serial ids, only those must work, and creating another can throw a `ProblemError`
 *   409 or 422.
 * - **Instances** over one engine, in one process or many, see each other's acknowledged writes. If several
 *   replace one version at once, exactly one writes.
 * - **Errors** of the network or engine are thrown unchanged. The write may have been carried out.
 */
export interface ResourceStore<T = unknown> {
  /** Returns the current state, or undefined if there is none. */
  get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;

  /**
   * Writes `next` only if the current version is `expected` (null: only if the key is absent), as one atomic
   * step. Resolves when the write is as durable as the engine is configured to make it.
   *
   * Every write makes a version that this key never had before, even after delete and re-create, and even if
   * the value is equal. If states have no versions, `expected` is an empty text, and the condition is that
   * the resource is still in the state `context.current`; without `context.current`, nothing is written.
   *
   * @returns the state that was written, as `get` now returns it. If the resource is in another state
   *   (whatever string `expected` is), nothing is written, and the result is `{ current }` with that state,
   *   or with undefined if the resource does not exist; or undefined, if the store does not know the state or
   *   cannot hold the key. Handlers check the request again on `current` at once; without it, or if they lose
   *   again, they wait and read the state.
   */
  replace(
    key: string,
    expected: string | null,
    next: T,
    context?: WriteContext,
  ): Promise<Stored<T> | FoundState<T> | undefined>;

  /**
   * Deletes the resource and its outcomes, only if the current version is `expected`, as one atomic step. A
   * store without this method deletes nothing.
   *
   * @param expected - the version to delete; if left out, any version. If states have no versions, it is an
   *   empty text, as in `replace`, so a wrapper that forgets the context deletes nothing
   * @returns whether a resource was deleted; or `{ current }`, as from `replace`
   */
  delete?(key: string, expected?: string, context?: DeleteContext): Promise<boolean | FoundState<T>>;

  /**
   * Returns `next` with the members that the store adds to it, such as null for a missing one, so that the
   * schema of `validate` checks the value that would be stored; the output of the schema goes to `fit`. It
   * modifies neither argument, and refuses nothing. Left out: `next` itself.
   *
   * @param current - undefined if the resource is being created
   */
  complete?(key: string, next: T, current: T | undefined): T;

  /**
   * Returns the value that `replace` would store for `next`, for a store that cannot hold every value. Called
   * before a validator that is a function, and after a schema. It modifies neither argument.
   *
   * @param current - undefined if the resource is being created
   * @throws ProblemError 422 for a value that the store would refuse
   */
  fit?(key: string, next: T, current: T | undefined): T;

  /**
   * Returns `next` without the changes that the store cannot hold, such as members without a column: in
   * objects, these members are as in `current`, or left out. For the option `unwritable: 'ignore'` of
   * handlers. It modifies neither argument, and refuses nothing. Left out: `next` itself.
   *
   * @param next - without members that clients cannot see
   * @param current - undefined if the resource is being created
   */
  accept?(key: string, next: T, current: T | undefined): T;

  /** JSON Pointers of the members that only the store writes. If a PUT leaves them out, they stay. */
  readonly readOnly?: readonly string[];

  /** JSON Pointers of the members that clients can set but never see: see the option `writeOnly`. */
  readonly writeOnly?: readonly string[];

  /**
   * JSON Pointers of the members that the store holds as doubles. Behind a body parser, which rounds integers
   * beyond 2^53, a change of any other number of that size is refused.
   */
  readonly doubles?: readonly string[];

  /** False if states have no versions, because they are their content: see `Stored`. */
  readonly versions?: false;

  /** False if `replace` cannot create resources: all exist already, or are created in another way. */
  readonly creates?: boolean;
}

/** For JavaScript apps, which have no compiler to check types. */
export function isResourceStore(value: unknown): value is ResourceStore {
  const members = Object(value) as object;
  return ['get', 'replace'].every((name) => typeof Reflect.get(members, name) === 'function');
}

import { memberOf } from '../../prototype-pollution';

/** A representation, and the version that names its state. */
export interface Stored<T> {
  readonly value: T;
  /** Any string; `entityTag` makes a legal tag of it. */
  readonly version: string;
  /** Of the last write, by the engine's clock. Left out, `If-Unmodified-Since` and `If-Modified-Since` have no say. */
  readonly modified?: Date;
  /** Kept under the id of `context.outcome`; only from `get` of an `OutcomeStore`. */
  readonly outcome?: string;
}

/** What a store is told. */
export interface StoreContext {
  /** Aborted when the client has gone: before a write its reason is thrown, and nothing written; later it may be ignored. */
  readonly signal?: AbortSignal;
  /** A store that serialises refuses more bytes of UTF-8 with a `ProblemError` 413 `limit-result`, writing nothing. */
  readonly maxBytes?: number;
  /** To `get`, in stores that remember: an earlier state will do, since the caller confirms what follows from it. */
  readonly mayBeStale?: boolean;
  /** Throws the signal's reason if it is aborted, without making the signal: for stores with no other use for it. */
  throwIfAborted?(): void;
}

/** Of a caller that says nothing: it has not even what somebody has put on Object.prototype. */
export const noContext: ReadContext & WriteContext = Object.freeze(Object.create(null) as object);

/** @throws the signal's reason, where it is aborted */
export function throwIfAborted(context: StoreContext): void {
  if (memberOf(context, 'throwIfAborted') !== undefined) context.throwIfAborted?.();
  else memberOf(context, 'signal')?.throwIfAborted();
}

/** What `get` is told. */
export interface ReadContext extends StoreContext {
  /** Whose outcome is looked for; to an `OutcomeStore` alone. */
  readonly outcome?: { readonly id: string };
}

/** What `replace` is told. */
export interface WriteContext extends StoreContext {
  /** What `get` gave at the version `expected`, where the caller has it: so that a store need not read it again. */
  readonly current?: Stored<unknown>;
  /** To an `OutcomeStore` alone. */
  readonly outcome?: OutcomeToKeep;
}

/** What is kept of a request, if it writes. */
export interface OutcomeToKeep {
  /** Of the request: 1 to 64 letters, digits, `-` and `_`. */
  readonly id: string;
  /** Given the version being written: well-formed Unicode without NUL. */
  readonly text: (version: string) => string;
  /** Whose request it is, as a hash: 1 to 64 letters, digits, `-` and `_`. */
  readonly scope: string;
  /** How many outcomes of this scope a resource may have. */
  readonly keep: number;
  /** How many outcomes a resource may have, all scopes together. */
  readonly total: number;
  /** Seconds. */
  readonly maxAge: number;
}

/**
 * Where resources live: any engine with a conditional write. `storeConformance` from `patch-options/testing` proves each
 * clause, and those of `OutcomeStore`.
 *
 * - **Values** are JSON, and come back as they were, with the order of members, NUL and lone surrogates; only `-0` may
 *   become 0. What a caller does to a value given or taken never changes the store. One with columns need not hold every value:
 *   what it has no place for it refuses with a `ProblemError` 422, and with 409 a value that another resource has and no two may.
 * - **Keys** are told apart by code points: letter case, spaces at the end and Unicode compositions count. Each of 1 to 1,024
 *   bytes of UTF-8, without NUL and lone surrogates, is held. Any other is held too, or it is absent: `get` and `replace`
 *   give undefined, and never another key's resource. Where keys have a form of their own, such as serial ids, those alone need
 *   be held, and a `ProblemError` 409 or 422 may be what creation gives at others.
 * - **Instances** over one engine, in one process or many, see each other's writes once they are acknowledged; of those
 *   who replace one version at once exactly one writes.
 * - **Faults** of network or engine are thrown as they are. The write may have been carried out.
 */
export interface ResourceStore<T = unknown> {
  /** The present state, undefined where there is none; with `mayBeStale` perhaps an earlier one. */
  get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;

  /**
   * Writes `next` only while the version is `expected` (null: while the key is absent), in one step that no other write of
   * the key comes between. Resolves when it is as durable as the engine is set up to make it.
   *
   * Each makes a version that this key never had, also after delete and re-create, also where the value is equal.
   *
   * @returns what it wrote, as `get` now gives it; undefined where nothing was written: the version was another, whatever
   *   string `expected` is, or the key cannot be held
   */
  replace(
    key: string,
    expected: string | null,
    next: T,
    context?: WriteContext,
  ): Promise<Stored<T> | undefined>;

  /**
   * Deletes, and forgets the outcomes, only while the version is `expected`, in one step that no other write of the key comes
   * between. A store without it deletes nothing.
   *
   * @param expected - left out, whichever it is
   * @returns whether there was something to delete
   */
  delete?(key: string, expected?: string): Promise<boolean>;

  /**
   * What `replace` would store of `next`, for a store that cannot hold every value: asked before the app's validator.
   *
   * @param current - undefined where the resource is to be created
   * @throws ProblemError 422 for what it would refuse
   */
  fit?(key: string, next: T, current: T | undefined): T;

  /** JSON Pointers of the members that the store alone writes: a PUT may leave them out, and they stay. */
  readonly readOnly?: readonly string[];

  /** False where `replace` creates nothing: every resource is there already, or made otherwise. */
  readonly creates?: boolean;
}

/** For hosts that have no compiler to tell them. */
export function isResourceStore(value: unknown): value is ResourceStore {
  const members = Object(value) as object;
  return ['get', 'replace'].every((name) => typeof Reflect.get(members, name) === 'function');
}

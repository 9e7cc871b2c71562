/** One stored representation and the opaque version that names its present state. */
interface Stored<T> {
    readonly value: T;
    /** Any string, whatever it holds; `entityTag` makes a legal strong entity tag of it. */
    readonly version: string;
    /** When it was written, by the engine's clock. Left out, `Last-Modified` and `If-Unmodified-Since` have no say. */
    readonly modified?: Date;
    /** The text kept under the id of `context.outcome`; only from `get`, of an `OutcomeStore` that was given one. */
    readonly outcome?: string;
}
/** What a store is told beside the key. */
interface StoreContext {
    /**
     * Aborted when the client has gone. Aborted before the write began: the signal's reason is thrown, and nothing is
     * written. Aborted later it may be ignored: what was begun is carried out or not, as if nobody had waited.
     */
    readonly signal?: AbortSignal;
    /**
     * Bytes of UTF-8. A store that serialises refuses a value whose JSON takes more with a `ProblemError` 413 of the code
     * `limit-result`, and writes nothing.
     */
    readonly maxBytes?: number;
    /**
     * Of `get`: the caller can bear a state that is not the present one any more, since it confirms whatever follows from
     * it by the conditional write, or by a `get` without this. For stores that remember; any other ignores it.
     */
    readonly mayBeStale?: boolean;
    /**
     * Throws the signal's reason if it is aborted by now, without its being made for that: `patchHandler` makes the signal
     * when it is first asked for. For stores that have no other use for it.
     */
    throwIfAborted?(): void;
}
/** What `get` is told. */
interface ReadContext extends StoreContext {
    /** The request whose outcome is looked for; an `OutcomeStore` alone is given one. */
    readonly outcome?: {
        readonly id: string;
    };
}
/** What `replace` is told. */
interface WriteContext extends StoreContext {
    /** What is kept with the write; an `OutcomeStore` alone is given one. */
    readonly outcome?: OutcomeToKeep;
}
/** The outcome of a request, to be kept if its write is carried out. */
interface OutcomeToKeep {
    /** Of the request: 1 to 64 letters, digits, `-` and `_`. */
    readonly id: string;
    /** What is to be kept, given the version that is being written: a text of well-formed Unicode without NUL. */
    readonly text: (version: string) => string;
    /** How many outcomes one key may have. */
    readonly keep: number;
    /** For how many seconds it is kept. */
    readonly maxAge: number;
}
/**
 * Where resources live. Two operations, so that any engine with a conditional write can be one; `storeConformance` from
 * `patch-options/testing` proves each clause below.
 *
 * **Values** are JSON. They come back with the same members in the same order, the same numbers and the same strings, NUL
 * and lone surrogates included; only `-0` may come back as 0. What a caller does to a value that it was given, or has
 * given, never changes the store.
 *
 * **Keys** are strings, told apart by their code points: letter case, spaces at the end and Unicode compositions count. A
 * key that the engine cannot hold is absent, not an exception: `get` finds nothing there, and `replace` writes nothing.
 *
 * **Several at once**: instances over one engine, in one process or many, see each other's writes as soon as they are
 * acknowledged; of those who replace one version at the same time exactly one writes.
 *
 * **Faults**, of the network or the engine, are thrown as the driver throws them: the host's error handler knows them. A
 * write that ended in a fault may have been carried out.
 */
interface ResourceStore<T = unknown> {
    /** The present state, or undefined where there is none; with `mayBeStale` perhaps an earlier one, as it was. */
    get(key: string, context?: ReadContext): Promise<Stored<T> | undefined>;
    /**
     * Writes `next` only while the version is still `expected` (null: only while the key is absent), in one step that no
     * other write of the key can come between. Resolves when the write is as durable as the engine is set up to make it.
     *
     * Every successful replace makes a version that this key never had, also after delete and re-create, also where the
     * value is equal: so an entity tag that a client matched is never sent again for another state.
     *
     * @returns what it wrote, just as `get` now returns it; undefined where the version was another, whatever string
     *   `expected` is, or where the key cannot be held. Then nothing was written.
     */
    replace(key: string, expected: string | null, next: T, context?: WriteContext): Promise<Stored<T> | undefined>;
}

export type { OutcomeToKeep as O, ResourceStore as R, Stored as S, WriteContext as W, ReadContext as a, StoreContext as b };

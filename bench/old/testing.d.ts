import { ResourceStore } from './index.js';

/** A store, with what ours have beside the contract; where it has not, what concerns that is left out. */
interface ConformingStore extends ResourceStore {
    /** As in `OutcomeStore`. */
    readonly keepsOutcomes?: true;
    delete?(key: string, expected?: string): Promise<unknown>;
}
/** One engine for one case: a table, a prefix, a file. */
interface StoreUnderTest {
    /** Another instance over the same engine, ready for use, as another process would open it. */
    open(): ConformingStore | Promise<ConformingStore>;
    /** Called when the case has ended, however it did. */
    close?(): unknown;
}

/**
 * How a value of the host's carries a text: for a store whose values have a shape of their own, as rows of named columns
 * have. The cases, which store JSON of every kind, then store it as a text in such values.
 */
interface TextCarrier<T> {
    /** A value with the text in it: `(text) => ({ title: 'A note', body: text })`. */
    readonly wrap: (text: string) => T;
    /** The text in a value: `({ body }) => body`. */
    readonly unwrap: (value: T) => string;
}

/** One clause of the contract of `ResourceStore`, as a test for any runner. */
interface ConformanceCase {
    /** Unique, and the same in every release that has the case. */
    readonly name: string;
    /** Rejects with an AssertionError that says what the store did, or with what the store itself threw. */
    readonly run: () => Promise<void>;
}
/**
 * The contract of `ResourceStore`, and of `OutcomeStore` where the store says that it is one, as named cases, for a
 * store of one's own:
 *
 * ```ts
 * for (const { name, run } of storeConformance(() => ({ open: () => new PrismaStore(prisma) }))) test(name, run);
 * ```
 *
 * @param factory - called once a case; may give the same engine each time, since no case uses a key of another
 * @param carrier - for a store that cannot hold any JSON, but values of one shape: how a text is put into one, and found
 *   again. Left out: the cases store their values as they are
 */
declare function storeConformance<T = unknown>(factory: () => StoreUnderTest | Promise<StoreUnderTest>, carrier?: TextCarrier<T>): readonly ConformanceCase[];

export { storeConformance };
export type { ConformanceCase, ConformingStore, StoreUnderTest, TextCarrier };

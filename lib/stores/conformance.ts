import { conditions } from './conformance/conditions';
import { context } from './conformance/context';
import { keys } from './conformance/keys';
import { outcomes } from './conformance/outcomes';
import { races } from './conformance/races';
import { stale } from './conformance/stale';
import { carryingText, type TextCarrier } from './conformance/text-carrier';
import { runTrial, type StoreUnderTest } from './conformance/trial';
import { values } from './conformance/values';
import { versions } from './conformance/versions';

export type { TextCarrier } from './conformance/text-carrier';
export type { ConformingStore, StoreUnderTest } from './conformance/trial';

/** One clause of the contract of `ResourceStore`, as a test for any runner. */
export interface ConformanceCase {
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
export function storeConformance<T = unknown>(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  carrier?: TextCarrier<T>,
): readonly ConformanceCase[] {
  const trials = {
    ...{ ...conditions, ...races, ...versions, ...values },
    ...{ ...keys, ...context, ...stale, ...outcomes },
  };
  const make = carrier === undefined ? factory : carried(factory, carrier);
  return Object.entries(trials).map(([name, act]) => ({ name, run: () => runTrial(make, act) }));
}

function carried<T>(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  carrier: TextCarrier<T>,
): () => Promise<StoreUnderTest> {
  return async () => {
    const underTest = await factory();
    return {
      open: async () => carryingText(await underTest.open(), carrier),
      close: () => underTest.close?.(),
    };
  };
}

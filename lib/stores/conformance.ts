import { randomUUID } from 'node:crypto';
import { conditions } from './conformance/conditions';
import { context } from './conformance/context';
import { keys } from './conformance/keys';
import { outcomes } from './conformance/outcomes';
import { Place } from './conformance/place';
import { races } from './conformance/races';
import { stale } from './conformance/stale';
import { carryingText, type TextCarrier } from './conformance/text-carrier';
import type { StoreUnderTest } from './conformance/trial';
import { values } from './conformance/values';
import { versions } from './conformance/versions';

export type { TextCarrier } from './conformance/text-carrier';
export type { ConformingStore, StoreUnderTest } from './conformance/trial';

/** One clause of the contract, for any test runner. */
export interface ConformanceCase {
  /** Unique, and the same in every release that has it. */
  readonly name: string;
  /** Rejects with an AssertionError that says what the store did, or with what it threw. */
  readonly run: () => Promise<void>;
}

const trials = {
  ...conditions,
  ...races,
  ...versions,
  ...values,
  ...keys,
  ...context,
  ...stale,
  ...outcomes,
};

/**
 * The contract of `ResourceStore`, and of `OutcomeStore` where the store is one, as cases:
 *
 * ```ts
 * for (const { name, run } of storeConformance(() => ({ open: () => new PrismaStore(prisma) }))) test(name, run);
 * ```
 *
 * @param factory - called once a case; may give the same engine each time: no two cases share a key
 * @param carrier - for a store that cannot hold JSON of every kind
 */
export function storeConformance<T = unknown>(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  carrier?: TextCarrier<T>,
): readonly ConformanceCase[] {
  return Object.entries(trials).map(([name, trial]) => ({
    name,
    run: async () => {
      const underTest = await factory();
      const key = `conformance/${randomUUID()}`;
      const open = async () => {
        const store = await underTest.open();
        return new Place(carrier === undefined ? store : carryingText(store, carrier), key);
      };
      try {
        await trial(await open(), open);
      } finally {
        await underTest.close?.();
      }
    },
  }));
}

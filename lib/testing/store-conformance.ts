import { randomUUID } from 'node:crypto';
import { conditions } from './cases/conditions';
import { context } from './context';
import { keys } from './cases/keys';
import { outcomes } from './cases/outcomes';
import { Place } from './key-probe';
import { races } from './cases/races';
import { stale } from './cases/stale';
import { carryingText, type TextCarrier } from './text-carrier';
import type { StoreUnderTest } from './test-run';
import { values } from './cases/values';
import { versions } from './cases/versions';

export type { TextCarrier } from './text-carrier';
export type { ConformingStore, StoreUnderTest } from './test-run';

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

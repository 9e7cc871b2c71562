import {
  type ConformanceOptions,
  type ConformingStore,
  storeConformance,
  type StoreUnderTest,
} from '../../lib/testing';
import { MemoryStore } from '../../lib/stores/memory/memory-store';
import { isDeep } from '../support/deep-scale';

type StoreOver = new (engine: MemoryStore) => ConformingStore;

export interface WrongStore {
  readonly what: string;
  readonly Store: StoreOver;
  readonly failures: readonly string[];
}

/** The names of the cases that a store fails, each with what it rejects with. */
export async function failuresOf<T>(
  factory: () => StoreUnderTest,
  options?: ConformanceOptions<T>,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  for (const { name, run, skip } of storeConformance(factory, options)) {
    if (skip === undefined) await run().catch((error: unknown) => failures.set(name, error));
  }
  return failures;
}

/** The store fails these cases, and no other: resolves with what it rejects with. */
export async function expectFailures<T>(
  { Store, failures }: WrongStore,
  options?: ConformanceOptions<T>,
): Promise<string[]> {
  // Some have one map for all engines, and the empty key is the same in each run.
  await new Store(new MemoryStore()).delete?.('');
  const factory = () => {
    const engine = new MemoryStore();
    return { open: () => new Store(engine) };
  };
  const found = await failuresOf(factory, options);
  expect([...found.keys()].sort()).toEqual([...failures].sort());
  return [...found.values()].map(String);
}

/**
 * Every wrong store is tried by the deep test. Of them the fast one takes those that are right, and for each case the first
 * that fails it.
 */
export function covering<Row extends { readonly failures: readonly string[] }>(
  rows: readonly Row[],
): readonly Row[] {
  if (isDeep()) return rows;
  const failed = new Set<string>();
  return rows.filter(({ failures }) => {
    const before = failed.size;
    for (const name of failures) failed.add(name);
    return failures.length === 0 || failed.size > before;
  });
}

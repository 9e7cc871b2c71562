import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import type { ResourceStore, Stored } from '../resource-store';

/** A store, with what ours have beside the contract; where it has not, what concerns that is left out. */
export interface ConformingStore extends ResourceStore {
  /** As in `OutcomeStore`. */
  readonly keepsOutcomes?: true;
  delete?(key: string, expected?: string): Promise<unknown>;
}

/** One engine for one case: a table, a prefix, a file. */
export interface StoreUnderTest {
  /** Another instance over the same engine, ready for use, as another process would open it. */
  open(): ConformingStore | Promise<ConformingStore>;
  /** Called when the case has ended, however it did. */
  close?(): unknown;
}

/** What one case works with. */
export interface Trial {
  readonly store: ConformingStore;
  /** A key that no other case, and no earlier run over the same engine, has used. */
  readonly key: string;
  /** A second instance over the same engine. */
  readonly another: () => Promise<ConformingStore>;
}

/** Cases by their names; each rejects with an AssertionError that says what the store did. */
export type Trials = Readonly<Record<string, (trial: Trial) => Promise<void>>>;

export async function runTrial(
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  act: (trial: Trial) => Promise<void>,
): Promise<void> {
  const underTest = await factory();
  try {
    const store = await underTest.open();
    await act({ store, key: `conformance/${randomUUID()}`, another: async () => underTest.open() });
  } finally {
    await underTest.close?.();
  }
}

/** @throws AssertionError where there is nothing at the key */
export async function stored(store: ConformingStore, key: string): Promise<Stored<unknown>> {
  const found = await store.get(key);
  assert.ok(found, `get(${shown(key)}) found nothing`);
  return found;
}

/** @throws AssertionError where the store says that the key is there already */
export async function create(store: ConformingStore, key: string, value: unknown): Promise<Stored<unknown>> {
  const made = await store.replace(key, null, value);
  assert.ok(made, `replace(${shown(key)}, null, …) wrote nothing, though the key was absent`);
  return made;
}

/** @throws AssertionError where the store says that the version is another */
export async function update(
  store: ConformingStore,
  key: string,
  { version }: Stored<unknown>,
  value: unknown,
): Promise<Stored<unknown>> {
  const made = await store.replace(key, version, value);
  assert.ok(made, `replace(${shown(key)}, …) wrote nothing, though the version was the present one`);
  return made;
}

/** The same value with its members in the same order, whatever the prototypes. -0 is 0, as the contract allows. */
export function assertSameJson(actual: unknown, expected: unknown): void {
  const [was, is] = [JSON.stringify(expected), JSON.stringify(actual)];
  assert.ok(is === was, `${shown(expected)} came back as ${shown(actual)}`);
}

/** Changes a value throughout, as far as it lets itself be changed: what is frozen throws, and may. */
export function change(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) change(member);
  carrierChanges.get(value)?.();
  try {
    if (Array.isArray(value)) value.push('changed');
    else Object.assign(value, { changed: true });
  } catch {
    return;
  }
}

/** How that is done to what a store was given, or gave, in place of a value. */
export const carrierChanges = new WeakMap<object, () => void>();

function shown(value: unknown): string {
  return inspect(value, { depth: 2, breakLength: Infinity, maxArrayLength: 5, maxStringLength: 100 });
}

import { toFrozenJson } from '../contract/frozen-json';
import { isStorableKey } from '../contract/key';
import { OutcomeList } from '../contract/outcome-list';
import type { OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/version';

interface Entry<T> {
  readonly value: T;
  readonly version: string;
  /** Milliseconds since the epoch: a caller could change a Date. */
  readonly modified: number;
  readonly outcomes: OutcomeList;
}

/* eslint-disable @typescript-eslint/require-await --
   an async method rejects, and never throws where it is called */
/**
 * Keeps resources in the memory of this process, for tests and for data that can be lost. Values are deeply
 * frozen copies, as JSON would make them, so the cost of a patch depends on what it changes. It ignores
 * `context.maxBytes`.
 *
 * @throws NotJsonError from `replace`, for a value that is not JSON
 */
export class MemoryStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #entries = new Map<string, Entry<T>>();

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    throwIfAborted(context);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const outcome = context.outcome && entry.outcomes.find(context.outcome.id);
    return outcome === undefined ? storedEntry(entry) : { ...storedEntry(entry), outcome };
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    throwIfAborted(context);
    if (!isStorableKey(key) || !this.#isAt(key, expected)) return undefined;
    const current = this.#entries.get(key);
    const version = newVersion();
    const value = toFrozenJson(next, current?.value);
    const before = current?.outcomes ?? OutcomeList.empty;
    const outcomes = context.outcome === undefined ? before : before.with(context.outcome, version);
    if (outcomes === undefined) return undefined;
    const entry = { value, version, modified: Date.now(), outcomes };
    this.#entries.set(key, entry);
    return storedEntry(entry);
  }

  /**
   * Deletes a resource and its outcomes.
   *
   * @param expected - the version to delete; any, if left out
   * @returns whether a resource was deleted
   */
  async delete(key: string, expected?: string, context: StoreContext = noContext): Promise<boolean> {
    throwIfAborted(context);
    return (expected === undefined || this.#isAt(key, expected)) && this.#entries.delete(key);
  }

  /** Iterates over all resources, in the order of creation. */
  *entries(): Generator<[key: string, stored: Stored<T>], undefined> {
    for (const [key, entry] of this.#entries) yield [key, storedEntry(entry)];
  }

  #isAt(key: string, expected: string | null): boolean {
    return (this.#entries.get(key)?.version ?? null) === expected;
  }
}
/* eslint-enable @typescript-eslint/require-await */

function storedEntry<T>({ value, version, modified }: Entry<T>): Stored<T> {
  return { value, version, modified: new Date(modified) };
}

import { typed } from '../../config/expectation';
import { hasNames } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { isStorableKey } from '../contract/key';
import { OutcomeList, type OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type StoreContext,
  throwIfAborted,
  type VersionedState,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/serialize';
import { toFrozenJson } from './frozen-json';

interface Entry<T> {
  readonly value: T;
  readonly version: string;
  /** Milliseconds since the epoch: a caller could change a Date. */
  readonly modified: number;
  readonly outcomes: OutcomeList;
}

const valuesByKey = typed(
  (value) => hasNames(value) && Object.keys(value).every((key) => isStorableKey(key)),
  "Write { '1': { title: 'Buy milk' } }, or Object.fromEntries(map) for a Map.",
  'must be an object of values by key',
);

/* oxlint-disable typescript/require-await --
   an async method rejects, and never throws where it is called */
/**
 * Keeps resources in the memory of this process, for tests and for data that can be lost. Values are deeply
 * frozen copies, as JSON would make them, so the cost of a patch depends on what it changes. It ignores
 * `context.maxBytes`.
 *
 * ```ts
 * const notes = new MemoryStore({ '1': { title: 'Buy milk' } });
 * ```
 *
 * @throws NotJsonError for a value that `JSON.stringify` refuses, also from `replace`
 */
export class MemoryStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #entries = new Map<string, Entry<T>>();

  /**
   * @param resources - the initial values, by key. Default: none
   * @throws ConfigurationError if it is not an object of values by key, such as a list
   */
  constructor(resources: Readonly<Record<string, T>> = {}) {
    const check = new OptionsCheck('new MemoryStore()');
    check.value('resources', resources, valuesByKey);
    check.done();
    for (const [key, value] of Object.entries(resources)) this.#write(key, value, OutcomeList.empty);
  }

  async get(key: string, context: ReadContext = noContext): Promise<VersionedState<T> | undefined> {
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
  ): Promise<VersionedState<T> | undefined> {
    throwIfAborted(context);
    if (!isStorableKey(key) || !this.#isAt(key, expected)) return undefined;
    const version = newVersion();
    const before = this.#entries.get(key)?.outcomes ?? OutcomeList.empty;
    const outcomes = context.outcome === undefined ? before : before.with(context.outcome, version);
    // Undefined if this request has its outcome already: then it is not carried out again.
    return outcomes && storedEntry(this.#write(key, next, outcomes, version));
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
  *entries(): Generator<[key: string, stored: VersionedState<T>], undefined> {
    for (const [key, entry] of this.#entries) yield [key, storedEntry(entry)];
  }

  #write(key: string, next: T, outcomes: OutcomeList, version = newVersion()): Entry<T> {
    const value = toFrozenJson(next, this.#entries.get(key)?.value);
    const entry = { value, version, modified: Date.now(), outcomes };
    this.#entries.set(key, entry);
    return entry;
  }

  #isAt(key: string, expected: string | null): boolean {
    return (this.#entries.get(key)?.version ?? null) === expected;
  }
}
/* oxlint-enable typescript/require-await */

function storedEntry<T>({ value, version, modified }: Entry<T>): VersionedState<T> {
  return { value, version, modified: new Date(modified) };
}

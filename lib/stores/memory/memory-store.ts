import { frozenJson } from '../contract/frozen-json';
import { isHeld } from '../contract/key';
import { KeptOutcomes } from './kept-outcomes';
import type { OutcomeStore } from '../contract/outcome-store';
import {
  noContext,
  type ReadContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { newVersion } from '../contract/version';

interface Entry<T> {
  readonly value: T;
  readonly version: string;
  /** Milliseconds of the epoch: a Date could be changed by whoever is given it. */
  readonly modified: number;
  /** Made with the first of them, and handed on from state to state. */
  readonly outcomes: KeptOutcomes | undefined;
}

/* eslint-disable @typescript-eslint/require-await -- an async method rejects, and never throws where it is called */
/**
 * Resources in this process's memory. Values are deeply frozen copies, as JSON would make them, so a patch costs what it
 * changes; `context.maxBytes` has no say.
 *
 * @throws NotJsonError from `replace`
 */
export class MemoryStore<T = unknown> implements OutcomeStore<T> {
  readonly keepsOutcomes = true;
  readonly #entries = new Map<string, Entry<T>>();

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    throwIfAborted(context);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    const { outcome } = context;
    const kept = outcome && entry.outcomes?.find(outcome.id);
    return kept === undefined ? storedEntry(entry) : { ...storedEntry(entry), outcome: kept };
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    throwIfAborted(context);
    if (!isHeld(key) || !this.#isAt(key, expected)) return undefined;
    const version = newVersion();
    const value = frozenJson(next, this.#entries.get(key)?.value);
    const { outcome } = context;
    let outcomes = this.#entries.get(key)?.outcomes;
    if (outcome !== undefined) {
      outcomes ??= new KeptOutcomes();
      if (outcomes.find(outcome.id) !== undefined) return undefined;
      outcomes.makeRoom(outcome);
      outcomes.keep(outcome, version);
    }
    const entry = { value, version, modified: Date.now(), outcomes };
    this.#entries.set(key, entry);
    return storedEntry(entry);
  }

  /**
   * @param expected - the version it must have; left out, any
   * @returns whether there was something to delete
   */
  async delete(key: string, expected?: string): Promise<boolean> {
    return (expected === undefined || this.#isAt(key, expected)) && this.#entries.delete(key);
  }

  /** In the order of creation. */
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

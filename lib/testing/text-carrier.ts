import type { Stored, WriteContext } from '../stores/contract/resource-store';
import { replaceMembers } from './members';
import type { ConformingStore } from './store-under-test';

/**
 * How values with a fixed shape carry a text. The cases then store JSON as this text, and leave the other
 * members as they are.
 */
export interface TextCarrier<T> {
  /** Makes a value that carries the text: `(text) => ({ title: 'A note', body: text })`. */
  readonly wrap: (text: string) => T;
  /** Returns the text of a value: `({ body }) => body`. */
  readonly unwrap: (value: T) => string;
}

/** For JavaScript apps, which have no compiler to check types. */
export function isTextCarrier(value: unknown): boolean {
  const members = Object(value) as object;
  return ['wrap', 'unwrap'].every((name) => typeof Reflect.get(members, name) === 'function');
}

/** The carrier that a store received or returned, by the value that the case uses. */
const carriers = new WeakMap<object, unknown>();

/**
 * The states that the instances of a store returned in one case. The members around a text are written back
 * with the next text, as a patch would do.
 */
export class SeenStates {
  readonly #states = new Map<string, Map<string, Stored<unknown>>>();

  addRead(key: string, stored: Stored<unknown>): void {
    this.#statesAt(key).set(stored.version, stored);
  }

  /** A state that was found is kept: after another write, the value of this one may be unknown. */
  addWritten(key: string, stored: Stored<unknown>): void {
    if (!this.#statesAt(key).has(stored.version)) this.addRead(key, stored);
  }

  /** Undefined if the resource is being created. */
  valueAt(key: string, expected: string | null): unknown {
    if (expected === null) return undefined;
    const states = this.#statesAt(key);
    return (states.get(expected) ?? [...states.values()].at(-1))?.value;
  }

  #statesAt(key: string): Map<string, Stored<unknown>> {
    const states = this.#states.get(key) ?? new Map<string, Stored<unknown>>();
    this.#states.set(key, states);
    return states;
  }
}

/** Wraps the store for the cases. If a case modifies a value, the store's own value is modified too. */
export function createTextStore<T>(
  store: ConformingStore,
  { wrap, unwrap }: TextCarrier<T>,
  states: SeenStates,
): ConformingStore {
  /** The value is read on demand: a store may know the version that it wrote, but no longer the value. */
  const unwrapState = (stored: Stored<unknown>): Stored<unknown> => {
    let value: unknown;
    return {
      get value() {
        if (value !== undefined) return value;
        value = JSON.parse(unwrap(stored.value as T));
        linkCarrier(value, stored.value);
        return value;
      },
      version: stored.version,
      ...(stored.modified !== undefined && { modified: stored.modified }),
      ...(stored.outcome !== undefined && { outcome: stored.outcome }),
    };
  };
  return {
    async get(key, context) {
      const stored = await store.get(key, context);
      if (stored === undefined) return undefined;
      states.addRead(key, stored);
      return unwrapState(stored);
    },

    async replace(key, expected, next, context = {}) {
      const text = JSON.stringify(next);
      const value = replaceMembers(states.valueAt(key, expected), wrap(text));
      linkCarrier(next, value);
      const stored = await store.replace(key, expected, value, widenLimit(context, value, text));
      if (stored === undefined) return undefined;
      states.addWritten(key, stored);
      return unwrapState(stored);
    },

    ...(store.keepsOutcomes && { keepsOutcomes: true }),
    ...(store.creates === false && { creates: false }),
    ...(store.delete && { delete: store.delete.bind(store) }),
  };
}

/** Adds the bytes around the text to the limit of the case. */
function widenLimit(context: WriteContext, value: unknown, text: string): WriteContext {
  const { maxBytes } = context;
  if (maxBytes === undefined) return context;
  const room = Buffer.byteLength(JSON.stringify(value)) - Buffer.byteLength(text);
  return { ...context, maxBytes: maxBytes + room };
}

/** A value that `mutate` changes in each container. */
export const mutableValue = (): unknown => ({ list: ['a'], member: { text: 'b' }, text: 'c' });

/**
 * Changes every string in a value and in its carrier to one that is JSON itself, so that a carrier can unwrap
 * it. Frozen objects stay unchanged.
 */
export function mutate(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  mutate(carriers.get(value));
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') Reflect.set(value, name, '"changed"');
    else mutate(member);
  }
}

function linkCarrier(value: unknown, carrier: unknown): void {
  if (typeof value === 'object' && value !== null) carriers.set(value, carrier);
}

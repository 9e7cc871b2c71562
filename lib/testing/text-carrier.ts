import type { Stored, WriteContext } from '../stores/contract/resource-store';
import { merged } from './members';
import type { ConformingStore } from './store-under-test';

/** How values of a shape of their own carry a text: the cases then store JSON as one, and leave other members as they are. */
export interface TextCarrier<T> {
  /** `(text) => ({ title: 'A note', body: text })`. */
  readonly wrap: (text: string) => T;
  /** `({ body }) => body`. */
  readonly unwrap: (value: T) => string;
}

/** For hosts that have no compiler to tell them. */
export function isTextCarrier(value: unknown): boolean {
  const members = Object(value) as object;
  return ['wrap', 'unwrap'].every((name) => typeof Reflect.get(members, name) === 'function');
}

/** What a store was given, or gave, in place of a value. */
const carriers = new WeakMap<object, unknown>();

/** What the instances of a store have given in one case: the members around a text go back with the next, as under a patch. */
export class SeenStates {
  readonly #states = new Map<string, Map<string, Stored<unknown>>>();

  found(key: string, stored: Stored<unknown>): void {
    this.#of(key).set(stored.version, stored);
  }

  /** Once another has written too, the value need not be known: what was found has precedence. */
  written(key: string, stored: Stored<unknown>): void {
    if (!this.#of(key).has(stored.version)) this.found(key, stored);
  }

  /** Undefined where the key is to be created. */
  valueAt(key: string, expected: string | null): unknown {
    if (expected === null) return undefined;
    const states = this.#of(key);
    return (states.get(expected) ?? [...states.values()].at(-1))?.value;
  }

  #of(key: string): Map<string, Stored<unknown>> {
    const known = this.#states.get(key) ?? new Map<string, Stored<unknown>>();
    this.#states.set(key, known);
    return known;
  }
}

/** The store as the cases use it: where they mutate a value, the store's own is mutated. */
export function carryingText<T>(
  store: ConformingStore,
  { wrap, unwrap }: TextCarrier<T>,
  seen: SeenStates,
): ConformingStore {
  /** The value is read when it is asked for: a store may know the version of what it wrote, and no longer the value. */
  const unwrapped = (stored: Stored<unknown>): Stored<unknown> => {
    let value: unknown;
    return {
      get value() {
        if (value !== undefined) return value;
        value = JSON.parse(unwrap(stored.value as T));
        tie(value, stored.value);
        return value;
      },
      version: stored.version,
      ...(stored.modified && { modified: stored.modified }),
      ...(stored.outcome !== undefined && { outcome: stored.outcome }),
    };
  };
  return {
    async get(key, context) {
      const stored = await store.get(key, context);
      if (stored === undefined) return undefined;
      seen.found(key, stored);
      return unwrapped(stored);
    },

    async replace(key, expected, next, context = {}) {
      const text = JSON.stringify(next);
      const value = merged(seen.valueAt(key, expected), wrap(text));
      tie(next, value);
      const stored = await store.replace(key, expected, value, widened(context, value, text));
      if (stored === undefined) return undefined;
      seen.written(key, stored);
      return unwrapped(stored);
    },

    ...(store.keepsOutcomes && { keepsOutcomes: true }),
    ...(store.creates === false && { creates: false }),
    ...(store.delete && { delete: store.delete.bind(store) }),
  };
}

/** What surrounds the text takes none of the bytes that a case allows. */
function widened(context: WriteContext, value: unknown, text: string): WriteContext {
  const { maxBytes } = context;
  if (maxBytes === undefined) return context;
  const room = Buffer.byteLength(JSON.stringify(value)) - Buffer.byteLength(text);
  return { ...context, maxBytes: maxBytes + room };
}

/** A value that `mutate` changes in each of its containers. */
export const mutableValue = (): unknown => ({ list: ['a'], member: { text: 'b' }, text: 'c' });

/** Changes every string in a value and in its carrier, to one that is JSON itself, for a carrier to unwrap; what is frozen stays as it is. */
export function mutate(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  mutate(carriers.get(value));
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') Reflect.set(value, name, '"changed"');
    else mutate(member);
  }
}

function tie(value: unknown, carrier: unknown): void {
  if (typeof value === 'object' && value !== null) carriers.set(value, carrier);
}

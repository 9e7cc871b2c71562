import type { Stored } from '../stores/contract/resource-store';
import type { ConformingStore } from './store-under-test';

/** How values of a shape of their own carry a text: the cases then store JSON as one. */
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

/** The store as the cases use it: where they mutate a value, the store's own is mutated. */
export function carryingText<T>(store: ConformingStore, { wrap, unwrap }: TextCarrier<T>): ConformingStore {
  const unwrapped = (stored: Stored<unknown> | undefined): Stored<unknown> | undefined => {
    if (stored === undefined) return undefined;
    const value: unknown = JSON.parse(unwrap(stored.value as T));
    tie(value, stored.value);
    return { ...stored, value };
  };
  return {
    get: async (key, context) => unwrapped(await store.get(key, context)),

    async replace(key, expected, next, context = {}) {
      const { maxBytes } = context;
      const text = JSON.stringify(next);
      const value = wrap(text);
      tie(next, value);
      if (maxBytes === undefined) return unwrapped(await store.replace(key, expected, value, context));
      // What surrounds the text takes none of the bytes that a case allows.
      const room = Buffer.byteLength(JSON.stringify(value)) - Buffer.byteLength(text);
      const widened = { ...context, maxBytes: maxBytes + room };
      return unwrapped(await store.replace(key, expected, value, widened));
    },

    ...(store.keepsOutcomes && { keepsOutcomes: true }),
    ...(store.delete && { delete: store.delete.bind(store) }),
  };
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

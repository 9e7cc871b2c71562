import type { Stored } from '../stores/contract/resource-store';
import { carriers } from './change';
import type { ConformingStore } from './test-run';

/** How values of a shape of their own carry a text: the cases then store JSON as one. */
export interface TextCarrier<T> {
  /** `(text) => ({ title: 'A note', body: text })`. */
  readonly wrap: (text: string) => T;
  /** `({ body }) => body`. */
  readonly unwrap: (value: T) => string;
}

/** The store as the cases use it: where they change a value, the store's own is changed. */
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

function tie(value: unknown, carrier: unknown): void {
  if (typeof value === 'object' && value !== null) carriers.set(value, carrier);
}

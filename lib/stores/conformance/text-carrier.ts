import { keepsOutcomes } from '../outcome-store';
import type { StoreContext, Stored } from '../resource-store';
import { carrierChanges, type ConformingStore } from './trial';

/**
 * How a value of the host's carries a text: for a store whose values have a shape of their own, as rows of named columns
 * have. The cases, which store JSON of every kind, then store it as a text in such values.
 */
export interface TextCarrier<T> {
  /** A value with the text in it: `(text) => ({ title: 'A note', body: text })`. */
  readonly wrap: (text: string) => T;
  /** The text in a value: `({ body }) => body`. */
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
      const text = JSON.stringify(next);
      const value = wrap(text);
      tie(next, value);
      return unwrapped(
        await store.replace(key, expected, value, { ...context, ...room(context, text, value) }),
      );
    },

    ...(keepsOutcomes(store) && { keepsOutcomes: true }),
    ...(store.delete && { delete: async (key: string, expected?: string) => store.delete?.(key, expected) }),
  };
}

function tie(value: unknown, carrier: unknown): void {
  if (typeof value === 'object' && value !== null) {
    carrierChanges.set(value, () => {
      changeTexts(carrier);
    });
  }
}

/** Where a value is frozen, nothing happens. */
function changeTexts(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') Reflect.set(value, name, '"changed"');
    else changeTexts(member);
  }
}

/** What surrounds the text takes none of the bytes that a case allows. */
function room({ maxBytes }: StoreContext, text: string, value: unknown): Pick<StoreContext, 'maxBytes'> {
  if (maxBytes === undefined) return {};
  return { maxBytes: maxBytes + Buffer.byteLength(JSON.stringify(value)) - Buffer.byteLength(text) };
}

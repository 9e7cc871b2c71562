import type { DeleteContext, FoundState, Stored, WriteContext } from '../stores/contract/resource-store';
import { isFound } from './key-probe';
import { replaceMembers } from './members';
import type { ConformingStore } from './store-under-test';

/**
 * How values with a fixed shape carry a text. The cases then store JSON as this text, and do not change the
 * other members.
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
 * The states that the instances of a store returned in one case, with and without their carrier. The members
 * around a text are written back with the next text, as a patch would write them.
 */
export class SeenStates {
  readonly #last = new Map<string, Stored<unknown>>();
  /** The state of the store, by the one that the case uses. */
  readonly #bare = new WeakMap<object, Stored<unknown>>();
  /** The value of a state of the store, before a case modified it. */
  readonly #values = new WeakMap<object, unknown>();

  add(key: string, bare: Stored<unknown>, unwrapped: Stored<unknown>): Stored<unknown> {
    this.#last.set(key, bare);
    this.#bare.set(unwrapped, bare);
    return unwrapped;
  }

  bareState(unwrapped: Stored<unknown> | undefined): Stored<unknown> | undefined {
    return unwrapped && this.#bare.get(unwrapped);
  }

  lastState(key: string): Stored<unknown> | undefined {
    return this.#last.get(key);
  }

  keepValue(bare: Stored<unknown>): void {
    if (!this.#values.has(bare)) this.#values.set(bare, structuredClone(bare.value));
  }

  value(bare: Stored<unknown> | undefined): unknown {
    return bare !== undefined && this.#values.has(bare) ? this.#values.get(bare) : bare?.value;
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
        states.keepValue(stored);
        value = JSON.parse(unwrap(stored.value as T));
        linkCarrier(value, stored.value);
        return value;
      },
      ...(stored.version !== undefined && { version: stored.version }),
      ...(stored.modified !== undefined && { modified: stored.modified }),
      ...(stored.outcome !== undefined && { outcome: stored.outcome }),
    };
  };
  /** The same condition for the store without its carrier. */
  const toBare = <C extends DeleteContext>(context: C): C => {
    const current = states.bareState(context.current);
    return current === undefined ? context : { ...context, current };
  };
  const unwrapFound = (key: string, { current }: FoundState<unknown>): FoundState<unknown> => ({
    current: current && states.add(key, current, unwrapState(current)),
  });
  return {
    async get(key, context) {
      const stored = await store.get(key, context);
      return stored && states.add(key, stored, unwrapState(stored));
    },

    async replace(key, expected, next, context = {}) {
      const text = JSON.stringify(next);
      const bare = toBare(context);
      const before = expected === null ? undefined : (bare.current ?? states.lastState(key));
      const value = replaceMembers(states.value(before), wrap(text));
      linkCarrier(next, value);
      const result = await store.replace(key, expected, value, widenLimit(bare, value, text));
      if (isFound(result)) return unwrapFound(key, result);
      return result && states.add(key, result, unwrapState(result));
    },

    ...(store.delete && {
      delete: async (key, expected, context = {}) => {
        const result = await store.delete?.(key, expected, toBare(context));
        if (isFound(result)) return unwrapFound(key, result);
        return result === true;
      },
    }),
    ...(store.keepsOutcomes && { keepsOutcomes: true }),
    ...(store.creates === false && { creates: false }),
    ...(store.versions === false && { versions: false }),
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

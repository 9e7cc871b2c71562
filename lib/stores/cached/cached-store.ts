import { OptionsCheck } from '../../configuration';
import { memberOf } from '../../prototype-pollution';
import { CallsInFlight } from './calls-in-flight';
import { checkedDeletion, checkedState } from '../contract/check-result';
import { frozenJson } from '../contract/frozen-json';
import { keepsOutcomes } from '../contract/outcome-store';
import {
  isResourceStore,
  noContext,
  type ReadContext,
  type ResourceStore,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../contract/resource-store';
import { unreadableMembers } from '../contract/unreadable';
import { SharedState } from './shared-state';

/** Options of `cachedStore`. */
export interface CachedStoreOptions {
  /**
   * How many resources are cached, from 1 to 16,777,216; the least recently used are evicted. Nothing else bounds
   * memory: a resource takes about three times its JSON and 400 bytes.
   */
  readonly max: number;
}

// What a wrapped store can have besides its interface.
interface WrappedStore<T> extends ResourceStore<T> {
  setup?(): Promise<unknown>;
}

/** The store that `cachedStore` returns. It has the optional members of the wrapped store. */
export type CachedStore<T, S> = ResourceStore<T> &
  Pick<
    S,
    Extract<keyof S, 'delete' | 'setup' | 'keepsOutcomes' | 'outcomeBounds' | 'fit' | 'readOnly' | 'creates'>
  >;

type Fitted<T> = Parameters<NonNullable<ResourceStore<T>['fit']>>;

/**
 * Wraps a store with a cache of the last state of each resource. A PATCH then takes one round trip while no other
 * process writes, and one extra round trip when the cached state is stale. No request is refused because of a cached
 * state alone, and `get` without `mayBeStale` asks the engine. Values are deeply frozen.
 *
 * @param store - the store to wrap; each process can have its own cache over one engine
 * @throws ConfigurationError
 *
 * @example
 * ```ts
 * const notes = cachedStore(new PostgresStore<Note>(pool, { table: 'notes' }), { max: 10_000 });
 * ```
 */
export function cachedStore<T, S extends WrappedStore<T>>(
  store: S & WrappedStore<T>,
  options: CachedStoreOptions,
): CachedStore<T, S> {
  const { max } = checkOptions(store, options);
  const cache = new StoreCache<T>(store, max);
  const passedOn = {
    ...(keepsOutcomes(store) && { keepsOutcomes: true, outcomeBounds: store.outcomeBounds }),
    ...(memberOf(store, 'fit') && { fit: (...args: Fitted<T>) => store.fit?.(...args) }),
    ...(memberOf(store, 'readOnly') !== undefined && { readOnly: store.readOnly }),
    ...(memberOf(store, 'creates') !== undefined && { creates: store.creates }),
    ...(memberOf(store, 'setup') && { setup: () => store.setup?.() }),
    ...(memberOf(store, 'delete') && {
      delete: (...args: [key: string, expected?: string]) =>
        cache.write(args[0], async () => checkedDeletion(await store.delete?.(...args))),
    }),
  };
  // The result has what S has of these, which the compiler cannot follow.
  return Object.assign(cache, passedOn) as unknown as CachedStore<T, S>;
}

class StoreCache<T> implements ResourceStore<T> {
  readonly #store: ResourceStore<T>;
  /** In the order of last use: every use deletes and inserts the entry again. */
  readonly #states = new Map<string, SharedState<T>>();
  /**
   * Iterates over the least recently used keys. It is kept, because a fresh iterator would step over the deleted
   * entries at the front each time, which takes microseconds.
   */
  readonly #oldest = this.#states.keys();
  readonly #max: number;
  readonly #calls = new CallsInFlight();

  constructor(store: ResourceStore<T>, max: number) {
    this.#store = store;
    this.#max = max;
  }

  async get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    const remembered = context.mayBeStale === true ? this.#states.get(key) : undefined;
    if (remembered !== undefined) {
      throwIfAborted(context);
      this.#remember(key, remembered);
      return remembered.stored();
    }
    const call = this.#calls.begin(key);
    try {
      const found = checkedState('get', await this.#store.get(key, context));
      // The store recognises its own value of such a state.
      if (found !== undefined && unreadableMembers(found) !== undefined) {
        this.#remember(key, undefined);
        return found;
      }
      const state = found && new SharedState(found);
      if (!call.isOvertaken()) this.#remember(key, state);
      // An outcome is not cached: the conditional write detects it.
      const outcome = found && memberOf(found, 'outcome');
      return state && Object.assign(state.stored(), outcome !== undefined && { outcome });
    } finally {
      call.end();
    }
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | undefined> {
    // The copy shares all unchanged parts with the cached state.
    const value = frozenJson(next, this.#states.get(key)?.frozen);
    return this.write(key, async (remember) => {
      const written = checkedState('replace', await this.#store.replace(key, expected, value, context));
      if (written === undefined || unreadableMembers(written) !== undefined) return written;
      // A store that cannot hold every value may have written a different one.
      const state = new SharedState(written, memberOf(this.#store, 'fit') === undefined ? value : undefined);
      remember(state);
      return state.stored();
    });
  }

  /**
   * @param act - the write. The state that it passes to `remember` is cached, unless another write of the key
   *   overlapped with it, because then the last one is unknown. If it passes none, or fails and so has an unknown
   *   result, the key is removed from the cache.
   */
  async write<R>(key: string, act: (remember: (state: SharedState<T>) => void) => Promise<R>): Promise<R> {
    const call = this.#calls.begin(key);
    let made: SharedState<T> | undefined;
    try {
      return await act((state) => (made = state));
    } finally {
      this.#remember(key, call.isOvertaken() ? undefined : made);
      call.endWrite();
    }
  }

  #remember(key: string, state: SharedState<T> | undefined): void {
    this.#states.delete(key);
    if (state === undefined) return;
    this.#states.set(key, state);
    if (this.#states.size > this.#max) this.#states.delete(String(this.#oldest.next().value));
  }
}

/** The most entries that a Map of V8 can hold. */
const most = 2 ** 24;

function checkOptions(store: unknown, given: CachedStoreOptions): CachedStoreOptions {
  const check = new OptionsCheck('cachedStore()');
  const options = check.names(given, ['max']);
  const { max } = options;
  if (!(Number.isInteger(max) && max >= 1 && max <= most)) {
    const fix = `Write a whole number from 1 to ${most}: how many resources are kept in memory.`;
    check.mistake('max', max, { code: 'option-value', reason: 'is not a valid number of resources', fix });
  }
  if (!isResourceStore(store)) {
    const fix = 'Pass a ResourceStore, such as new PostgresStore(…) or one of your own.';
    const reason = 'must be a store with the methods get and replace';
    check.mistake('store', store, { code: 'option-type', reason, fix });
  }
  check.done();
  return options;
}

import { OptionsCheck } from '../../configuration';
import { memberOf } from '../../prototype-pollution';
import { CallsInFlight } from './calls-in-flight';
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
import { SharedState } from './shared-state';

/** Options of `cachedStore`. */
export interface CachedStoreOptions {
  /**
   * How many resources are remembered, those used last: 1 to 16,777,216. Nothing else bounds memory: a resource takes
   * about three times its JSON and 400 bytes.
   */
  readonly max: number;
}

// What a wrapped store may have beside its interface.
interface WrappedStore<T> extends ResourceStore<T> {
  setup?(): Promise<unknown>;
}

/** What `cachedStore` returns: it has what the wrapped store has beside the two operations. */
export type CachedStore<T, S> = ResourceStore<T> &
  Pick<
    S,
    Extract<keyof S, 'delete' | 'setup' | 'keepsOutcomes' | 'outcomeBounds' | 'fit' | 'readOnly' | 'creates'>
  >;

type Fitted<T> = Parameters<NonNullable<ResourceStore<T>['fit']>>;

/**
 * Remembers the last state seen of each resource: a PATCH is one round trip while nobody else writes, else three in place
 * of two. Nothing is refused for what is only remembered, and `get` without `mayBeStale` asks the engine. Values are
 * deeply frozen.
 *
 * @param store - each process may have a cache of its own around one engine
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
        cache.write(args[0], async () => (await store.delete?.(...args)) ?? false),
    }),
  };
  // What S has of these is there, which the compiler cannot follow.
  return Object.assign(cache, passedOn) as unknown as CachedStore<T, S>;
}

class StoreCache<T> implements ResourceStore<T> {
  readonly #store: ResourceStore<T>;
  /** In the order of their last use: every use deletes and inserts anew. */
  readonly #states = new Map<string, SharedState<T>>();
  /**
   * Gives the one used longest ago. It is kept, for what it has passed is evicted: a fresh iterator would step over what
   * was deleted at the front again and again, for microseconds each.
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
      const found = await this.#store.get(key, context);
      const state = found && new SharedState(found);
      if (!call.isOvertaken()) this.#remember(key, state);
      // An outcome is not remembered: the conditional write finds it out.
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
    // It shares with the state that is remembered whatever the write leaves as it was.
    const value = frozenJson(next, this.#states.get(key)?.frozen);
    return this.write(key, async (remember) => {
      const written = await this.#store.replace(key, expected, value, context);
      if (written === undefined) return undefined;
      // A store that cannot hold every value may have written another.
      const state = new SharedState(written, memberOf(this.#store, 'fit') === undefined ? value : undefined);
      remember(state);
      return state.stored();
    });
  }

  /**
   * @param act - the write; what it wants remembered is, unless another write of the key was in flight with it, when
   *   nobody knows which came last. Where it remembers nothing, or fails, so that its outcome is unknown, the key is
   *   forgotten.
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

/** What a Map of V8 can hold. */
const most = 2 ** 24;

function checkOptions(store: unknown, given: CachedStoreOptions): CachedStoreOptions {
  const check = new OptionsCheck('cachedStore()');
  const options = check.names(given, ['max']);
  const { max } = options;
  if (!(Number.isInteger(max) && max >= 1 && max <= most)) {
    const fix = `Say how many resources are kept in memory: a whole number from 1 to ${most}.`;
    check.mistake('max', max, { code: 'option-value', reason: 'is no number of resources', fix });
  }
  if (!isResourceStore(store)) {
    const fix = 'Give a ResourceStore: new PostgresStore(…), or one of your own.';
    check.mistake('store', store, { code: 'option-type', reason: 'has no get and replace', fix });
  }
  check.done();
  return options;
}

/** How long a task waits for the previous task, in milliseconds. */
const maxWait = 5_000;

/** The client of a task. Its signal is used only if the task has to wait. */
export interface Waiting {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Runs the tasks of one key in order, and tasks of different keys in parallel.
 *
 * The queue only avoids races, so no task waits for ever: a task whose client disconnects leaves the queue,
 * and a task that has waited for five seconds runs in parallel with the previous one.
 */
export class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * @throws the reason of the client's signal if it is aborted while the task waits; the task is then not run
   */
  run<R>(key: string, task: () => Promise<R>, client: Waiting): Promise<R> {
    const ahead = this.#last.get(key);
    let hasBegun = false;
    const begin = (): Promise<R> => {
      hasBegun = true;
      return task();
    };
    const turn = ahead === undefined ? begin() : settled(ahead, client.signal).then(begin);
    // If a task leaves the queue, the next task waits for the task before it.
    const place: Promise<unknown> = turn.catch(() => (hasBegun ? undefined : ahead));
    this.#last.set(key, place);
    void place.then(() => {
      if (this.#last.get(key) === place) this.#last.delete(key);
    });
    return turn;
  }

  /** Whether a task of this key would have to wait. */
  isBusy(key: string): boolean {
    return this.#last.has(key);
  }
}

/** The queue of a store, shared by all its handlers. */
export const storeQueue = onePerStore(() => new KeyQueue());

/** Creates a function that returns one object per store. */
export function onePerStore<V>(make: () => V): (store: object) => V {
  const objects = new WeakMap<object, V>();
  return (store) => {
    let one = objects.get(store);
    if (one === undefined) objects.set(store, (one = make()));
    return one;
  };
}

/**
 * Waits until a task has settled, at most `maxWait`.
 *
 * @throws the signal's reason if it is or becomes aborted
 */
function settled(ahead: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      reject(signal.reason as Error);
      end();
    };
    const timer = setTimeout(end, maxWait);
    signal.addEventListener('abort', leave);
    ahead.then(end, end);
  });
}

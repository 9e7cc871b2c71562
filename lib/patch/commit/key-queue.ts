/** How long a task waits for the one ahead, in milliseconds. */
const patience = 5_000;

/** Who waits for a task. Asked for the signal only where there is somebody ahead. */
export interface Waiting {
  /** Aborted when it has left. */
  readonly signal: AbortSignal;
}

/**
 * Runs the tasks of one key one after the other, in the order in which they came; those of other keys side by side.
 *
 * It saves races and no more, so nobody has to wait for ever: a task whose client has left gives up its place, and one
 * that has waited for five seconds runs beside the one ahead.
 */
export class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * @param task - is told whether it had to wait, in which case what was read before may be stale
   * @throws the reason of the client's signal, where it is aborted while the task has to wait; it is then not run
   */
  run<R>(key: string, task: (waited: boolean) => Promise<R>, client: Waiting): Promise<R> {
    const ahead = this.#last.get(key);
    const turn = ahead === undefined ? task(false) : settled(ahead, client.signal).then(() => task(true));
    this.#last.set(key, turn);
    const forget = (): void => {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  }
}

/** The queue of a store, which all handlers over it share. */
export const queueOf = onePerStore(() => new KeyQueue());

/** Makes one of a kind for each store. */
export function onePerStore<V>(make: () => V): (store: object) => V {
  const made = new WeakMap<object, V>();
  return (store) => {
    let one = made.get(store);
    if (one === undefined) made.set(store, (one = make()));
    return one;
  };
}

/**
 * Waits for a task to end, however it does, and not beyond patience.
 *
 * @throws the signal's reason, where it is aborted before, or already is
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
    const timer = setTimeout(end, patience);
    signal.addEventListener('abort', leave);
    ahead.then(end, end);
  });
}

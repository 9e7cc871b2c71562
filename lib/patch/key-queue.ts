/** Runs the tasks of one key one after the other, in the order in which they came; those of other keys side by side. */
export class KeyQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @param task - is told whether it had to wait, in which case what was read before may be stale */
  async run<R>(key: string, task: (waited: boolean) => Promise<R>): Promise<R> {
    const ahead = this.#last.get(key);
    const afterwards = (): Promise<R> => task(true);
    const turn = ahead === undefined ? task(false) : ahead.then(afterwards, afterwards);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}

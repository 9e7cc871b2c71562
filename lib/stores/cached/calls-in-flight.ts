/** A call to the engine that has begun. */
export interface CallInFlight {
  /** Whether a write of the same key has ended since the call began: what the call learns may be older than that. */
  isOvertaken(): boolean;
  end(): void;
  /** Overtakes every other call that is in flight. */
  endWrite(): void;
}

/** The calls that overlap, by key: nobody can tell in which order the engine carried them out. */
export class CallsInFlight {
  /** Of each key, the calls that have begun since the last write ended. */
  readonly #spans = new Map<string, { calls: number }>();

  begin(key: string): CallInFlight {
    const span = this.#spans.get(key) ?? { calls: 0 };
    span.calls += 1;
    this.#spans.set(key, span);
    const isOvertaken = (): boolean => this.#spans.get(key) !== span;
    return {
      isOvertaken,
      end: () => {
        span.calls -= 1;
        if (span.calls === 0 && !isOvertaken()) this.#spans.delete(key);
      },
      endWrite: () => this.#spans.delete(key),
    };
  }
}

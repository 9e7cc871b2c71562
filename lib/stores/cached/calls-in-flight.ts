/** A call to the engine that has started. */
export interface CallInFlight {
  /**
   * Whether a write of the same key has ended since this call started: the result of this call can then be out of
   * date.
   */
  isOvertaken(): boolean;
  end(): void;
  /** Ends a write, which overtakes every other call of the key in flight. */
  endWrite(): void;
}

/** The overlapping calls, by key. The order in which the engine carried them out is unknown. */
export class CallsInFlight {
  /** For each key, the calls that have started since the last write ended. */
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

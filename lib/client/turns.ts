import { ConnectionError, ResponseError } from './errors';
import { retryable } from './exchange';

/** A write that waits for its turn. */
interface Waiting {
  readonly method: string;
  readonly since: number;
  /** Ends the wait: its turn has come or, with an error, will not come. */
  readonly end: (error?: Error) => void;
}

/**
 * Lets the writes of a client to one URL take turns, in the order of the calls: in parallel, all but one
 * would get 412, again and again. Writes to different URLs do not wait for each other.
 */
export class Turns {
  /** The writes that wait, by the URL of the write in progress. */
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(private readonly timeout: number) {}

  /**
   * Waits for the turn, and writes.
   *
   * @throws the signal's reason as soon as it is aborted; ConnectionError if this write has waited longer
   *   than `timeout` when an earlier one gets no answer; and the errors of `write`
   */
  async take<R>(
    method: string,
    url: string,
    signal: AbortSignal | undefined,
    write: () => Promise<R>,
  ): Promise<R> {
    signal?.throwIfAborted();
    const waiting = this.#waiting.get(url);
    if (waiting === undefined) this.#waiting.set(url, new Set());
    else await turnIn(waiting, method, signal);
    try {
      return await write();
    } catch (error) {
      if (isOutage(error)) this.#giveUp(url, error);
      throw error;
    } finally {
      this.#pass(url);
    }
  }

  /** Counts the calls of `endAll`. */
  ends = 0;

  /** Rejects all writes that wait. Writes that have begun call `assertGoesOn` before they send. */
  endAll(): void {
    this.ends++;
    const error = createAbortError();
    for (const waiting of this.#waiting.values()) for (const { end } of waiting) end(error);
  }

  /** @throws an AbortError if all writes were ended since `ends` was read; never if it was not read */
  assertGoesOn(ends = this.ends): void {
    if (ends !== this.ends) throw createAbortError();
  }

  #pass(url: string): void {
    const [next] = this.#waiting.get(url) ?? [];
    if (next === undefined) this.#waiting.delete(url);
    else next.end();
  }

  /**
   * Rejects the writes that have waited too long. While the server does not answer, each write would take as
   * long as the previous one, so the last caller would wait for `timeout` once per write.
   */
  #giveUp(url: string, cause: unknown): void {
    const latest = performance.now() - this.timeout;
    for (const { method, since, end } of this.#waiting.get(url) ?? []) {
      if (since > latest) break;
      end(new ConnectionError(method, url, false, cause));
    }
  }
}

/** Not a DOMException, because some platforms lack it, and `forget` must not fail there. */
function createAbortError(): Error {
  const error = new Error('forget() was called before the write was sent.');
  error.name = 'AbortError';
  return error;
}

function turnIn(waiting: Set<Waiting>, method: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error): void => {
      waiting.delete(write);
      signal?.removeEventListener('abort', leave);
      if (error === undefined) resolve();
      else reject(error);
    };
    const leave = (): void => {
      end(signal?.reason as Error);
    };
    const write: Waiting = { method, since: performance.now(), end };
    waiting.add(write);
    signal?.addEventListener('abort', leave);
  });
}

/** Whether a write failed because no answer was complete, or with a status after which it can be sent again. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ResponseError && retryable.includes(error.status))
  );
}

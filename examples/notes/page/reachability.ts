import type { Fetch } from 'patch-options/client';

/** How many milliseconds a request can take before the API is asked whether it is there. */
const patience = 900;

/** How many milliseconds it then has to answer: together with the limit above, an outage is reported within two seconds. */
const deadline = 900;

/** How many milliseconds to wait before trying an unreachable API again. */
const pause = 1_500;

/** Tracks whether the API answers, by the requests that are sent with this `fetch`. */
export class Reachability {
  readonly #api: string;
  readonly #onChange: (isReachable: boolean) => void;
  #isReachable = true;

  constructor(api: string, onChange: (isReachable: boolean) => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Sends the request. If its answer is late, a smaller request finds out whether the API is down. */
  readonly fetch: Fetch = async (url, request) => {
    const late = setTimeout(() => void this.check(), patience);
    try {
      const response = await fetch(url, request);
      this.#learn(true);
      return response;
    } catch (error) {
      // A request that was given up because it was slow proves nothing.
      if (!request.signal.aborted) this.#learn(false);
      throw error;
    } finally {
      clearTimeout(late);
    }
  };

  /** Sends the smallest possible request to the API. */
  async check(): Promise<void> {
    const request: RequestInit = {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(deadline),
    };
    const isAnswered = await fetch(`${this.#api}/`, request).then(
      () => true,
      () => false,
    );
    this.#learn(isAnswered);
  }

  #learn(isReachable: boolean): void {
    if (isReachable === this.#isReachable) return;
    this.#isReachable = isReachable;
    this.#onChange(isReachable);
    if (!isReachable) void this.#wait();
  }

  /** Runs one loop at a time, which ends as soon as any request is answered. */
  async #wait(): Promise<void> {
    while (!this.#isReachable) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      await this.check();
    }
  }
}

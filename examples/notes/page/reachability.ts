import type { Fetch } from 'patch-options/client';

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

  readonly fetch: Fetch = async (url, request) => {
    try {
      const response = await fetch(url, request);
      this.#learn(true);
      return response;
    } catch (error) {
      this.#learn(false);
      throw error;
    }
  };

  /** Sends the smallest possible request to the API. */
  async check(): Promise<void> {
    const request = {
      method: 'HEAD',
      headers: {},
      redirect: 'manual',
      signal: AbortSignal.timeout(5_000),
    } as const;
    await this.fetch(`${this.#api}/`, request).catch(() => undefined);
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

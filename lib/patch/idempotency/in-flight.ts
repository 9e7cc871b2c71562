import { requestInFlight } from './problems';
import type { Waiting } from '../commit/key-queue';
import { onePerStore } from '../commit/per-store';
import { settledWithin } from '../commit/settled-within';

/** How long a repeat waits for the request that it repeats, in milliseconds. */
const patience = 5_000;

/** The requests with an idempotency key that this process is carrying out: a repeat of one waits until it has ended. */
export class InFlight {
  readonly #running = new Map<string, Promise<unknown>>();

  /**
   * @param task - is told whether it had to wait, in which case what was read before may be stale
   * @throws ProblemError 409 where the one ahead has not ended within five seconds
   * @throws the reason of the client's signal, where it is aborted while the task waits
   */
  async run<R>(name: string, task: (waited: boolean) => Promise<R>, client: Waiting): Promise<R> {
    const until = performance.now() + patience;
    let waited = false;
    for (let ahead; (ahead = this.#running.get(name)) !== undefined; waited = true) {
      if (!(await settledWithin(ahead, until - performance.now(), client.signal))) throw requestInFlight();
    }
    const turn = task(waited);
    this.#running.set(name, turn);
    try {
      return await turn;
    } finally {
      this.#running.delete(name);
    }
  }
}

export const inFlightOf = onePerStore(() => new InFlight());

import { setImmediate } from 'node:timers';

/** A request with the functions that settle its promise. */
export type Asked<Q, A> = Q & {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches the requests of one turn of the event loop.
 *
 * @param handOn - receives the whole batch at the end of the turn
 * @returns a function that adds a request to the batch
 */
export function inTurns<Q, A>(handOn: (asked: readonly Asked<Q, A>[]) => void): (question: Q) => Promise<A> {
  let gathered: Asked<Q, A>[] = [];
  return (question) =>
    new Promise((resolve, reject) => {
      if (gathered.push({ ...question, resolve, reject }) > 1) return;
      setImmediate(() => {
        const asked = gathered;
        gathered = [];
        handOn(asked);
      });
    });
}

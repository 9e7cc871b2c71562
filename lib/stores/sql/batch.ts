import { setImmediate } from 'node:timers';

/** A request with the functions that settle its promise. */
export type Pending<Q, A> = Q & {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches the requests of one turn of the event loop.
 *
 * @param flush - receives the whole batch at the end of the turn
 * @returns a function that adds a request to the batch
 */
export function createBatch<Q, A>(
  flush: (full: readonly Pending<Q, A>[]) => void,
): (question: Q) => Promise<A> {
  let batch: Pending<Q, A>[] = [];
  return (question) =>
    new Promise((resolve, reject) => {
      if (batch.push({ ...question, resolve, reject }) > 1) return;
      setImmediate(() => {
        const full = batch;
        batch = [];
        flush(full);
      });
    });
}

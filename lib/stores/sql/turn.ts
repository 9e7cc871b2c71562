import { setImmediate } from 'node:timers';

/** What was asked for, and how the one who asked is told. */
export type Asked<Q, A> = Q & {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Gathers what is asked for in one turn of the event loop.
 *
 * @param handOn - is given all of it at the turn's end
 * @returns what asks
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

import { types } from 'node:util';

/**
 * The return value of a function that must be synchronous. If it returns a promise all the same, as an
 * `async` function does, that is not awaited, and its rejection must not end the process.
 */
export function ignoreRejection<R>(result: R): R {
  if (types.isPromise(result)) result.catch(() => undefined);
  return result;
}

/**
 * Calls a function of the app without waiting for its result: a callback for metrics must not delay or fail a
 * request, nor end the process.
 *
 * @param onError - called with what the function throws or rejects with; what `onError` itself throws is
 *   ignored
 */
export function fireAndForget(call: () => unknown, onError: (error: unknown) => unknown): void {
  settled(call)
    .catch(onError)
    .catch(() => undefined);
}

/** Turns a synchronous throw into a rejection. */
async function settled(call: () => unknown): Promise<void> {
  await call();
}

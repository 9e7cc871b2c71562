import { types } from 'node:util';

/**
 * The return value of a function that must be synchronous. If it is a promise nevertheless, as of an `async`
 * function, the promise is not awaited, and its rejection must not end the process.
 */
export function ignoreRejection<R>(result: R): R {
  if (types.isPromise(result)) result.catch(() => undefined);
  return result;
}

/**
 * Calls a function of the app without waiting for its result: a callback for metrics must not delay a
 * request, make it fail, or end the process.
 *
 * @param onError - called with the error of the function, thrown or rejected; its own errors are ignored
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

/** One call after another: each begins when the one before has settled. */
export function inTurn<A extends unknown[], R>(act: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const result = last.then(() => act(...args));
    last = result.catch(() => undefined);
    return result;
  };
}

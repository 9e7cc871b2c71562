/**
 * Waits for a promise to settle, however it does.
 *
 * @returns whether it has, within so many milliseconds
 * @throws the signal's reason, where it is aborted before, or already is
 */
export function settledWithin(
  awaited: Promise<unknown>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
    const settled = (): void => {
      stop();
      resolve(true);
    };
    const leave = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      stop();
      resolve(false);
    }, milliseconds);
    signal.addEventListener('abort', leave, { once: true });
    awaited.then(settled, settled);
  });
}

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
    const end = (settled: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      resolve(settled);
    };
    const leave = (): void => {
      reject(signal.reason as Error);
      end(false);
    };
    const settled = (): void => {
      end(true);
    };
    const timer = setTimeout(end, milliseconds, false);
    signal.addEventListener('abort', leave);
    awaited.then(settled, settled);
  });
}

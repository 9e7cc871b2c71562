/**
 * Settles as the promise, or rejects with the signal's reason as soon as it is aborted: for promises that
 * ignore the signal. Leaves no listeners and no unhandled rejections.
 */
export function orAborted<R>(promise: Promise<R>, signal: AbortSignal | undefined): Promise<R> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      signal.removeEventListener('abort', leave);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave);
    });
  });
}

/**
 * Settles as the promise, or rejects with `late()` after the time. @throws the signal's reason as soon as it
 * is aborted
 */
export function settledWithin<R>(
  milliseconds: number,
  promise: Promise<R>,
  late: () => Error,
  signal: AbortSignal | undefined,
): Promise<R> {
  return withTimer(milliseconds, signal, (elapsed) =>
    Promise.race([
      promise,
      elapsed.then(() => {
        throw late();
      }),
    ]),
  );
}

/** @throws the signal's reason as soon as it is aborted; the timer is cleared */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return withTimer(milliseconds, signal, (elapsed) => elapsed);
}

async function withTimer<R>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  use: (elapsed: Promise<void>) => Promise<R>,
): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    return await orAborted(use(elapsed), signal);
  } finally {
    clearTimeout(timer);
  }
}

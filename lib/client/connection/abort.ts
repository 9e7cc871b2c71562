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
export async function settledWithin<R>(
  milliseconds: number,
  promise: Promise<R>,
  late: () => Error,
  signal: AbortSignal | undefined,
): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(late());
    }, milliseconds);
  });
  try {
    return await orAborted(Promise.race([promise, timeout]), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws the signal's reason as soon as it is aborted; the timer is cleared */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await orAborted(waited, signal);
  } finally {
    clearTimeout(timer);
  }
}

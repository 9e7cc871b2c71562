/**
 * Settles like the promise, or rejects with the signal's reason as soon as it is aborted, for promises that
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
 * Passes on a controller that is aborted with the caller's signal or, with the error `late()`, after the time
 * limit. `AbortSignal.any` and `AbortSignal.timeout` would do that, but Safari has both only since 17.4.
 */
export async function withTimeLimit<R>(
  milliseconds: number,
  late: () => Error,
  signal: AbortSignal | undefined,
  use: (controller: AbortController) => Promise<R>,
): Promise<R> {
  const controller = new AbortController();
  const leave = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', leave);
  if (signal?.aborted) leave();
  const timer = setTimeout(() => {
    controller.abort(late());
  }, milliseconds);
  try {
    return await use(controller);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

/** @throws the signal's reason as soon as it is aborted; the timer is cleared */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await orAborted(elapsed, signal).finally(() => {
    clearTimeout(timer);
  });
}

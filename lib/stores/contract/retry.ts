import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits before a retry: a random time of up to 1, 2, 4 … 64 milliseconds, so that two that collided do not
 * collide again.
 *
 * @param attempt - the number of earlier retries, from 0
 */
export async function backOff(attempt: number): Promise<void> {
  await delay(Math.random() * 2 ** Math.min(attempt, 6));
}

/**
 * Retries with pauses after errors that can be temporary.
 *
 * @param mayPass - whether an error can be temporary; all others are thrown at once
 * @param milliseconds - after which the last error is thrown. They begin with the first error: an engine may
 *   wait for a second before it reports a deadlock (`deadlock_timeout` of PostgreSQL), which would be all of
 *   them
 */
export async function retry<R>(
  act: () => R | Promise<R>,
  mayPass: (error: unknown) => boolean,
  milliseconds: number,
): Promise<R> {
  let until: number | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const now = performance.now();
      until ??= now + milliseconds;
      if (now >= until) throw error;
    }
    await backOff(attempt);
  }
}

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
 * @param milliseconds - after which the last error is thrown
 */
export async function retry<R>(
  act: () => R | Promise<R>,
  mayPass: (error: unknown) => boolean,
  milliseconds: number,
): Promise<R> {
  const until = performance.now() + milliseconds;
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error) || performance.now() >= until) throw error;
    }
    await backOff(attempt);
  }
}

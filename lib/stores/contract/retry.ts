import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits before something is tried again: up to 1, 2, 4 … 64 milliseconds, at random, so that two who have met do not meet
 * again.
 *
 * @param attempt - how often it was tried again before, from 0
 */
export async function backOff(attempt: number): Promise<void> {
  await delay(Math.random() * 2 ** Math.min(attempt, 6));
}

/**
 * Tries again, with pauses, while it fails in a way that may pass.
 *
 * @param mayPass - whether an error is of that kind; every other is thrown at once
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

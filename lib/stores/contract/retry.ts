import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits before a retry: a random time of up to 1, 2, 4 … 256 milliseconds, so that two writes that collided
 * do not collide again.
 *
 * @param attempt - the number of earlier retries, from 0
 */
export async function backOff(attempt: number): Promise<void> {
  await delay(Math.random() * 2 ** Math.min(attempt, 8));
}

/**
 * Tries are counted, not timed: PostgreSQL waits for a second before it reports a deadlock
 * (`deadlock_timeout`).
 */
const maxTries = 20;

/**
 * Calls again, with pauses, after errors that can be temporary.
 *
 * @param mayPass - whether an error can be temporary; all others are thrown at once
 * @param isOver - whether this number of tries is enough. Default: 20
 */
export async function retry<R>(
  act: () => R | Promise<R>,
  mayPass: (error: unknown) => boolean,
  isOver = (tries: number): boolean => tries >= maxTries,
): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await act();
    } catch (error) {
      if (!mayPass(error) || isOver(tries)) throw error;
    }
    await backOff(tries - 1);
  }
}

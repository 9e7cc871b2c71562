import type { ProblemError } from '../http/problem';
import { isEqualJson } from '../json/value';
import { type FoundState, stableValue, type Stored } from '../stores/contract/resource-store';
import { backOff } from '../stores/contract/retry';
import { targetNotFound } from './refusals';

/** How many times a request is retried after another write came first. */
const maxRetries = 15;

/**
 * Returns the state for the next attempt to write. It is the state that the store has found, if it returned
 * one, as stores over rows and documents do. Otherwise, and after every second lost race, the request waits,
 * and the state is read: a request that has lost two races in turn has many rivals.
 *
 * @param lost - how many earlier attempts have lost their race
 * @param before - the state on which this attempt was made
 * @param found - the state that the store has found
 * @param read - returns the state that was found, or reads it; throws if the client has no access to it
 * @param refuse - creates the refusal after the last attempt
 * @throws ProblemError after the last attempt: the result of `refuse`; 404 if there was no state to begin
 *   with, because then the store cannot hold this key
 * @throws Error if no other write came first, so that the database must have dropped this one
 */
export async function afterLostRace<T>(
  lost: number,
  before: Stored<T> | undefined,
  found: FoundState<T> | undefined,
  read: (found?: FoundState<T>) => Promise<FoundState<T>>,
  refuse: (current: Stored<T> | undefined) => ProblemError | Promise<ProblemError>,
): Promise<FoundState<T>> {
  if (lost === maxRetries) {
    if (before === undefined) throw targetNotFound();
    const { current } = await read(found);
    throw isSameState(before, current) ? droppedWrite() : await refuse(current);
  }
  if (found !== undefined && lost % 2 === 0) return read(found);
  await backOff(lost);
  return read();
}

/**
 * Whether the resource is still in the state that was read: compares versions, or the content if there are
 * none.
 */
function isSameState(before: Stored<unknown>, now: Stored<unknown> | undefined): boolean {
  if (now === undefined || before.version !== now.version) return false;
  return before.version !== undefined || isEqualJson(stableValue(now), stableValue(before));
}

/** An error for the app: a client can neither avoid it nor retry. */
function droppedWrite(): Error {
  return new Error(
    'Nothing was written in many tries, although the resource is still in the state that was read. ' +
      'Check whether row-level security or a trigger drops the write without an error.',
  );
}

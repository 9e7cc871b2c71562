import { isObject } from '../../config/object';
import type { PatchRequest } from '../../http/routed-request';

/**
 * The errors of which a store knows that nothing is written, by the request that it was called for. The error
 * alone does not tell: drivers fail all commands of a connection with one, those of other requests too.
 */
const failures = new WeakMap<PatchRequest, unknown>();

/** Notes that nothing is written for a request, although its write fails with this error. */
export function noteUnwritten(request: PatchRequest | undefined, error: unknown): void {
  if (request !== undefined) failures.set(request, error);
}

/** Errors with which no statement failed that writes, of any request. */
const errorsBefore = new WeakSet<object>();

/**
 * Awaits what a write over a pool needs first, such as a connection. It has that connection to itself, so
 * nothing is written for whoever gets its error.
 */
export async function beforeWriting<R>(preparing: PromiseLike<R>): Promise<R> {
  try {
    return await preparing;
  } catch (error) {
    if (isObject(error)) errorsBefore.add(error);
    throw error;
  }
}

export function isUnwritten(request: PatchRequest, error: unknown): boolean {
  return (
    (isObject(error) && errorsBefore.has(error)) || (failures.has(request) && failures.get(request) === error)
  );
}

/** Awaits a read before a write, or after one that changed nothing. */
export async function unwritten<R>(
  request: PatchRequest | undefined,
  read: () => R | Promise<R>,
): Promise<R> {
  try {
    return await read();
  } catch (error) {
    noteUnwritten(request, error);
    throw error;
  }
}

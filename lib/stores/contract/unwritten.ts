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

export function isUnwritten(request: PatchRequest, error: unknown): boolean {
  return failures.has(request) && failures.get(request) === error;
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

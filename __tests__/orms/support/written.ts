import type { FoundState, Stored } from '../../../lib';

/** The state that a write has made, and not one that it has found. */
export function written<T>(result: Stored<T> | FoundState<T> | undefined): Stored<T> {
  if (result === undefined || !('value' in result))
    throw new Error(`Nothing was written: ${JSON.stringify(result)}`);
  return result;
}

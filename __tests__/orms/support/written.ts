import type { FoundState, ResourceStore, Stored } from '../../../lib';

/** The state that a write has made, and not one that it has found. */
export function written<T>(result: Stored<T> | FoundState<T> | undefined): Stored<T> {
  if (result === undefined || !('value' in result))
    throw new Error(`Nothing was written: ${JSON.stringify(result)}`);
  return result;
}

/** Writes on the condition of a state, or that there is none. @returns the state that it has made */
export async function write<T>(
  store: Pick<ResourceStore<T>, 'replace'>,
  key: string,
  current: Stored<T> | null | undefined,
  next: NoInfer<T>,
): Promise<Stored<T>> {
  if (current === null) return written(await store.replace(key, null, next));
  if (current === undefined) throw new Error('There is no such row.');
  return written(await store.replace(key, current.version ?? '', next, { current }));
}

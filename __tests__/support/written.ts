/** Calls of a store as handlers make them: a write is on the condition of the state that was read. */
import type { FoundState, ResourceStore, Stored, WriteContext } from '../../lib';

type Store<T> = Pick<ResourceStore<T>, 'get' | 'replace'>;

/** @throws Error if nothing was written */
export function written<T>(result: Stored<T> | FoundState<T> | undefined): Stored<T> {
  if (result !== undefined && 'value' in result) return result;
  throw new Error('Nothing was written.');
}

/** @throws Error if there is no such resource */
export async function stateOf<T>(store: Store<T>, key: string): Promise<Stored<T>> {
  const current = await store.get(key);
  if (current === undefined) throw new Error(`There is no resource ${key}.`);
  return current;
}

export async function create<T>(
  store: Store<T>,
  key: string,
  next: T,
  context?: WriteContext,
): Promise<Stored<T>> {
  return written(await store.replace(key, null, next, context));
}

/** Replaces the resource in the state that it has now. */
export async function change<T>(
  store: Store<T>,
  key: string,
  next: T,
  context?: WriteContext,
): Promise<Stored<T>> {
  return written(await replaceAt(store, key, await stateOf(store, key), next, context));
}

/** Replaces the resource if it is still in a state. */
export function replaceAt<T>(
  store: Store<T>,
  key: string,
  current: Stored<T>,
  next: T,
  context?: WriteContext,
): Promise<Stored<T> | FoundState<T> | undefined> {
  return store.replace(key, current.version ?? '', next, { ...context, current });
}

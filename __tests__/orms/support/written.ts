import type { ResourceStore, Stored } from '../../../lib';
import { create, replaceAt, written } from '../../support/written';

export { written };

/** Writes on the condition of a state, or that there is none. @returns the state that it has made */
export async function write<T>(
  store: Pick<ResourceStore<T>, 'get' | 'replace'>,
  key: string,
  current: Stored<T> | null | undefined,
  next: NoInfer<T>,
): Promise<Stored<T>> {
  if (current === null) return create(store, key, next);
  if (current === undefined) throw new Error(`There is no resource ${key}.`);
  return written(await replaceAt(store, key, current, next));
}

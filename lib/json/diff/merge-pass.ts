import { isEqualJson } from '../value';
import type { ReadKey } from './keyed-lists';

/** One pass over the three values, which resolves all conflicts in favour of the same side. */
export interface Pass {
  readonly readKeys: readonly ReadKey[];
  /** Pointers to the conflicts. */
  readonly paths: Set<string>;
  readonly isForMine: boolean;
}

/** The value of the side that has changed it; undefined if both have, in different ways. */
export function findChange<T>(base: T, mine: T, theirs: T): { readonly value: T } | undefined {
  if (isEqualJson(mine, theirs) || isEqualJson(base, mine)) return { value: theirs };
  return isEqualJson(base, theirs) ? { value: mine } : undefined;
}

export function resolveConflict<T>(mine: T, theirs: T, path: string, { paths, isForMine }: Pass): T {
  paths.add(path);
  return isForMine ? mine : theirs;
}

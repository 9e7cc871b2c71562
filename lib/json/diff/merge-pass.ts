import type { EqualValues } from './equal-values';
import type { ReadKey } from './keyed-lists';

/** One pass over the three values, which resolves all conflicts in favour of the same side. */
export interface Pass {
  readonly readKeys: readonly ReadKey[];
  readonly values: EqualValues;
  /** Pointers to the conflicts. */
  readonly paths: Set<string>;
  readonly isForMine: boolean;
}

/** The value of the side that has changed it; undefined if both have, in different ways. */
export function findChange<T>(
  base: T,
  mine: T,
  theirs: T,
  { values }: Pass,
): { readonly value: T } | undefined {
  if (values.areEqual(mine, theirs) || values.areEqual(base, mine)) return { value: theirs };
  return values.areEqual(base, theirs) ? { value: mine } : undefined;
}

export function resolveConflict<T>(mine: T, theirs: T, path: string, { paths, isForMine }: Pass): T {
  paths.add(path);
  return isForMine ? mine : theirs;
}

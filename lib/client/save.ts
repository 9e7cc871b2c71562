import { changeTarget, type Changed } from './change';
import type { OnConflict } from './client-options';
import type { Connection } from './connection/connection';
import { ConflictError } from './errors';
import { asJson } from './json/as-json';
import { frozen } from './json/frozen';
import { merge } from './json/merge';

/** What a form began with, and what it holds. */
export interface Form {
  readonly base: unknown;
  readonly mine: unknown;
}

/** Saves what a form has changed, merged with what others have changed since. */
export function saveTarget(
  connection: Connection,
  url: string,
  given: Form,
  onConflict: OnConflict<unknown> | undefined,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  let { base, mine } = { base: asJson(given.base).value, mine: asJson(given.mine).value };

  const decide = async (current: { readonly value: unknown }, isFresh: boolean): Promise<unknown> => {
    const theirs = current.value;
    const { value, paths } = merge(base, mine, theirs);
    if (paths.length === 0) return value;
    const conflict = {
      ...{ base: frozen(base), mine: frozen(mine), theirs, paths },
      ...{ withMine: frozen(merge(base, theirs, mine).value), withTheirs: frozen(value) },
    };
    if (!isFresh || onConflict === undefined) throw new ConflictError(conflict);
    const decided = await onConflict(conflict);
    signal?.throwIfAborted();
    if (decided === undefined) throw new ConflictError(conflict);
    // Nobody is asked twice about the same: what they decided is a change of what they saw.
    [base, mine] = [theirs, asJson(decided).value];
    return mine;
  };
  return changeTarget(connection, url, decide, { isState: true }, signal);
}

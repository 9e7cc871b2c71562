import { changeResource, type Changed } from './change';
import type { OnConflict } from './client-options';
import { orAborted } from './connection/abort';
import type { Connection } from './connection/connection';
import { ConflictError } from './errors';
import { toJson } from './as-json';
import { deepFreeze } from './deep-freeze';
import { merge } from '../json/diff/merge';

/** The value with which a form began, and its current value. */
export interface Form {
  readonly base: unknown;
  readonly mine: unknown;
}

/** Saves the changes of a form, merged with the changes of others. */
export function saveTarget(
  connection: Connection,
  url: string,
  form: Form,
  onConflict: OnConflict<unknown> | undefined,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  let { base, mine } = { base: toJson(form.base).value, mine: toJson(form.mine).value };

  const decide = async (current: { readonly value: unknown }, isFresh: boolean): Promise<unknown> => {
    const theirs = current.value;
    const { value, paths } = merge(base, mine, theirs);
    if (paths.length === 0) return value;
    const conflict = {
      ...{ base: deepFreeze(base), mine: deepFreeze(mine), theirs, paths },
      ...{ withMine: deepFreeze(merge(base, theirs, mine).value), withTheirs: deepFreeze(value) },
    };
    if (!isFresh || onConflict === undefined) throw new ConflictError(conflict);
    const decided = await orAborted(Promise.resolve(onConflict(conflict)), signal);
    if (decided === undefined) throw new ConflictError(conflict);
    // The decision becomes a change from `theirs`, so that the same conflict is not reported again.
    [base, mine] = [theirs, toJson(decided).value];
    return mine;
  };
  return changeResource(connection, url, decide, { isState: true }, signal);
}

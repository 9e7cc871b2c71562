import { changeResource, type Change, type Changed } from './change';
import type { OnConflict } from './client-options';
import { orAborted } from './connection/abort';
import type { Connection } from './connection/connection';
import type { Resource } from './connection/resource-cache';
import { ConflictError } from './errors';
import { copyAsJson } from './as-json';
import { deepFreeze } from './deep-freeze';
import type { Identity } from '../json/diff/identity';
import { merge } from '../json/diff/merge';

/** The value with which a form began, and its current value. */
export interface Form {
  readonly base: unknown;
  readonly mine: unknown;
}

/** The options of the call, or else those of the client. */
export interface SaveSettings {
  readonly identity: Identity | undefined;
  readonly onConflict: OnConflict<unknown> | undefined;
}

/**
 * Saves the changes of a form, merged with the changes of others. While `onConflict` decides, which can take
 * a person minutes, other writes to the URL take their turns.
 */
export async function saveTarget(
  connection: Connection,
  url: string,
  form: Form,
  { identity, onConflict }: SaveSettings,
  signal: AbortSignal | undefined,
): Promise<Changed> {
  let { base, mine } = { base: copyAsJson(form.base), mine: copyAsJson(form.mine) };

  const decide = ({ value: theirs }: Resource): unknown => {
    const { paths, withMine, withTheirs } = merge(base, mine, theirs, { identity });
    if (paths.length === 0) return withTheirs;
    throw new ConflictError({
      ...{ base: deepFreeze(base), mine: deepFreeze(mine), theirs, paths },
      ...{ withMine: deepFreeze(withMine), withTheirs: deepFreeze(withTheirs) },
    });
  };
  const change: Change = { decide, isState: true, attempts: 0 };
  for (;;) {
    try {
      return await changeResource(connection, url, change, signal);
    } catch (error) {
      if (!isConflict(error) || onConflict === undefined) throw error;
      const { theirs, paths, withMine, withTheirs } = error;
      const conflict = { base, mine, theirs, paths, withMine, withTheirs };
      const decided = await orAborted(Promise.resolve(onConflict(conflict)), signal);
      if (decided === undefined) throw error;
      // The decision becomes a change from `theirs`, so that the same conflict is not reported again.
      [base, mine] = [theirs, copyAsJson(decided)];
    }
  }
}

function isConflict(error: unknown): error is ConflictError {
  return error instanceof ConflictError;
}

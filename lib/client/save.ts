import { createJsonPatch, type JsonPatchOperation } from '../json/diff/create-json-patch';
import { merge } from '../json/diff/merge';
import { applyRecipe, checkRecipe } from '../json/recipe';
import { isEqualJson } from '../json/value';
import { orAborted, wait } from './abort';
import { isSuccess } from './answer';
import { copyAsJson } from './as-json';
import type { SaveCall } from './client-options';
import type { Connection } from './connection';
import { deepFreeze } from './deep-freeze';
import { toCondition } from './entity-tag';
import { ArgumentError, ConflictError, ResponseError, UncertainError } from './errors';
import { backOffDelay } from './exchange';
import type { Resource } from './resource-cache';

/** The result of `change` and `save`. */
export interface ChangeResult<T = unknown> {
  /** The new value of the resource, frozen. */
  readonly value: T;
  /**
   * The entity tag of `value`; undefined only if the answer had none and the resource could not be read
   * again.
   */
  readonly etag: string | undefined;
  /** The JSON Patch of the last request; empty if there was nothing to change. */
  readonly patch: readonly JsonPatchOperation[];
  /**
   * How many different patches were sent, not counting retries of the same one; 0 if there was nothing to
   * change.
   */
  readonly attempts: number;
}

/**
 * Saves the changes that a form has made to the value that it started with, merged with the changes of other
 * people.
 */
export async function saveForm(
  connection: Connection,
  url: string,
  initial: unknown,
  edited: unknown,
  { identity, onConflict, signal }: SaveCall<unknown>,
): Promise<ChangeResult> {
  let [base, mine] = [copyAsJson(initial), copyAsJson(edited)];

  function decide(theirs: unknown): unknown {
    const { paths, withMine, withTheirs } = merge(base, mine, theirs, { identity });
    if (paths.length === 0) return withTheirs;
    deepFreeze([base, mine, withMine, withTheirs]);
    return new ConflictError({ base, mine, theirs, paths, withMine, withTheirs });
  }
  async function resolve({ theirs, paths, withMine, withTheirs }: ConflictError): Promise<boolean> {
    if (onConflict === undefined) return false;
    const conflict = { base, mine, theirs, paths, withMine, withTheirs };
    const decided = await orAborted(Promise.resolve(onConflict(conflict)), signal);
    if (decided === undefined) return false;
    // The decision is saved as a change from `theirs`, so that the same conflict is not reported again.
    [base, mine] = [theirs, copyAsJson(decided)];
    return true;
  }
  return changeResource(connection, url, decide, true, signal, resolve);
}

/** Changes a resource by a recipe, which runs on each state that the change is tried on. */
export async function changeByRecipe(
  connection: Connection,
  url: string,
  recipe: unknown,
  signal: AbortSignal | undefined,
): Promise<ChangeResult> {
  const misuse = (message: string) => new ArgumentError('recipe-invalid', message);
  checkRecipe(recipe, misuse);
  const decide = (theirs: unknown) => copyAsJson(applyRecipe(theirs, recipe, misuse));
  return changeResource(connection, url, decide, false, signal);
}

/**
 * How many times a change is tried again after a 412. With the pauses between the attempts, forty clients
 * that write to one resource at once all succeed, in about the time that they would take one after another.
 */
const maxRetries = 15;

/**
 * Computes the new value from the cached state, or from a fresh one, and sends the difference with If-Match.
 * If the state has changed meanwhile, this starts again from the current one.
 *
 * If a cached state leads to a result without a write (nothing to change, a conflict, or an error of the
 * app), the result is computed again from a fresh state, because the cached one can be outdated.
 *
 * @param decide - returns the new value of a resource, or a ConflictError
 * @param isState - decides what counts as a success if an answer was lost. True: the change describes a
 *   state, and has succeeded if the resource is in that state, whoever changed it. False: the change is
 *   relative to a state.
 * @param resolve - resolves a conflict. This can take a person minutes, so other writes to the URL take their
 *   turns meanwhile. False: the call ends with the conflict.
 */
async function changeResource(
  connection: Connection,
  url: string,
  decide: (theirs: unknown) => unknown,
  isState: boolean,
  signal: AbortSignal | undefined,
  resolve?: (conflict: ConflictError) => Promise<boolean>,
): Promise<ChangeResult> {
  let attempts = 0;
  /** The fresh state of the last conflict. */
  let inConflict: Resource | undefined;

  for (;;) {
    const result = await connection.turns.take('PATCH', url, signal, takeTurn);
    if (!(result instanceof ConflictError)) return result;
    if (!(await resolve?.(result))) throw result;
  }

  async function takeTurn(): Promise<ChangeResult | ConflictError> {
    let current = connection.find(url);
    let isFresh = current === undefined || current === inConflict;
    current ??= await connection.read(url, signal);

    for (;;) {
      signal?.throwIfAborted();
      let next: unknown;
      let patch: readonly JsonPatchOperation[] = [];
      try {
        next = decide(current.value);
        if (!(next instanceof ConflictError)) patch = createJsonPatch(current.value, next);
      } catch (error) {
        if (isFresh) throw error;
      }
      if (patch.length === 0) {
        if (isFresh) {
          if (!(next instanceof ConflictError)) return { ...current, patch, attempts };
          inConflict = current;
          return next;
        }
        current = await connection.read(url, signal);
        isFresh = true;
        continue;
      }

      const sent = performance.now();
      const precondition = { 'If-Match': toCondition(current.etag) };
      const answer = await connection.write('PATCH', url, patch, precondition, signal);
      const took = performance.now() - sent;
      attempts++;
      if (isSuccess(answer.status)) {
        return { ...(await connection.written('PATCH', url, answer, next, signal)), patch, attempts };
      }
      if (answer.status !== 412) throw new ResponseError('PATCH', url, answer);

      // The pause spreads out clients that keep overtaking each other: a read and a write take about 2 *
      // took. The state is read after the pause, because the state in the refusal would be outdated by then.
      const isAgain = attempts > 1;
      const pause = Math.random() * Math.min(5_000, 2 * took * attempts);
      if (isAgain && attempts <= maxRetries) await wait(pause, signal);
      let theirs = isAgain ? undefined : connection.stateIn(url, answer);
      try {
        theirs ??= await connection.read(url, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!answer.uncertain) throw error;
        throw new UncertainError({ base: current.value, mine: next, theirs: undefined }, error);
      }
      if (answer.uncertain) {
        if (isState && isEqualJson(theirs.value, next)) return { ...theirs, patch, attempts };
        throw new UncertainError({ base: current.value, mine: next, theirs: theirs.value });
      }
      if (attempts > maxRetries) throw new ResponseError('PATCH', url, answer, overtaken(url, attempts));
      if (theirs.etag === current.etag) {
        // Either a cache between client and server has returned an old state, and needs time; or the state
        // has come back.
        await wait(400 + backOffDelay(2), signal);
        theirs = await connection.read(url, signal);
      }
      current = theirs;
      isFresh = true;
    }
  }
}

/**
 * The server's own message would advise the client to do what it has just done: read the resource again, and
 * reapply the change.
 */
function overtaken(url: string, attempts: number): string {
  return `Other clients changed ${url} at every attempt (${attempts}). Try again later.`;
}

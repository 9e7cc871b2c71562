import { readAppJson } from '../json/app-json';
import { applyRecipe, checkRecipe, type Recipe } from '../json/recipe';
import { isEqualJson } from '../json/value';
import { checkReplacement, checkState } from '../stores/contract/check-result';
import {
  expectedVersion,
  type FoundState,
  type ResourceStore,
  type Stored,
} from '../stores/contract/resource-store';
import { storeQueue, type Waiting } from './key-queue';
import { afterLostRace } from './lost-race';
import { targetNotFound, tooManyRaces } from './refusals';

/**
 * Changes a stored resource outside of a request: in a job, a script or a function of your app. It reads the
 * resource, calls the recipe, and writes only if no other write has come in between; otherwise it begins
 * again, up to fifteen times. The rules and callbacks of handlers do not apply, because they are for clients.
 *
 * ```ts
 * await change(notes, '1', (note) => {
 *   note.title = note.title.trim();
 * });
 * ```
 *
 * @param recipe - modifies the draft, which is a copy of the value, or returns the new value. It must be
 *   synchronous and without other side effects, because it can run several times, on different states. If it
 *   does neither, or if the result is equal to the value, nothing is written
 * @returns the stored state
 * @throws ProblemError with the code `target-not-found` if there is no such resource, `lost-race` if other
 *   writes kept changing it, and the refusals of the store
 * @throws Error if the database drops the write without an error, by row-level security or a trigger
 * @throws TypeError if the recipe is not a function, returns a promise, or modifies the draft and also
 *   returns another value
 * @throws NotJsonError if its result contains a value that JSON cannot hold, such as NaN
 */
export function change<T>(store: ResourceStore<T>, key: string, recipe: Recipe<T>): Promise<Stored<T>> {
  return storeQueue(store).run(key, () => changeInTurn(store, key, recipe), patient);
}

/** There is no client that could disconnect. */
const patient: Waiting = {
  get signal() {
    return new AbortController().signal;
  },
};

async function changeInTurn<T>(
  store: ResourceStore<T>,
  key: string,
  recipe: (draft: T) => unknown,
): Promise<Stored<T>> {
  checkRecipe(recipe, misuse);
  const read = async (found?: FoundState<T>): Promise<FoundState<T>> =>
    found ?? { current: checkState(store, await store.get(key)) };
  let state = await read();
  for (let lost = 0; ; lost++) {
    const { current } = state;
    if (current === undefined) throw targetNotFound();
    const next = toJsonValue(applyRecipe(current.value, recipe, misuse));
    if (isEqualJson(next, current.value)) return current;
    const result = checkReplacement(
      store,
      await store.replace(key, expectedVersion(current), next, { current }),
    );
    if (result.after !== undefined) return result.after;
    state = await afterLostRace(lost, current, result.found, read, tooManyRaces);
  }
}

function toJsonValue<T>(value: T): T {
  return readAppJson(value, 'The result of the recipe of change()') as T;
}

function misuse(message: string): TypeError {
  return new TypeError(message);
}

import { getAgain } from '../http/check-preconditions';
import { ProblemError } from '../http/problem';
import type { Exchange } from './exchange';
import type { PatchRequest } from '../http/routed-request';
import { isEqualJson } from '../json/value';
import type { FoundState, Stored } from '../stores/contract/resource-store';
import type { PatchSettings } from './options/settings';
import { readPermitted } from './permission';
import { tooManyRaces } from './refusals';
import { createRepresentation } from './representation';

/**
 * The refusal of a write for the state of its target: a 412, and the 409 of a stale state, have that state in their member
 * `current`, if the app wants it. What is there is what `Prefer: return=representation` would show to this request, and the
 * ETag header is its tag, so that a client can merge and go on without a GET.
 */
export async function withConflict<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  refusal: ProblemError,
  state: Stored<T> | undefined,
): Promise<ProblemError> {
  const isConflict = refusal.status === 412 || refusal.code === 'stale-state';
  if (!settings.showsConflict || !isConflict || state === undefined) return refusal;
  return withCurrent(settings, req, refusal, state);
}

/**
 * The refusal of a write that lost every race. The present state is read for the answer, unless the store has
 * returned it, and the app is asked again whether this client can learn it.
 *
 * @param before - the state on which the last attempt was made
 * @throws ProblemError 403
 * @throws Error if that is still the state: no other write came first
 */
export async function lostRace<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
  before: Stored<T>,
  found: FoundState<T> | undefined,
): Promise<ProblemError> {
  const { stored } = await readPermitted(settings, key, exchange, undefined, found);
  if (isSameState(before, stored)) throw droppedWrite();
  if (stored === undefined || !settings.showsConflict) return tooManyRaces();
  return withCurrent(settings, exchange.req, tooManyRaces(), stored);
}

/** Whether the resource is still in the state that was read, by its version, or without one by its content. */
export function isSameState(before: Stored<unknown>, now: Stored<unknown> | undefined): boolean {
  if (now === undefined || before.version !== now.version) return false;
  return before.version !== undefined || isEqualJson(now.value, before.value);
}

/** For the app: a client can neither avoid nor repeat it. */
export function droppedWrite(): Error {
  return new Error(
    'Nothing was written in many tries, although the resource is still in the state that was read. ' +
      'Check whether row-level security or a trigger drops the write without an error.',
  );
}

const reapply = 'Reapply the change to the member current, and send that with the ETag of this response.';

/** A plain refusal is true as well, so it is the answer if the representation fails, or is too large. */
async function withCurrent<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  refusal: ProblemError,
  state: Stored<T>,
): Promise<ProblemError> {
  try {
    const { tag } = settings.createValidators(state, req);
    const text = await createRepresentation(settings, state.value, req);
    if (Buffer.byteLength(text) > settings.limits.result) return refusal;
    const { status, code, problem } = refusal;
    const detail = refusal.message.replace(getAgain, reapply);
    const headers = { ...refusal.headers, ETag: tag };
    return new ProblemError(status, code, detail, {
      headers,
      extensions: { ...problem, detail, current: JSON.parse(text) as unknown },
    });
  } catch (error) {
    settings.warnOfConflict(error);
    return refusal;
  }
}

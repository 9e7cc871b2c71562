import { getAgain } from '../http/check-preconditions';
import { ProblemError } from '../http/problem';
import type { Exchange } from '../request/exchange';
import type { PatchRequest } from '../http/routed-request';
import type { Stored } from '../stores/contract/resource-store';
import { unreadableMembers } from '../stores/contract/unreadable';
import type { PatchSettings } from './options/settings';
import { readPermitted } from './permission';
import { tooManyRaces } from './problems';
import { createRepresentation } from './representation';

/**
 * The refusal of a write for the state of its target: a 412 has that state in its member `current`, if the
 * app wants it. What is there is what `Prefer: return=representation` would show to this request, and the
 * ETag header is its tag, so that a client can merge and go on without a GET.
 */
export async function withConflict<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  refusal: ProblemError,
  state: Stored<T> | undefined,
): Promise<ProblemError> {
  if (!settings.showsConflict || refusal.status !== 412 || state === undefined) return refusal;
  return withCurrent(settings, req, refusal, state);
}

/**
 * The refusal of a write that lost every race. The state that it lost to was never read, so it is read for
 * the answer, and the app is asked again whether this client can learn it.
 *
 * @param before - the state on which the last attempt was made
 * @throws ProblemError 403
 * @throws Error if that is still the state: no other write came first, as every write makes a new version
 */
export async function lostRace<T>(
  settings: PatchSettings<T>,
  key: string,
  exchange: Pick<Exchange, 'req' | 'client'>,
  before: Stored<T>,
): Promise<ProblemError> {
  const { stored } = await readPermitted(settings, key, exchange);
  if (stored?.version === before.version) throw droppedWrite();
  if (stored === undefined || !settings.showsConflict) return tooManyRaces();
  return withCurrent(settings, exchange.req, tooManyRaces(), stored);
}

/** For the app: a client can neither avoid nor repeat it. */
export function droppedWrite(): Error {
  return new Error(
    'Nothing was written in many tries, although the resource still has the version that was read. ' +
      'Check whether row-level security or a trigger drops the write without an error.',
  );
}

const reapply = 'Reapply the change to the member current, and send that with the ETag of this response.';

/** A plain refusal is true as well, so it is the answer if the state cannot be shown, or is too large. */
async function withCurrent<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  refusal: ProblemError,
  state: Stored<T>,
): Promise<ProblemError> {
  if (unreadableMembers(state) !== undefined) return refusal;
  try {
    const { tag } = settings.createValidators(state, req);
    const text = await createRepresentation(settings, state.value, req);
    if (Buffer.byteLength(text) > settings.limits.result) return refusal;
    const { status, code } = refusal;
    const detail = refusal.message.replace(getAgain, reapply);
    const headers = { ...refusal.headers, ETag: tag };
    return new ProblemError(status, code, detail, {
      headers,
      extensions: { current: JSON.parse(text) as unknown },
    });
  } catch (error) {
    settings.warnOfConflict(error);
    return refusal;
  }
}

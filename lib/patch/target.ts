import { getAgain } from '../http/preconditions';
import { ProblemError } from '../http/problem';
import type { PatchRequest } from '../http/middleware';
import { checkState } from '../stores/contract/check-result';
import type { FoundState, ReadContext, Stored } from '../stores/contract/resource-store';
import { storeQueue } from './key-queue';
import type { PatchSettings } from './settings';
import { notPermitted } from './refusals';

// The state of the target resource, for the handlers of all methods: which client can see it, and in which
// form.

/**
 * Asks the option `may` about a state of the resource: the one that a write of the store has found, or else
 * the one that is read. A client without access must learn nothing else.
 *
 * @returns the state in an object, because undefined means that none was read yet
 * @throws ProblemError 403
 */
export async function readPermitted<T>(
  { store, may }: PatchSettings<T>,
  key: string,
  req: PatchRequest,
  reading: ReadContext,
  found?: FoundState<T>,
): Promise<FoundState<T>> {
  const current = found === undefined ? checkState(store, await store.get(key, reading)) : found.current;
  if (may !== undefined && !(await may(req, current?.value))) throw notPermitted(req.method);
  return { current };
}

/**
 * The state with which a write begins, if the app has the option `may`. It is read before the request waits
 * for its turn: a client without access must neither delay other clients, nor learn that one of them is
 * writing. A request that has to wait reads and calls `may` again later, and keeps no value in memory
 * meanwhile.
 *
 * @returns undefined without the option `may`, and if the request has to wait
 * @throws ProblemError 403
 */
export async function readBeforeTurn<T>(
  { store, may }: PatchSettings<T>,
  key: string,
  read: () => Promise<FoundState<T>>,
): Promise<FoundState<T> | undefined> {
  const permitted = may && (await read());
  return storeQueue(store).isBusy(key) ? undefined : permitted;
}

/** The value as clients see it, as JSON text. Under the same entity tag, GET sends the same bytes. */
export async function createRepresentation<T>(
  { represent, hidden }: Pick<PatchSettings<T>, 'represent' | 'hidden'>,
  value: T,
  req: PatchRequest,
): Promise<string> {
  const text: unknown = JSON.stringify(await represent(hidden.visible(value), req));
  if (typeof text === 'string') return text;
  throw new TypeError(
    'The option represent returned undefined or another value that is not JSON. ' +
      'Return a JSON value, such as an object or null.',
  );
}

/**
 * Adds the current state to a refusal that is about it, a 412 or the 409 of a stale state, with the option
 * `conflict`. The member `current` is the representation that `Prefer: return=representation` would show to
 * this request, and ETag is its tag, so that a client can merge and go on without a GET.
 */
export async function withCurrent<T>(
  settings: PatchSettings<T>,
  req: PatchRequest,
  refusal: ProblemError,
  state: Stored<T> | undefined,
): Promise<ProblemError> {
  const isConflict = refusal.status === 412 || refusal.code === 'stale-state' || refusal.code === 'lost-race';
  if (settings.options.conflict !== 'representation' || !isConflict || state === undefined) return refusal;
  try {
    const { tag } = settings.createValidators(state, req);
    const text = await createRepresentation(settings, state.value, req);
    // The refusal without the state is correct, too.
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

const reapply = 'Reapply the change to the member current, and send that with the ETag of this response.';

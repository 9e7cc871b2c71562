import { hasMember } from '../../prototype-pollution';
import { ProblemError } from '../../http/problem';
import type { ResourceStore } from './resource-store';

/**
 * Keeps, beside the value, what requests with an idempotency key have led to: a text for the key and the id of a request.
 *
 * - `replace` with `context.outcome` keeps it if, and only if, it writes, in the same step. While there is an outcome of
 *   that id it writes nothing, as if the version were another.
 * - `get` with `context.outcome` gives it in `Stored.outcome`, in one step with the state (with `mayBeStale`, perhaps not).
 * - It is there for `maxAge` seconds by the engine's clock, whatever else is written to the key, then gone.
 * - Where the key has `keep` outcomes of the `scope`, or `total` of all scopes, within their age, a `replace` that would
 *   write throws `outcomesFull` and writes nothing. Scopes are told apart by code points, and one that is full refuses
 *   its own requests only. An outcome over its age no longer counts once all older ones, of its scope for `keep` and of
 *   the key for `total`, are over theirs; a store may stop counting it sooner.
 * - Deletion forgets them.
 */
export interface OutcomeStore<T = unknown> extends ResourceStore<T> {
  readonly keepsOutcomes: true;
  /** What is kept where the app asks for nothing else, in place of patchHandler's own defaults. */
  readonly outcomeBounds?: { readonly keep?: number; readonly total?: number; readonly maxAge?: number };
}

export function keepsOutcomes<T>(store: ResourceStore<T>): store is OutcomeStore<T> {
  return hasMember(store, 'keepsOutcomes') && store.keepsOutcomes === true;
}

/**
 * 503 with Retry-After.
 *
 * @param seconds - until there is room: the oldest outcome of the scope, or of the key, is over its age
 */
export function outcomesFull(seconds: number): ProblemError {
  const detail =
    'This resource holds the outcomes of as many requests as it may, and nothing was written. ' +
    'Send the request again, with the same Idempotency-Key, when Retry-After is over.';
  return new ProblemError(503, 'outcomes-full', detail, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  });
}

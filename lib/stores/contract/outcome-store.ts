import { hasMember } from '../../config/prototype-pollution';
import { ProblemError } from '../../http/problem';
import type { ResourceStore } from './resource-store';

/**
 * A store that also keeps the outcomes of requests with an idempotency key: a text for the key of the
 * resource and the id of the request. `storeConformance` from `patch-options/testing` tests each clause.
 *
 * - `replace` with `context.outcome` stores the outcome if and only if it writes the value, in the same step.
 *   If an outcome with this id exists, it writes nothing, as if the version did not match.
 * - `get` with `context.outcome` returns it as `Stored.outcome`, read in one step with the state.
 * - An outcome is kept for `maxAge` seconds, whatever else is written to the key, and then expires.
 * - If the key has `keep` unexpired outcomes of the `scope`, or `total` of all scopes, a `replace` that would
 *   write throws `outcomesFull` and writes nothing. Scopes are compared by code points, and a full scope
 *   refuses only its own requests.
 * - Deleting the resource deletes its outcomes.
 */
export interface OutcomeStore<T = unknown> extends ResourceStore<T> {
  /** Tells an `OutcomeStore` from a `ResourceStore` at run time. */
  readonly keepsOutcomes: true;
}

export function keepsOutcomes<T>(store: ResourceStore<T>): store is OutcomeStore<T> {
  return hasMember(store, 'keepsOutcomes') && store.keepsOutcomes === true;
}

/**
 * The error for an `OutcomeStore` to throw when it has no room for another outcome: 503 with Retry-After.
 *
 * @param seconds - until the first outcome expires, of the scope if that is full, or else of the key
 */
export function outcomesFull(seconds: number): ProblemError {
  const detail =
    'Too many idempotency keys are stored for this resource, and nothing was written. ' +
    'Retry with the same Idempotency-Key after the time in Retry-After.';
  return new ProblemError(503, 'outcomes-full', detail, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  });
}

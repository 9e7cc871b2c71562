import { ProblemError } from '../http/problem';
import type { ResourceStore } from './resource-store';

/**
 * A store that keeps outcomes beside the value: what a request with an idempotency key has led to, written in the same
 * step as the change itself, so that no crash can separate the two. `storeConformance` proves each clause.
 *
 * An outcome is a text that belongs to a key and to the id of a request there. `get` with `context.outcome` gives it in
 * `Stored.outcome`, in one step with the state (with `mayBeStale`, perhaps not); `replace` with `context.outcome` keeps
 * it if, and only if, it writes.
 *
 * - **Once an id**: `replace` writes nothing, as if the version were another, while there is an outcome of that id.
 * - **As long as it was promised**: an outcome is there for `maxAge` seconds, by the engine's clock, whatever else is
 *   written to the key, and gone after them.
 * - **Bounded**: where the key has `keep` outcomes that are not over their age, a `replace` that would write throws
 *   `outcomesFull` and writes nothing. A store that tells the age of only the oldest may count others that are over it.
 * - **With the resource**: deletion forgets its outcomes.
 */
export interface OutcomeStore<T = unknown> extends ResourceStore<T> {
  /** By this it is known. */
  readonly keepsOutcomes: true;
}

export function keepsOutcomes<T>(store: ResourceStore<T>): store is OutcomeStore<T> {
  return 'keepsOutcomes' in store && store.keepsOutcomes === true;
}

/**
 * What a `replace` throws that cannot keep its outcome: 503 with Retry-After.
 *
 * @param seconds - until the oldest outcome of the key is over its age
 */
export function outcomesFull(seconds: number): ProblemError {
  const detail =
    'This resource holds the outcomes of as many requests as it may, and no answer that may yet be asked for again is ' +
    'forgotten; nothing was written. Send the request again, with the same Idempotency-Key, when Retry-After is over.';
  return new ProblemError(503, 'outcomes-full', detail, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) },
  });
}

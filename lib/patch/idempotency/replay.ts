import { readMember } from '../../config/prototype-pollution';
import type { PendingOutcome, Stored } from '../../stores/contract/resource-store';
import { onePerStore } from '../key-queue';
import type { PatchRequest } from '../../http/routed-request';
import type { PatchSettings } from '../options/settings';
import type { IdempotentRequest } from './idempotency-key';
import { readOutcome, tagBefore, writeOutcome, type Outcome } from './outcome';
import { keyReused, requestInFlight } from './problems';

// The outcome is looked up in every state before the preconditions are checked, so a repeat finds it even if
// they no longer hold. Between processes the conditional write decides: the loser reads again and finds the
// winner's outcome. Within one process a repeat waits for the first request in the queue, unless that takes
// too long.

/** The request was carried out before, so there is nothing to write. */
export class Replay<T> {
  constructor(
    readonly outcome: Outcome,
    /** The state that the outcome was found with. */
    readonly state: Stored<T>,
  ) {}
}

/**
 * The outcome of this request in a state; undefined if there is none.
 *
 * @throws ProblemError 422 if the outcome belongs to another request
 */
export function findReplay<T>(
  current: Stored<T> | undefined,
  { fingerprint }: IdempotentRequest,
): Replay<T> | undefined {
  if (current === undefined) return undefined;
  const text = readMember(current, 'outcome');
  if (text === undefined) return undefined;
  const outcome = readOutcome(text, current.version !== undefined);
  if (outcome.fingerprint !== fingerprint) throw keyReused();
  return new Replay(outcome, current);
}

/** The outcome that a write stores, with the entity tag of the new state. */
export function createPendingOutcome<T>(
  { createTag, store }: PatchSettings<T>,
  { once: { fingerprint, ...key }, req }: { readonly once: IdempotentRequest; readonly req: PatchRequest },
  before: Stored<T> | undefined,
  next: T,
): PendingOutcome {
  const keepsValues = readMember(store, 'fit') === undefined;
  const text = (version?: string): string => {
    const status = before === undefined ? 201 : 204;
    // A state that is its content can come back, so nothing shows whether it is the one that the request made.
    if (version === undefined) return writeOutcome({ fingerprint, status });
    const tag = tagBefore((stored: Stored<T>) => createTag(stored, req), next, version, keepsValues);
    return writeOutcome({ fingerprint, status, version, ...(tag !== undefined && { tag }) });
  };
  return { ...key, text };
}

/** The requests with an idempotency key that are in progress in this process, by store. */
const keysInFlight = onePerStore(() => new Set<string>());

/**
 * Carries out a request, unless the same one is in progress in this process.
 *
 * @param assertAllowed - called before a client learns that it is
 * @throws ProblemError 409 if it is
 */
export async function unlessInFlight<R>(
  store: object,
  key: string,
  { id }: IdempotentRequest,
  carryOut: () => Promise<R>,
  assertAllowed: () => Promise<unknown>,
): Promise<R> {
  const inFlight = keysInFlight(store);
  const name = `${id} ${key}`;
  if (inFlight.has(name)) {
    await assertAllowed();
    throw requestInFlight();
  }
  inFlight.add(name);
  try {
    return await carryOut();
  } finally {
    inFlight.delete(name);
  }
}

import { memberOf } from '../../prototype-pollution';
import type { OutcomeToKeep, Stored } from '../../stores/contract/resource-store';
import { Replay } from '../commit/commit';
import type { Replacement } from '../commit/decide';
import { onePerStore } from '../commit/key-queue';
import type { PatchSettings } from '../options/settings';
import type { IdempotentRequest } from './idempotency-key';
import { readOutcome, tagBefore, writeOutcome, type Outcome } from './outcome';
import { keyReused, requestInFlight } from './problems';

// The outcome is looked for in every state that a change is decided on, before the preconditions: a repeat finds it also where
// they no longer hold. Between processes the conditional write decides here too: who loses it to the same request reads
// afresh, and finds what the other has kept. Inside one process a repeat comes after the request that it repeats, unless that
// takes longer than a turn is waited for.

/**
 * The outcome that a state has of the request; undefined where it has none.
 *
 * @throws ProblemError 422 where it is the outcome of another request
 */
export function replayOf<T>(
  current: Stored<T> | undefined,
  { fingerprint }: IdempotentRequest,
): Replay<T, Outcome> | undefined {
  if (current === undefined) return undefined;
  const text = memberOf(current, 'outcome');
  if (text === undefined) return undefined;
  const outcome = readOutcome(text);
  if (outcome.fingerprint !== fingerprint) throw keyReused();
  return new Replay(outcome, current);
}

/** The outcome that a write keeps, with the entity tag of what it writes. */
export function outcomeToKeep<T>(
  { tagOf }: PatchSettings<T>,
  { fingerprint, ...key }: IdempotentRequest,
  { before, next }: Replacement<T>,
): OutcomeToKeep {
  const text = (version: string): string => {
    const tag = tagBefore(tagOf, next, version);
    const status = before === undefined ? 201 : 204;
    return writeOutcome({ fingerprint, status, ...(tag !== undefined && { tag }) });
  };
  return { ...key, text };
}

/** The requests with an idempotency key that this process is carrying out, by store. */
const inFlightOf = onePerStore(() => new Set<string>());

/**
 * Carries out a request, unless this process is still carrying out the one that it repeats.
 *
 * @throws ProblemError 409 where it is
 */
export async function unlessInFlight<R>(
  store: object,
  key: string,
  { id }: IdempotentRequest,
  carryOut: () => Promise<R>,
): Promise<R> {
  const inFlight = inFlightOf(store);
  const name = `${id} ${key}`;
  if (inFlight.has(name)) throw requestInFlight();
  inFlight.add(name);
  try {
    return await carryOut();
  } finally {
    inFlight.delete(name);
  }
}

import { commit, Replay, type Change, type Committed, type Proposal } from '../commit/commit';
import { onePerStore } from '../commit/key-queue';
import type { Stored } from '../../stores/contract/resource-store';
import type { PatchSettings } from '../options/settings';
import type { IdempotentRequest } from './idempotency-key';
import { readOutcome, tagBefore, writeOutcome, type Outcome } from './outcome';
import { keyReused, requestInFlight } from './problems';

/** The requests with an idempotency key that this process is carrying out, by store. */
const inFlightOf = onePerStore(() => new Set<string>());

/**
 * Commits a change with its outcome, or finds that this was done before.
 *
 * The outcome is looked for in every state that the change is decided on, before the preconditions: a repeat finds it
 * also where they no longer hold. Between processes the conditional write decides here too: who loses it to the same
 * request reads afresh, and finds what the other has kept. Inside one process a repeat comes after the request that it
 * repeats, unless that takes longer than a turn is waited for.
 *
 * @throws ProblemError what `commit` throws; 422 where the key is that of another request, 409 where the first is still
 *   being carried out, 503 where no outcome can be kept
 */
export async function commitOnce<T>(
  change: Change<T>,
  waited: boolean,
  { tagOf, limits }: PatchSettings<T>,
  { fingerprint, ...idempotencyKey }: IdempotentRequest,
): Promise<Committed<T> | Replay<Outcome>> {
  const { store, key, client } = change;
  /** Made before every write. */
  let proposal!: Proposal<T>;

  const decide: Change<T, Outcome>['decide'] = async (current) => {
    const replay = replayOf(current, fingerprint);
    if (replay !== undefined) return replay;
    const decided = await change.decide(current);
    if (!(decided instanceof Replay)) proposal = decided;
    return decided;
  };
  const text = (version: string): string => {
    const { before, next } = proposal;
    const tag = tagBefore(tagOf, next, version);
    const status = before === undefined ? 201 : 204;
    return writeOutcome({ fingerprint, status, ...(tag !== undefined && { tag }) });
  };
  const context = client.context({ maxBytes: limits.result, outcome: { ...idempotencyKey, text } });

  const inFlight = inFlightOf(store);
  const name = `${idempotencyKey.id} ${key}`;
  if (inFlight.has(name)) throw requestInFlight();
  inFlight.add(name);
  try {
    // What is read after waiting is read with its outcome, for which no state will do that is only remembered.
    return await commit({ ...change, decide, context, earlyContext: context }, waited);
  } finally {
    inFlight.delete(name);
  }
}

/**
 * The outcome that a state has of the request; undefined where it has none.
 *
 * @throws ProblemError 422 where it is the outcome of another request
 */
export function replayOf(
  current: Stored<unknown> | undefined,
  fingerprint: string,
): Replay<Outcome> | undefined {
  if (current?.outcome === undefined) return undefined;
  const outcome = readOutcome(current.outcome);
  if (outcome.fingerprint !== fingerprint) throw keyReused();
  return new Replay(outcome);
}

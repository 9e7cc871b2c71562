import type { Stored } from '../../stores/contract/resource-store';
import { commit, type Commit, type Committed, type Proposal } from '../commit/commit';
import type { Claim } from './idempotency-key';
import { keyReused } from './problems';
import { inFlightOf } from './in-flight';
import { type Outcome, readOutcome, tagBefore, writeOutcome } from './outcome';
import type { PatchSettings } from '../options/settings';

/**
 * Commits a change with its outcome, or finds that this was done before.
 *
 * The outcome is looked for in every state that the change is decided on, before the preconditions: a repeat finds it
 * also where they no longer hold. Between processes the conditional write decides here too: who loses it to the same
 * request reads afresh, and finds what the other has kept.
 *
 * @throws ProblemError what `commit` throws; 422 where the key is that of another request, 409 where the first is still
 *   being carried out, 503 where no outcome can be kept
 */
export async function commitOnce<T>(
  change: Commit<T>,
  { tagOf, limits }: PatchSettings<T>,
  claim: Claim,
  fingerprint: string,
): Promise<Committed<T> | Repeated> {
  const { store, key, client } = change;
  /** Made before every write. */
  let proposal!: Proposal<T>;

  const decide: typeof change.decide = async (current) => {
    assertFirst(current, fingerprint);
    proposal = await change.decide(current);
    return proposal;
  };
  const text = (version: string): string => {
    const { before, next } = proposal;
    const tag = tagBefore(tagOf, next, version);
    const status = before === undefined ? 201 : 204;
    return writeOutcome({ fingerprint, status, ...(tag !== undefined && { tag }) });
  };

  const context = client.context({ maxBytes: limits.result, outcome: { ...claim, text } });
  const run = async (waited: boolean): Promise<Committed<T>> => {
    const early = waited ? await store.get(key, context) : change.early;
    assertFirst(early, fingerprint); // it need not stand in the queue
    return commit({ ...change, early, decide, context });
  };
  try {
    return await inFlightOf(store).run(`${claim.id} ${key}`, run, client);
  } catch (error) {
    if (error instanceof Repeated) return error;
    throw error;
  }
}

/** Thrown through `commit`, which it ends as a refusal does: nothing is written. */
export class Repeated extends Error {
  constructor(readonly outcome: Outcome) {
    super('The request was carried out before.');
  }
}

/**
 * @throws Repeated where the same request has an outcome
 * @throws ProblemError 422 where another has it
 */
function assertFirst(current: Stored<unknown> | undefined, fingerprint: string): void {
  if (current?.outcome === undefined) return;
  const outcome = readOutcome(current.outcome);
  throw outcome.fingerprint === fingerprint ? new Repeated(outcome) : keyReused();
}

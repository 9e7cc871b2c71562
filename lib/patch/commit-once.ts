import type { Stored } from '../stores/resource-store';
import { commit, type Commit, type Committed, type Proposal } from './commit';
import type { Claim } from './idempotency';
import { keyReused } from './idempotency-problems';
import { inFlightOf } from './in-flight';
import { type Outcome, readOutcome, tagBefore, writeOutcome } from './outcome';
import type { PatchSettings } from './patch-settings';

/** One resource to be changed by a request that may have been carried out before. */
export interface CommitOnce<T, P extends Proposal<T>> extends Commit<T, P> {
  readonly claim: Claim;
  readonly fingerprint: string;
  readonly tagOf: PatchSettings<T>['tagOf'];
  /** As in `context`. */
  readonly maxBytes: number;
}

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
export async function commitOnce<T, P extends Proposal<T>>(
  change: CommitOnce<T, P>,
): Promise<Committed<T, P> | Repeated> {
  const { store, key, client, claim, fingerprint, tagOf, maxBytes } = change;
  /** Made before every write. */
  let proposed!: { readonly next: T; readonly status: Outcome['status'] };

  const decide: typeof change.decide = async (current) => {
    assertFirst(current, fingerprint);
    const proposal = await change.decide(current);
    proposed = { next: proposal.next, status: current === undefined ? 201 : 204 };
    return proposal;
  };
  const text = (version: string): string => {
    const tag = tagBefore(tagOf, proposed.next, version);
    return writeOutcome({ fingerprint, status: proposed.status, ...(tag !== undefined && { tag }) });
  };

  const context = client.context({ maxBytes, outcome: { ...claim, text } });
  const run = async (waited: boolean): Promise<Committed<T, P>> => {
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

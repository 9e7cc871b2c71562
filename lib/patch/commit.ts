import { checkedState } from '../stores/contract/check-result';
import type { ReadContext, ResourceStore, Stored } from '../stores/contract/resource-store';
import { backOff } from '../stores/contract/retry';
import { targetNotFound, tooManyRaces } from './problems';
import type { Client } from '../request/client';

/** The change that a request makes to one state. */
export interface Proposal<T> {
  /** Undefined if the request creates the resource. */
  readonly before: Stored<T> | undefined;
}

/** Found instead of a proposal: the request was carried out before, so there is nothing to write. */
export class Replay<T, Outcome> {
  constructor(
    readonly outcome: Outcome,
    /** The state that the outcome was found with. */
    readonly state: Stored<T>,
  ) {}
}

/** One change of a resource. */
export interface Change<T, P extends Proposal<T>, Outcome, Written> {
  readonly store: Pick<ResourceStore<T>, 'get'>;
  readonly key: string;
  /**
   * Checks a state and makes the proposal. Called again for every fresh state.
   *
   * @throws ProblemError to refuse
   */
  readonly decide: (current: Stored<T> | undefined) => Promise<P | Replay<T, Outcome>>;
  readonly read: ReadContext;
  /** Writes if the proposal's state is still the current one; otherwise gives undefined. */
  readonly write: (proposal: P) => Promise<Written | undefined>;
  readonly client: Client;
  /** How often to retry after a lost race. */
  readonly retries: number;
  /** Runs all checks, but does not write. */
  readonly dryRun: boolean;
  /** Returns whether a proposal changes nothing, so that it need not be written. */
  readonly keeps: ((proposal: P) => boolean) | undefined;
}

export interface Committed<P, Written> {
  readonly proposal: P;
  /** Undefined if nothing was written: after a dry run, or if the proposal changes nothing. */
  readonly written: Written | undefined;
  readonly kept: boolean;
}

/**
 * The compare-and-swap loop: decide on the current state, write only if it is still current, otherwise decide again.
 *
 * Within one process the changes of a key are queued (`queueOf`), so they cause no races. Between processes the
 * store's conditional write decides, and the loser starts again from the fresh state, including its preconditions
 * (RFC 5789 2.2): `If-Match: "x"` then fails, while a patch without preconditions is applied to the winner's state.
 *
 * @throws ProblemError what `decide` and `write` throw; 409 `lost-race` when the retries are used up
 */
export async function commit<T, P extends Proposal<T>, Outcome, Written>(
  change: Change<T, P, Outcome, Written>,
): Promise<Committed<P, Written> | Replay<T, Outcome>> {
  const { store, key, read, decide, keeps, write, client, retries, dryRun } = change;
  for (let lost = 0; ; lost++) {
    const proposal = await decide(checkedState('get', await store.get(key, read)));
    if (proposal instanceof Replay) return proposal;
    if (dryRun) return { proposal, written: undefined, kept: false };
    if (keeps?.(proposal) === true) return { proposal, written: undefined, kept: true };
    client.assertAnswerNeeded();
    const written = await write(proposal);
    if (written !== undefined) return { proposal, written, kept: false };
    // Every creation failed, though the resource never existed: the store cannot hold this key.
    if (lost === retries) throw proposal.before === undefined ? targetNotFound() : tooManyRaces();
    await backOff(lost);
  }
}

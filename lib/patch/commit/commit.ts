import { ProblemError } from '../../http/problem';
import { checkedState } from '../../stores/contract/check-result';
import type { ReadContext, ResourceStore, Stored } from '../../stores/contract/resource-store';
import { backOff } from '../../stores/contract/retry';
import { targetNotFound, tooManyRaces } from '../problems';
import type { Client } from '../../request/client';

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
  /** For the first read, whose state can be stale: nothing is refused because of it alone. */
  readonly firstRead: ReadContext;
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
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export async function commit<T, P extends Proposal<T>, Outcome, Written>(
  change: Change<T, P, Outcome, Written>,
): Promise<Committed<P, Written> | Replay<T, Outcome>> {
  const { client, retries, dryRun } = change;
  // No write would confirm a dry run's decision on a stale state.
  let decision = dryRun ? await decideOnFresh(change) : await decideFirst(change);
  // A write that fails on a stale state does not count as a lost race.
  for (let lost = -1; ; lost++) {
    if (decision instanceof Replay) return decision;
    if (dryRun) return { proposal: decision, written: undefined, kept: false };
    if (change.keeps?.(decision) === true) {
      if (lost >= 0) return { proposal: decision, written: undefined, kept: true };
      // No write would confirm this either, so it is decided again on the current state.
      decision = await decideOnFresh(change);
      continue;
    }
    client.assertAnswerNeeded();
    try {
      const written = await change.write(decision);
      if (written !== undefined) return { proposal: decision, written, kept: false };
    } catch (error) {
      // A result that is too large (413) on a stale state can be smaller on the current one.
      if (lost >= 0 || !(error instanceof ProblemError)) throw error;
    }
    // Every creation failed, though the resource never existed: the store cannot hold this key.
    if (lost === retries) throw decision.before === undefined ? targetNotFound() : tooManyRaces();
    if (lost > 0) await backOff(lost - 1);
    decision = await decideOnFresh(change);
  }
}

type Reading<T, P extends Proposal<T>, Outcome> = Omit<Change<T, P, Outcome, unknown>, 'write' | 'keeps'>;
type Decision<T, P, Outcome> = Promise<P | Replay<T, Outcome>>;

async function decideOnFresh<T, P extends Proposal<T>, O>({
  store,
  key,
  read,
  decide,
}: Reading<T, P, O>): Decision<T, P, O> {
  return decide(checkedState('get', await store.get(key, read)));
}

/** A refusal or error stands only if the state is still current. */
async function decideFirst<T, P extends Proposal<T>, O>({
  store,
  key,
  client,
  firstRead,
  read,
  decide,
}: Reading<T, P, O>): Decision<T, P, O> {
  const first = checkedState('get', await store.get(key, firstRead));
  try {
    return await decide(first);
  } catch (failure) {
    if (client.isGone) throw failure;
    const current = checkedState('get', await store.get(key, read));
    // A cached state has no outcome; if the fresh one has, that decides.
    if (current?.version === first?.version && current?.outcome === first?.outcome) throw failure;
    return decide(current);
  }
}

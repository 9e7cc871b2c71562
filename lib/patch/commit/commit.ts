import { ProblemError } from '../../http/problem';
import type { ReadContext, ResourceStore, Stored } from '../../stores/contract/resource-store';
import { backOff } from '../../stores/contract/retry';
import { targetNotFound, tooManyRaces } from '../problems';
import type { Client } from '../../request/client';

/** What a request would make of one state; extended by what it would write. */
export interface Proposal<T> {
  /** Undefined where the request creates the resource. */
  readonly before: Stored<T> | undefined;
}

/** Found in place of a proposal: there is nothing to write, for it was written before. */
export class Replay<T, Outcome> {
  constructor(
    readonly outcome: Outcome,
    /** In which it was found. */
    readonly state: Stored<T>,
  ) {}
}

/** One resource to be changed. */
export interface Change<T, P extends Proposal<T>, Outcome, Written> {
  readonly store: Pick<ResourceStore<T>, 'get'>;
  readonly key: string;
  /**
   * Checks a state and makes the proposal; called again for every fresh state.
   *
   * @throws ProblemError to refuse
   */
  readonly decide: (current: Stored<T> | undefined) => Promise<P | Replay<T, Outcome>>;
  /** For the first read, whose state may be a stale one: nothing is refused for that alone. */
  readonly firstRead: ReadContext;
  readonly read: ReadContext;
  /** Writes while the state is still the one the proposal was made of, else gives undefined. */
  readonly write: (proposal: P) => Promise<Written | undefined>;
  readonly client: Client;
  /** How many lost races are run again. */
  readonly retries: number;
  /** Does all but the write. */
  readonly dryRun: boolean;
  /** Whether a proposal that is made of the present state need not be written, since it changes nothing. */
  readonly keeps: ((proposal: P) => boolean) | undefined;
}

export interface Committed<P, Written> {
  readonly proposal: P;
  /** Undefined where nothing was: after a dry run, and where the proposal changes nothing. */
  readonly written: Written | undefined;
  readonly kept: boolean;
}

/**
 * The compare-and-swap loop: decide on what is there, write only while it is still there, else decide afresh.
 *
 * Inside one process the changes of a key come in turn (`queueOf`), so that they cost no races. Between processes the
 * store's conditional write decides, and whoever loses starts again from the fresh state, its preconditions included
 * (RFC 5789 2.2): `If-Match: "x"` can then no longer hold, while a patch without preconditions is applied to what the
 * winner wrote.
 *
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export async function commit<T, P extends Proposal<T>, Outcome, Written>(
  change: Change<T, P, Outcome, Written>,
): Promise<Committed<P, Written> | Replay<T, Outcome>> {
  const { client, retries, dryRun } = change;
  // Nothing would confirm what a dry run decides on a stale state.
  let decision = dryRun ? await decideAfresh(change) : await decideFirst(change);
  // What is lost on a stale state is no race yet.
  for (let lost = -1; ; lost++) {
    if (decision instanceof Replay) return decision;
    if (dryRun) return { proposal: decision, written: undefined, kept: false };
    if (change.keeps?.(decision) === true) {
      if (lost >= 0) return { proposal: decision, written: undefined, kept: true };
      // Nothing would confirm this either: it is decided once more, on the present state.
      decision = await decideAfresh(change);
      continue;
    }
    client.assertAwaited();
    try {
      const written = await change.write(decision);
      if (written !== undefined) return { proposal: decision, written, kept: false };
    } catch (error) {
      // What is too large (413), made of a stale state, may be smaller when it is made of the present one.
      if (lost >= 0 || !(error instanceof ProblemError)) throw error;
    }
    // Never once held, though it never was there: a key that this store cannot hold.
    if (lost === retries) throw decision.before === undefined ? targetNotFound() : tooManyRaces();
    if (lost > 0) await backOff(lost - 1);
    decision = await decideAfresh(change);
  }
}

type Reading<T, P extends Proposal<T>, Outcome> = Omit<Change<T, P, Outcome, unknown>, 'write' | 'keeps'>;
type Decision<T, P, Outcome> = Promise<P | Replay<T, Outcome>>;

async function decideAfresh<T, P extends Proposal<T>, O>({
  store,
  key,
  read,
  decide,
}: Reading<T, P, O>): Decision<T, P, O> {
  return decide(await store.get(key, read));
}

/** Nothing fails because of a state that is gone: a refusal, or a fault, stands only if the state is still the same. */
async function decideFirst<T, P extends Proposal<T>, O>({
  store,
  key,
  client,
  firstRead,
  read,
  decide,
}: Reading<T, P, O>): Decision<T, P, O> {
  const first = await store.get(key, firstRead);
  try {
    return await decide(first);
  } catch (failure) {
    if (client.hasGone) throw failure;
    const current = await store.get(key, read);
    // A state that was remembered knows of no outcome, and where there is one, that is what stands.
    if (current?.version === first?.version && current?.outcome === first?.outcome) throw failure;
    return decide(current);
  }
}

import { ProblemError } from '../../http/problem';
import type { ReadContext, ResourceStore, Stored, WriteContext } from '../../stores/contract/resource-store';
import { backOff } from '../../stores/contract/retry';
import { targetNotFound, tooManyRaces } from '../problems';
import type { Client } from '../request/client';

/** What a patch would make of one state, and whatever else was prepared while that could still fail. */
export interface Proposal<T> {
  /** Undefined where the patch creates the resource. */
  readonly before: Stored<T> | undefined;
  readonly next: T;
  /** Of the answer; undefined where it has none. */
  readonly content: string | undefined;
}

/** Found in place of a proposal: there is nothing to write, for it was written before. */
export class Replay<Outcome> {
  constructor(readonly outcome: Outcome) {}
}

/** One resource to be changed. */
export interface Change<T, Outcome = never> {
  readonly store: ResourceStore<T>;
  readonly key: string;
  /** What was read before the change came to its turn; it may be stale by now. */
  readonly early: Stored<T> | undefined;
  /**
   * Checks the preconditions against the current state and makes the proposal; called again for every fresh state.
   *
   * @throws ProblemError to refuse
   */
  readonly decide: (current: Stored<T> | undefined) => Promise<Proposal<T> | Replay<Outcome>>;
  readonly context: WriteContext;
  /** For the read after waiting for a turn: it may be stale, too. */
  readonly earlyContext: ReadContext;
  readonly client: Client;
  /** How many lost races are run again. */
  readonly retries: number;
  /** Does all but the write. */
  readonly dryRun: boolean;
}

export interface Committed<T> {
  readonly proposal: Proposal<T>;
  /** Undefined after a dry run. */
  readonly after: Stored<T> | undefined;
}

/**
 * The compare-and-swap loop: decide on what is there, write only while it is still there, else decide afresh.
 *
 * Inside one process the changes of a key come in turn (`queueOf`), so that they cost no races. Between processes the
 * store's conditional write decides, and whoever loses starts again from the fresh state, its preconditions included
 * (RFC 5789 2.2): `If-Match: "x"` can then no longer hold, while a patch without preconditions is applied to what the
 * winner wrote.
 *
 * @param waited - whether there was a turn to wait for, so that `early` is read again
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export async function commit<T, Outcome>(
  change: Change<T, Outcome>,
  waited: boolean,
): Promise<Committed<T> | Replay<Outcome>> {
  const { store, key, client, context, retries, dryRun } = change;
  // Nothing would confirm what a dry run decides on an early state.
  let decision = dryRun ? await decideAfresh(change) : await decideEarly(change, waited);
  // The early state may be a stale one: what is lost on it is no race yet.
  for (let lost = -1; ; lost++) {
    if (decision instanceof Replay) return decision;
    if (dryRun) return { proposal: decision, after: undefined };
    const { before, next } = decision;
    client.assertAwaited();
    try {
      const after = await store.replace(key, before?.version ?? null, next, context);
      if (after !== undefined) return { proposal: decision, after };
    } catch (error) {
      // What is too large (413), made of an early state, may be smaller when it is made of the present one.
      if (lost >= 0 || !(error instanceof ProblemError)) throw error;
    }
    // Never once held, though it never was there: a key that this store cannot hold.
    if (lost === retries) throw before === undefined ? targetNotFound() : tooManyRaces();
    if (lost > 0) await backOff(lost - 1);
    decision = await decideAfresh(change);
  }
}

type Decision<T, Outcome> = Promise<Proposal<T> | Replay<Outcome>>;

async function decideAfresh<T, O>({ store, key, context, decide }: Change<T, O>): Decision<T, O> {
  return decide(await store.get(key, context));
}

/** Nothing fails because of a state that is gone: a refusal, or a fault, stands only if the state is still the same. */
async function decideEarly<T, O>(change: Change<T, O>, waited: boolean): Decision<T, O> {
  const { store, key, client, context, decide } = change;
  const early = waited ? await store.get(key, change.earlyContext) : change.early;
  try {
    return await decide(early);
  } catch (failure) {
    if (client.hasGone) throw failure;
    const current = await store.get(key, context);
    // A state that was remembered knows of no outcome, and where there is one, that is what stands.
    if (current?.version === early?.version && current?.outcome === early?.outcome) throw failure;
    return decide(current);
  }
}

import { ProblemError } from '../../http/problem';
import type { ReadContext, ResourceStore, Stored, WriteContext } from '../../stores/contract/resource-store';
import { backOff } from '../../stores/contract/retry';
import { targetNotFound, tooManyRaces } from '../problems';
import type { Client } from '../request/client';

/** What a patch would make of one state. */
export interface Proposal<T> {
  /** Undefined where the patch creates the resource. */
  readonly before: Stored<T> | undefined;
  readonly next: T;
}

/** Found in place of a proposal: there is nothing to write, for it was written before. */
export class Replay<Outcome> {
  constructor(readonly outcome: Outcome) {}
}

/**
 * Checks a state and makes the proposal; called again for every fresh state.
 *
 * @throws ProblemError to refuse
 */
export type Decide<T, Outcome> = (current: Stored<T> | undefined) => Promise<Proposal<T> | Replay<Outcome>>;

/** One resource to be changed. */
export interface Change<T, Outcome> {
  readonly store: ResourceStore<T>;
  readonly key: string;
  readonly decide: Decide<T, Outcome>;
  /** For the first read, whose state may be a stale one: nothing is refused for that alone. */
  readonly firstRead: ReadContext;
  readonly read: ReadContext;
  readonly write: (proposal: Proposal<T>) => WriteContext;
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
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export async function commit<T, Outcome>(
  change: Change<T, Outcome>,
): Promise<Committed<T> | Replay<Outcome>> {
  const { store, key, client, retries, dryRun } = change;
  // Nothing would confirm what a dry run decides on a stale state.
  let decision = dryRun ? await decideAfresh(change) : await decideFirst(change);
  // What is lost on a stale state is no race yet.
  for (let lost = -1; ; lost++) {
    if (decision instanceof Replay) return decision;
    if (dryRun) return { proposal: decision, after: undefined };
    const { before, next } = decision;
    client.assertAwaited();
    try {
      const context = change.write(decision);
      const after = await store.replace(key, before?.version ?? null, next, context);
      if (after !== undefined) return { proposal: decision, after };
    } catch (error) {
      // What is too large (413), made of a stale state, may be smaller when it is made of the present one.
      if (lost >= 0 || !(error instanceof ProblemError)) throw error;
    }
    // Never once held, though it never was there: a key that this store cannot hold.
    if (lost === retries) throw before === undefined ? targetNotFound() : tooManyRaces();
    if (lost > 0) await backOff(lost - 1);
    decision = await decideAfresh(change);
  }
}

type Decision<T, Outcome> = Promise<Proposal<T> | Replay<Outcome>>;

async function decideAfresh<T, O>({ store, key, read, decide }: Change<T, O>): Decision<T, O> {
  return decide(await store.get(key, read));
}

/** Nothing fails because of a state that is gone: a refusal, or a fault, stands only if the state is still the same. */
async function decideFirst<T, O>({
  store,
  key,
  client,
  firstRead,
  read,
  decide,
}: Change<T, O>): Decision<T, O> {
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

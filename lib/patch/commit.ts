import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../http/problem';
import type { ResourceStore, StoreContext, Stored } from '../stores/resource-store';
import { KeyQueue } from './key-queue';
import { targetNotFound, tooManyRaces } from './patch-problems';

/** What a patch would make of the current value, and whatever else was prepared while that could still fail. */
export interface Proposal<T> {
  readonly next: T;
}

/** One resource to be changed. */
export interface Commit<T, P extends Proposal<T>> {
  readonly store: ResourceStore<T>;
  readonly key: string;
  /** What was read before the queue was entered; it may be stale by now. */
  readonly early: Stored<T> | undefined;
  /**
   * Judges the preconditions against the current state and makes the proposal; called again for every fresh state.
   *
   * @throws ProblemError to refuse
   */
  readonly decide: (current: Stored<T> | undefined) => Promise<P>;
  readonly context: StoreContext & { readonly signal: AbortSignal };
  /** The last look before the write: throws where nobody awaits the answer any more. */
  readonly assertAwaited: () => void;
  /** How many lost races are run again. */
  readonly retries: number;
  /** Does all but the write. */
  readonly dryRun: boolean;
}

export interface Committed<T, P> {
  readonly before: Stored<T> | undefined;
  /** Undefined after a dry run. */
  readonly after: Stored<T> | undefined;
  readonly proposal: P;
}

/** One queue a store, so that two handlers over one store stand in the same line. */
const queues = new WeakMap<object, KeyQueue>();

/**
 * The compare-and-swap loop: decide on what is there, write only while it is still there, else decide afresh.
 *
 * Inside one process the changes of a key queue, so that they cost no races. Between processes the store's conditional
 * write decides, and whoever loses starts again from the fresh state, its preconditions included (RFC 5789 2.2):
 * `If-Match: "x"` can then no longer hold, while a patch without preconditions is applied to what the winner wrote.
 *
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export async function commit<T, P extends Proposal<T>>(change: Commit<T, P>): Promise<Committed<T, P>> {
  const { store, key, context, retries } = change;
  const decideAndWrite = async (waited: boolean): Promise<Committed<T, P>> => {
    let state = waited ? await decideAfresh(change) : await decideOnEarly(change);
    for (let lost = 0; ; lost++) {
      if (change.dryRun) return { ...state, after: undefined };
      change.assertAwaited();
      const after = await store.replace(key, state.before?.version ?? null, state.proposal.next, context);
      if (after !== undefined) return { ...state, after };
      // Never once held, though it never was there: a key that this store cannot hold.
      if (lost === retries) throw state.before === undefined ? targetNotFound() : tooManyRaces();
      await backOff(lost);
      state = await decideAfresh(change);
    }
  };
  return queueOf(store).run(key, decideAndWrite, context.signal);
}

interface Decided<T, P> {
  readonly before: Stored<T> | undefined;
  readonly proposal: P;
}

async function decideAfresh<T, P extends Proposal<T>>(change: Commit<T, P>): Promise<Decided<T, P>> {
  const before = await change.store.get(change.key, change.context);
  return { before, proposal: await change.decide(before) };
}

/** Nothing is refused because of a state that is gone: a refusal is given only if the state is still the same. */
async function decideOnEarly<T, P extends Proposal<T>>(change: Commit<T, P>): Promise<Decided<T, P>> {
  const { store, key, context, early, decide } = change;
  try {
    return { before: early, proposal: await decide(early) };
  } catch (refusal) {
    if (!(refusal instanceof ProblemError)) throw refusal;
    const before = await store.get(key, context);
    if (before?.version === early?.version) throw refusal;
    return { before, proposal: await decide(before) };
  }
}

function queueOf(store: object): KeyQueue {
  let queue = queues.get(store);
  if (queue === undefined) queues.set(store, (queue = new KeyQueue()));
  return queue;
}

/** The first time at once, then up to 1, 2, 4 … 64 ms, at random, so that two who met do not meet again. */
async function backOff(lost: number): Promise<void> {
  if (lost > 0) await delay(Math.random() * 2 ** Math.min(lost - 1, 6));
}

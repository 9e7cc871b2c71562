import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../../http/problem';
import type { ReadContext, ResourceStore, Stored, WriteContext } from '../../stores/contract/resource-store';
import type { Client } from '../request/client';
import { KeyQueue } from './key-queue';
import { onePerStore } from './per-store';
import { targetNotFound, tooManyRaces } from '../problems';

/** What a patch would make of one state, and whatever else was prepared while that could still fail. */
export interface Proposal<T> {
  /** Undefined where the patch creates the resource. */
  readonly before: Stored<T> | undefined;
  readonly next: T;
  /** Of the answer; undefined where it has none. */
  readonly content: string | undefined;
}

/** One resource to be changed. */
export interface Commit<T> {
  readonly store: ResourceStore<T>;
  readonly key: string;
  /** What was read or remembered before the queue was entered; it may be stale by now. */
  readonly early: Stored<T> | undefined;
  /**
   * Judges the preconditions against the current state and makes the proposal; called again for every fresh state.
   *
   * @throws ProblemError to refuse
   */
  readonly decide: (current: Stored<T> | undefined) => Promise<Proposal<T>>;
  readonly context: WriteContext;
  /** The same, with `mayBeStale`. */
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

const queueOf = onePerStore(() => new KeyQueue());

/**
 * The compare-and-swap loop: decide on what is there, write only while it is still there, else decide afresh.
 *
 * Inside one process the changes of a key queue, so that they cost no races. Between processes the store's conditional
 * write decides, and whoever loses starts again from the fresh state, its preconditions included (RFC 5789 2.2):
 * `If-Match: "x"` can then no longer hold, while a patch without preconditions is applied to what the winner wrote.
 *
 * @throws ProblemError what `decide` throws on a fresh state; 409 `lost-race` when the retries are used up
 */
export function commit<T>(change: Commit<T>): Promise<Committed<T>> {
  return queueOf(change.store).run(
    change.key,
    (waited) => (change.dryRun ? decideOnly(change) : decideAndWrite(change, waited)),
    change.client,
  );
}

/** Nothing would confirm what a dry run decides on an early state. */
async function decideOnly<T>(change: Commit<T>): Promise<Committed<T>> {
  return { proposal: await decideAfresh(change), after: undefined };
}

async function decideAndWrite<T>(change: Commit<T>, waited: boolean): Promise<Committed<T>> {
  const { store, key, client, context, retries } = change;
  const early = waited ? await store.get(key, change.earlyContext) : change.early;
  let proposal = await decideEarly(change, early);
  // The early state may be a stale one: what is lost on it is no race yet.
  for (let lost = -1; ; lost++) {
    const { before, next } = proposal;
    client.assertAwaited();
    try {
      const after = await store.replace(key, before?.version ?? null, next, context);
      if (after !== undefined) return { proposal, after };
    } catch (error) {
      // What is too large (413), made of an early state, may be smaller when it is made of the present one.
      if (lost >= 0 || !(error instanceof ProblemError)) throw error;
    }
    // Never once held, though it never was there: a key that this store cannot hold.
    if (lost === retries) throw before === undefined ? targetNotFound() : tooManyRaces();
    await backOff(lost);
    proposal = await decideAfresh(change);
  }
}

async function decideAfresh<T>({ store, key, context, decide }: Commit<T>): Promise<Proposal<T>> {
  return decide(await store.get(key, context));
}

/** Nothing fails because of a state that is gone: a refusal, or a fault, stands only if the state is still the same. */
async function decideEarly<T>(
  { store, key, client, context, decide }: Commit<T>,
  early: Stored<T> | undefined,
): Promise<Proposal<T>> {
  try {
    return await decide(early);
  } catch (failure) {
    if (client.hasGone) throw failure;
    const before = await store.get(key, context);
    // A state that was remembered knows of no outcome, and where there is one, that is what stands.
    if (before?.version === early?.version && before?.outcome === early?.outcome) throw failure;
    return decide(before);
  }
}

/** The first time at once, then up to 1, 2, 4 … 64 ms, at random, so that two who met do not meet again. */
async function backOff(lost: number): Promise<void> {
  if (lost > 0) await delay(Math.random() * 2 ** Math.min(lost - 1, 6));
}

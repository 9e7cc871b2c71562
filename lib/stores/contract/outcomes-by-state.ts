import { OutcomeList } from './outcome-list';
import type { OutcomeStore } from './outcome-store';
import type { PendingOutcome, VersionedState, WriteContext } from './resource-store';

/**
 * The outcomes of the resources of a store that has them as a text beside the value. What was read with a
 * state is remembered until the write on that state, so that a write needs no read of its own.
 */
export class OutcomesByState {
  readonly #lists = new WeakMap<object, OutcomeList>();

  /** @param place - where the store has the text, for errors, such as `the column outcomes` */
  constructor(private readonly place: string) {}

  /** Adds the outcome with this id to the state that was read with the text. */
  addOutcome<T>(state: VersionedState<T>, text: string | undefined, id: string): VersionedState<T> {
    const list = OutcomeList.parse(this.place, text);
    this.#lists.set(state, list);
    const outcome = list.find(id);
    return outcome === undefined ? state : Object.assign(state, { outcome });
  }

  /**
   * The text that a write stores: the outcomes at `expected`, and that of the request.
   *
   * @returns undefined if nothing must be written: the version is another, or the request has its outcome
   * @throws ProblemError 503 if there is no room
   */
  async nextText(
    store: OutcomeStore,
    { key, expected, version }: { key: string; expected: string | null; version: string },
    outcome: PendingOutcome,
    context: WriteContext,
  ): Promise<string | undefined> {
    const list = expected === null ? OutcomeList.empty : await this.#readList(store, key, expected, context);
    return list?.with(outcome, version)?.toString();
  }

  async #readList(
    store: OutcomeStore,
    key: string,
    expected: string,
    context: WriteContext,
  ): Promise<OutcomeList | undefined> {
    const { current } = context;
    if (current?.version === expected && this.#lists.has(current)) return this.#lists.get(current);
    const state = await store.get(key, context);
    return state?.version === expected ? this.#lists.get(state) : undefined;
  }
}

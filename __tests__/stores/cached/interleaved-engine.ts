import type { Scheduler } from 'fast-check';
import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import type { ReadContext, Stored, WriteContext } from '../../../lib/stores/contract/resource-store';
import { RightOutcomes } from '../../testing/wrong-outcome-stores';

type State = Stored<unknown> | undefined;

/** What goes wrong with a call: it does not reach the engine, or its answer does not come back. */
export type Fault = 'none' | 'request lost' | 'answer lost';

/** An engine behind a network: the scheduler says when each call arrives, and when its answer does. Every state is kept. */
export class InterleavedEngine extends RightOutcomes {
  readonly #states = new Map<string, readonly State[]>();

  constructor(
    private readonly scheduler: Scheduler,
    private readonly faults: Iterator<Fault>,
  ) {
    super(new MemoryStore());
  }

  /** Every state that the key has had, in order; the first is that it is absent. */
  statesOf(key: string): readonly State[] {
    return this.#states.get(key) ?? [undefined];
  }

  override get(key: string, { outcome }: ReadContext = {}) {
    return this.#call('get', key, () => super.get(key, { ...(outcome && { outcome }) }));
  }

  override replace(key: string, expected: string | null, next: unknown, { outcome }: WriteContext = {}) {
    const context = { ...(outcome && { outcome }) };
    return this.#call('replace', key, () => super.replace(key, expected, next, context));
  }

  override delete(key: string) {
    return this.#call('delete', key, () => super.delete(key));
  }

  async #call<R>(name: string, key: string, act: () => Promise<R>): Promise<R> {
    const fault: Fault = this.faults.next().value ?? 'none';
    await this.scheduler.schedule(Promise.resolve(), `${name} ${key} arrives`);
    if (fault === 'request lost') throw new Error('The request was lost');
    const acting = act();
    this.#note(key);
    const result = await acting;
    await this.scheduler.schedule(Promise.resolve(), `${name} ${key} is answered`);
    if (fault === 'answer lost') throw new Error('The answer was lost');
    return result;
  }

  /** Called as soon as MemoryStore has done its work, before anything else can happen. */
  #note(key: string): void {
    const states = this.statesOf(key);
    const state = new Map(this.engine.entries()).get(key);
    if (state?.version !== states.at(-1)?.version) this.#states.set(key, [...states, state]);
  }
}

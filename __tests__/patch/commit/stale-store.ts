import { MemoryStore } from '../../../lib/stores/memory/memory-store';
import type { StoreContext, Stored } from '../../../lib/stores/contract/resource-store';

/** Answers whoever can bear it with a state that is not the present one. */
export class StaleStore extends MemoryStore {
  readonly calls: string[] = [];

  /** @param stale - what is answered; undefined: that there is nothing */
  constructor(private readonly stale?: Stored<unknown>) {
    super();
  }

  override get(key: string, context: StoreContext = {}) {
    this.calls.push(context.mayBeStale === true ? 'stale get' : 'get');
    return context.mayBeStale === true ? Promise.resolve(this.stale) : super.get(key, context);
  }

  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    this.calls.push('replace');
    return super.replace(key, expected, next, context);
  }
}

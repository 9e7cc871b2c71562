import {
  type DeleteContext,
  type FoundState,
  noContext,
  type ReadContext,
  type Stored,
  throwIfAborted,
  type WriteContext,
} from '../../lib/stores/contract/resource-store';
import { OutcomeList, type OutcomeStore } from '../../lib/stores/contract/outcome-store';
import { isStorableKey } from '../../lib/stores/contract/key';

interface Entry {
  readonly text: string;
  readonly outcomes: OutcomeList;
}

/** What the instances over one engine share. */
export type ContentEngine = Map<string, Entry>;

/**
 * A store whose states are their content: without versions, each write on the condition that the state is still
 * the one that is handed back. Of a lost race, it returns the state that it has found.
 */
export class ContentStore<T = unknown> implements OutcomeStore<T> {
  readonly versions = false;
  readonly keepsOutcomes = true;
  /** What a write calls before it compares: other requests come first. */
  meanwhile: () => Promise<unknown> | undefined = () => undefined;

  constructor(protected readonly engine: ContentEngine = new Map()) {}

  get(key: string, context: ReadContext = noContext): Promise<Stored<T> | undefined> {
    throwIfAborted(context);
    return Promise.resolve(this.read(key, context.outcome?.id));
  }

  async replace(
    key: string,
    expected: string | null,
    next: T,
    context: WriteContext = noContext,
  ): Promise<Stored<T> | FoundState<T> | undefined> {
    throwIfAborted(context);
    const text = JSON.stringify(next);
    await this.meanwhile();
    if (!isStorableKey(key) || isUnknown(expected, context)) return undefined;
    const { outcome } = context;
    const entry = this.engine.get(key);
    if (!this.isAt(entry, expected === null ? undefined : context.current))
      return { current: this.read(key, outcome?.id) };
    const before = entry?.outcomes ?? OutcomeList.empty;
    const outcomes = outcome === undefined ? before : before.with(outcome);
    if (outcomes === undefined) return { current: this.read(key, outcome?.id) };
    this.engine.set(key, { text, outcomes });
    return this.read(key);
  }

  async delete(
    key: string,
    expected?: string,
    context: DeleteContext = noContext,
  ): Promise<boolean | FoundState<T>> {
    throwIfAborted(context);
    await this.meanwhile();
    if (expected === undefined) return this.engine.delete(key);
    if (isUnknown(expected, context)) return false;
    if (!this.isAt(this.engine.get(key), context.current)) return { current: this.read(key) };
    return this.engine.delete(key);
  }

  /** The handle is what was read, so that a value which the app has changed is no other condition. */
  protected isAt(entry: Entry | undefined, state: Stored<unknown> | undefined): boolean {
    return entry?.text === state?.handle;
  }

  protected read(key: string, outcomeId?: string): Stored<T> | undefined {
    const entry = this.engine.get(key);
    if (entry === undefined) return undefined;
    const outcome = outcomeId === undefined ? undefined : entry.outcomes.find(outcomeId);
    const value = JSON.parse(entry.text) as T;
    return { value, handle: entry.text, ...(outcome !== undefined && { outcome }) };
  }
}

/** Whether there is a condition, and nothing says which: a version, or no state that is handed back. */
function isUnknown(expected: string | null, { current }: DeleteContext): boolean {
  return expected !== null && (expected !== '' || current === undefined);
}

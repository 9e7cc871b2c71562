import { MemoryStore } from '../../lib/stores/memory/memory-store';
import type { StoreContext, VersionedState } from '../../lib/stores/contract/resource-store';
import { Right } from '../testing/wrong-stores';

/** Counts what the engine is asked, and lets an answer be on its way for as long as a test likes. */
export class HeldStore extends Right {
  readonly keepsOutcomes = true;
  readonly #calls: string[] = [];
  readonly #holds: Promise<unknown>[] = [];

  constructor(engine = new MemoryStore()) {
    super(engine);
  }

  /** What the engine was asked since this was last called. */
  calls(): string[] {
    return this.#calls.splice(0);
  }

  /**
   * The next call is carried out at once, and its answer comes when the returned function is called; with an error, that
   * comes in its place.
   */
  hold(): (error?: Error) => void {
    let release: (error?: Error) => void = () => undefined;
    this.#holds.push(
      new Promise((resolve, reject) => {
        release = (error) => {
          if (error === undefined) resolve(undefined);
          else reject(error);
        };
      }),
    );
    return release;
  }

  override get(key: string, context?: StoreContext): Promise<VersionedState<unknown> | undefined> {
    return this.#carryOut('get', super.get(key, context));
  }

  override replace(key: string, expected: string | null, next: unknown, context?: StoreContext) {
    return this.#carryOut('replace', super.replace(key, expected, next, context));
  }

  override delete(key: string, expected?: string): Promise<boolean> {
    return this.#carryOut('delete', super.delete(key, expected));
  }

  async #carryOut<R>(name: string, call: Promise<R>): Promise<R> {
    this.#calls.push(name);
    const hold = this.#holds.shift();
    const result = await call;
    await hold;
    return result;
  }
}

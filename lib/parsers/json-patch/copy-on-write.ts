import { childOf } from '../json/pointer';
import { childrenOf, isArray, isContainer, type JsonContainer } from '../json/value';

/**
 * A JSON value that is written to by copying: the containers on the way to a change are copied, each at most
 * once, and all others stay shared with the value that came in, which is never written to.
 */
export class CopyOnWrite {
  /** The copies made so far, each with what it is a copy of. They hang below one another, up to the root. */
  readonly #made = new Map<JsonContainer, JsonContainer>();
  /** Those among them that hang in a second place too, and so are not to be written to any more. */
  #shared: Set<JsonContainer> | undefined;

  /**
   * @param remembers - whether the copies are remembered; where there is one change only, none is met again, and
   * remembering them would be a fifth of its cost
   */
  constructor(
    public root: unknown,
    private readonly remembers: boolean,
  ) {}

  /**
   * The container that holds, or is to hold, what the tokens lead to, to be written to; undefined where there is
   * none.
   */
  containerOf(tokens: readonly string[]): JsonContainer | undefined {
    if (!isContainer(this.root)) return undefined;
    let container = (this.root = this.#writable(this.root));
    for (const token of tokens.slice(0, -1)) {
      const child = childOf(container, token);
      if (!isContainer(child)) return undefined;
      const writable = this.#writable(child);
      if (writable !== child) replaceChild(container, token, writable);
      container = writable;
    }
    return container;
  }

  /** Prepares a value for hanging in a second place: it is copied before it is written to in either. */
  share(value: unknown): void {
    if (!isContainer(value) || !this.#isOwn(value)) return;
    (this.#shared ??= new Set()).add(value);
    for (const child of childrenOf(value)) this.share(child);
  }

  /** What the container is a copy of, where it was made here. */
  originalOf(container: JsonContainer): JsonContainer | undefined {
    return this.#made.get(container);
  }

  #writable(container: JsonContainer): JsonContainer {
    if (this.#isOwn(container)) return container;
    // Not slice(), which V8 has no fast path for where the array is frozen, as MemoryStore's are.
    const copy = isArray(container) ? [...container] : { ...container };
    if (this.remembers) this.#made.set(copy, container);
    return copy;
  }

  #isOwn(container: JsonContainer): boolean {
    return this.#made.has(container) && this.#shared?.has(container) !== true;
  }
}

/** Puts another value where there is one already: an own member, so that no setter is run. */
export function replaceChild(container: JsonContainer, token: string, value: unknown): void {
  if (isArray(container)) container[Number(token)] = value;
  else container[token] = value;
}

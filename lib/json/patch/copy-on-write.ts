import { readChild } from '../pointer';
import { childValues, copyObject, isArray, isContainer, type JsonContainer } from '../value';

/** Edited copies of containers, each with the container that it was copied from. */
export type Originals = Map<object, object>;

/**
 * A JSON value that is modified by copying. The containers on the path to a change are copied, each at most
 * once; all others stay shared with the original value, which is never modified.
 */
export class CopyOnWrite {
  /** The copies that are now referenced twice, so that they must not be modified any more. */
  #shared: Set<JsonContainer> | undefined;

  /**
   * @param originals - empty; receives the copies, each with its original. They form one tree from the root.
   *   Pass undefined for a single change: none of the copies is visited again, and recording them would be a
   *   fifth of the cost
   */
  constructor(
    public root: unknown,
    private readonly originals: Originals | undefined,
  ) {}

  /** The container of the value at these tokens, ready to be modified; undefined if there is none. */
  copyContainer(tokens: readonly string[]): JsonContainer | undefined {
    if (!isContainer(this.root)) return undefined;
    let container = (this.root = this.#writable(this.root));
    for (const token of tokens.slice(0, -1)) {
      const child = readChild(container, token);
      if (!isContainer(child)) return undefined;
      const writable = this.#writable(child);
      if (writable !== child) replaceChild(container, token, writable);
      container = writable;
    }
    return container;
  }

  /** Prepares a value for a second reference: it is copied before either one is modified. */
  share(value: unknown): void {
    if (!isContainer(value) || !this.#isOwn(value)) return;
    (this.#shared ??= new Set()).add(value);
    for (const child of childValues(value)) this.share(child);
  }

  /** The container that this one is a copy of; undefined if it is not a copy. */
  findOriginal(container: object): object | undefined {
    return this.originals?.get(container);
  }

  #writable(container: JsonContainer): JsonContainer {
    if (this.#isOwn(container)) return container;
    // Not slice(): V8 has no fast path for it on frozen arrays such as MemoryStore's.
    const copy = isArray(container) ? [...container] : copyObject(container);
    this.originals?.set(copy, container);
    return copy;
  }

  #isOwn(container: JsonContainer): boolean {
    return this.originals?.has(container) === true && this.#shared?.has(container) !== true;
  }
}

/** Replaces an existing own member, so no setter is called. */
export function replaceChild(container: JsonContainer, token: string, value: unknown): void {
  if (isArray(container)) container[Number(token)] = value;
  else container[token] = value;
}

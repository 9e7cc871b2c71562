import type { Layer } from './layers';

/**
 * Milliseconds for which what was read of a stack is trusted, where its length and its last layer are still the same.
 * After them it is compared, or searched, as a whole: to do that on every request would cost more than the lookup itself.
 */
export const recheckAfter = 500;

/** A stack as it was read. Layers added or removed since are seen by its length and its last layer. */
export class StackSnapshot {
  readonly #length: number;
  readonly #last: Layer | undefined;

  constructor(readonly stack: readonly Layer[]) {
    this.#length = stack.length;
    this.#last = stack.at(-1);
  }

  isCurrent(): boolean {
    return this.stack.length === this.#length && this.stack[this.#length - 1] === this.#last;
  }
}

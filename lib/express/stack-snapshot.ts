import type { Layer } from './layers';

/**
 * Milliseconds for which what was read of a stack is trusted while its length and its last layer are the
 * same. After that, the whole stack is compared or searched again: on every request, that would cost more
 * than the lookup itself.
 */
export const recheckAfter = 500;

/** A stack as it was read. Its length and its last layer show whether layers were added or removed since. */
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

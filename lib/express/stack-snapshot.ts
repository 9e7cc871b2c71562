import type { Layer } from './layers';

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

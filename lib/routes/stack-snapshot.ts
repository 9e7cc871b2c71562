import type { Layer } from './express-layers';

/** The stack of a router or a route as it was read. Layers added or removed since are seen by its length and its last layer. */
export class StackSnapshot {
  readonly stack: readonly Layer[];
  readonly #length: number;
  readonly #last: Layer | undefined;

  constructor(private readonly owner: { readonly stack: readonly Layer[] }) {
    this.stack = owner.stack;
    this.#length = this.stack.length;
    this.#last = this.stack.at(-1);
  }

  isCurrent(): boolean {
    const { stack } = this.owner;
    return stack === this.stack && stack.length === this.#length && stack[this.#length - 1] === this.#last;
  }
}

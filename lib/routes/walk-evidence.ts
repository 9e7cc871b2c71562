import { performance } from 'node:perf_hooks';
import type { Layer, Router } from './express-layers';
import type { IndexedLayer } from './indexed-layer';
import { recheckAfter } from './recheck-after';
import { RouteIndex } from './route-index';
import { isSameReach, reachedBy, type Reached, type RouteReading } from './route-methods';

/**
 * What the findings of a walk rest on: the stacks of the routers and routes that it came upon, as they were. A layer
 * added or removed is seen at once, one exchanged in place after `recheckAfter`.
 */
export class WalkEvidence {
  /** Whether a walk for any path of the same class would find the same, see `RememberedWalks`. */
  repeatable = true;
  readonly indexes: RouteIndex[] = [];
  readonly #readings: { readonly entry: IndexedLayer; readonly reading: RouteReading }[] = [];
  readonly #middlewares: { readonly layer: Layer; readonly reached: Reached }[] = [];
  // Beside the above, for these are looked at for every request: the fewer objects, the fewer cache misses.
  readonly #stacks: (readonly Layer[])[] = [];
  readonly #lengths: number[] = [];
  readonly #ends: {
    readonly router: Router;
    readonly stack: readonly Layer[];
    readonly last: Layer | undefined;
  }[] = [];
  /** A whole number, which an object holds itself, and not by reference. */
  #checked = Math.trunc(performance.now());

  addRouter(index: RouteIndex): void {
    const { router } = index;
    const { stack } = router;
    this.indexes.push(index);
    this.#ends.push({ router, stack, last: stack.at(-1) });
    this.#addStack(stack);
  }

  addRoute(entry: IndexedLayer, reading: RouteReading): void {
    this.#readings.push({ entry, reading });
    this.#addStack(reading.stack);
  }

  addMiddleware(layer: Layer, reached: Reached): void {
    this.#middlewares.push({ layer, reached });
  }

  isCurrent(): boolean {
    for (let i = 0; i < this.#stacks.length; i++) {
      if (this.#stacks[i]?.length !== this.#lengths[i]) return false;
    }
    for (const { router, stack, last } of this.#ends) {
      if (router.stack !== stack || stack[stack.length - 1] !== last) return false;
    }
    const now = Math.trunc(performance.now());
    if (now - this.#checked <= recheckAfter) return true;
    this.#checked = now;
    return this.#isSameInDepth();
  }

  #addStack(stack: readonly Layer[]): void {
    this.#stacks.push(stack);
    this.#lengths.push(stack.length);
  }

  #isSameInDepth(): boolean {
    return (
      this.indexes.every((index) => RouteIndex.of(index.router) === index) &&
      this.#readings.every(({ entry, reading }) => entry.reading() === reading) &&
      this.#middlewares.every(({ layer, reached }) => isSameReach(reachedBy(layer), reached))
    );
  }
}

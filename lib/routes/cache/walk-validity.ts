import { performance } from 'node:perf_hooks';
import type { Layer, Router } from '../../express/layers';
import { mayGainRouter } from '../../express/mount-points';
import { recheckAfter, StackSnapshot } from '../../express/stack-snapshot';
import type { IndexedLayer } from '../index/indexed-layer';
import { RouteIndex } from '../index/route-index';
import { isSameReach, reachedBy, type Reached, type RouteReading } from '../route-methods';
import type { WalkObserver } from '../route-walk';

/**
 * Whether the findings of a walk still hold: the routers, routes and middlewares that it came upon, as they were. A layer
 * added or removed is seen at once, one exchanged in place after `recheckAfter`.
 */
export class WalkValidity implements WalkObserver {
  /** Whether a walk for any path of the same class would find the same, see `WalkCache`. */
  repeatable = true;
  readonly #routers: { readonly router: Router; readonly index: RouteIndex }[] = [];
  readonly #readings: { readonly entry: IndexedLayer; readonly reading: RouteReading }[] = [];
  readonly #middlewares: { readonly layer: Layer; readonly reached: Reached }[] = [];
  /** Those of the routers, then those of the routes: looked at for every request. */
  readonly #stacks: StackSnapshot[] = [];
  /** A whole number, which an object holds itself, and not by reference. */
  #checked = Math.trunc(performance.now());

  router(router: Router, index: RouteIndex): void {
    this.#stacks.splice(this.#routers.length, 0, new StackSnapshot(router.stack));
    this.#routers.push({ router, index });
  }

  /** What a path that is not plain says may depend on any letter of the request's. */
  candidate(entry: IndexedLayer): void {
    if (!entry.isPlain) this.repeatable = false;
  }

  route(entry: IndexedLayer, reading: RouteReading): void {
    this.#stacks.push(reading.snapshot);
    this.#readings.push({ entry, reading });
  }

  middleware(layer: Layer, reached: Reached): void {
    this.#middlewares.push({ layer, reached });
    if (reached === undefined && mayGainRouter(layer)) this.repeatable = false;
  }

  get indexes(): readonly RouteIndex[] {
    return this.#routers.map(({ index }) => index);
  }

  /** How many objects it is made of, about. */
  get size(): number {
    return 2 * this.#routers.length + this.#readings.length + this.#middlewares.length;
  }

  isCurrent(): boolean {
    for (let i = 0; i < this.#stacks.length; i++) {
      const snapshot = this.#stacks[i];
      if (snapshot?.isCurrent() === false) return false;
      if (i < this.#routers.length && this.#routers[i]?.router.stack !== snapshot?.stack) return false;
    }
    const now = Math.trunc(performance.now());
    if (now - this.#checked <= recheckAfter) return true;
    this.#checked = now;
    return this.#isSameInDepth();
  }

  #isSameInDepth(): boolean {
    return (
      this.#routers.every(({ router, index }) => RouteIndex.of(router) === index) &&
      this.#readings.every(({ entry, reading }) => entry.reading() === reading) &&
      this.#middlewares.every(({ layer, reached }) => isSameReach(reachedBy(layer), reached))
    );
  }
}

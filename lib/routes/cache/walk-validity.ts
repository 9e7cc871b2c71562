import { performance } from 'node:perf_hooks';
import type { Layer, Router } from '../../express/layers';
import { mayGainRouter } from '../../express/router-behind';
import { recheckAfter, StackSnapshot } from '../../express/stack-snapshot';
import type { IndexedLayer } from '../index/indexed-layer';
import { RouteIndex } from '../index/route-index';
import { isSameDestination, readDestination, type Destination, type RouteReading } from '../route-methods';
import type { WalkObserver } from '../route-walk';

/**
 * Records the routers, routes and middlewares that a walk read, to check later whether its findings are still
 * valid. An added or removed layer is noticed at once, a replaced one after `recheckAfter`.
 */
export class WalkValidity implements WalkObserver {
  /** Whether the walk would find the same for every path of its class, see `WalkCache`. */
  repeatable = true;
  readonly #routers: { readonly router: Router; readonly index: RouteIndex }[] = [];
  readonly #readings: { readonly entry: IndexedLayer; readonly reading: RouteReading }[] = [];
  readonly #middlewares: { readonly layer: Layer; readonly destination: Destination }[] = [];
  /** The stacks of the routers, then those of the routes: checked on every request. */
  readonly #stacks: StackSnapshot[] = [];
  /** An integer, which V8 stores in the object itself instead of in a separate heap number. */
  #checked = Math.trunc(performance.now());

  router(router: Router, index: RouteIndex): void {
    this.#stacks.splice(this.#routers.length, 0, new StackSnapshot(router.stack));
    this.#routers.push({ router, index });
  }

  /** Whether a path that is not plain matches can depend on any character of the request's path. */
  candidate(entry: IndexedLayer): void {
    if (!entry.isPlain) this.repeatable = false;
  }

  route(entry: IndexedLayer, reading: RouteReading): void {
    this.#stacks.push(reading.snapshot);
    this.#readings.push({ entry, reading });
  }

  middleware(layer: Layer, destination: Destination): void {
    this.#middlewares.push({ layer, destination });
    if (destination === undefined && mayGainRouter(layer)) this.repeatable = false;
  }

  get indexes(): readonly RouteIndex[] {
    return this.#routers.map(({ index }) => index);
  }

  /** The approximate number of objects in it. */
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
      this.#middlewares.every(({ layer, destination }) =>
        isSameDestination(readDestination(layer), destination),
      )
    );
  }
}

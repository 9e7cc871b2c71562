import { mayGainRouter } from '../express/apps';
import { currentTime, StackReading, type Layer, type Router } from '../express/layers';
import { isComparable, routerUrl } from '../express/url';
import type { IndexedLayer } from './indexed-layer';
import type { RouteIndex } from './route-index';
import { isSameDestination, readDestination, type Destination, type RouteMethods } from './route-methods';
import { walkRoutes, type Findings, type WalkObserver } from './route-walk';

/** The key is the root's stack, which stays the same object when instrumentation wraps the router. */
const caches = new WeakMap<readonly Layer[], WalkCache>();

/** The maximum number of objects in a cache: about ten megabytes. */
const maxObjects = 100_000;
/** Paths with more segments are not cached, because each would take as much memory as many other paths. */
const maxSegments = 32;

/**
 * The findings of `walkRoutes`, from the cache if a path that the routes cannot tell from this one was walked
 * before. Without the cache, a lookup among 1,000 routers costs 1.6 times as much.
 */
export function cachedWalk(router: Router, url: string): Findings {
  return (caches.get(router.stack) ?? emptyCache(router)).find(router, url);
}

function emptyCache({ stack }: Router): WalkCache {
  const cache = new WalkCache();
  caches.set(stack, cache);
  return cache;
}

/**
 * The findings of walks, by classes of paths. Routes with plain paths cannot distinguish two paths if each
 * segment is either the same literal of the routes in both, or not a literal of the routes, as in `/notes/1`
 * and `/notes/2`. So the number of classes depends on the routes, not on the paths that clients request. A
 * walk is not cached if one of its candidates has a path that is not plain, because the result can then
 * depend on any character. Layers that are not candidates are ruled out by their literals.
 *
 * With a thousand routers, the memory that a walk reads no longer fits into the processor's cache, and the
 * walk costs ten times as much as the rest of the lookup.
 */
class WalkCache {
  /**
   * The literals of all routers that were walked, in lower case, because case may or may not matter to a
   * router.
   */
  readonly #literals = new Set<string>();
  /** The indexes whose literals are in `#literals`. */
  readonly #learned = new WeakSet<RouteIndex>();
  readonly #root = new PathClass();
  #objects = 0;

  find(router: Router, url: string): Findings {
    const { path, isUsual } = routerUrl(url);
    if (path === undefined || !isUsual || !isComparable(path)) return walkRoutes(router, url);
    const known = this.#known(path);
    if (known?.walk?.validity.isCurrent() === true) return known.walk.findings;
    // The old walk is dropped, because it would look current again if the stack got back its former length.
    if (known?.walk !== undefined) {
      this.#objects -= known.walk.validity.size;
      known.walk = undefined;
    }
    const validity = new WalkValidity(router);
    const findings = walkRoutes(router, url, validity);
    if (!validity.repeatable) return findings;
    const segments = path.slice(1).split('/');
    if (segments.length > maxSegments) return findings;
    // Literals in any order and case, and routes that are added and removed, can create classes without
    // limit.
    const cache = this.#objects > maxObjects ? emptyCache(router) : this;
    cache.#keep(segments, { findings, validity });
    return findings;
  }

  #known(path: string): PathClass | undefined {
    let known: PathClass | undefined = this.#root;
    for (let start = 1, end = 0; end < path.length && known !== undefined; start = end + 1) {
      end = path.indexOf('/', start);
      if (end === -1) end = path.length;
      const segment = path.slice(start, end);
      known = known.literals?.get(segment) ?? (this.#isLiteral(segment) ? undefined : known.parameter);
    }
    return known;
  }

  /** The empty segment of `/` does not count as a parameter. */
  #isLiteral(segment: string): boolean {
    return segment === '' || this.#literals.has(segment.toLowerCase());
  }

  #keep(segments: readonly string[], walk: CachedWalk): void {
    for (const index of walk.validity.indexes) this.#learn(index);
    let known = this.#root;
    for (const segment of segments) {
      known = this.#isLiteral(segment)
        ? this.#literal(known, segment)
        : (known.parameter ??= this.#createClass());
    }
    known.walk = walk;
    this.#objects += walk.validity.size;
  }

  #literal(known: PathClass, segment: string): PathClass {
    known.literals ??= new Map();
    let next = known.literals.get(segment);
    // The key is a copy: a substring would keep the whole URL with its query in memory.
    if (next === undefined) known.literals.set(` ${segment}`.slice(1), (next = this.#createClass()));
    return next;
  }

  #createClass(): PathClass {
    this.#objects += 2;
    return new PathClass();
  }

  #learn(index: RouteIndex): void {
    if (this.#learned.has(index)) return;
    this.#learned.add(index);
    const before = this.#literals.size;
    for (const literal of index.layers.flatMap(({ literals }) => literals)) this.#literals.add(literal);
    this.#objects += this.#literals.size - before;
  }
}

interface CachedWalk {
  readonly findings: Findings;
  readonly validity: WalkValidity;
}

/** A class of paths that the routes cannot distinguish, and the classes with one more segment. */
class PathClass {
  walk: CachedWalk | undefined = undefined;
  parameter: PathClass | undefined = undefined;
  literals: Map<string, PathClass> | undefined = undefined;
}

/**
 * Records the routers, routes and middlewares that a walk read, to check later whether its findings are still
 * valid.
 */
class WalkValidity implements WalkObserver {
  /** Whether the walk would have the same findings for every path of its class, see `WalkCache`. */
  repeatable = true;
  readonly #routers: {
    readonly router: Router;
    readonly index: RouteIndex;
    readonly reading: StackReading;
  }[] = [];
  /** The readings of routes and of middlewares. */
  readonly #others: StackReading[] = [];
  readonly #middlewares: ReadMiddleware[] = [];

  constructor(private readonly root: Router) {}

  router(router: Router, index: RouteIndex): void {
    this.#routers.push({ router, index, reading: index.reading });
  }

  /** A path that is not plain can match depending on any character of the request's path. */
  candidate(entry: IndexedLayer): void {
    if (!entry.isPlain) this.repeatable = false;
  }

  route({ reading }: RouteMethods): void {
    this.#others.push(reading);
  }

  middleware(layer: Layer, destination: Destination): void {
    if (this.#middlewares.push({ layer, destination }) === 1) {
      this.#others.push(new StackReading(this.root.stack, () => this.#middlewares.every(leadsThereStill)));
    }
    if (destination === undefined && mayGainRouter(layer)) this.repeatable = false;
  }

  get indexes(): readonly RouteIndex[] {
    return this.#routers.map(({ index }) => index);
  }

  /** The approximate number of objects in it. */
  get size(): number {
    return 2 * this.#routers.length + this.#others.length + this.#middlewares.length;
  }

  isCurrent(): boolean {
    const now = currentTime();
    for (const { router, reading } of this.#routers) {
      if (router.stack !== reading.stack || !reading.isCurrent(now)) return false;
    }
    for (const reading of this.#others) if (!reading.isCurrent(now)) return false;
    return true;
  }
}

interface ReadMiddleware {
  readonly layer: Layer;
  readonly destination: Destination;
}

function leadsThereStill({ layer, destination }: ReadMiddleware): boolean {
  return isSameDestination(readDestination(layer), destination);
}

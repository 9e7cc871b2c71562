import type { Layer, Router } from '../../express/layers';
import { positionAt } from '../../express/url';
import { isComparable } from '../index/plain-path';
import type { RouteIndex } from '../index/route-index';
import { walkRoutes, type Findings } from '../route-walk';
import { WalkValidity } from './walk-validity';

/** By the root's stack, which survives where instrumentation wraps the router. */
const caches = new WeakMap<readonly Layer[], WalkCache>();

/** Of the objects that the classes and their walks are made of: some ten megabytes. */
const mostObjects = 100_000;
/** A path of more is walked each time: to keep it would take as much memory as many others do. */
const mostSegments = 32;

/** What `walkRoutes` finds, without a walk where one for a path that the routes cannot tell apart is cached. */
export function cachedWalk(router: Router, url: string): Findings {
  return (caches.get(router.stack) ?? emptyCache(router)).find(router, url);
}

function emptyCache({ stack }: Router): WalkCache {
  const cache = new WalkCache();
  caches.set(stack, cache);
  return cache;
}

/**
 * Walks by classes of paths. To routes whose paths are plain, two paths are the same where each segment is either the
 * same literal of theirs in both, or none of their literals: `/notes/1` and `/notes/2`. So there are as many classes as
 * the routes make, however many paths are asked for. A walk on which a layer was a candidate whose path is not plain is not
 * cached: what that says may depend on any letter. One that was no candidate says no by its literals.
 *
 * With a thousand routers the memory that a walk touches no longer fits the processor's cache, and costs ten times what the
 * rest of the lookup does.
 */
class WalkCache {
  /** The literals of all routers that were walked, in lower case: whether case counts is for the router to say. */
  readonly #literals = new Set<string>();
  /** How many layers of a router's index these were taken from. */
  readonly #learned = new WeakMap<RouteIndex, number>();
  readonly #root = new PathClass();
  #objects = 0;

  find(router: Router, url: string): Findings {
    const { path, restores } = positionAt(url);
    if (path === undefined || !restores || !isComparable(path)) return walkRoutes(router, url);
    const known = this.#known(path);
    if (known?.walk?.validity.isCurrent() === true) return known.walk.findings;
    // It could come to look current again, when a stack is as long as it was.
    if (known?.walk !== undefined) {
      this.#objects -= known.walk.validity.size;
      known.walk = undefined;
    }
    const validity = new WalkValidity();
    const findings = walkRoutes(router, url, validity);
    if (!validity.repeatable) return findings;
    const segments = path.slice(1).split('/');
    if (segments.length > mostSegments) return findings;
    // Literals in any order and any case, and routes that come and go, make classes without end.
    const cache = this.#objects > mostObjects ? emptyCache(router) : this;
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

  /** The one segment of `/`, which is empty, is no parameter. */
  #isLiteral(segment: string): boolean {
    return segment === '' || this.#literals.has(segment.toLowerCase());
  }

  #keep(segments: readonly string[], walk: CachedWalk): void {
    for (const index of walk.validity.indexes) this.#learn(index);
    let known = this.#root;
    for (const segment of segments) {
      known = this.#isLiteral(segment) ? this.#literal(known, segment) : (known.parameter ??= this.#made());
    }
    known.walk = walk;
    this.#objects += walk.validity.size;
  }

  #literal(known: PathClass, segment: string): PathClass {
    known.literals ??= new Map();
    let next = known.literals.get(segment);
    // A copy as key: a part of a string keeps the whole of it in memory, here the URL with its query.
    if (next === undefined) known.literals.set(` ${segment}`.slice(1), (next = this.#made()));
    return next;
  }

  #made(): PathClass {
    this.#objects += 2;
    return new PathClass();
  }

  #learn(index: RouteIndex): void {
    const learned = this.#learned.get(index) ?? 0;
    if (learned === index.layers.length) return;
    for (const { literals } of index.layers.slice(learned)) {
      for (const literal of literals) this.#literals.add(literal);
      this.#objects += literals.length;
    }
    this.#learned.set(index, index.layers.length);
  }
}

interface CachedWalk {
  readonly findings: Findings;
  readonly validity: WalkValidity;
}

/** Paths that the routes cannot tell apart, and the classes that continue it by one segment. */
class PathClass {
  walk: CachedWalk | undefined = undefined;
  parameter: PathClass | undefined = undefined;
  literals: Map<string, PathClass> | undefined = undefined;
}

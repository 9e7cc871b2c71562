import type { Layer, Router } from './express-layers';
import { positionAt } from './express-url';
import { isComparable } from './plain-path';
import type { RouteIndex } from './route-index';
import { walkRoutes, type Findings, type Walk } from './route-walk';

/** By the root's stack, which a router keeps for good, and which survives where instrumentation wraps the router. */
const memories = new WeakMap<readonly Layer[], RememberedWalks>();

/** What `walkRoutes` finds, without a walk where one for a path that the routes cannot tell apart is remembered. */
export function findRoutes(router: Router, url: string): Findings {
  let memory = memories.get(router.stack);
  if (memory === undefined) memories.set(router.stack, (memory = new RememberedWalks()));
  return memory.find(router, url);
}

/**
 * Walks by classes of paths. To routes whose paths are plain, two paths are the same where each segment is either the
 * same literal of theirs in both, or none of their literals: `/notes/1` and `/notes/2`. So there are as many classes as
 * the routes make, however many paths are asked for. A walk that asked a layer itself is not remembered: what that says
 * may depend on any letter.
 *
 * With a thousand routers the memory that a walk touches no longer fits the processor's cache, and costs ten times what the
 * rest of the lookup does.
 */
class RememberedWalks {
  /** The literals of all routers that were walked, in lower case: whether case counts is for the router to say. */
  readonly #literals = new Set<string>();
  /** How many layers of a router's index these were taken from. */
  readonly #learned = new WeakMap<RouteIndex, number>();
  #root = new PathClass();
  #size = 0;

  find(router: Router, url: string): Findings {
    const { path, restores } = positionAt(url);
    if (path === undefined || !restores || !isComparable(path)) return walkRoutes(router, url);
    const known = this.#classOf(path)?.walk;
    if (known?.evidence.isCurrent() === true) return known;
    const walk = walkRoutes(router, url);
    if (walk.evidence.repeatable) this.#remember(path, walk);
    return walk;
  }

  #classOf(path: string): PathClass | undefined {
    let known: PathClass | undefined = this.#root;
    for (let start = 1, end = 0; end < path.length && known !== undefined; start = end + 1) {
      end = path.indexOf('/', start);
      if (end === -1) end = path.length;
      const segment = path.slice(start, end);
      known = known.literals?.get(segment) ?? (this.#isLiteral(segment) ? undefined : known.parameter);
    }
    return known;
  }

  /** An empty segment is no parameter: it is told apart as if it were a literal. */
  #isLiteral(segment: string): boolean {
    return segment === '' || this.#literals.has(segment.toLowerCase());
  }

  #remember(path: string, walk: Walk): void {
    for (const index of walk.evidence.indexes) this.#learn(index);
    // Paths made up of literals in any order and any case are classes of their own, of which there is no end.
    if (this.#size > 1_000 + 10 * this.#literals.size) {
      this.#root = new PathClass();
      this.#size = 0;
    }
    let known = this.#root;
    for (const segment of path === '/' ? [''] : path.slice(1).split('/')) {
      known = this.#isLiteral(segment) ? this.#literal(known, segment) : this.#parameter(known);
    }
    known.walk = walk;
  }

  #literal(known: PathClass, segment: string): PathClass {
    known.literals ??= new Map();
    let next = known.literals.get(segment);
    if (next === undefined) known.literals.set(segment, (next = this.#made()));
    return next;
  }

  #parameter(known: PathClass): PathClass {
    return (known.parameter ??= this.#made());
  }

  #made(): PathClass {
    this.#size++;
    return new PathClass();
  }

  #learn(index: RouteIndex): void {
    const learned = this.#learned.get(index) ?? 0;
    if (learned === index.layers.length) return;
    for (const { literals } of index.layers.slice(learned)) {
      for (const literal of literals) this.#literals.add(literal);
    }
    this.#learned.set(index, index.layers.length);
  }
}

class PathClass {
  walk: Walk | undefined = undefined;
  parameter: PathClass | undefined = undefined;
  literals: Map<string, PathClass> | undefined = undefined;
}

import { performance } from 'node:perf_hooks';
import { wrappings } from './apps';
import { isPathless, isRouter, type Router } from './layers';
import { includesMember } from './child-middlewares';
import { recheckAfter } from '../routes/cache/recheck-after';
import { reachedBy } from '../routes/route-methods';

/**
 * Whether a middleware sees the URL as the router does: it stands on its stack, or on that of one mounted there without
 * a path, and nowhere else.
 */
export const standsOn = remembered((router, middleware) => {
  const places = [...placesOf(router, middleware)];
  return places.length > 0 && !places.includes('trimmed');
});

/** Whether a router or a middleware is mounted on another, however deep. */
export const leadsTo = remembered((router, inner) => placesOf(router, inner).next().done === false);

/** Whether the mounts on the way take something from the URL. */
type Way = 'trimmed' | 'untrimmed';

/** The ways to a router or a middleware, on a router's stack or further in. */
function* placesOf(root: Router, sought: object): Generator<Way> {
  const reached: Record<Way, Set<Router>> = { untrimmed: new Set([root]), trimmed: new Set() };
  for (const way of ['untrimmed', 'trimmed'] as const) {
    // Those that are added on the way come up, too.
    for (const { stack } of reached[way]) {
      for (const layer of stack) {
        if (layer.route !== undefined) continue;
        const further = isPathless(layer) ? way : 'trimmed';
        if ([...wrappings(layer.handle)].some((handler) => includesMember(handler, sought))) yield further;
        const inner = reachedBy(layer);
        if (!isRouter(inner)) continue;
        if (isRouter(sought) && inner.stack === sought.stack) yield further;
        reached[further].add(inner);
      }
    }
  }
}

/** What was looked for in a router, and what came of it while its stack had that length. */
interface Place {
  readonly length: number;
  /** Further in, and in place, a stack can change unseen: then it is looked again, after `recheckAfter`. */
  readonly until: number;
  readonly found: boolean;
}

function remembered(
  look: (router: Router, sought: object) => boolean,
): (router: Router, sought: object) => boolean {
  const places = new WeakMap<Router, WeakMap<object, Place>>();
  return (router, sought) => {
    const known = places.get(router) ?? new WeakMap<object, Place>();
    places.set(router, known);
    const { length } = router.stack;
    const place = known.get(sought);
    const now = performance.now();
    if (place?.length === length && now < place.until) return place.found;
    const found = look(router, sought);
    known.set(sought, { length, found, until: now + recheckAfter });
    return found;
  };
}

import { performance } from 'node:perf_hooks';
import { innerRouter, wrappings } from './express-apps';
import { isPathless, type Layer, type Router } from './express-layers';
import { includesMember } from './members';
import { recheckAfter } from './recheck-after';

/**
 * Whether a middleware sees the URL as the router does: it stands on its stack, or on that of one mounted there without
 * a path, and nowhere else.
 */
export const standsOn = remembered((router: Router, middleware: object) => {
  const isIt = (layer: Layer): boolean =>
    [...wrappings(layer.handle)].some((handler) => includesMember(handler, middleware));
  const places = [...placesOf(router, isIt)];
  return places.length > 0 && !places.includes('trimmed');
});

/** Whether a router is mounted on another, however deep. */
export const leadsTo = remembered((router: Router, inner: Router) => {
  const isIt = (layer: Layer): boolean => innerRouter(layer)?.stack === inner.stack;
  return placesOf(router, isIt).next().done === false;
});

/** Whether the mounts on the way take something from the URL. */
type Way = 'trimmed' | 'untrimmed';

/** The ways to whatever is sought, on a router's stack or further in. */
function* placesOf(root: Router, isIt: (layer: Layer) => boolean): Generator<Way> {
  const reached: Record<Way, Set<Router>> = { untrimmed: new Set([root]), trimmed: new Set() };
  for (const way of ['untrimmed', 'trimmed'] as const) {
    // Those that are added on the way come up, too.
    for (const { stack } of reached[way]) {
      for (const layer of stack) {
        if (layer.route !== undefined) continue;
        const further = isPathless(layer) ? way : 'trimmed';
        if (isIt(layer)) yield further;
        const inner = innerRouter(layer);
        if (inner !== undefined) reached[further].add(inner);
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

function remembered<Sought extends object>(
  look: (router: Router, sought: Sought) => boolean,
): (router: Router, sought: Sought) => boolean {
  const places = new WeakMap<Router, WeakMap<Sought, Place>>();
  return (router, sought) => {
    const known = places.get(router) ?? new WeakMap<Sought, Place>();
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

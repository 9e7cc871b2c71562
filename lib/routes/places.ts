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
  const ways = new Set(waysTo(router, isIt));
  return ways.has('untrimmed') && !ways.has('trimmed');
});

/** Whether a router is mounted on another, however deep. */
export const leadsTo = remembered((router: Router, inner: Router) => {
  const isIt = (layer: Layer): boolean => innerRouter(layer)?.stack === inner.stack;
  return waysTo(router, isIt).next().done === false;
});

/** Whether the mounts on the way take something from the URL. */
type Way = 'trimmed' | 'untrimmed';

function* waysTo(
  router: Router,
  isIt: (layer: Layer) => boolean,
  way: Way = 'untrimmed',
  seen: Record<Way, Set<Router>> = { trimmed: new Set(), untrimmed: new Set() },
): Generator<Way> {
  if (seen[way].has(router)) return;
  seen[way].add(router);
  for (const layer of router.stack) {
    if (layer.route !== undefined) continue;
    const further = isPathless(layer) ? way : 'trimmed';
    if (isIt(layer)) yield further;
    const inner = innerRouter(layer);
    if (inner !== undefined) yield* waysTo(inner, isIt, further, seen);
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

import { innerRouter, wrappings } from './express-apps';
import { isPathless, type Layer, type Router } from './express-layers';

/** What was looked for in a router, and what came of it while its stack had that length. */
interface Place {
  readonly length: number;
  readonly found: boolean;
}

/** Whether a middleware stands on the router's stack, or on that of one mounted there without a path. */
export const standsOn = remembered((router: Router, middleware: object) =>
  search(router, isPathless, (layer) =>
    [...wrappings(layer.handle)].some((handler) => handler === middleware),
  ),
);

/** Whether a router is mounted on another, however deep. */
export const leadsTo = remembered((router: Router, inner: Router) =>
  search(
    router,
    () => true,
    (layer) => innerRouter(layer)?.stack === inner.stack,
  ),
);

function search(
  router: Router,
  enters: (layer: Layer) => boolean,
  finds: (layer: Layer) => boolean,
  seen = new Set<Router>(),
): boolean {
  if (seen.has(router)) return false;
  seen.add(router);
  return router.stack.filter(enters).some((layer) => {
    if (finds(layer)) return true;
    const inner = innerRouter(layer);
    return inner !== undefined && search(inner, enters, finds, seen);
  });
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
    if (place?.length === length) return place.found;
    const found = look(router, sought);
    known.set(sought, { length, found });
    return found;
  };
}

import { performance } from 'node:perf_hooks';
import { innerRouter, isRoot, leadsToApp, routerOf, wrappings } from './apps';
import { declaredMethods, declaredRouter } from './declare-methods';
import { includesMiddleware } from './handler-metadata';
import { handlesRequests, isPathless, isRouter, type Layer, type Router } from './layers';
import { recheckAfter } from './stack-snapshot';

/** The router that a middleware's layer leads to; undefined where none is in sight. */
export function routerBehind(layer: Layer): Router | undefined {
  const { handle } = layer;
  if (isRouter(handle)) return handle;
  if (!handlesRequests(layer) || declaredMethods(handle) !== undefined) return undefined;
  return innerRouter(layer) ?? routerOf(declaredRouter(handle));
}

/** Whether a middleware's layer leads to an app of Express 4 that has no router yet: the first route makes it. */
export function mayGainRouter(layer: Layer): boolean {
  return leadsToApp(layer) || isRoot(declaredRouter(layer.handle));
}

/**
 * Whether a middleware sees the URL as the router does: it stands on its stack, or on that of one mounted there without
 * a path, and nowhere else.
 */
export const standsOn = remembered((router, middleware) => {
  const mounts = [...mountsOf(router, middleware)];
  return mounts.length > 0 && !mounts.includes('trimmed');
});

/** Whether a middleware is mounted on a router, however deep. */
export const leadsTo = remembered((router, middleware) => mountsOf(router, middleware).next().done === false);

/** Whether the mounts on the way take something from the URL. */
type Way = 'trimmed' | 'untrimmed';

/** The ways to each place where a middleware is mounted, on a router's stack or further in. */
function* mountsOf(root: Router, middleware: object): Generator<Way> {
  const reached: Record<Way, Set<Router>> = { untrimmed: new Set([root]), trimmed: new Set() };
  for (const way of ['untrimmed', 'trimmed'] as const) {
    // Routers that are added on the way come up, too.
    for (const { stack } of reached[way]) {
      for (const layer of stack) {
        if (layer.route !== undefined) continue;
        const further = isPathless(layer) ? way : 'trimmed';
        if ([...wrappings(layer.handle)].some((handler) => includesMiddleware(handler, middleware)))
          yield further;
        const inner = routerBehind(layer);
        if (inner !== undefined) reached[further].add(inner);
      }
    }
  }
}

/** What was looked for in a router, and what came of it while its stack had that length. */
interface Search {
  readonly length: number;
  /** Further in, and in place, a stack can change unseen: then it is searched again, after `recheckAfter`. */
  readonly until: number;
  readonly found: boolean;
}

function remembered(
  search: (router: Router, middleware: object) => boolean,
): (router: Router, middleware: object) => boolean {
  const searches = new WeakMap<Router, WeakMap<object, Search>>();
  return (router, middleware) => {
    const ofRouter = searches.get(router) ?? new WeakMap<object, Search>();
    searches.set(router, ofRouter);
    const { length } = router.stack;
    const last = ofRouter.get(middleware);
    const now = performance.now();
    if (last?.length === length && now < last.until) return last.found;
    const found = search(router, middleware);
    ofRouter.set(middleware, { length, found, until: now + recheckAfter });
    return found;
  };
}

import { performance } from 'node:perf_hooks';
import { innerRouter, isRoot, leadsToApp, readRouter, wrappings } from './apps';
import { declaredMethods, declaredRouter } from './declare-methods';
import { includesMiddleware } from './handler-metadata';
import { handlesRequests, isPathless, isRouter, type Layer, type Router } from './layers';
import { recheckAfter } from './stack-snapshot';

/** The router that a middleware's layer calls; undefined if none can be found. */
export function routerBehind(layer: Layer): Router | undefined {
  const { handle } = layer;
  if (isRouter(handle)) return handle;
  if (!handlesRequests(layer) || declaredMethods(handle) !== undefined) return undefined;
  return innerRouter(layer) ?? readRouter(declaredRouter(handle));
}

/**
 * Whether a middleware's layer calls an Express 4 app that can still get its router: the first route creates
 * it.
 */
export function mayGainRouter(layer: Layer): boolean {
  return leadsToApp(layer) || isRoot(declaredRouter(layer.handle));
}

/**
 * Whether a middleware sees the URL as the router does: it is mounted only on the router's own stack, or on
 * that of routers that are mounted there without a path.
 */
export const seesSameUrl = memoized((router, middleware) => {
  const mounts = [...walkMounts(router, middleware)];
  return mounts.length > 0 && !mounts.includes('trimmed');
});

/** Whether a middleware is mounted on a router or on one below it, at any depth. */
export const isMountedOn = memoized(
  (router, middleware) => walkMounts(router, middleware).next().done === false,
);

/** Whether the mounts between a router and a middleware trim the URL. */
type UrlAtMount = 'trimmed' | 'untrimmed';

/** Yields once for each mount point of a middleware, on a router's stack or below. */
function* walkMounts(root: Router, middleware: object): Generator<UrlAtMount> {
  const reached: Record<UrlAtMount, Set<Router>> = { untrimmed: new Set([root]), trimmed: new Set() };
  for (const url of ['untrimmed', 'trimmed'] as const) {
    // A Set iterates over routers that are added during the loop, too.
    for (const { stack } of reached[url]) {
      for (const layer of stack) {
        if (layer.route !== undefined) continue;
        const further = isPathless(layer) ? url : 'trimmed';
        if ([...wrappings(layer.handle)].some((handler) => includesMiddleware(handler, middleware)))
          yield further;
        const inner = routerBehind(layer);
        if (inner !== undefined) reached[further].add(inner);
      }
    }
  }
}

/** The result of a search in a router, valid while its stack has this length. */
interface Search {
  readonly length: number;
  /**
   * Replaced layers and changes below do not show in the length: so the search is repeated after
   * `recheckAfter`.
   */
  readonly until: number;
  readonly result: boolean;
}

function memoized(
  search: (router: Router, middleware: object) => boolean,
): (router: Router, middleware: object) => boolean {
  const searches = new WeakMap<Router, WeakMap<object, Search>>();
  return (router, middleware) => {
    const ofRouter = searches.get(router) ?? new WeakMap<object, Search>();
    searches.set(router, ofRouter);
    const { length } = router.stack;
    const last = ofRouter.get(middleware);
    const now = performance.now();
    if (last?.length === length && now < last.until) return last.result;
    const result = search(router, middleware);
    ofRouter.set(middleware, { length, result, until: now + recheckAfter });
    return result;
  };
}

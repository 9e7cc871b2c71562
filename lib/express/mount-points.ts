import { performance } from 'node:perf_hooks';
import { wrappings } from './apps';
import { includesMiddleware } from './handler-metadata';
import { isPathless, type Router } from './layers';
import { routerBehind } from './router-behind';
import { recheckAfter } from './stack-snapshot';

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

const searches = new WeakMap<Router, WeakMap<object, Search>>();

/**
 * Whether a middleware sees the URL as the router does: it is mounted only on the router's own stack, or on
 * that of routers that are mounted there without a path.
 */
export function seesSameUrl(router: Router, middleware: object): boolean {
  const searchesInRouter = searches.get(router) ?? new WeakMap<object, Search>();
  searches.set(router, searchesInRouter);
  const { length } = router.stack;
  const last = searchesInRouter.get(middleware);
  const now = performance.now();
  if (last?.length === length && now < last.until) return last.result;
  const mounts = [...walkMounts(router, middleware)];
  const result = mounts.length > 0 && !mounts.includes('trimmed');
  searchesInRouter.set(middleware, { length, result, until: now + recheckAfter });
  return result;
}

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

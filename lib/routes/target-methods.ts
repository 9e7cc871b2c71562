import type { IncomingMessage } from 'node:http';
import { typed } from '../config/expectation';
import { warnOnce } from '../config/process-warning';
import { findOtherServerApp, findTopApp, isRoot, readRouter, routerBehind } from '../express/apps';
import { includesMiddleware, wrappings } from '../express/handler-metadata';
import { isPathless, isRouter, StackReading, type Router } from '../express/layers';
import { routerUrl } from '../express/url';
import { targetMethods, union, type TargetMethods } from './method-set';
import { RouteIndex } from './route-index';
import { readDestination, TrackedMiddlewares } from './route-methods';
import type { Findings } from './route-walk';
import { cachedWalk } from './walk-cache';

/** The option that names the app or router with the routes. */
export interface TargetOptions {
  /**
   * The app or router that the server calls with every request. Required with the standalone `router` and
   * plain `node:http`. Default: the outermost Express app that handles the request.
   */
  readonly root?: unknown;
}

/** The option `root`. */
export const appOrRouter = typed(
  isRoot,
  'Pass the app or router that the server calls, or leave it out inside an Express app.',
  'must be an Express app or a router',
);

/** The methods of a request's target, as the routes show them. */
export interface TargetFindings {
  /** The target as the outermost router sees it. */
  readonly url: string;
  /**
   * The target's methods: the methods of routes for single verbs, and of `app.all` if it counts as an
   * endpoint.
   */
  readonly methods: TargetMethods | undefined;
  /** Everything that the walk over the routes found. */
  readonly walk: Findings;
}

/**
 * Looks up a request's target in the routes; undefined if no router can be found.
 *
 * @param asking - the calling middleware. Only its position shows whether it is on the root's own stack,
 *   after the app has removed a prefix from the URL.
 */
export type TargetInspection = (req: IncomingMessage, asking: object) => TargetFindings | undefined;

/**
 * Creates an inspection; called once for each middleware.
 *
 * @param needsRoutes - whether a process warning is emitted if no router can be found
 */
export function createTargetInspection(root?: unknown, needsRoutes = true): TargetInspection {
  return (req, asking) => {
    let found: TargetFindings | undefined;
    for (const app of root === undefined ? findRoots(req) : [root]) {
      found = readFindings(req, app, asking) ?? found;
      if (found?.walk.positions.some(({ middleware }) => middleware === asking) === true) break;
    }
    if (found === undefined && root === undefined && needsRoutes) warnOfMissingRoot();
    return found;
  };
}

const warnOfMissingRoot = warnOnce(
  'PATCH_OPTIONS_ROOT',
  'A request did not come through an Express app, so its routes cannot be read. ' +
    'Pass the router that the server calls to every patch-options middleware: ' +
    'optionsHandler({ root: router }).',
);

/** A property of the request, because entries of a WeakMap cost ten times as much. */
const rootKey = Symbol('patch-options:root');

interface RootedRequest extends IncomingMessage {
  /** The app or router that called the first middleware of this library. */
  [rootKey]?: unknown;
}

/**
 * Remembers the root of a request for later middlewares: an app that is called by a router or a function
 * remains `req.app` after it has passed the request on.
 *
 * @param root - the option `root` of the calling middleware
 * @returns the root that is remembered
 */
export function rememberRoot(req: RootedRequest, root: unknown): unknown {
  if (req[rootKey] === undefined) {
    const top = findTopApp(req);
    req[rootKey] = root ?? findOtherServerApp(req, top) ?? top;
  }
  return req[rootKey];
}

/**
 * The apps and routers that the server may have called. The first of them that leads to the calling
 * middleware is the root.
 */
function findRoots(req: IncomingMessage): readonly unknown[] {
  const remembered = rememberRoot(req, undefined);
  const top = findTopApp(req);
  return remembered === top ? [top] : [remembered, top];
}

function readFindings(req: IncomingMessage, root: unknown, asking: object): TargetFindings | undefined {
  const router = readRouter(root);
  if (router === undefined) return undefined;
  const url = urlAtRoot(req, router, asking);
  // RFC 9110 9.3.7: for the asterisk, OPTIONS asks about the server in general. No other method has that form.
  const isForServer = url === '*' && req.method === 'OPTIONS';
  const walk = isForServer ? serverFindings(router) : cachedWalk(router, url);
  return { url, methods: methodsIn(walk), walk };
}

/** Express's request. Outside Express, every property can be missing. */
interface RoutedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * The URL that the outermost router matches. For a middleware on its own stack, or on a router that is
 * mounted there without a path, that is `req.url`, which the app can have rewritten. Below a path, routers
 * have trimmed `req.url`: the URL is then `req.originalUrl` or, if a middleware rewrote that, `req.baseUrl`
 * and `req.url` together. Routers change unusual targets when they trim and restore them: for these, too, it
 * is `req.originalUrl`.
 */
function urlAtRoot(req: RoutedRequest, router: Router, asking: object): string {
  const { url = '/', baseUrl = '', originalUrl = url } = req;
  if (url === originalUrl || !routerUrl(originalUrl).isUsual) return originalUrl;
  // `req.baseUrl` can also be the path under which a function of another app calls this one.
  if (seesSameUrl(router, asking)) return url;
  return isTrimmed(originalUrl, baseUrl, url) ? originalUrl : baseUrl + url;
}

/**
 * Whether `url` is the rest that routers leave of `originalUrl`. Slashes, which they remove or add at a mount
 * path, do not count, and neither does the first slash of `url`.
 */
function isTrimmed(originalUrl: string, baseUrl: string, url: string): boolean {
  const left = url.slice(1);
  if (!originalUrl.endsWith(left)) return false;
  const trimmed = originalUrl.slice(0, originalUrl.length - left.length);
  return trimmed.replaceAll('/', '') === baseUrl.replaceAll('/', '');
}

interface MountSearch {
  readonly result: boolean;
  readonly reading: StackReading;
}

const searches = new WeakMap<Router, WeakMap<object, MountSearch>>();

/**
 * Whether a middleware sees the URL as the router does: it is mounted only on the router's own stack, or on
 * the stacks of routers that are mounted there without a path.
 */
function seesSameUrl(router: Router, middleware: object): boolean {
  const searchesInRouter = searches.get(router) ?? new WeakMap<object, MountSearch>();
  searches.set(router, searchesInRouter);
  const last = searchesInRouter.get(middleware);
  if (last?.reading.isCurrent() === true) return last.result;
  const mounts = [...walkMounts(router, middleware)];
  const result = mounts.length > 0 && !mounts.includes('trimmed');
  // Changes in nested routers do not show in this stack, so the search is repeated after a while.
  searchesInRouter.set(middleware, { result, reading: new StackReading(router.stack, () => false) });
  return result;
}

/** Whether the mounts between a router and a middleware trim the URL. */
type UrlAtMount = 'trimmed' | 'untrimmed';

/** Yields once for each mount point of a middleware, on a router's stack or below. */
function* walkMounts(root: Router, middleware: object): Generator<UrlAtMount> {
  const reached: Record<UrlAtMount, Set<Router>> = { untrimmed: new Set([root]), trimmed: new Set() };
  for (const url of ['untrimmed', 'trimmed'] as const) {
    // A Set also iterates over routers that are added during the loop.
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

/**
 * The findings for the server as a whole, `OPTIONS *`: the methods of every route, wherever it is mounted.
 * OPTIONS handlers and malformed paths are still found by a walk, which treats `*` like any other path.
 */
function serverFindings(root: Router): Findings {
  const onTheWay = cachedWalk(root, '*');
  let methods: TargetMethods | undefined;
  let allVerbs = false;
  // A Set also iterates over routers that are added during the loop.
  const routers = new Set([root]);
  for (const router of routers) {
    for (const entry of RouteIndex.of(router).layers) {
      const route = entry.readRoute();
      const destination = route ?? readDestination(entry.layer);
      if (isRouter(destination)) routers.add(destination);
      else if (!(destination instanceof TrackedMiddlewares)) methods = union(methods, destination?.methods);
      allVerbs ||= route?.allVerbs === true;
    }
  }
  // Accept-Patch implies that PATCH is allowed on the resource identified by the request (RFC 5789 3.1): `*`
  // identifies none.
  methods &&= targetMethods(methods.names);
  return {
    ...onTheWay,
    methods,
    specific: methods,
    allVerbs,
    literalAllVerbs: false,
    hasVerb: methods !== undefined,
  };
}

/**
 * The methods of a target. Beside routes for single verbs, an `app.all` is treated as a middleware, as in
 * `app.all('/notes', requireLogin)`. It counts as an endpoint if those routes are on a bare wildcard, or if
 * they match only by parameters and `app.all` has a literal path.
 */
function methodsIn({
  methods,
  hasVerb,
  literalVerb,
  allVerbs,
  literalAllVerbs,
}: Findings): TargetMethods | undefined {
  const isEndpoint = allVerbs && (!hasVerb || (literalAllVerbs && !literalVerb));
  return isEndpoint ? union(methods, everyVerb) : methods;
}

/**
 * The methods that are listed for `app.all`: methods that clients use. Listing all methods that Node parses,
 * such as TRACE and CONNECT, would promise more than any app means by `app.all`.
 */
const everyVerb = targetMethods(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'QUERY'], [], true);

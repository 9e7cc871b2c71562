import type { IncomingMessage } from 'node:http';
import { isRouter, type Router } from '../express/layers';
// `walkRoutes` has the same signature and result without the cache, at 1.6 times the cost with 1,000 routers.
import { cachedWalk as findRoutes } from './cache/walk-cache';
import { RouteIndex } from './index/route-index';
import { targetMethods, union, type TargetMethods } from './method-set';
import { findRoots, readTarget, warnOfMissingRoot, type TargetOptions } from './request-target';
import { readDestination, TrackedMiddlewares } from './route-methods';
import type { Findings } from './route-walk';

export type { TargetMethods } from './method-set';
export type { TargetOptions } from './request-target';

/** What the routes show about a request's target. */
export interface TargetFindings {
  /** The target as the outermost router sees it. */
  readonly url: string;
  /**
   * The target's methods: those of routes for single verbs, and those of `app.all` where that counts as an
   * endpoint.
   */
  readonly target: TargetMethods | undefined;
  /** Everything that the walk over the routes found. */
  readonly routes: Findings;
}

/** The options of an inspection. */
export interface InspectionOptions extends TargetOptions {
  /** Whether it is a mistake if no router can be found, which a process warning reports. Default true. */
  readonly needsRoutes?: boolean;
}

/**
 * Gives what the routes show about a request's target; undefined if no router can be found.
 *
 * @param asking - the calling middleware. If it is mounted on the root's own stack and the app has removed a
 *   prefix from the URL before, only its position shows that.
 */
export type TargetInspection = (req: IncomingMessage, asking: object) => TargetFindings | undefined;

/** Makes an inspection; called once for each middleware. */
export function createTargetInspection({
  root,
  needsRoutes = true,
}: InspectionOptions = {}): TargetInspection {
  return (req, asking) => {
    let found: TargetFindings | undefined;
    for (const app of root === undefined ? findRoots(req) : [root]) {
      found = readFindings(req, app, asking) ?? found;
      if (found?.routes.positions.some(({ middleware }) => middleware === asking) === true) break;
    }
    if (found === undefined && root === undefined && needsRoutes) warnOfMissingRoot();
    return found;
  };
}

function readFindings(req: IncomingMessage, root: unknown, asking: object): TargetFindings | undefined {
  const target = readTarget(req, root, asking);
  if (target === undefined) return undefined;
  const { router, url } = target;
  // RFC 9110 9.3.7: for the asterisk, OPTIONS asks about the server in general. No other method has that form.
  const isForServer = url === '*' && req.method === 'OPTIONS';
  const routes = isForServer ? serverFindings(router) : findRoutes(router, url);
  return { url, routes, target: methodsIn(routes) };
}

/**
 * Beside routes for single verbs, an `app.all` is treated as a middleware, as in
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
 * The methods that are listed for `app.all`: those that clients use. Listing all that Node parses, such as
 * TRACE and CONNECT, would promise what no app means by `app.all`.
 */
const everyVerb = targetMethods(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'QUERY'], [], true);

/**
 * The findings for the server as a whole, `OPTIONS *`: the methods of every route, wherever it is mounted.
 * OPTIONS handlers and malformed paths are still found by a walk, in which `*` is a path like any other.
 */
function serverFindings(root: Router): Findings {
  const onTheWay = findRoutes(root, '*');
  let methods: TargetMethods | undefined;
  let allVerbs = false;
  // A Set iterates over routers that are added during the loop, too.
  const routers = new Set([root]);
  for (const router of routers) {
    for (const entry of RouteIndex.of(router).layers) {
      const route = entry.reading()?.methods;
      const destination = route ?? readDestination(entry.layer);
      if (isRouter(destination)) routers.add(destination);
      else if (!(destination instanceof TrackedMiddlewares)) methods = union(methods, destination?.methods);
      allVerbs ||= route?.allVerbs === true;
    }
  }
  // Accept-Patch implies that PATCH is allowed on the resource identified by the request (RFC 5789 3.1): `*`
  // identifies none.
  methods &&= targetMethods(methods.methods);
  return {
    ...onTheWay,
    methods,
    specific: methods,
    allVerbs,
    literalAllVerbs: false,
    hasVerb: methods !== undefined,
  };
}

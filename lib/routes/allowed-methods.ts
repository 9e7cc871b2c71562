import type { IncomingMessage } from 'node:http';
import { isRouter, type Router } from '../express/layers';
// Without the cache, at 1.6 times the cost where there are 1,000 routers: `walkRoutes`, which takes and gives the same.
import { cachedWalk as findRoutes } from './cache/walk-cache';
import { RouteIndex } from './index/route-index';
import { targetMethods, union, type TargetMethods } from './method-set';
import { targetOf, type TargetOptions } from './request-target';
import { reachedBy, Waypoints } from './route-methods';
import type { Findings } from './route-walk';

export type { TargetMethods } from './method-set';
export type { TargetOptions } from './request-target';

/** What the routes say of a request's target. */
export interface TargetFindings {
  /** The target as the outermost router sees it. */
  readonly url: string;
  /** The target's methods: those that routes name, and those of a route for all verbs where that counts. */
  readonly target: TargetMethods | undefined;
  /** What a request would come upon on its way through the routes. */
  readonly routes: Findings;
}

/**
 * The methods of a request's target resource; undefined where no route matches it.
 *
 * @param asking - the middleware that asks. Where it stands on the root's own stack and the app has taken a prefix off
 *   the URL before, the lookup can only know by it.
 */
export type TargetLookup = (req: IncomingMessage, asking?: unknown) => TargetMethods | undefined;

/** Made once for a middleware. */
export function createTargetLookup(options: TargetOptions = {}): TargetLookup {
  const inspect = createTargetInspection(options);
  return (req, asking) => inspect(req, asking)?.target;
}

/** The same with everything that was found out; undefined where no router is in sight. */
export function createTargetInspection({ root }: TargetOptions = {}): (
  req: IncomingMessage,
  asking?: unknown,
) => TargetFindings | undefined {
  return (req, asking) => {
    const found = targetOf(req, root, asking);
    if (found === undefined) return undefined;
    const { router, url } = found;
    // RFC 9110 9.3.7: for the asterisk, OPTIONS asks about the server in general. No other method has that form.
    const ofServer = url === '*' && req.method === 'OPTIONS';
    const routes = ofServer ? serverFindings(router) : findRoutes(router, url);
    return { url, routes, target: methodsIn(routes) };
  };
}

/**
 * Beside routes for the verbs, one for all of them is taken for a middleware, as in `app.all('/notes', requireLogin)`. But
 * what is on a bare wildcard makes no resource, and what matches by parameters alone is about others than a literal path.
 */
function methodsIn({ methods, specific, allVerbs, literalAllVerbs }: Findings): TargetMethods | undefined {
  return allVerbs && (specific === undefined || literalAllVerbs) ? union(methods, everyVerb) : methods;
}

/**
 * What a target that takes all verbs alike is asked for in practice: of the others that Node parses, such as TRACE and
 * CONNECT, an answer that lists them says what nobody means.
 */
const everyVerb = targetMethods(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'QUERY'], {}, true);

/**
 * What is known of the server as a whole: every route counts, wherever it is mounted. What an OPTIONS request for the
 * asterisk comes upon on its way is another matter: a path like any other.
 */
function serverFindings(root: Router): Findings {
  const onTheWay = findRoutes(root, '*');
  let methods: TargetMethods | undefined;
  let allVerbs = false;
  // Routers that are added on the way come up, too.
  const routers = new Set([root]);
  for (const router of routers) {
    for (const entry of RouteIndex.of(router).layers) {
      const route = entry.reading()?.methods;
      const found = route ?? reachedBy(entry.layer);
      if (isRouter(found)) routers.add(found);
      else if (!(found instanceof Waypoints)) methods = union(methods, found?.methods);
      allVerbs ||= route?.allVerbs === true;
    }
  }
  // Accept-Patch says that PATCH is allowed on the resource that the request names (RFC 5789 3.1): `*` names none.
  methods &&= targetMethods(methods.methods);
  return { ...onTheWay, methods, specific: methods, allVerbs, literalAllVerbs: false };
}

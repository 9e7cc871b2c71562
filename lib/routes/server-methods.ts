import { isRouter, type Router } from './express-layers';
import { RouteIndex } from './route-index';
import { reachedBy } from './route-methods';
import { walkRoutes, type Findings } from './route-walk';
import { targetMethods, union, type TargetMethods } from './target-methods';

/**
 * What is known of the server as a whole, for `OPTIONS *` (RFC 9110 9.3.7): every route counts, wherever it is
 * mounted. What an OPTIONS request for the asterisk comes upon on its way is another matter: a path like any other.
 */
export function serverFindings(router: Router): Findings {
  const { optionsHandler, answeredByExpress, malformed } = walkRoutes(router, '*');
  const { methods, allVerbs } = everyRoute(router, new Set());
  // Accept-Patch says that PATCH is allowed on the resource that the request names (RFC 5789 3.1): `*` names none.
  const withoutPatch = methods && targetMethods(methods.methods);
  return { methods: withoutPatch, allVerbs, optionsHandler, answeredByExpress, malformed };
}

interface EveryRoute {
  methods: TargetMethods | undefined;
  allVerbs: boolean;
}

function everyRoute(router: Router, seen: Set<Router>): EveryRoute {
  const every: EveryRoute = { methods: undefined, allVerbs: false };
  if (seen.has(router)) return every;
  seen.add(router);
  for (const entry of RouteIndex.of(router).layers) {
    const found = entry.reading()?.methods ?? reachedBy(entry.layer);
    if (found === undefined) continue;
    const { methods, allVerbs } = isRouter(found) ? everyRoute(found, seen) : { allVerbs: false, ...found };
    if (methods !== undefined) every.methods = union(every.methods, methods);
    every.allVerbs ||= allVerbs;
  }
  return every;
}

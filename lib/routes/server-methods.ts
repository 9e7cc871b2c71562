import { isRouter, type Router } from '../express/layers';
import { RouteIndex } from './index/route-index';
import { reachedBy } from './route-methods';
import { walkRoutes, type Findings } from './route-walk';
import { targetMethods, union, type TargetMethods } from './method-set';

/**
 * What is known of the server as a whole, for `OPTIONS *` (RFC 9110 9.3.7): every route counts, wherever it is
 * mounted. What an OPTIONS request for the asterisk comes upon on its way is another matter: a path like any other.
 */
export function serverFindings(root: Router): Findings {
  const { optionsHandler, answeredByExpress, malformed } = walkRoutes(root, '*');
  let methods: TargetMethods | undefined;
  let allVerbs = false;
  // Those that are added on the way come up, too.
  const routers = new Set([root]);
  for (const router of routers) {
    for (const entry of RouteIndex.of(router).layers) {
      const route = entry.reading()?.methods;
      const found = route ?? reachedBy(entry.layer);
      if (isRouter(found)) routers.add(found);
      else methods = union(methods, found?.methods);
      allVerbs ||= route?.allVerbs === true;
    }
  }
  // Accept-Patch says that PATCH is allowed on the resource that the request names (RFC 5789 3.1): `*` names none.
  const withoutPatch = methods && targetMethods(methods.methods);
  return { methods: withoutPatch, allVerbs, optionsHandler, answeredByExpress, malformed };
}

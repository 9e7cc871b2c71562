import { shownText, tellOnce } from '../config/app-callbacks';
import { isNpmCors } from '../express/handler-metadata';
import { pathOf } from '../http/target-path';
import { memberOf } from '../config/prototype-pollution';
import { createTargetInspection, type InspectionOptions, type TargetLookup } from '../routes/allowed-methods';

/**
 * The lookup of a middleware that answers preflights. It warns once if the preflight succeeds, but its policy
 * is not that of the actual response: because the middleware is mounted after the route, so that the response
 * has no CORS headers, or because npm cors is mounted, too, whose headers are kept like all that the app
 * sets.
 */
export function createMountedLookup(options: InspectionOptions): TargetLookup {
  const inspect = createTargetInspection(options);
  const tellLate = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', mountedLate);
  const tellTwice = tellOnce('PATCH_OPTIONS_CORS_TWICE', mountedTwice);
  return (req, asking) => {
    const found = inspect(req, asking);
    const method = memberOf(req.headers, 'access-control-request-method');
    if (found !== undefined && method !== undefined) {
      const { positions } = found.routes;
      // If it is mounted several times, the first position is the one whose policy applies.
      const here = positions.find(({ middleware }) => middleware === asking);
      if (here?.followsAllRoutes(method) === true) tellLate(method, found.url);
      if (positions.some(({ middleware }) => isNpmCors(middleware))) tellTwice(method, found.url);
    }
    return found?.target;
  };
}

function mountedTwice(method: string, url: string): string {
  return (
    `npm cors is mounted beside corsPreflight(): the preflight for ${method} ${shownText(pathOf(url))} was answered by the policy of ` +
    'corsPreflight(), but npm cors sets the CORS headers of the response, also for origins that corsPreflight() refuses. Remove ' +
    'npm cors, and cors: true of Nest.'
  );
}

function mountedLate(method: string, url: string): string {
  return (
    `corsPreflight() is mounted after the route for ${method} ${shownText(pathOf(url))}: the preflight was allowed, but that ` +
    'route answers without CORS headers, so the page cannot read the response. Mount patchOptions() or corsPreflight() before ' +
    'all routes.'
  );
}

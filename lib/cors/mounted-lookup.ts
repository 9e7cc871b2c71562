import { shownText, tellOnce } from '../app-callbacks';
import { pathOf } from '../http/target-path';
import { memberOf } from '../prototype-pollution';
import { createTargetInspection, type InspectionOptions, type TargetLookup } from '../routes/allowed-methods';

/**
 * The lookup of a middleware that answers preflights. It warns once if the middleware is mounted after the route that the
 * preflight is about: the preflight succeeds, but the actual request never reaches the middleware, so its response has no CORS
 * headers.
 */
export function createMountedLookup(options: InspectionOptions): TargetLookup {
  const inspect = createTargetInspection(options);
  const tell = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', mountedLate);
  return (req, asking) => {
    const found = inspect(req, asking);
    const method = memberOf(req.headers, 'access-control-request-method');
    // If it is mounted several times, the first position is the one whose policy applies.
    const here = found?.routes.positions.find(({ middleware }) => middleware === asking);
    if (found !== undefined && method !== undefined && here?.followsAllRoutes(method) === true)
      tell(method, found.url);
    return found?.target;
  };
}

function mountedLate(method: string, url: string): string {
  return (
    `corsPreflight() is mounted after the route for ${method} ${shownText(pathOf(url))}: the preflight was allowed, but that ` +
    'route answers without CORS headers, so the page cannot read the response. Mount patchOptions() or corsPreflight() before ' +
    'all routes.'
  );
}

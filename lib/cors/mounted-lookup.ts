import { shownText, tellOnce } from '../app-callbacks';
import { pathOf } from '../http/target-path';
import { memberOf } from '../prototype-pollution';
import { createTargetInspection, type TargetLookup, type TargetOptions } from '../routes/allowed-methods';

/**
 * The lookup of a middleware that answers preflights. Where it stands behind the very route that the preflight is about, it
 * tells so once: the preflight goes well, and the response that follows never comes by to get its CORS fields.
 */
export function createMountedLookup(options: TargetOptions): TargetLookup {
  const inspect = createTargetInspection(options);
  const tell = tellOnce('PATCH_OPTIONS_CORS_BEHIND_ROUTES', mountedLate);
  return (req, asking) => {
    const found = inspect(req, asking);
    const method = memberOf(req.headers, 'access-control-request-method');
    // Of several places, the first is where the request gets its policy.
    const here = found?.routes.waypoints.find(({ middleware }) => middleware === asking);
    if (found !== undefined && method !== undefined && here?.isBehindAllFor(method) === true)
      tell(method, found.url);
    return found?.target;
  };
}

function mountedLate(method: string, url: string): string {
  return (
    `corsPreflight() is mounted after the route for ${method} ${shownText(pathOf(url))}: the preflight was allowed, but that ` +
    'route answers without CORS fields, and the page cannot read it. Mount patchOptions() or corsPreflight() before all routes.'
  );
}

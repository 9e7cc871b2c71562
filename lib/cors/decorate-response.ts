import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import vary from 'vary';
import type { CorsPolicy } from './cors-policy';

/**
 * Puts the CORS fields on a response at the moment its head is written, after whatever handlers, error handlers and
 * `writeHead` have done to it. Set any earlier, an error handler that starts afresh would lose them, and a handler
 * that sets `Vary` would leave a response for one origin in the cache of another.
 *
 * What the host has set itself it keeps.
 *
 * @param allowOrigin - undefined: the origin is not allowed, or there was none
 */
export function decorateResponse(
  res: ServerResponse,
  policy: CorsPolicy,
  allowOrigin: string | undefined,
): void {
  onHeaders(res, () => {
    if (policy.vary.length > 0) vary(res, [...policy.vary]);
    if (allowOrigin === undefined) return;
    setIfUnset(res, 'Access-Control-Allow-Origin', allowOrigin);
    if (policy.credentials) setIfUnset(res, 'Access-Control-Allow-Credentials', 'true');
    if (policy.exposedHeaders.length > 0) {
      setIfUnset(res, 'Access-Control-Expose-Headers', policy.exposedHeaders.join(', '));
    }
  });
}

function setIfUnset(res: ServerResponse, name: string, value: string): void {
  if (!res.hasHeader(name)) res.setHeader(name, value);
}
